import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UDAHUB_SCOPE } from '../../data/udahub/customer-scope.js';
import { HUB_DATABASE } from '../../data/udahub/database.js';
import { type Company, loadCompany, readPolicy } from '../company/company.js';
import { type CompanyBackend, type CompanyCode, loadCompanyCode } from '../company/company-code.js';
import { loadTexts } from '../company/texts.js';
import type { Config } from '../config/config.js';
import type { CompanyProfile } from '../core/domain/company.js';
import { type Texts, TimeFormat } from '../core/i18n/index.js';
import type { Policy } from '../core/policy/index.js';
import type { Clock, CustomerScope, Ids, Log } from '../core/ports/index.js';

/** Whose hub this is, for what must say so before the application is open. @throws HubError `config_invalid` */
export function companyProfile({ company }: Config): CompanyProfile {
  return loadCompany(company.folder, company).profile;
}

/** A company with its files and its code, read and checked, before anything of it is open. */
export interface LoadedCompany extends Company {
  readonly code: CompanyCode;
  readonly policy: Policy;
  readonly texts: Texts;
  readonly time: TimeFormat;
}

/** Reads the company that the configuration names. @throws HubError `config_invalid` */
export async function readCompany({ company: where }: Config): Promise<LoadedCompany> {
  const company = loadCompany(where.folder, where);
  const code = await loadCompanyCode(company.folder);
  return {
    ...company,
    code,
    policy: readPolicy(where.policyFile ?? company.policyFile, code.policy),
    texts: loadTexts(company.folder, company.profile),
    time: new TimeFormat(company.profile.timeZone),
  };
}

/** The company where something is said: dates of another year than the clock's say so. */
export function withClock(company: LoadedCompany, clock: Clock): LoadedCompany {
  return { ...company, time: new TimeFormat(company.profile.timeZone, clock) };
}

/** By database: what a customer may see of it where a skill asks. */
export function customerScopes({ database, scope }: CompanyCode): Readonly<Record<string, CustomerScope>> {
  return { [database.name]: scope, [HUB_DATABASE.name]: UDAHUB_SCOPE };
}

/** The folders of packs: those of the configuration, and the company's own. */
export function skillFolders({ skills }: Config, { folder }: Company): readonly string[] {
  const own = join(folder, 'skills');
  return skills.withCompany && existsSync(own) ? [...skills.dirs, own] : skills.dirs;
}

/** What stores need to know of a company: its database, its name, its articles. */
export function storageOf({ code, profile, folder }: LoadedCompany) {
  const articles = pathToFileURL(join(folder, 'articles', 'knowledge.jsonl'));
  return { database: code.database, name: profile.name, articles };
}

/** Opens the company's code over its database. */
export function openCompany(
  { code, policy, profile, texts, time }: LoadedCompany,
  parts: {
    readonly stores: { readonly company: Parameters<CompanyCode['open']>[0]['database'] };
    readonly clock: Clock;
    readonly ids: Ids;
    readonly log: Log;
  },
): CompanyBackend {
  const { stores, ...rest } = parts;
  return code.open({ database: stores.company, policy: policy.company, profile, texts, time, ...rest });
}

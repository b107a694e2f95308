import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { HUB_DATABASE, UDAHUB_SCOPE } from '../../data/udahub/database.js';
import { createDataSources } from '../adapters/sources/data-sources.js';
import { type Company, loadCompany, readPolicy } from '../company/company.js';
import { type CompanyBackend, type CompanyCode, loadCompanyCode } from '../company/company-code.js';
import { packCompany, unpackCompany, writeNewCompany } from '../company/company-folder.js';
import { declareCompany, readSources } from '../company/declared/declare.js';
import { type CompanyTexts, loadTexts } from '../company/texts.js';
import { isDeclared } from '../company/yaml-file.js';
import type { Config } from '../config/config.js';
import { type CompanyProfile, issueTypeIds } from '../core/domain/company.js';
import { HubError } from '../core/errors.js';
import { TimeFormat } from '../core/i18n/index.js';
import type { Policy } from '../core/policy/policy.js';
import type {
  Clock,
  CustomerScope,
  DataSources,
  EffectLedger,
  Ids,
  Log,
  SourceSpec,
} from '../core/ports/index.js';
import type { AgentDefinition } from '../runtime/agent-definition.js';
import {
  type RosterParts,
  type RosterProblem,
  rosterProblems,
  sentencesOf,
  type ToolsByAgent,
  withDoers,
  withoutOff,
} from '../runtime/roster.js';
import { EXPRESSIONS } from '../skills/expressions/placeholders.js';
import { type LoadedSkills, loadSkillFolders } from '../skills/pack/load-folders.js';
import type { Pack } from '../skills/pack/pack.js';
import { hasFreshModel, withFreshModel } from './language-model.js';

/** Whose hub this is, for what must say so before the application is open. @throws HubError `config_invalid` */
export function companyProfile({ company }: Config): CompanyProfile {
  return loadCompany(company.folder, company).profile;
}

/** A company with its files and its code, read and checked, before anything of it is open. */
export interface LoadedCompany extends Company {
  readonly code: CompanyCode;
  readonly policy: Policy;
  readonly texts: CompanyTexts;
  readonly time: TimeFormat;
}

/** Reads the company that the configuration names. @throws HubError `config_invalid` */
export async function readCompany({ company: where }: Config): Promise<LoadedCompany> {
  const company = loadCompany(where.folder, where);
  const code = isDeclared(company.folder)
    ? declareCompany(company, EXPRESSIONS)
    : await loadCompanyCode(company.folder);
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
export function customerScopes({
  database,
  scope,
  files = [],
}: CompanyCode): Readonly<Record<string, CustomerScope>> {
  const own = files.filter((file) => Object.keys(file.scope).length > 0);
  return {
    [database.name]: scope,
    [HUB_DATABASE.name]: UDAHUB_SCOPE,
    ...Object.fromEntries(own.map((file) => [file.source.name, file.scope])),
  };
}

/** Leads what a skill asks of one of the company's SQLite files there. */
export function overFiles(sources: DataSources, { files = [] }: CompanyCode): DataSources {
  const led = (spec: SourceSpec): SourceSpec => {
    const own = files.find(({ source }) => spec.kind === 'sqlite' && source.name === spec.database);
    const { name = spec.name, file, folder } = own?.source ?? {};
    return file === undefined ? spec : { ...spec, name, file, ...(folder === undefined ? {} : { folder }) };
  };
  return { ...sources, open: (spec, caller) => sources.open(led(spec), caller) };
}

/** The folders of packs: those of the configuration, and the company's own. */
export function skillFolders({ skills }: Config, { folder }: Company): readonly string[] {
  const own = join(folder, 'skills');
  return skills.withCompany && existsSync(own) ? [...skills.dirs, own] : skills.dirs;
}

/**
 * The packs of the configured folders that the company uses. Of those that ship, one that asks other systems is of another
 * trade: it is there where `shared_skills` names it.
 */
export function loadSkills(config: Config, company: Company): LoadedSkills {
  const { shipped } = config.skills;
  return loadSkillFolders(
    skillFolders(config, company),
    'to_run',
    (pack) =>
      dirname(pack.folder) !== shipped || !asksOtherSystems(pack) || company.sharedSkills.includes(pack.id),
  );
}

function asksOtherSystems({ descriptor, parts }: Pack): boolean {
  const sources = Object.values(descriptor.data_sources);
  return sources.some(({ kind }) => kind !== 'sqlite') || [...parts.values()].some(asksOtherSystems);
}

/** What stores need to know of a company: its database, its name, its articles. */
export function storageOf({ code, profile, folder }: LoadedCompany) {
  const articles = pathToFileURL(join(folder, 'articles', 'knowledge.jsonl'));
  return { database: code.database, name: profile.name, articles };
}

/** The systems that the company's own data are in; each is opened when it is first asked. */
export function companySources({ dataDir, skills }: Config, log: Log): DataSources {
  return createDataSources({ dataDir, secret: skills.secret, log, scopes: {} });
}

/** What was done, with what other systems say of it. */
export function settled(effects: EffectLedger, { settle }: CompanyBackend): EffectLedger {
  if (!settle) return effects;
  return {
    ...effects,
    findOutcome: async (key) => (await effects.findOutcome(key)) ?? (await settle(key)),
  };
}

/** Opens the company's code over its database. */
export function openCompany(
  { code, policy, profile, texts, time }: LoadedCompany,
  parts: {
    readonly sources: DataSources;
    readonly stores: { readonly company: Parameters<CompanyCode['open']>[0]['database'] };
    readonly clock: Clock;
    readonly ids: Ids;
    readonly log: Log;
  },
): CompanyBackend {
  const { stores, ...rest } = parts;
  return code.open({ database: stores.company, policy: policy.company, profile, texts, time, ...rest });
}

/**
 * The company with what its tools and agents bring along: their sentences, and the intents that they do.
 * @throws HubError `config_invalid` where a sentence lacks a language
 */
export function withRoster<One extends LoadedCompany>(
  company: One,
  {
    agents,
    operatorActions,
    own,
  }: Pick<RosterParts, 'operatorActions'> & {
    readonly agents: readonly AgentDefinition[];
    /** The company's tools by agent, those of agents that are off too. */
    readonly own: ToolsByAgent;
  },
): One {
  const { nlu, texts, profile } = company;
  const intents = withoutOff(nlu.intents, profile.off, agents, own);
  const brought = sentencesOf([...agents.flatMap(({ tools }) => tools), ...operatorActions], agents);
  return {
    ...company,
    nlu: { ...nlu, intents: withDoers(intents, agents) },
    texts: texts.with(brought, {
      accounts: agents.some(({ access }) => access === 'customer'),
      changes: agents.some(({ tools }) => tools.some(({ effect }) => effect === 'irreversible')),
    }),
  };
}

/**
 * Holds what tools and intents say against what there is of a company, its tools and its agents.
 * @throws HubError `config_invalid` with the first name that leads nowhere
 */
export function demandRoster(
  company: LoadedCompany,
  parts: Pick<RosterParts, 'agents' | 'operatorActions' | 'routes'>,
): void {
  const [first] = companyRosterProblems(company, parts);
  if (first) throw new HubError('config_invalid', `${first.problem} ${first.remedy}`, { of: first.of });
}

/** Every such name. */
export function companyRosterProblems(
  { nlu, profile }: LoadedCompany,
  parts: Pick<RosterParts, 'agents' | 'operatorActions' | 'routes'>,
): readonly RosterProblem[] {
  const entities = nlu.entities.map(({ id }) => id);
  return rosterProblems({ ...parts, intents: nlu.intents, entities, issueTypes: issueTypeIds(profile) });
}

/** Writes a new company where the configuration leads. @returns the number of files @throws HubError `usage` */
export function createCompany({ company }: Config, given: unknown): number {
  return writeNewCompany(company.folder, given);
}

/** Fits the language layer of a company in YAML anew. @returns the file @throws HubError `usage` for one in TypeScript */
export async function trainCompany(config: Config, say: (line: string) => void): Promise<string> {
  const company = loadCompany(config.company.folder, config.company);
  if (!isDeclared(company.folder))
    throw new HubError(
      'usage',
      `${company.id} has code of its own: npm run train:nlu -- --company ${company.id}`,
    );
  const { nlu } = await withFreshModel(company, { dataDir: config.dataDir, say, anew: true });
  return nlu.modelFile;
}

/** True where the language layer of the company knows what its files say now. @throws HubError `config_invalid` */
export function isTrained({ company, dataDir }: Config): boolean {
  return hasFreshModel(loadCompany(company.folder, company), dataDir);
}

/** Writes the company of the configuration to one archive. @returns the number of files */
export function packed({ company }: Config, file: string): Promise<number> {
  return packCompany(company.folder, file);
}

/** Writes an archive where the configuration leads. @returns the number of files @throws HubError `usage` */
export function unpacked({ company }: Config, file: string, withCode: boolean): Promise<number> {
  return unpackCompany(file, company.folder, withCode);
}

/** The sources that start programs, which run with the rights of the hub. */
export function programsOf({
  company,
}: Config): readonly { readonly name: string; readonly command: readonly string[] }[] {
  const sources = [...readSources(join(company.folder, 'sources.yaml')).values()];
  return sources.flatMap(({ name, command }) => (command === undefined ? [] : [{ name, command }]));
}

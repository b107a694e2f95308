import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { z } from 'zod';
import type { CompanyDatabase, CompanyDatabaseSpec } from '../../data/company-database.js';
import type { Database } from '../../data/database.js';
import type { CompanyProfile } from '../core/domain/company.js';
import { HubError } from '../core/errors.js';
import type { Texts, TimeFormat } from '../core/i18n/index.js';
import type {
  Clock,
  CustomerRecords,
  CustomerScope,
  Customers,
  DataSources,
  Ids,
  LedgerEntry,
  Log,
  SourceSpec,
} from '../core/ports/index.js';
import type { CompanyPrivacy } from '../core/privacy.js';
import type { CompanyAnswers } from '../runtime/company-answers.js';
import type { ActionTool } from '../runtime/define-tool.js';
import type { ToolsByAgent } from '../runtime/roster.js';

/** What a company's code is given to work with. */
export interface CompanyCodeOptions<Policy> {
  readonly database: CompanyDatabase;
  /** The company's own sections of policy.yaml. */
  readonly policy: Policy;
  readonly profile: CompanyProfile;
  readonly texts: Texts;
  readonly time: TimeFormat;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Other systems that the company's data are in. */
  readonly sources: DataSources;
}

/** What the engine asks of a company that is open. */
export interface CompanyBackend {
  readonly customers: Customers;
  readonly records: CustomerRecords;
  /** The company's own tools, over its own data, by name of the agent that may call them, and agents of its own. */
  readonly tools: ToolsByAgent;
  /**
   * Changes that only operators decide, such as giving a wrong charge back. A skill recommends one by its name; an
   * operator's choice then opens its approval.
   */
  readonly operatorActions?: readonly ActionTool[];
  /** What only the company can say where no model is asked; the engine answers the rest. */
  readonly answers?: CompanyAnswers;
  /**
   * What became of an effect that another system makes and that the ledger does not know: it is looked up or completed, and
   * recorded. @throws HubError `outcome_unknown` where that cannot be said yet
   */
  settle?(idempotencyKey: string): Promise<LedgerEntry | null>;
}

/** A SQLite file of the company's, and what a customer may see of it where a skill asks. */
export interface CompanyFile {
  readonly source: SourceSpec;
  readonly scope: CustomerScope;
}

/** What a company brings in code beside its files: its database, and what may be read and done there. */
export interface CompanyCode<Policy = unknown> {
  readonly database: CompanyDatabaseSpec;
  /** The shape of the company's own sections of policy.yaml. */
  readonly policy: z.ZodObject & z.ZodType<Policy>;
  /** What a customer may see of the database where a skill asks it. */
  readonly scope: CustomerScope;
  /** SQLite files of the company's that skills may ask by the names of their sources. */
  readonly files?: readonly CompanyFile[];
  /** Exports and erases one customer. @param database opened for writing */
  privacy(database: Database): CompanyPrivacy;
  open(options: CompanyCodeOptions<Policy>): CompanyBackend;
}

/** Declares a company's code; `companies/NAME/company.ts` exports it as `company`. */
export function defineCompany<Policy>(code: CompanyCode<Policy>): CompanyCode {
  return code as CompanyCode;
}

/**
 * Loads the code of a company by its path: nothing imports a company otherwise.
 * @param folder absolute path of the company
 * @throws HubError `config_invalid` where there is none
 */
export async function loadCompanyCode(folder: string): Promise<CompanyCode> {
  const named = join(folder, 'company.ts');
  if (!existsSync(named))
    throw new HubError('config_invalid', `HUB_COMPANY leads to ${folder}, where there is no company.ts`, {
      variable: 'HUB_COMPANY',
      file: named,
    });
  // A copy whose code is a link runs what was built of the original.
  const file = realpathSync(named);
  const { company }: { company?: CompanyCode } = await import(pathToFileURL(file).href);
  if (company === undefined)
    throw new HubError('config_invalid', `${file} exports no company`, { variable: 'HUB_COMPANY', file });
  return company;
}

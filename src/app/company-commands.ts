import { join, resolve } from 'node:path';
import { z } from 'zod';
import { readOpenApi } from '../adapters/sources/openapi-document.js';
import { loadCompany, profileSchema } from '../company/company.js';
import { readSources } from '../company/declared/declare.js';
import {
  addSource,
  type Draft,
  type DraftedFor,
  type WrittenDraft,
  writeDrafts,
} from '../company/declared/drafts.js';
import { draftsOf, sourceOf } from '../company/declared/openapi-drafts.js';
import { nameOf, operationsOf, operationsOfTools } from '../company/declared/openapi-operations.js';
import { actionSchema, customersSchema, lookupSchema, sourcesSchema } from '../company/declared/schemas.js';
import { describedSchema } from '../company/described-schema.js';
import { entitySchema, readRecords } from '../company/entities.js';
import { companyIntentsSchema } from '../company/intents.js';
import { importSite, type SitePage } from '../company/sitemap-articles.js';
import { isDeclared } from '../company/yaml-file.js';
import type { Config } from '../config/config.js';
import type { CompanyProfile } from '../core/domain/company.js';
import { primaryOf } from '../core/domain/language.js';
import { HubError } from '../core/errors.js';
import { policySchema } from '../core/policy/policy.js';
import { taughtNames } from '../nlu/phrase-intents.js';
import { readUtterances } from '../nlu/utterances.js';
import type { AnyTool } from '../runtime/define-tool.js';
import { readCompany } from './company.js';
import { withCompanyTools } from './company-check.js';

const SHAPES = {
  company: profileSchema,
  customers: customersSchema,
  sources: sourcesSchema,
  entity: entitySchema,
  read: lookupSchema,
  action: actionSchema,
  intents: companyIntentsSchema,
  policy: policySchema.loose(),
} as const;

/**
 * One of the company's customers whom it finds as its files stand, to try it with.
 * @returns null where none is found, as where its own database names its tables otherwise or does not answer; `hasRecords` is
 * false where their records cannot be read
 */
export async function customerToTry(
  config: Config,
): Promise<{ readonly email: string; readonly hasRecords: boolean } | null> {
  return withCompanyTools(config, await readCompany(config), async ({ backend: { customers, records } }) => {
    // Whatever keeps a customer from being found, the company has been written.
    const listed = await customers.search('', FEW).catch(() => []);
    for (const { customerId, email } of listed) {
      const found = await customers.findByEmail(email).catch(() => null);
      if (found?.customerId !== customerId) continue;
      const hasRecords = await records.list(customerId).then(
        () => true,
        () => false,
      );
      return { email, hasRecords };
    }
    return null;
  });
}

/** Customers of whom one is looked for by an address, which not each may have. */
const FEW = 10;

/** What the hub understands of a company, in the words of its files. */
interface CompanyOverview {
  readonly name: string;
  readonly languages: readonly string[];
  readonly currency: string;
  readonly time_zone: string;
  /** Agents and tools that are there and not used. */
  readonly off: CompanyProfile['off'];
  readonly entities: readonly {
    readonly id: string;
    readonly listed_by: string | null;
    readonly attributes: readonly string[];
  }[];
  readonly tools: readonly {
    readonly name: string;
    readonly effect: AnyTool['effect'];
    /** Who must agree before it is done. */
    readonly gate: 'none' | 'customer';
    readonly agents: readonly string[];
    readonly input: readonly string[];
  }[];
  readonly intents: readonly {
    readonly name: string;
    readonly route: string;
    readonly tool: string | null;
    /** By language; 0 is a gap. */
    readonly sentences: Readonly<Record<string, number>>;
  }[];
  /** By language: the intents that no sentence teaches there. */
  readonly gaps: Readonly<Record<string, readonly string[]>>;
}

/** Reads a company and says what the hub makes of it; no data directory is touched. @throws HubError `config_invalid` */
export async function companyOverview(config: Config): Promise<CompanyOverview> {
  const read = await readCompany(config);
  const { agents, company } = await withCompanyTools(config, read, async (made) => made);
  const { profile, nlu } = company;
  const tools = new Map(agents.flatMap((agent) => agent.tools.map((tool) => [tool.name, tool])));
  const rows = profile.languages.map(
    (language) => [language, readUtterances(primaryOf(language), nlu)] as const,
  );
  const intents = taughtNames(nlu.intents).map((name) => {
    const { route, tool } = nlu.intents.of(name);
    const counts = rows.map(
      ([language, all]) => [language, all.filter(({ intent }) => intent === name).length] as const,
    );
    return { name, route, tool, sentences: Object.fromEntries(counts) };
  });
  const gapsOf = (language: string) =>
    intents.flatMap(({ name, sentences }) => ((sentences[language] ?? 0) === 0 ? [name] : []));
  return {
    name: profile.name,
    languages: profile.languages,
    currency: profile.currency,
    time_zone: profile.timeZone,
    off: profile.off,
    entities: nlu.entities.map(({ id, attributes }) => ({
      id,
      listed_by: [...tools.values()].find(({ lists }) => lists?.entity === id)?.name ?? null,
      attributes: attributes.map((attribute) => attribute.id),
    })),
    tools: [...tools.values()].map(({ name, effect, input }) => ({
      ...{ name, effect },
      gate: effect === 'irreversible' ? 'customer' : 'none',
      agents: agents
        .filter((agent) => agent.tools.some((tool) => tool.name === name))
        .map((agent) => agent.name),
      input: Object.keys(input.shape),
    })),
    intents,
    gaps: Object.fromEntries(profile.languages.map((language) => [language, gapsOf(language)])),
  };
}

/** The JSON Schemas of a company's files, by name of the file in `schemas/`, for editors: they complete keys and mark faults. */
export function companySchemas(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(SHAPES).map(([name, shape]) => [
      `${name}.schema.json`,
      describedSchema(name, z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any', reused: 'inline' })),
    ]),
  );
}

/** What of a document is drafted, and how. */
interface ImportOptions {
  /** Name of the system in `sources.yaml`. */
  readonly source: string;
  /** Inputs that say who the customer is, beside those that are called so. */
  readonly identity: readonly string[];
  /** Names of operations; all where empty. */
  readonly only: readonly string[];
}

/**
 * Drafts tools of the company of the configuration from an OpenAPI document.
 * @param where a file, or an address
 * @throws HubError `usage` where the company has code of its own, or the document is none
 */
export async function importOpenApi(
  config: Config,
  where: string,
  options: ImportOptions,
): Promise<readonly WrittenDraft[]> {
  const draftedFor = companyOf(config);
  const read = await readOpenApi(where);
  const { folder } = config.company;
  const drafts = draftsOf(operationsOf(read, options.identity), options.source, draftedFor);
  addSource(folder, options.source, sourceOf(read, options.source));
  return writeDrafts(folder, wanted(drafts, options), where);
}

/**
 * Writes articles of the company of the configuration from the pages of a site that was saved with its sitemap.
 * @param site a folder
 * @throws HubError `usage` where it has no sitemap
 */
export function importSitemap({ company: { folder } }: Config, site: string): readonly SitePage[] {
  return importSite(resolve(site), join(folder, 'articles'), loadCompany(folder).profile.languages);
}

/**
 * Drafts tools from those of an MCP server.
 * @param where its address; or nothing, for one that `sources.yaml` names
 * @throws HubError `usage`, and what the server cannot be asked with
 */
export async function importMcp(
  config: Config,
  where: string | null,
  options: ImportOptions,
): Promise<readonly WrittenDraft[]> {
  const draftedFor = companyOf(config);
  const { folder } = config.company;
  const { source: name } = options;
  if (where !== null) addSource(folder, name, { kind: 'mcp', url: where });
  const spec = readSources(join(folder, 'sources.yaml')).get(name);
  if (spec?.kind !== 'mcp')
    throw new HubError(
      'usage',
      `sources.yaml has no source ${name} of the kind mcp, and no address is given.`,
    );
  const { openMcp } = await import('../adapters/sources/mcp-source.js');
  const server = openMcp(spec, config.skills.secret);
  try {
    const tools = await server.tools(new AbortController().signal);
    const drafts = draftsOf(operationsOfTools(tools, options.identity), name, draftedFor);
    return writeDrafts(folder, wanted(drafts, options), where ?? name);
  } finally {
    await server.close();
  }
}

function companyOf({ company: where }: Config): DraftedFor {
  if (!isDeclared(where.folder))
    throw new HubError(
      'usage',
      `${where.folder} is no company in YAML: it has no customers.yaml, or code of its own.`,
    );
  const { profile, nlu } = loadCompany(where.folder, where);
  return {
    languages: profile.languages,
    // Of the others nothing says whose a record is.
    entities: nlu.entities.map(({ id }) => id).filter((id) => readRecords(where.folder, id) !== null),
    issueType: profile.issueTypes[0]?.id ?? 'other',
  };
}

function wanted(drafts: readonly Draft[], { only }: ImportOptions): readonly Draft[] {
  const names = new Set(only.map(nameOf));
  return names.size === 0 ? drafts : drafts.filter(({ tool }) => names.has(tool));
}

import { join, resolve } from 'node:path';
import { readOpenApi } from '../adapters/sources/openapi-document.js';
import { loadCompany } from '../company/company.js';
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
import { readRecords } from '../company/entities.js';
import { importSite, type SitePage } from '../company/sitemap-articles.js';
import { isDeclared } from '../company/yaml-file.js';
import type { Config } from '../config/config.js';
import { HubError } from '../core/errors.js';

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

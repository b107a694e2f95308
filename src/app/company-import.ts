import { readOpenApi } from '../adapters/sources/openapi-document.js';
import { loadCompany } from '../company/company.js';
import { addSource, type WrittenDraft, writeDrafts } from '../company/declared/drafts.js';
import { draftsOf, sourceOf } from '../company/declared/openapi-drafts.js';
import { nameOf, operationsOf } from '../company/declared/openapi-operations.js';
import { isDeclared } from '../company/yaml-file.js';
import type { Config } from '../config/config.js';
import { HubError } from '../core/errors.js';

/** What of a document is drafted, and how. */
export interface ImportOptions {
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
  { company: where }: Config,
  document: string,
  { source, identity, only }: ImportOptions,
): Promise<readonly WrittenDraft[]> {
  if (!isDeclared(where.folder))
    throw new HubError(
      'usage',
      `${where.folder} is no company in YAML: it has no customers.yaml, or code of its own.`,
    );
  const { profile, nlu } = loadCompany(where.folder, where);
  const read = await readOpenApi(document);
  const operations = operationsOf(read, identity);
  const wanted = new Set(only.map(nameOf));
  const [issueType] = profile.issueTypes;
  const drafts = draftsOf(operations, source, {
    languages: profile.languages,
    entities: nlu.entities.map(({ id }) => id),
    issueType: issueType?.id ?? 'other',
  }).filter(({ tool }) => wanted.size === 0 || wanted.has(tool));
  addSource(where.folder, source, sourceOf(read, source));
  return writeDrafts(where.folder, drafts, document);
}

import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { isObject, type JsonObject } from '../../core/domain/json.js';
import { HubError, messageOf } from '../../core/errors.js';
import { fetchText } from './fetch-text.js';

const MAX_BYTES = 5_000_000;
const TIMEOUT_MS = 15_000;

/**
 * An OpenAPI 3 document with its inner references replaced by what they lead to. References to other files and addresses are
 * not followed.
 * @param where a file, or an http or https address
 * @throws HubError `usage` where it cannot be read or is none, with what is wrong
 */
export async function readOpenApi(where: string): Promise<JsonObject> {
  const refuse = (why: string, cause?: unknown): HubError =>
    new HubError('usage', `${where} ${why}`, { where }, { cause });
  let document: unknown;
  try {
    document = parse(/^https?:/.test(where) ? await fetched(where) : await readFile(where, 'utf8'));
  } catch (error) {
    throw refuse(`cannot be read: ${messageOf(error)}`, error);
  }
  if (!isObject(document as JsonObject) || typeof (document as JsonObject).openapi !== 'string')
    throw refuse('is no OpenAPI 3 document: it has no `openapi: 3...`.');
  const { compileErrors, dereference, validate } = await import('@readme/openapi-parser');
  type Document = Parameters<typeof dereference>[0];
  const options = { resolve: { external: false }, dereference: { circular: 'ignore' as const } };
  // The parser fills in what it is given.
  const copy = (): Document => structuredClone(document) as Document;
  const checked = await validate(copy(), { ...options, validate: { errors: { colorize: false } } });
  if (!checked.valid) throw refuse(`is no valid OpenAPI document: ${compileErrors(checked)}`);
  return (await dereference(copy(), options)) as unknown as JsonObject;
}

async function fetched(where: string): Promise<string> {
  const url = new URL(where);
  const { status, text } = await fetchText({
    ...{ source: url.host, url, method: 'GET', headers: { accept: 'application/json, application/yaml' } },
    ...{ timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal: new AbortController().signal },
  });
  if (status === 200) return text;
  throw new HubError('source_rejected', `it answers HTTP ${status}`, { status });
}

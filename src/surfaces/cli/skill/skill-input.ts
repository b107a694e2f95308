import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { JsonObject } from '../../../core/domain/json.js';
import { HubError } from '../../../core/errors.js';

/** More than any skill takes; what is larger is a mistake. */
const MOST_BYTES = 8 * 2 ** 20;

/**
 * The input of a skill as it is given on the command line: JSON, `@FILE`, or `-` for standard input.
 * @throws HubError `usage` where it cannot be read or is no JSON object
 */
export async function readSkillInput(given: string, stdin: Readable): Promise<JsonObject> {
  const text = await textOf(given, stdin);
  const from = given === '-' ? 'standard input' : given.startsWith('@') ? given.slice(1) : '--input';
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new HubError('usage', `${from} is no JSON: ${why}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new HubError('usage', `${from} must be a JSON object such as {"reservation_id": "res_001"}`);
}

async function textOf(given: string, stdin: Readable): Promise<string> {
  if (given === '-') return readAll(stdin);
  if (!given.startsWith('@')) return given;
  const path = given.slice(1);
  try {
    const bytes = await readFile(path);
    if (bytes.length > MOST_BYTES) throw tooLarge(path);
    return bytes.toString('utf8');
  } catch (error) {
    if (error instanceof HubError) throw error;
    throw new HubError(
      'usage',
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

async function readAll(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const piece = Buffer.from(chunk as Uint8Array | string);
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw tooLarge('standard input');
    chunks.push(piece);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLarge(from: string): HubError {
  return new HubError('usage', `${from} is larger than ${MOST_BYTES / 2 ** 20} MB`);
}

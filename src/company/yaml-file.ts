import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { z } from 'zod';
import { HubError } from '../core/errors.js';

/** A name in YAML. */
export const NAME = /^[a-z][a-z0-9_]{0,39}$/;

/**
 * Reads a file of the company and freezes it.
 * @param what it is, for the error
 * @param otherwise what stands for a file that need not be there
 * @throws HubError `config_invalid` with one line that names the file, the key and what is wrong
 */
export function readYaml<Value extends object>(
  what: string,
  file: string,
  schema: z.ZodType<Value>,
  otherwise?: unknown,
): Value {
  let raw: unknown;
  try {
    raw = otherwise !== undefined && !existsSync(file) ? otherwise : parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new HubError('config_invalid', `The ${what} file ${file} cannot be read: ${reason}`, { file });
  }
  const parsed = schema.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw wrongAt(what, file, issue?.path.join('.') || 'the file', issue?.message ?? 'not understood');
  }
  for (const section of Object.values(parsed.data)) Object.freeze(section);
  return Object.freeze(parsed.data);
}

/** The error of a file whose value at `where` is wrong. */
export function wrongAt(what: string, file: string, where: string, message: string): HubError {
  return new HubError('config_invalid', `The ${what} file ${file} is wrong at ${where}: ${message}`, {
    file,
  });
}

/** True of a company that says in YAML where its customers are and what its tools do, and so needs no code. */
export function isDeclared(folder: string): boolean {
  return !existsSync(join(folder, 'company.ts')) && existsSync(join(folder, 'customers.yaml'));
}

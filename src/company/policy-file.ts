import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { HubError } from '../core/errors.js';
import { type Policy, policySchema } from '../core/policy/index.js';

/**
 * Reads the business rules' windows and amounts.
 * @throws HubError `config_invalid` with one line naming file, key and what is wrong
 */
export function readPolicy(file: string): Policy {
  let raw: unknown;
  try {
    raw = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new HubError('config_invalid', `The policy file ${file} cannot be read: ${reason}`, { file });
  }
  const parsed = policySchema.safeParse(raw);
  if (parsed.success) {
    for (const section of Object.values(parsed.data)) Object.freeze(section);
    return Object.freeze(parsed.data);
  }
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') || 'the file';
  throw new HubError('config_invalid', `The policy file ${file} is wrong at ${where}: ${issue?.message}`, {
    file,
  });
}

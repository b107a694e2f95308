import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HubError } from '../core/errors.js';

const FILE = 'auth-secret';
const MIN_CHARACTERS = 32;

/**
 * The secret that signs session tokens, kept in the data directory for its owner's eyes only. Made on first use; several
 * processes that start at once agree on one.
 * @throws HubError `data_dir_unusable` where it can be neither read nor made
 */
export function keptAuthSecret(dataDir: string): string {
  const path = join(dataDir, FILE);
  return read(path) ?? make(path);
}

function read(path: string): string | null {
  try {
    const secret = readFileSync(path, 'utf8').trim();
    if (secret.length >= MIN_CHARACTERS) return secret;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw unusable(path, error);
  }
  throw unusable(path, new Error('it is too short to be a secret'));
}

function make(path: string): string {
  const secret = randomBytes(48).toString('base64url');
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(draft, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
    try {
      // A link appears whole or not at all, and never in place of another.
      linkSync(draft, path);
      return secret;
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  } catch (error) {
    throw unusable(path, error);
  }
  return read(path) ?? make(path);
}

function unusable(path: string, error: unknown): HubError {
  const reason = error instanceof Error ? error.message : String(error);
  return new HubError(
    'data_dir_unusable',
    `The secret for session tokens in ${path} cannot be used: ${reason}`,
    { path },
    { cause: error },
  );
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

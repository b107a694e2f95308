import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../core/domain/json.js';
import { HubError, hasCode, messageOf } from '../../core/errors.js';

const FILE = 'auth-secret';
const MIN_CHARACTERS = 32;

/** A secret that signs session tokens, or that signed them before it was rotated out. */
export interface AuthSecret {
  /** Names it in a token's header; nothing can be guessed from it that a signature does not tell as well. */
  readonly keyId: string;
  readonly secret: string;
}

/** The one that signs comes first; the others verify alone. */
export type AuthSecrets = readonly [AuthSecret, ...AuthSecret[]];

/** A secret as the file keeps it; `until` is the end of the last token it can have signed, null for the one that signs. */
type Kept = z.output<typeof keptSecret>;
const keptSecret = z.object({ secret: z.string().min(MIN_CHARACTERS), until: z.iso.datetime().nullable() });
/** The one that signs comes first. */
const rotatedSecrets = z
  .array(keptSecret)
  .refine((kept) => kept.findIndex(({ until }) => until === null) === 0);

/** Secrets by their text, for those that the environment names. */
export function namedSecrets(signing: string, ...earlier: readonly string[]): AuthSecrets {
  return [named(signing), ...earlier.map(named)];
}

/** @throws HubError `config_invalid` for an empty one: what it signs anybody could sign */
function named(secret: string): AuthSecret {
  if (secret.trim() === '') throw new HubError('config_invalid', 'An empty secret signs nothing.');
  const digest = createHash('sha256').update(`uda-hub key\n${secret}`).digest('base64url');
  return { keyId: digest.slice(0, 12), secret };
}

/**
 * The secrets kept in the data directory for their owner's eyes only, as they are now: another process may rotate them at
 * any time. Made on first use; several processes that start at once agree on one. The file is the secret alone, and after
 * a rotation a list: the one that signs, then the others with the time until which they verify.
 * @returns a function that throws HubError `data_dir_unusable` where they can be neither read nor made
 */
export function keptAuthSecrets(dataDir: string, now: () => Date): () => AuthSecrets {
  const path = join(dataDir, FILE);
  let known: { readonly version: string; readonly kept: readonly Kept[] } | undefined;
  const current = (): readonly Kept[] => {
    const version = versionOf(path);
    if (version !== null && version === known?.version) return known.kept;
    try {
      const kept = (known === undefined ? (read(path) ?? make(path)) : read(path)) ?? known?.kept ?? [];
      known = { version: version ?? '', kept };
    } catch (error) {
      // What was read once stays good while the file is gone or damaged: nobody is signed out by that.
      if (known === undefined) throw error;
    }
    return known.kept;
  };
  return () => {
    const time = now().toISOString();
    const [signing, ...earlier] = current().filter(({ until }) => until === null || until > time);
    if (signing === undefined) throw unusable(path, new Error('it holds no secret'));
    return namedSecrets(signing.secret, ...earlier.map(({ secret }) => secret));
  };
}

/**
 * Looks whether the next process to start finds a secret that signs.
 * @throws HubError `data_dir_unusable` where it is missing, empty or too short
 */
export function readKeptSecret(dataDir: string): void {
  const path = join(dataDir, FILE);
  if (read(path) === null) throw unusable(path, new Error('it is missing'));
}

/**
 * Puts a new secret in the place of the one that signs. The file changes whole or not at all, also where the machine loses
 * power; processes that run see it with the next token.
 * @param until how long what was signed before is still taken; null drops every earlier secret at once
 * @throws HubError `data_dir_unusable`
 */
export function rotateAuthSecret(dataDir: string, now: Date, until: Date | null): AuthSecret {
  const path = join(dataDir, FILE);
  const [signing, ...earlier] = read(path) ?? make(path);
  const living = earlier.filter((one) => one.until !== null && one.until > now.toISOString());
  const kept =
    until === null || signing === undefined
      ? []
      : [{ secret: signing.secret, until: until.toISOString() }, ...living];
  const secret = newSecret();
  write(path, [{ secret, until: null }, ...kept], (draft) => renameSync(draft, path));
  return named(secret);
}

function read(path: string): readonly Kept[] | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw unusable(path, error);
  }
  // JSON from the first rotation on; before that the file is a secret, which may be any text.
  const rotated = rotatedSecrets.safeParse(parseJson(text, null));
  if (rotated.success) return rotated.data;
  const secret = text.trim();
  if (secret.length >= MIN_CHARACTERS) return [{ secret, until: null }];
  throw unusable(path, new Error('it is too short to be a secret'));
}

function make(path: string): readonly Kept[] {
  const kept = [{ secret: newSecret(), until: null }];
  let isFirst = true;
  write(path, kept, (draft) => {
    try {
      // A link appears whole or not at all, and never in place of another.
      linkSync(draft, path);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
      isFirst = false;
    }
  });
  return isFirst ? kept : (read(path) ?? make(path));
}

/** Writes a draft beside the file and puts it in place; what is in place is on the disk. */
function write(path: string, kept: readonly Kept[], place: (draft: string) => void): void {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const [only, ...others] = kept;
  const text = only !== undefined && others.length === 0 ? only.secret : JSON.stringify(kept, null, 2);
  try {
    writeFileSync(draft, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true });
    try {
      place(draft);
      const folder = openSync(dirname(path), 'r');
      try {
        fsyncSync(folder);
      } finally {
        closeSync(folder);
      }
    } finally {
      rmSync(draft, { force: true });
    }
  } catch (error) {
    throw unusable(path, error);
  }
}

function newSecret(): string {
  return randomBytes(48).toString('base64url');
}

/** Changes with the file; null where there is none that can be seen. */
function versionOf(path: string): string | null {
  try {
    const { ino, size, mtimeNs } = statSync(path, { bigint: true });
    return `${ino}:${size}:${mtimeNs}`;
  } catch {
    return null;
  }
}

function unusable(path: string, error: unknown): HubError {
  return new HubError(
    'data_dir_unusable',
    `The secret for session tokens in ${path} cannot be used: ${messageOf(error)}`,
    { path },
    { cause: error },
  );
}

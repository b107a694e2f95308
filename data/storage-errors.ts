import { type ErrorCode, HubError, messageOf } from '../src/core/errors.js';
import { LEASE_LOST, leaseLost } from '../src/core/held-lease.js';
import { damagedFile, isDamage } from '../src/core/sqlite-files.js';

interface Translation {
  readonly test: (code: string) => boolean;
  readonly to: ErrorCode;
  readonly message: string;
}

/** What PostgreSQL says of an error, as the standard has it. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;

const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** First match wins. */
const TRANSLATIONS: readonly Translation[] = [
  {
    // A shared-memory file that cannot grow is how a full disk shows in WAL mode.
    test: (code) =>
      code === 'SQLITE_FULL' ||
      code === 'SQLITE_IOERR_SHMSIZE' ||
      code === 'ENOSPC' ||
      code === 'EDQUOT' ||
      code === '53100',
    to: 'disk_full',
    message: 'The disk is full: nothing was changed. Free some space and try again.',
  },
  {
    test: (code) =>
      /^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(code) ||
      /^(EACCES|EPERM|EROFS|ENOTDIR|EISDIR|EEXIST|ENOENT)$/.test(code),
    to: 'data_dir_unusable',
    message: 'The data directory cannot be used: it must be a directory this user can write to.',
  },
  {
    // Of PostgreSQL: collisions without end, a lock that was waited for, no connection to be had, a server that begins.
    test: (code) => code.startsWith('SQLITE_BUSY') || /^(40001|40P01|55P03|53300|57P03)$/.test(code),
    to: 'database_busy',
    message:
      'Another process holds the database and did not let go in time: nothing was changed. Try again soon.',
  },
  {
    test: (code) => code === 'SQLITE_CONSTRAINT_FOREIGNKEY' || code === '23503',
    to: 'not_found',
    message: 'This refers to a record that does not exist.',
  },
  {
    test: (code) =>
      /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|57P01|57P02|0800[0136])$/.test(code),
    to: 'database_failed',
    message: 'The database server cannot be reached at the moment.',
  },
  {
    test: (code) => code.startsWith('SQLITE_') || SQLSTATE.test(code),
    to: 'database_failed',
    message: 'The database refused the operation.',
  },
];

const ERASED = 'This customer was erased at their request: nothing can be stored about them any more.';

/** What the triggers of erased customers say. */
function saysErased(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (at.message === 'customer_erased') return true;
  return false;
}

function codeOf(error: unknown): string | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    if (at.message === 'The database connection is not open') return 'SQLITE_MISUSE';
    // What the driver of PostgreSQL says without a code.
    if (LOST.test(at.message)) return 'ECONNRESET';
  }
  return null;
}

/**
 * Turns what better-sqlite3, drizzle or the file system threw into a HubError that a program can act on.
 * A HubError and a mistake of the programmer (TypeError and the like) come back as they are.
 */
export function toStorageError(error: unknown, fields: Record<string, unknown> = {}): unknown {
  if (error instanceof HubError) return error;
  if (saysErased(error)) return new HubError('customer_erased', ERASED, fields, { cause: error });
  const code = codeOf(error);
  if (code !== null && isDamage(code))
    return damagedFile(typeof fields.path === 'string' ? fields.path : undefined, error, { ...fields, code });
  const found = code === null ? undefined : TRANSLATIONS.find((translation) => translation.test(code));
  if (code === LEASE_LOST) return leaseLost(fields, error);
  if (code === null || found === undefined) return error;
  const reason = messageOf(error);
  return new HubError(found.to, found.message, { ...fields, code, reason }, { cause: error });
}

/** Runs synchronous storage work and throws only translated errors. */
export function translated<T>(work: () => T, fields: Record<string, unknown> = {}): T {
  try {
    return work();
  } catch (error) {
    throw toStorageError(error, fields);
  }
}

type AsyncMethod = (...args: never[]) => Promise<unknown>;

/**
 * Wraps every method of a store so that its errors are translated.
 * Done for the whole object, so that no method can forget it.
 * @param handle the database of the store, which errors name
 */
export function withTranslatedErrors<T extends { [K in keyof T]: AsyncMethod }>(
  { path }: { readonly path: string },
  store: T,
): T {
  return mapMethods(store, (name, method) => async (...args) => {
    try {
      return await method(...args);
    } catch (error) {
      throw toStorageError(error, { path, method: name });
    }
  });
}

function mapMethods<T extends { [K in keyof T]: AsyncMethod }>(
  store: T,
  wrap: (name: string, method: AsyncMethod) => AsyncMethod,
): T {
  const wrapped = Object.entries<AsyncMethod>(store).map(([name, method]) => [name, wrap(name, method)]);
  return Object.fromEntries(wrapped);
}

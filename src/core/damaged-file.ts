import { HubError } from './errors.js';

/** True for the codes with which SQLite says that a file is not what it wrote. */
export function isDamage(code: string): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code);
}

/** The error of a damaged database: names the file and what an operator does next, which cannot make it worse. */
export function damagedFile(
  path: string | undefined,
  error: unknown,
  fields: Readonly<Record<string, unknown>>,
): HubError {
  const file = path ?? 'A database file of the data directory';
  return new HubError(
    'database_failed',
    `${file} is damaged or is not a database. Stop the hub, keep a copy of the file, and put the last backup in its place (docs/operating.md, "Backup and restore"). Without a backup, "sqlite3 ${path ?? 'FILE'} .recover" prints what is readable.`,
    { ...fields, path, reason: error instanceof Error ? error.message : String(error) },
    { cause: error },
  );
}

import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import type { SkillCaller } from '../../core/domain/skill.js';
import { HubError, messageOf } from '../../core/errors.js';
import type {
  ChangeStatement,
  CustomerScope,
  QuerySource,
  ServerTables,
  SourceSpec,
} from '../../core/ports/data-source.js';
import { retryWhileBusy } from '../../core/sqlite-files.js';
import { DEFAULT_TIMEOUT_MS, type Secret } from './settings.js';
import { checkStatement, EFFECTS_TABLE, nothingToChange, textOf } from './sql-text.js';
import type { SqliteProcesses, SqliteTarget } from './sqlite-processes.js';
import { sqliteFileOf } from './sqlite-trial.js';

const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** What a SQLite source needs beside its declaration. */
interface SqliteOptions {
  readonly dataDir: string;
  readonly processes: SqliteProcesses;
  /** Databases that are on a server, by name. */
  readonly servers: Readonly<Record<string, ServerTables>>;
  /** By database; a customer sees nothing of a database that is not named here. */
  readonly scopes: Readonly<Record<string, CustomerScope>>;
  readonly secret: Secret;
}

/**
 * A database of the data directory, or a file of the company's own, read-only. For a customer it holds that customer's rows and nothing else.
 * @throws HubError `source_misconfigured`, `source_unavailable` (there is no such file), `source_rejected` (a customer may
 * not see the database at all)
 */
export function openSqlite(spec: SourceSpec, caller: SkillCaller, options: SqliteOptions): QuerySource {
  const name = spec.database ?? '';
  if (!NAME.test(name)) {
    throw new HubError('source_misconfigured', `${spec.name}: "${name}" is no name of a database.`, {
      source: spec.name,
    });
  }
  const own = spec.file !== undefined;
  const path = own ? sqliteFileOf(spec, options.secret) : join(options.dataDir, `${name}.db`);
  const server = Object.hasOwn(options.servers, name) ? options.servers[name] : undefined;
  if (server) return overServer(spec, scopeOf(spec, caller, options), server, options.processes);
  if (!existsSync(path)) {
    const where = own ? `file ${path}` : `${name}.db in the data directory`;
    throw new HubError('source_unavailable', `${spec.name}: there is no ${where}.`, {
      ...{ source: spec.name, path },
    });
  }
  options.processes.warm();
  return overProcesses(spec, targetOf(spec, caller, path, options), options.processes);
}

/** A source over tables of a server: each statement runs on copies of those that it names. */
function overServer(
  spec: SourceSpec,
  own: Parameters<ServerTables['copy']>[1],
  server: ServerTables,
  processes: SqliteProcesses,
): QuerySource {
  processes.warm();
  return {
    answers: 'query',
    async query(statement, options) {
      const text = textOf(statement).toLowerCase();
      const tables = await server.copy((name) => text.includes(name), own);
      const copied = overProcesses(spec, { key: '', target: { tables } }, processes);
      return await copied.query(statement, options);
    },
    close: async () => undefined,
  };
}

/** A source over a database that a process opens. */
export function overProcesses(
  spec: SourceSpec,
  { key, target }: { readonly key: string; readonly target: SqliteTarget },
  processes: SqliteProcesses,
): QuerySource {
  return {
    answers: 'query',
    async query(statement, { signal, maxRows, maxBytes }) {
      checkStatement(spec, statement);
      return await processes.run(
        {
          source: spec.name,
          key,
          open: target,
          sql: textOf(statement),
          values: statement.values,
          maxRows,
          ...(maxBytes === undefined ? {} : { maxBytes }),
        },
        { ms: spec.timeoutMs ?? DEFAULT_TIMEOUT_MS, signal },
      );
    },
    // The processes are shared, and closed with the pool.
    close: async () => undefined,
  };
}

function targetOf(
  spec: SourceSpec,
  caller: SkillCaller,
  path: string,
  options: SqliteOptions,
): { readonly key: string; readonly target: SqliteTarget } {
  const own = scopeOf(spec, caller, options);
  if (own === null) return { key: path, target: { path } };
  return { key: JSON.stringify([path, own.customerId]), target: { path, ...own } };
}

/** What a customer may see of the database; null for an operator, who sees it whole. @throws HubError `source_rejected` */
function scopeOf(spec: SourceSpec, caller: SkillCaller, { scopes }: SqliteOptions) {
  if (caller.kind === 'operator') return null;
  const database = spec.database ?? '';
  const scope = Object.hasOwn(scopes, database) ? scopes[database] : undefined;
  if (scope === undefined) {
    throw new HubError(
      'source_rejected',
      `${spec.name}: nothing says which rows of ${database}.db are a customer's own, so a customer sees none of it. Run the skill as an operator, or say it of its tables: in sources.yaml, or in the scope of the company's code.`,
      { source: spec.name, database },
    );
  }
  return { scope, customerId: caller.customerId };
}

/**
 * Copies a company's own SQLite file as it stands, with what is committed in its log, while others may write it.
 * @param to in a folder that is made
 * @returns false where there is no such file
 * @throws HubError `source_misconfigured`, `source_unavailable` where it cannot be read
 */
export async function copySqliteFile(spec: SourceSpec, secret: Secret, to: string): Promise<boolean> {
  const path = sqliteFileOf(spec, secret);
  if (!existsSync(path)) return false;
  mkdirSync(dirname(to), { recursive: true });
  try {
    const sqlite = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
    try {
      await sqlite.backup(to);
    } finally {
      sqlite.close();
    }
  } catch (error) {
    throw new HubError(
      'source_unavailable',
      `${spec.name}: ${path} cannot be copied: ${messageOf(error)}.`,
      { source: spec.name, path },
      { cause: error },
    );
  }
  return true;
}

/**
 * A company's own SQLite file: read in processes that may only read, and changed here in short transactions.
 * @throws HubError `source_misconfigured`, `source_unavailable` (there is no such file)
 */
export function openSqliteFile(spec: SourceSpec, processes: SqliteProcesses, secret: Secret): QuerySource {
  const path = sqliteFileOf(spec, secret);
  if (!existsSync(path))
    throw new HubError('source_unavailable', `${spec.name}: there is no file ${path}.`, {
      ...{ source: spec.name, path },
    });
  processes.warm();
  return {
    ...overProcesses(spec, { key: path, target: { path } }, processes),
    change: (key, statements) =>
      // What another program holds is waited for outside the thread that answers everybody.
      retryWhileBusy(spec.timeoutMs ?? DEFAULT_TIMEOUT_MS, () => change(spec, path, key, statements)).catch(
        (error: unknown) => {
          throw error instanceof HubError && error.code === 'database_busy'
            ? faultOf(spec, error.cause)
            : error;
        },
      ),
  };
}

function change(spec: SourceSpec, path: string, key: string, statements: readonly ChangeStatement[]): void {
  const sqlite = opened(spec, path);
  try {
    sqlite.exec(EFFECTS_TABLE);
    sqlite.transaction(() => changeIn(sqlite, spec, key, statements)).immediate();
  } catch (error) {
    const { code = '' } = error as { readonly code?: string };
    if (!(error instanceof HubError) && /^SQLITE_(?:BUSY|LOCKED)/.test(code))
      throw new HubError('database_busy', `${path} is in use.`, { source: spec.name }, { cause: error });
    throw faultOf(spec, error);
  } finally {
    sqlite.close();
  }
}

function opened(spec: SourceSpec, path: string): BetterSqlite3.Database {
  try {
    const sqlite = new BetterSqlite3(path, { fileMustExist: true, timeout: 0 });
    sqlite.pragma('foreign_keys = ON');
    return sqlite;
  } catch (error) {
    throw faultOf(spec, error);
  }
}

function changeIn(
  sqlite: BetterSqlite3.Database,
  spec: SourceSpec,
  key: string,
  statements: readonly ChangeStatement[],
): void {
  const noted = sqlite.prepare('INSERT OR IGNORE INTO hub_effects (idempotency_key) VALUES (?)').run(key);
  for (const statement of noted.changes === 0 ? [] : statements) {
    // SQLite takes no booleans.
    const values = statement.values.map((value) => (typeof value === 'boolean' ? Number(value) : value));
    const { changes } = sqlite.prepare(textOf(statement)).run(...values);
    if (changes === 0 && statement.needed) throw nothingToChange(spec);
  }
}

/** The transaction is undone, whatever it was. */
function faultOf({ name: source }: SourceSpec, error: unknown): HubError {
  if (error instanceof HubError) return error;
  const { code = '' } = error as { readonly code?: string };
  const told = code.startsWith('SQLITE_CONSTRAINT')
    ? 'constraint_failed'
    : /^SQLITE_(?:BUSY|LOCKED|IOERR|FULL|CANTOPEN)/.test(code)
      ? 'source_unavailable'
      : 'source_rejected';
  return new HubError(
    told,
    `${source} does not make the change: ${messageOf(error)}.`,
    { source },
    { cause: error },
  );
}

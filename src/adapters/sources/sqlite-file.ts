import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { HubError } from '../../core/errors.js';
import type { ChangeStatement, QuerySource, SourceSpec } from '../../core/ports/data-source.js';
import { retryWhileBusy } from '../../core/retry-while-busy.js';
import { DEFAULT_TIMEOUT_MS, type Secret, settingOf } from './settings.js';
import { EFFECTS_TABLE, nothingToChange, textOf } from './sql-text.js';
import type { SqliteProcesses } from './sqlite-processes.js';
import { overProcesses } from './sqlite-source.js';

/**
 * A company's own SQLite file: read in processes that may only read, and changed here in short transactions.
 * @throws HubError `source_misconfigured`, `source_unavailable` (there is no such file)
 */
export function openSqliteFile(spec: SourceSpec, processes: SqliteProcesses, secret: Secret): QuerySource {
  const path = resolve(spec.folder ?? '', settingOf(spec, 'file', secret));
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
    const sqlite = new BetterSqlite3(path, {
      ...{ fileMustExist: true, timeout: 0 },
    });
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
  const reason = error instanceof Error ? error.message : String(error);
  const { code = '' } = error as { readonly code?: string };
  const told = code.startsWith('SQLITE_CONSTRAINT')
    ? 'constraint_failed'
    : /^SQLITE_(?:BUSY|LOCKED|IOERR|FULL|CANTOPEN)/.test(code)
      ? 'source_unavailable'
      : 'source_rejected';
  return new HubError(told, `${source} does not make the change: ${reason}.`, { source }, { cause: error });
}

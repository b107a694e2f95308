import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SkillCaller } from '../../core/domain/skill.js';
import { HubError } from '../../core/errors.js';
import type { CustomerScope, QuerySource, SourceSpec } from '../../core/ports/data-source.js';
import { DEFAULT_TIMEOUT_MS } from './settings.js';
import { checkStatement, textOf } from './sql-text.js';
import type { SqliteTarget } from './sqlite-process.js';
import type { SqliteProcesses } from './sqlite-processes.js';

const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** What a SQLite source needs beside its declaration. */
interface SqliteOptions {
  readonly dataDir: string;
  readonly processes: SqliteProcesses;
  /** By database; a customer sees nothing of a database that is not named here. */
  readonly scopes: Readonly<Record<string, CustomerScope>>;
}

/**
 * A database of the data directory, read-only. For a customer it holds that customer's rows and nothing else.
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
  const path = join(options.dataDir, `${name}.db`);
  if (!existsSync(path)) {
    throw new HubError('source_unavailable', `${spec.name}: there is no ${name}.db in the data directory.`, {
      source: spec.name,
      path,
    });
  }
  options.processes.warm();
  return overProcesses(spec, targetOf(spec, caller, path, options), options.processes);
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
  { scopes }: SqliteOptions,
): { readonly key: string; readonly target: SqliteTarget } {
  if (caller.kind === 'operator') return { key: path, target: { path } };
  const database = spec.database ?? '';
  const scope = Object.hasOwn(scopes, database) ? scopes[database] : undefined;
  if (scope === undefined) {
    throw new HubError(
      'source_rejected',
      `${spec.name}: nothing says which rows of ${database}.db are a customer's own, so a customer sees none of it. Run the skill as an operator, or describe the tables in the scope of the company's code.`,
      { source: spec.name, database },
    );
  }
  const { customerId } = caller;
  return { key: JSON.stringify([path, customerId]), target: { path, scope, customerId } };
}

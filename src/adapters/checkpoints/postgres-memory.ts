import pg from 'pg';
import { type GraphMemory, wordPattern } from '../../core/privacy.js';
import { openPostgresCheckpointer } from './postgres-checkpointer.js';

const SCHEMA = 'checkpoints';
/** What is kept by thread, the columns in which words may stand, and those that tell its rows apart. */
const TABLES = {
  checkpoints: {
    json: ['checkpoint', 'metadata'],
    bytes: [],
    key: ['thread_id', 'checkpoint_ns', 'checkpoint_id'],
  },
  checkpoint_blobs: { json: [], bytes: ['blob'], key: ['thread_id', 'checkpoint_ns', 'channel', 'version'] },
  checkpoint_writes: {
    json: [],
    bytes: ['blob'],
    key: ['thread_id', 'checkpoint_ns', 'checkpoint_id', 'task_id', 'idx'],
  },
} as const;
const NAMES = Object.keys(TABLES) as (keyof typeof TABLES)[];

/** A conversation's thread, and those it went on to after a pause. */
const OF_REFS = "(thread_id = ANY($1) OR split_part(thread_id, '~', 1) = ANY($1))";

/** The refusal of what is stored late, in the database itself: it holds for every server. */
const REFUSAL = `CREATE TABLE IF NOT EXISTS ${SCHEMA}.erased_refs (ref text PRIMARY KEY);
  CREATE OR REPLACE FUNCTION ${SCHEMA}.refuse_erased() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN
    IF EXISTS (SELECT 1 FROM ${SCHEMA}.erased_refs WHERE ref IN (new.thread_id, split_part(new.thread_id, '~', 1)))
    THEN RAISE EXCEPTION 'customer_erased'; END IF;
    RETURN new;
  END $body$;
  ${NAMES.map(
    (table) => `CREATE OR REPLACE TRIGGER erased BEFORE INSERT ON ${SCHEMA}.${table}
      FOR EACH ROW EXECUTE FUNCTION ${SCHEMA}.refuse_erased();`,
  ).join('\n')}`;

/** What the graphs remember on PostgreSQL. @param url `postgres://...` @throws what the driver throws */
export async function openPostgresMemory(url: string): Promise<GraphMemory & { close(): Promise<void> }> {
  const checkpointer = await openPostgresCheckpointer(url);
  const pool = new pg.Pool({ connectionString: url, max: 1, application_name: 'uda-hub privacy' });
  pool.on('error', () => undefined);
  const inTransaction = async (work: (client: pg.ClientBase) => Promise<number>): Promise<number> => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const count = await work(client);
      await client.query('COMMIT');
      return count;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  };
  return {
    place: SCHEMA,
    async threads(refs) {
      const found: string[] = [];
      for (const table of NAMES) {
        const sql = `SELECT DISTINCT thread_id AS id FROM ${SCHEMA}.${table} WHERE ${OF_REFS}`;
        const { rows } = await pool.query<{ id: string }>(sql, [refs]);
        found.push(...rows.map(({ id }) => id));
      }
      return found;
    },
    async values(threadId) {
      const tuple = await checkpointer.saver.getTuple({ configurable: { thread_id: threadId } });
      return tuple?.checkpoint.channel_values ?? null;
    },
    erase: (refs) =>
      inTransaction(async (client) => {
        await client.query(REFUSAL);
        await client.query(
          `INSERT INTO ${SCHEMA}.erased_refs SELECT unnest($1::text[]) ON CONFLICT DO NOTHING`,
          [refs],
        );
        let count = 0;
        for (const table of NAMES)
          count +=
            (await client.query(`DELETE FROM ${SCHEMA}.${table} WHERE ${OF_REFS}`, [refs])).rowCount ?? 0;
        return count;
      }),
    redact: (words) =>
      words.length === 0
        ? Promise.resolve(0)
        : inTransaction(async (client) => {
            let count = 0;
            for (const table of NAMES) count += await redacted(client, table, words);
            return count;
          }),
    async close() {
      await checkpointer.close();
      await pool.end();
    },
  };
}

/** The states are JSON, in which the words may be replaced wherever they stand. */
async function redacted(
  client: pg.ClientBase,
  table: keyof typeof TABLES,
  words: readonly string[],
): Promise<number> {
  const { json, bytes, key } = TABLES[table];
  const pattern = wordPattern(words);
  let count = 0;
  for (const column of [...json, ...bytes]) {
    const isJson = (json as readonly string[]).includes(column);
    const text = isJson ? `lower(${column}::text)` : `lower(encode(${column}, 'escape'))`;
    const found = await client.query<Record<string, unknown> & { value: string | Buffer }>(
      `SELECT ${key.join(', ')}, ${isJson ? `${column}::text` : column} AS value FROM ${SCHEMA}.${table}
       WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) AS word WHERE strpos(${text}, word) > 0)`,
      [words.map(plainPart)],
    );
    for (const row of found.rows) {
      const before = row.value.toString('utf8');
      const after = before.replace(pattern, '[erased]');
      if (after === before) continue;
      const same = key.map((name, at) => `${name} = $${at + 2}`).join(' AND ');
      await client.query(
        `UPDATE ${SCHEMA}.${table} SET ${column} = $1${isJson ? '::jsonb' : ''} WHERE ${same}`,
        [isJson ? after : Buffer.from(after, 'utf8'), ...key.map((name) => row[name])],
      );
      count += 1;
    }
  }
  return count;
}

/** The longest part of a word that is written the same in any encoding: where that is not, the word is not. */
function plainPart(word: string): string {
  const parts = word.toLowerCase().match(/[\x20-\x5b\x5d-\x7e]+/g) ?? [''];
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}

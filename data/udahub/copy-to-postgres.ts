import { createHash } from 'node:crypto';
import { existsSync, realpathSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { HubError } from '../../src/core/errors.js';
import { type DatabaseHandle, openDatabase } from '../open-database.js';
import { stored } from '../postgres/dialect.js';
import { openPostgres, type PostgresDatabase } from '../postgres/postgres-database.js';
import { HUB_DATABASE, HUB_SCHEMA } from './database.js';
import { migrateHub } from './hub-on-postgres.js';
import { prepareArticleIndex, prepareTicketIndex } from './search-index.js';

/** What became of one table. */
export interface CopiedTable {
  readonly table: string;
  readonly rows: number;
  /** Copied by an earlier run that was ended. */
  readonly wasThere: boolean;
}

interface CopyOptions {
  readonly dataDir: string;
  /** `postgres://...` */
  readonly url: string;
  readonly onTable: (copied: CopiedTable) => void;
  /** Copies what belongs to the tables, after them and before the directory is handed over. */
  readonly also: () => Promise<void>;
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Rows that are read or written at once. */
const AT_ONCE = 200;
/** The guards of erased customers would refuse what is kept about them. */
const LAST = /^erased_/;
/** What the files of a directory are called whose tables were copied. */
const BEFORE = '.before-postgres';

/**
 * Copies the hub's own tables of a directory to an empty database, each whole or not at all, compares count and checksum of
 * every table, and puts the files aside. A run that was ended goes on where it was.
 * @throws HubError `database_failed` where a hub is running on the directory, the database holds something else, or what was
 * copied differs; `database_newer`
 */
export async function copyToPostgres({ dataDir, url, onTable, also }: CopyOptions): Promise<void> {
  const file = join(dataDir, `${HUB_DATABASE.name}.db`);
  if (!existsSync(file))
    throw new HubError('database_failed', `${dataDir} holds no conversations: there is no ${file}.`, {
      dataDir,
    });
  const from = openDatabase(HUB_DATABASE, dataDir, { state: 'used' });
  const to = openPostgres(url, { schema: HUB_SCHEMA.name, statementTimeoutMs: 10 * 60_000 });
  try {
    demandAlone(from, dataDir);
    await migrateHub(url);
    await demandOwn(to, realpathSync(dataDir));
    for (const table of tablesOf(from)) {
      const before = await countIn(to, table);
      if (before === 0) await copyTable(from, to, table);
      const [given, copied] = [ofSqlite(from, table), await ofPostgres(to, table)];
      if (given.rows !== copied.rows || given.sum !== copied.sum)
        throw new HubError(
          'database_failed',
          `The table ${table.name} has ${given.rows} rows in ${from.path} and ${copied.rows} others on the server: name an empty database.`,
          { table: table.name },
        );
      onTable({ table: table.name, rows: given.rows, wasThere: before > 0 });
    }
    await continueNumbers(from, to);
    await fillSearch(to);
    await also();
    await to.withClient((client) => client.query('COMMENT ON TABLE hub_migrations IS NULL'));
  } finally {
    from.close();
    await to.close();
  }
  // From here on a hub starts on this directory only with the database.
  for (const name of [HUB_DATABASE.name, 'checkpoints']) putAside(join(dataDir, `${name}.db`));
}

function putAside(path: string): void {
  try {
    renameSync(path, `${path}${BEFORE}`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

/** Only the last connection may leave write-ahead logging, after which all is in the one file. */
function demandAlone({ sqlite, path }: DatabaseHandle, dataDir: string): void {
  try {
    sqlite.pragma('busy_timeout = 0');
    sqlite.pragma('journal_mode = DELETE');
    sqlite.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    throw new HubError(
      'database_failed',
      `${path} is in use: stop the hub that runs on ${dataDir}.`,
      { dataDir },
      { cause: error },
    );
  }
}

async function demandOwn(to: PostgresDatabase, dataDir: string): Promise<void> {
  await to.withClient(async (client) => {
    const mark = `copying from ${dataDir}`;
    const { rows } = await client.query<{ mark: string | null; used: string }>(
      `SELECT obj_description('hub_migrations'::regclass, 'pg_class') AS mark,
         (SELECT count(*) FROM settings) + (SELECT count(*) FROM accounts) AS used`,
    );
    const [found] = rows;
    if (found?.mark !== mark && (found?.mark || Number(found?.used) > 0))
      throw new HubError(
        'database_failed',
        'The database on the server holds the tables of another hub: name an empty one.',
        { dataDir },
      );
    await client.query(`COMMENT ON TABLE hub_migrations IS ${client.escapeLiteral(mark)}`);
  });
}

/** A table that refers to others comes after them. */
function tablesOf({ sqlite }: DatabaseHandle): readonly Table[] {
  const names = sqlite
    .prepare<[], string>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
         AND name NOT LIKE '\\_\\_%' ESCAPE '\\' AND name NOT LIKE '%\\_fts%' ESCAPE '\\' ORDER BY name`,
    )
    .pluck()
    .all();
  const ordered: string[] = [];
  const visit = (name: string): void => {
    if (ordered.includes(name)) return;
    const others = sqlite.prepare<[string], string>('SELECT "table" FROM pragma_foreign_key_list(?)').pluck();
    for (const other of others.all(name)) if (other !== name) visit(other);
    ordered.push(name);
  };
  for (const name of names.filter((each) => !LAST.test(each))) visit(name);
  for (const name of names) visit(name);
  const columns = sqlite.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck();
  return ordered.map((name) => ({ name, columns: columns.all(name) }));
}

const listed = (columns: readonly string[]): string => columns.map((name) => `"${name}"`).join(', ');

function rowsOf({ sqlite }: DatabaseHandle, { name, columns }: Table): Iterable<readonly unknown[]> {
  return sqlite
    .prepare<[], unknown[]>(`SELECT ${listed(columns)} FROM "${name}"`)
    .raw()
    .iterate();
}

async function countIn(to: PostgresDatabase, { name }: Table): Promise<number> {
  const { rows } = await to.withClient((client) =>
    client.query<{ n: number }>(`SELECT count(*) AS n FROM "${name}"`),
  );
  return Number(rows[0]?.n);
}

/** Whole, or not at all. */
async function copyTable(from: DatabaseHandle, to: PostgresDatabase, table: Table): Promise<void> {
  await to.withClient(async (client) => {
    const write = async (rows: readonly (readonly unknown[])[]): Promise<void> => {
      if (rows.length === 0) return;
      const { length } = table.columns;
      const places = rows.map(
        (_row, at) => `(${table.columns.map((_column, place) => `$${at * length + place + 1}`).join(', ')})`,
      );
      await client.query(
        `INSERT INTO "${table.name}" (${listed(table.columns)}) VALUES ${places.join(', ')}`,
        rows.flat().map(stored),
      );
    };
    await client.query('BEGIN');
    try {
      let waiting: (readonly unknown[])[] = [];
      for (const row of rowsOf(from, table)) {
        waiting.push(row);
        if (waiting.length === AT_ONCE) await write(waiting.splice(0));
      }
      await write(waiting);
      waiting = [];
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
  });
}

interface Sum {
  readonly rows: number;
  /** Whatever the order of the rows. */
  readonly sum: bigint;
}

const added = ({ rows, sum }: Sum, row: readonly unknown[]): Sum => {
  const plain = row.map((value) => (Buffer.isBuffer(value) ? value.toString('base64') : value));
  const digest = createHash('sha256').update(JSON.stringify(plain)).digest();
  return { rows: rows + 1, sum: BigInt.asUintN(64, sum + digest.readBigUInt64BE()) };
};

function ofSqlite(from: DatabaseHandle, table: Table): Sum {
  let sum: Sum = { rows: 0, sum: 0n };
  for (const row of rowsOf(from, table)) sum = added(sum, row);
  return sum;
}

async function ofPostgres(to: PostgresDatabase, { name, columns }: Table): Promise<Sum> {
  return to.withClient(async (client) => {
    let sum: Sum = { rows: 0, sum: 0n };
    await client.query('BEGIN');
    await client.query(`DECLARE read CURSOR FOR SELECT ${listed(columns)} FROM "${name}"`);
    for (;;) {
      const { rows } = await client.query<unknown[]>({
        text: `FETCH ${AT_ONCE} FROM read`,
        rowMode: 'array',
      });
      for (const row of rows) sum = added(sum, row);
      if (rows.length < AT_ONCE) break;
    }
    await client.query('COMMIT');
    return sum;
  });
}

/** No number that was given out is given again, though its row is gone. */
async function continueNumbers({ sqlite }: DatabaseHandle, to: PostgresDatabase): Promise<void> {
  const given = sqlite.prepare<[string], number>('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck();
  await to.withClient(async (client) => {
    const { rows } = await client.query<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = $1 AND is_identity = 'YES'`,
      [HUB_SCHEMA.name],
    );
    for (const { table, column } of rows)
      await client.query(
        `SELECT setval(pg_get_serial_sequence($1, $2), greatest($3, max("${column}"), 1),
           greatest($3, max("${column}")) > 0) FROM "${table}"`,
        [table, column, given.get(table) ?? 0],
      );
  });
}

/** The words of articles, messages and summaries; SQLite's own index is cut otherwise. */
async function fillSearch(to: PostgresDatabase): Promise<void> {
  const articles = to.prepare<[], { articleId: string; title: string; tags: string; content: string }>(
    'SELECT article_id AS articleId, title, tags, content FROM knowledge',
  );
  const messages = to.prepare<[], { id: string; text: string }>(
    'SELECT message_id AS id, content AS text FROM ticket_messages',
  );
  const summaries = to.prepare<[], { id: string; text: string | null }>(
    'SELECT ticket_id AS id, summary AS text FROM ticket_metadata',
  );
  const [byWord, byText] = [prepareArticleIndex(to), prepareTicketIndex(to)];
  await to.run(() =>
    to.transaction(function* () {
      for (const table of ['ticket_messages_fts', 'ticket_summaries_fts'])
        yield* to.prepare(`DELETE FROM ${table}`).run();
      for (const { tags, ...article } of yield* articles.all())
        yield* byWord.put({ ...article, tags: JSON.parse(tags) as string[] });
      for (const { id, text } of yield* messages.all()) yield* byText.message(id, text);
      for (const { id, text } of yield* summaries.all()) if (text !== null) yield* byText.summary(id, text);
    }),
  );
}

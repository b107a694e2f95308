import { existsSync, realpathSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { HubError, hasCode } from '../../src/core/errors.js';
import type { CompanyDatabaseSpec } from '../company-database.js';
import { companySchema } from '../company-on-postgres.js';
import { type DatabaseHandle, type DatabaseSpec, openDatabase } from '../open-database.js';
import {
  type CopiedTable,
  compareTable,
  copyMark,
  copyTables,
  inFile,
  isEmpty,
  markCopy,
  onServer,
  tablesOf,
} from '../postgres/copy-tables.js';
import { migratePostgres, type PostgresSpec } from '../postgres/migrate.js';
import { openPostgres, type PostgresDatabase } from '../postgres/postgres-database.js';
import { HUB_DATABASE, HUB_SCHEMA } from './database.js';
import { leaveDirectory, reached } from './hub-on-postgres.js';
import { prepareArticleIndex, prepareTicketIndex } from './search-index.js';

/** What a copy is told, whichever way it goes. */
export interface CopyOptions {
  readonly dataDir: string;
  /** `postgres://...` */
  readonly url: string;
  readonly company: CompanyDatabaseSpec;
  readonly onTable: (copied: CopiedTable) => void;
  /** True where all is compared once more before the directory is handed over. */
  readonly verify: boolean;
  /** Copies what belongs to the tables, after them and before the directory is handed over. */
  readonly also: () => Promise<void>;
}

/** A file of the directory, and the schema that takes it. */
interface Part {
  readonly spec: DatabaseSpec;
  readonly from: DatabaseHandle;
  readonly to: PostgresDatabase;
}

/** What the files of a directory are called whose tables were copied. */
const BEFORE = '.before-postgres';

/**
 * Copies the tables of a directory to an empty database, the hub's own and those of a company that can be there, each whole
 * or not at all, compares count and checksum of every table, and puts the files aside. A run that was ended goes on where it
 * was. Where the hub's own are on the server already, the company's follow them.
 * @throws HubError `database_failed` where a hub is running on the directory, the database holds something else, or what was
 * copied differs; `database_newer`
 */
export async function copyToPostgres(options: CopyOptions): Promise<void> {
  const { dataDir, url, onTable, also } = options;
  const opened: { close(): void | Promise<void> }[] = [];
  try {
    const parts: Part[] = [];
    for (const [spec, schema] of partsOf(options)) {
      const from = openDatabase(spec, dataDir, { state: 'used' });
      opened.push(from);
      const to = openPostgres(url, { schema: schema.name, statementTimeoutMs: 10 * 60_000 });
      opened.push(to);
      demandAlone(from, dataDir);
      await reached(url, () => to.withClient((client) => migratePostgres(client, schema)));
      parts.push({ spec, from, to });
    }
    const hub = parts.find(({ spec }) => spec === HUB_DATABASE);
    for (const part of parts) await demandOwn(part, realpathSync(dataDir));
    for (const { spec, from, to } of parts)
      await copyTables(tablesOf(from), inFile(from), onServer(to), (copied) => onTable(named(spec, copied)));
    if (hub) {
      await fillSearch(hub.to);
      await also();
    }
    if (options.verify)
      for (const { from, to } of parts)
        for (const table of tablesOf(from)) await compareTable(table, inFile(from), onServer(to));
    await leaveDirectory(url, dataDir);
    // From here on a hub starts on this directory only with the database.
    const files = parts.map(({ spec, from }) => {
      from.close();
      return spec.name;
    });
    for (const name of [...files, ...(hub ? ['checkpoints'] : [])]) putAside(join(dataDir, `${name}.db`));
    for (const { to } of parts) await markCopy(to, null);
  } finally {
    for (const each of opened) await each.close();
  }
}

/** The files that there are to copy. */
function partsOf({
  dataDir,
  company,
}: CopyOptions): readonly (readonly [spec: DatabaseSpec, schema: PostgresSpec])[] {
  const schema = companySchema(company);
  const all: readonly (readonly [DatabaseSpec, PostgresSpec])[] = [
    [HUB_DATABASE, HUB_SCHEMA],
    ...(schema === null ? [] : [[company, schema] as const]),
  ];
  const found = all.filter(([{ name }]) => existsSync(join(dataDir, `${name}.db`)));
  if (found.length > 0) return found;
  throw new HubError(
    'database_failed',
    `${dataDir} holds nothing to be copied: there is no ${all.map(([{ name }]) => `${name}.db`).join(' and no ')}.`,
    { dataDir },
  );
}

/** Says of a table of the company's that it is one. */
export function named({ name }: DatabaseSpec, copied: CopiedTable): CopiedTable {
  return name === HUB_DATABASE.name ? copied : { ...copied, table: `${name}.${copied.table}` };
}

function putAside(path: string): void {
  try {
    renameSync(path, `${path}${BEFORE}`);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
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

async function demandOwn({ from, to }: Part, dataDir: string): Promise<void> {
  const mark = `copying from ${dataDir}`;
  const found = await copyMark(to);
  if (found !== mark && (found !== null || !(await isEmpty(tablesOf(from), onServer(to)))))
    throw new HubError(
      'database_failed',
      'The database on the server holds the tables of another hub: name an empty one.',
      { dataDir },
    );
  await markCopy(to, mark);
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
      const all = yield* articles.all();
      yield* byWord.put(all.map((article) => ({ ...article, tags: JSON.parse(article.tags) as string[] })));
      for (const { id, text } of yield* messages.all()) yield* byText.message(id, text);
      for (const { id, text } of yield* summaries.all()) if (text !== null) yield* byText.summary(id, text);
    }),
  );
}

import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Article } from '../../src/core/domain/article.js';
import { LANGUAGE_TAG } from '../../src/core/domain/language.js';
import type { Clock } from '../../src/core/ports/system.js';
import type { LinkedCustomer } from '../company-database.js';
import type { Database, Work } from '../database.js';
import { articleFilesDigest, readJsonl, readMarkdown } from '../jsonl.js';
import { insertInto, upsertInto } from '../statements.js';
import { accounts, hubUsers, knowledge, settings } from './schema.js';
import { prepareArticleIndex } from './search-index.js';

const articleLine = z.object({
  article_id: z.string().min(1),
  title: z.string().min(1),
  content: z.string().min(1),
  tags: z.array(z.string()).default([]),
  language: z.string().regex(LANGUAGE_TAG).default('en'),
  updated_at: z.iso.datetime().optional(),
});

/** The company as the hub's database names it. */
export interface Account {
  readonly id: string;
  readonly name: string;
}

/** Creates the account; safe to repeat. */
export function* seedAccount(database: Database, { id, name }: Account): Work<void> {
  yield* insertInto(database, accounts, { onConflict: 'ignore' })({ accountId: id, name });
}

/** Links customers that the hub does not know yet; safe to repeat. Returns how many were new. */
export function* linkCustomers(
  database: Database,
  account: Account,
  customers: readonly LinkedCustomer[],
): Work<number> {
  const insert = insertInto(database, hubUsers, { onConflict: 'ignore' });
  const known = database
    .prepare<[string], string>('SELECT external_user_id FROM users WHERE account_id = ?')
    .pluck();
  return yield* database.transaction(function* () {
    const linked = new Set(yield* known.all(account.id));
    let added = 0;
    for (const { customerId, name } of customers) {
      if (linked.has(customerId)) continue;
      const userId = `${account.id}:${customerId}`;
      added += yield* insert({ userId, accountId: account.id, externalUserId: customerId, name });
    }
    return added;
  });
}

const LOADED = 'seed:knowledge';
/** The files as they were loaded last: where they are the same, they are not parsed again. */
const LOADED_FILES = 'seed:knowledge:files';
/** Raised where the same files are parsed into something else than before. */
const PARSING = 1;
/** What the company's article files said when they were loaded last, by article. */
const loadedSchema = z.record(z.string(), z.string());

const digest = ({
  title,
  content,
  tags,
  language,
}: Pick<Article, 'title' | 'content' | 'tags' | 'language'>): string =>
  createHash('sha256')
    .update(JSON.stringify([title, content, tags, language]))
    .digest('base64');

/**
 * Takes over what the company's article files say otherwise than when they were loaded last: at first all of it. What an
 * operator has published or removed meanwhile stays where its file has not changed.
 * @returns how many articles changed, and whether these are the first
 */
export function* seedKnowledge(
  database: Database,
  clock: Clock,
  file: URL,
): Work<{ readonly changes: number; readonly isFirst: boolean }> {
  const files = `${PARSING} ${articleFilesDigest(file)}`;
  const setting = database.prepare<[string], string>('SELECT value FROM settings WHERE key = ?').pluck();
  if ((yield* setting.get(LOADED_FILES)) === files) return { changes: 0, isFirst: false };
  const articles = new Map<string, z.infer<typeof articleLine>>();
  for (const line of [...(readJsonl(file, articleLine) ?? []), ...readMarkdown(file, articleLine)])
    if (!articles.has(line.article_id)) articles.set(line.article_id, line);
  const said = new Map([...articles].map(([id, article]) => [id, digest(article)]));
  const insert = insertInto(database, knowledge, { omit: ['rowNo'] });
  const index = prepareArticleIndex(database);
  const put = upsertInto(database, settings, settings.key);
  const remove = database.prepare<[string]>('DELETE FROM knowledge WHERE article_id = ?');
  const stored = database.query((orm) =>
    orm
      .select()
      .from(knowledge)
      .where(eq(knowledge.articleId, sql.placeholder('articleId'))),
  );
  return yield* database.transaction(function* () {
    const updatedAt = clock.now().toISOString();
    const kept = yield* setting.get(LOADED);
    const isFirst = kept === undefined;
    // An earlier version has not kept what it loaded: there, what changes from now on is taken over.
    const known = isFirst ? {} : (loadedSchema.safeParse(JSON.parse(kept)).data ?? null);
    const before = known === null ? said : new Map(Object.entries(known));
    const added: Article[] = [];
    let changes = 0;
    for (const [articleId, { article_id: _id, updated_at, ...text }] of articles) {
      if (before.get(articleId) === said.get(articleId)) continue;
      const article = { ...text, articleId, updatedAt: updated_at ?? updatedAt };
      yield* remove.run(articleId);
      yield* insert(article);
      added.push(article);
      changes += 1;
    }
    yield* index.put(added);
    for (const [articleId, loaded] of before) {
      if (said.has(articleId)) continue;
      const row = yield* stored.get({ articleId });
      if (row !== undefined && digest(row) === loaded) changes += (yield* remove.run(articleId)).changes;
    }
    if (changes > 0 || known === null || before.size !== said.size)
      yield* put({ key: LOADED, value: JSON.stringify(Object.fromEntries(said)), updatedAt });
    yield* put({ key: LOADED_FILES, value: files, updatedAt });
    return { changes, isFirst };
  });
}

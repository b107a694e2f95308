import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Article } from '../../src/core/domain/article.js';
import { LANGUAGE_TAG } from '../../src/core/domain/language.js';
import type { Clock } from '../../src/core/ports/system.js';
import type { LinkedCustomer } from '../company-database.js';
import { articleFilesDigest, readJsonl, readMarkdown } from '../jsonl.js';
import type { DatabaseHandle } from '../open-database.js';
import { prepareInsert, prepareUpsert } from '../statements.js';
import { accounts, hubUsers, knowledge, settings } from './schema.js';

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
export function seedAccount({ orm }: DatabaseHandle, { id, name }: Account): void {
  orm.insert(accounts).values({ accountId: id, name }).onConflictDoNothing().run();
}

/** Links customers that the hub does not know yet; safe to repeat. Returns how many were new. */
export function linkCustomers(
  handle: DatabaseHandle,
  account: Account,
  customers: readonly LinkedCustomer[],
): number {
  const insert = prepareInsert(handle.orm, hubUsers, { onConflict: 'ignore' });
  return handle.sqlite
    .transaction((): number => {
      let linked = 0;
      for (const { customerId, name } of customers) {
        linked += insert({
          userId: `${account.id}:${customerId}`,
          accountId: account.id,
          externalUserId: customerId,
          name,
        });
      }
      return linked;
    })
    .immediate();
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
export function seedKnowledge(
  { orm, sqlite }: DatabaseHandle,
  clock: Clock,
  file: URL,
): { readonly changes: number; readonly isFirst: boolean } {
  const files = `${PARSING} ${articleFilesDigest(file)}`;
  const loaded = orm.select().from(settings).where(eq(settings.key, LOADED_FILES)).get();
  if (loaded?.value === files) return { changes: 0, isFirst: false };
  const articles = new Map<string, z.infer<typeof articleLine>>();
  for (const line of [...(readJsonl(file, articleLine) ?? []), ...readMarkdown(file, articleLine)])
    if (!articles.has(line.article_id)) articles.set(line.article_id, line);
  const said = new Map([...articles].map(([id, article]) => [id, digest(article)]));
  const insert = prepareInsert(orm, knowledge, { omit: ['rowNo'] });
  const put = prepareUpsert(orm, settings, settings.key);
  const remove = sqlite.prepare<[string]>('DELETE FROM knowledge WHERE article_id = ?');
  return sqlite
    .transaction(() => {
      const updatedAt = clock.now().toISOString();
      const kept = orm.select().from(settings).where(eq(settings.key, LOADED)).get();
      const isFirst = kept === undefined;
      // An earlier version has not kept what it loaded: there, what changes from now on is taken over.
      const known = isFirst ? {} : (loadedSchema.safeParse(JSON.parse(kept.value)).data ?? null);
      const before = known === null ? said : new Map(Object.entries(known));
      let changes = 0;
      for (const [articleId, { article_id: _id, updated_at, ...article }] of articles) {
        if (before.get(articleId) === said.get(articleId)) continue;
        remove.run(articleId);
        insert({ ...article, articleId, updatedAt: updated_at ?? updatedAt });
        changes += 1;
      }
      for (const [articleId, loaded] of before) {
        if (said.has(articleId)) continue;
        const row = orm.select().from(knowledge).where(eq(knowledge.articleId, articleId)).get();
        if (row !== undefined && digest(row) === loaded) changes += remove.run(articleId).changes;
      }
      if (changes > 0 || known === null || before.size !== said.size)
        put({ key: LOADED, value: JSON.stringify(Object.fromEntries(said)), updatedAt });
      put({ key: LOADED_FILES, value: files, updatedAt });
      return { changes, isFirst };
    })
    .immediate();
}

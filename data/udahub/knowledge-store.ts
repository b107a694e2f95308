import { asc, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Article } from '../../src/core/domain/article.js';
import { HubError } from '../../src/core/errors.js';
import type { KnowledgeDrafts, KnowledgeStore, StoredDraft } from '../../src/core/ports/knowledge-store.js';
import type { Clock } from '../../src/core/ports/system.js';
import { type Database, storeOf, type Work } from '../database.js';
import { insertInto, preparedOnUse, upsertInto } from '../statements.js';
import { anyWord, type Term } from './full-text.js';
import { embeddings, knowledge, knowledgeDrafts, knowledgeVersions, settings } from './schema.js';
import { prepareArticleIndex } from './search-index.js';

const { rowNo: _rowNo, ...articleColumns } = getTableColumns(knowledge);

const textOf = (article: Pick<Article, 'title' | 'content' | 'tags' | 'language'>): string =>
  JSON.stringify([article.title, article.content, article.tags, article.language]);

function prepareDrafts(database: Database) {
  const articleId = sql.placeholder('articleId');
  return {
    drafts: database.query((orm) =>
      orm.select().from(knowledgeDrafts).orderBy(asc(knowledgeDrafts.articleId)),
    ),
    draft: database.query((orm) =>
      orm.select().from(knowledgeDrafts).where(eq(knowledgeDrafts.articleId, articleId)),
    ),
    article: database.query((orm) =>
      orm.select(articleColumns).from(knowledge).where(eq(knowledge.articleId, articleId)),
    ),
    versions: database.query((orm) =>
      orm
        .select()
        .from(knowledgeVersions)
        .where(eq(knowledgeVersions.articleId, articleId))
        .orderBy(desc(knowledgeVersions.version)),
    ),
    insertVersion: insertInto(database, knowledgeVersions),
    put: upsertInto(database, knowledgeDrafts, knowledgeDrafts.articleId),
    remove: database.prepare<[string]>('DELETE FROM knowledge_drafts WHERE article_id = ?'),
    insertArticle: insertInto(database, knowledge, { omit: ['rowNo'] }),
    // The row keeps its number, by which the full-text index knows it.
    updateArticle: database.prepare<[string, string, string, string, string, string]>(
      'UPDATE knowledge SET title = ?, content = ?, tags = ?, language = ?, updated_at = ? WHERE article_id = ?',
    ),
    removeArticle: database.prepare<[string]>('DELETE FROM knowledge WHERE article_id = ?'),
  };
}

/** Drafts of articles, beside the published ones. */
export function createKnowledgeDrafts(database: Database, clock: Clock): KnowledgeDrafts {
  const run = preparedOnUse(() => prepareDrafts(database));
  const index = preparedOnUse(() => prepareArticleIndex(database));

  function* add(draft: StoredDraft): Work<boolean> {
    const { articleId } = draft;
    if ((yield* run.draft.get({ articleId })) !== undefined) return false;
    if ((yield* run.article.get({ articleId })) !== undefined) return false;
    yield* run.put(draft);
    return true;
  }
  /** The same text again is no new version. */
  function* keep({ updatedAt, ...text }: Article, publishedBy: string | null): Work<void> {
    const [newest] = yield* run.versions.all({ articleId: text.articleId });
    if (newest && textOf(newest) === textOf(text)) return;
    const version = (newest?.version ?? 0) + 1;
    yield* run.insertVersion({ ...text, tags: [...text.tags], version, publishedBy, publishedAt: updatedAt });
  }
  function* publish(articleId: string, publishedBy: string, publishedAt: string): Work<Article | null> {
    const draft = yield* run.draft.get({ articleId });
    if (draft === undefined) return null;
    const before = yield* run.article.get({ articleId });
    if (before !== undefined) yield* keep(before, null);
    const { updatedBy: _updatedBy, ...rest } = draft;
    const article: Article = { ...rest, updatedAt: publishedAt };
    const { title, content, tags, language } = article;
    const { changes } = yield* run.updateArticle.run(
      title,
      content,
      JSON.stringify(tags),
      language,
      publishedAt,
      articleId,
    );
    if (changes === 0) yield* run.insertArticle(article);
    yield* index.put([article]);
    yield* keep(article, publishedBy);
    yield* run.remove.run(articleId);
    return article;
  }
  function* unpublish(articleId: string, operatorId: string): Work<boolean> {
    const article = yield* run.article.get({ articleId });
    if (article === undefined) return false;
    const written = yield* run.draft.get({ articleId });
    if (written === undefined)
      yield* run.put({ ...article, updatedBy: operatorId, updatedAt: clock.now().toISOString() });
    yield* run.removeArticle.run(articleId);
    return true;
  }

  return storeOf<KnowledgeDrafts>(database, {
    list: () => run.drafts.all(),
    *get(articleId) {
      return (yield* run.draft.get({ articleId })) ?? null;
    },
    *put(draft) {
      yield* run.put(draft);
    },
    add: (draft) => database.transaction(() => add(draft)),
    *remove(articleId) {
      return (yield* run.remove.run(articleId)).changes > 0;
    },
    publish: (articleId, publishedBy, publishedAt) =>
      database.transaction(() => publish(articleId, publishedBy, publishedAt)),
    versions: (articleId) => run.versions.all({ articleId }),
    unpublish: (articleId, operatorId) => database.transaction(() => unpublish(articleId, operatorId)),
  });
}

/** So many articles are ranked in a search at most, those of one word after the other. */
const MOST_RANKED = 25_000;
/** Counting the articles of a frequent word takes as long as ranking many: the counts are kept a while, and tell only what is frequent. */
const KEPT_COUNTS = { max: 10_000, ttl: 10 * 60_000 };

function prepare(database: Database) {
  const inList = sql`IN (SELECT value FROM json_each(${sql.placeholder('list')}))`;
  return {
    all: database.query((orm) =>
      orm.select(articleColumns).from(knowledge).orderBy(asc(knowledge.articleId)),
    ),
    count: database.prepare<[], number>('SELECT count(*) FROM knowledge').pluck(),
    some: database.query((orm) =>
      orm.select(articleColumns).from(knowledge).where(sql`${knowledge.articleId} ${inList}`),
    ),
    insert: insertInto(database, knowledge, { omit: ['rowNo'] }),
    update: database.prepare<[string, string, string, string, string, string]>(
      'UPDATE knowledge SET title = ?, content = ?, tags = ?, language = ?, updated_at = ? WHERE article_id = ?',
    ),
    remove: database.prepare<[string]>('DELETE FROM knowledge WHERE article_id = ?'),
    embeddings: database.query((orm) =>
      orm
        .select()
        .from(embeddings)
        .where(
          sql`${embeddings.model} = ${sql.placeholder('model')} AND ${embeddings.contentHash} ${inList}`,
        ),
    ),
    putEmbedding: insertInto(database, embeddings, { onConflict: 'ignore' }),
    setting: database.query((orm) =>
      orm
        .select()
        .from(settings)
        .where(eq(settings.key, sql.placeholder('key'))),
    ),
    putSetting: upsertInto(database, settings, settings.key),
  };
}

/** Articles, what they are found by, the embedding cache and named documents. */
export function createKnowledgeStore(database: Database, clock: Clock): KnowledgeStore {
  const statements = preparedOnUse(() => prepare(database));
  const index = preparedOnUse(() => prepareArticleIndex(database));
  const counts = new LRUCache<string, number>(KEPT_COUNTS);

  function* replaceAll(articles: readonly Article[]) {
    const wanted = new Map(articles.map((article) => [article.articleId, article]));
    if (wanted.size !== articles.length)
      throw new HubError('input_invalid', 'Two articles have the same id.');
    const stored = new Map((yield* statements.all.all()).map((article) => [article.articleId, article]));
    const said: Article[] = [];
    let [added, updated, removed] = [0, 0, 0];
    for (const id of stored.keys()) {
      if (wanted.has(id)) continue;
      yield* statements.remove.run(id);
      removed += 1;
    }
    for (const [id, article] of wanted) {
      const before = stored.get(id);
      if (before === undefined) {
        yield* statements.insert(article);
        said.push(article);
        added += 1;
        continue;
      }
      const changed = textOf(before) !== textOf(article);
      if (!changed && before.updatedAt === article.updatedAt) continue;
      const { title, content, tags, language, updatedAt } = article;
      yield* statements.update.run(title, content, JSON.stringify(tags), language, updatedAt, id);
      if (!changed) continue;
      said.push(article);
      updated += 1;
    }
    yield* index.put(said);
    counts.clear();
    return { added, updated, removed };
  }
  function* getMany(ids: readonly string[]): Work<readonly Article[]> {
    const rows = yield* statements.some.all({ list: JSON.stringify(ids) });
    const found = new Map(rows.map((article) => [article.articleId, article]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }
  function* articlesWith(word: Term): Work<number> {
    const key = JSON.stringify(word);
    const known = counts.get(key);
    if (known !== undefined) return known;
    const articles = yield* index.articlesWith(word);
    counts.set(key, articles);
    return articles;
  }
  /** Words that nearly all of very many articles have tell none of them from another, and would have all of them ranked. */
  function* rarestOf(words: readonly Term[]): Work<readonly Term[]> {
    if (words.length * (yield* index.size()) <= MOST_RANKED) return words;
    const counted: { word: Term; articles: number }[] = [];
    for (const word of words) counted.push({ word, articles: yield* articlesWith(word) });
    let left = MOST_RANKED;
    const rare = counted
      .sort((a, b) => a.articles - b.articles)
      .filter(({ articles }, at) => {
        left -= articles;
        return at === 0 || left >= 0;
      });
    return rare.map(({ word }) => word);
  }

  return storeOf<KnowledgeStore>(database, {
    replaceAll: (articles) => database.transaction(() => replaceAll(articles)),
    list: () => statements.all.all(),
    *count() {
      return (yield* statements.count.get()) ?? 0;
    },
    *get(articleId) {
      return (yield* getMany([articleId]))[0] ?? null;
    },
    getMany,
    *keywordSearch(query, limit) {
      const words = anyWord(query);
      if (words.length === 0) return [];
      return yield* index.search(yield* rarestOf(words), Math.max(0, Math.trunc(limit)));
    },
    *getEmbeddings(model, hashes) {
      const rows = yield* statements.embeddings.all({ model, list: JSON.stringify(hashes) });
      return new Map(rows.map((row) => [row.contentHash, row.vector]));
    },
    putEmbeddings: (model, vectors) =>
      database.transaction(function* () {
        for (const [contentHash, vector] of vectors)
          yield* statements.putEmbedding({ model, contentHash, vector });
      }),
    *getSetting(key) {
      return (yield* statements.setting.get({ key }))?.value ?? null;
    },
    *putSetting(key, value) {
      yield* statements.putSetting({ key, value, updatedAt: clock.now().toISOString() });
    },
  });
}

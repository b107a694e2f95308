import { asc, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Article } from '../../src/core/domain/article.js';
import { HubError } from '../../src/core/errors.js';
import type {
  KeywordHit,
  KnowledgeDrafts,
  KnowledgeStore,
  StoredDraft,
} from '../../src/core/ports/knowledge-store.js';
import type { Clock } from '../../src/core/ports/system.js';
import type { DatabaseHandle } from '../open-database.js';
import { preparedOnUse, prepareInsert, prepareUpsert } from '../statements.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { anyWord } from './full-text.js';
import { embeddings, knowledge, knowledgeDrafts, knowledgeVersions, settings } from './schema.js';

const { rowNo: _rowNo, ...articleColumns } = getTableColumns(knowledge);

const textOf = (article: Pick<Article, 'title' | 'content' | 'tags' | 'language'>): string =>
  JSON.stringify([article.title, article.content, article.tags, article.language]);

function prepareDrafts({ orm, sqlite }: DatabaseHandle) {
  const articleId = sql.placeholder('articleId');
  return {
    drafts: orm.select().from(knowledgeDrafts).orderBy(asc(knowledgeDrafts.articleId)).prepare(),
    draft: orm.select().from(knowledgeDrafts).where(eq(knowledgeDrafts.articleId, articleId)).prepare(),
    article: orm.select(articleColumns).from(knowledge).where(eq(knowledge.articleId, articleId)).prepare(),
    versions: orm
      .select()
      .from(knowledgeVersions)
      .where(eq(knowledgeVersions.articleId, articleId))
      .orderBy(desc(knowledgeVersions.version))
      .prepare(),
    insertVersion: prepareInsert(orm, knowledgeVersions),
    put: prepareUpsert(orm, knowledgeDrafts, knowledgeDrafts.articleId),
    remove: sqlite.prepare<[string]>('DELETE FROM knowledge_drafts WHERE article_id = ?'),
    insertArticle: prepareInsert(orm, knowledge, { omit: ['rowNo'] }),
    // The row keeps its number, by which the full-text index knows it.
    updateArticle: sqlite.prepare<[string, string, string, string, string, string]>(
      'UPDATE knowledge SET title = ?, content = ?, tags = ?, language = ?, updated_at = ? WHERE article_id = ?',
    ),
    removeArticle: sqlite.prepare<[string]>('DELETE FROM knowledge WHERE article_id = ?'),
  };
}

/** Drafts of articles, in udahub.db beside the published ones. */
export function createKnowledgeDrafts(handle: DatabaseHandle, clock: Clock): KnowledgeDrafts {
  const run = preparedOnUse(() => prepareDrafts(handle));
  const atomically = <T>(work: () => T): T => handle.sqlite.transaction(work).immediate();

  const add = (draft: StoredDraft): boolean => {
    const { articleId } = draft;
    if (run.draft.get({ articleId }) !== undefined || run.article.get({ articleId }) !== undefined)
      return false;
    run.put(draft);
    return true;
  };
  /** The same text again is no new version. */
  const keep = ({ updatedAt, ...text }: Article, publishedBy: string | null): void => {
    const [newest] = run.versions.all({ articleId: text.articleId });
    if (newest && textOf(newest) === textOf(text)) return;
    const version = (newest?.version ?? 0) + 1;
    run.insertVersion({ ...text, tags: [...text.tags], version, publishedBy, publishedAt: updatedAt });
  };
  const publish = (articleId: string, publishedBy: string, publishedAt: string): Article | null => {
    const draft = run.draft.get({ articleId });
    if (draft === undefined) return null;
    const before = run.article.get({ articleId });
    if (before !== undefined) keep(before, null);
    const { updatedBy: _updatedBy, ...rest } = draft;
    const article: Article = { ...rest, updatedAt: publishedAt };
    const { title, content, tags, language } = article;
    const { changes } = run.updateArticle.run(
      title,
      content,
      JSON.stringify(tags),
      language,
      publishedAt,
      articleId,
    );
    if (changes === 0) run.insertArticle(article);
    keep(article, publishedBy);
    run.remove.run(articleId);
    return article;
  };
  const unpublish = (articleId: string, operatorId: string): boolean => {
    const article = run.article.get({ articleId });
    if (article === undefined) return false;
    const written = run.draft.get({ articleId });
    if (written === undefined)
      run.put({ ...article, updatedBy: operatorId, updatedAt: clock.now().toISOString() });
    run.removeArticle.run(articleId);
    return true;
  };

  return withTranslatedErrors<KnowledgeDrafts>(handle, {
    list: async () => run.drafts.all(),
    get: async (articleId) => run.draft.get({ articleId }) ?? null,
    put: async (draft) => run.put(draft),
    add: async (draft) => atomically(() => add(draft)),
    remove: async (articleId) => run.remove.run(articleId).changes > 0,
    publish: async (articleId, publishedBy, publishedAt) =>
      atomically(() => publish(articleId, publishedBy, publishedAt)),
    versions: async (articleId) => run.versions.all({ articleId }),
    unpublish: async (articleId, operatorId) => atomically(() => unpublish(articleId, operatorId)),
  });
}

/** So many articles are ranked in a search at most, those of one word after the other. */
const MOST_RANKED = 40_000;

function prepare({ orm, sqlite }: DatabaseHandle) {
  sqlite.exec(
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.knowledge_words USING fts5vocab('main', 'knowledge_fts', 'row')",
  );
  const inList = sql`IN (SELECT value FROM json_each(${sql.placeholder('list')}))`;
  return {
    all: orm.select(articleColumns).from(knowledge).orderBy(asc(knowledge.articleId)).prepare(),
    some: orm.select(articleColumns).from(knowledge).where(sql`${knowledge.articleId} ${inList}`).prepare(),
    insert: prepareInsert(orm, knowledge, { omit: ['rowNo'] }),
    update: sqlite.prepare<[string, string, string, string, string, string]>(
      'UPDATE knowledge SET title = ?, content = ?, tags = ?, language = ?, updated_at = ? WHERE article_id = ?',
    ),
    remove: sqlite.prepare<[string]>('DELETE FROM knowledge WHERE article_id = ?'),
    // Weights of title, tags, content. FTS5's score is smaller for better.
    search: sqlite.prepare<[string, number], KeywordHit>(
      `SELECT k.article_id AS articleId, -best AS score
       FROM (SELECT rowid AS row_no, bm25(knowledge_fts, 4.0, 3.0, 1.0) AS best FROM knowledge_fts
             WHERE knowledge_fts MATCH ? ORDER BY best, rowid LIMIT ?) JOIN knowledge k USING (row_no)
       ORDER BY best, k.article_id`,
    ),
    size: sqlite.prepare<[], number>('SELECT max(row_no) FROM knowledge').pluck(),
    articlesWith: sqlite.prepare<[string], number>('SELECT doc FROM knowledge_words WHERE term = ?').pluck(),
    embeddings: orm
      .select()
      .from(embeddings)
      .where(sql`${embeddings.model} = ${sql.placeholder('model')} AND ${embeddings.contentHash} ${inList}`)
      .prepare(),
    putEmbedding: prepareInsert(orm, embeddings, { onConflict: 'ignore' }),
    setting: orm
      .select()
      .from(settings)
      .where(eq(settings.key, sql.placeholder('key')))
      .prepare(),
    putSetting: prepareUpsert(orm, settings, settings.key),
  };
}

/** Articles, their full-text index, the embedding cache and named documents, in udahub.db. */
export function createKnowledgeStore(handle: DatabaseHandle, clock: Clock): KnowledgeStore {
  const statements = preparedOnUse(() => prepare(handle));

  const replaceAll = handle.sqlite.transaction((articles: readonly Article[]) => {
    const wanted = new Map(articles.map((article) => [article.articleId, article]));
    if (wanted.size !== articles.length)
      throw new HubError('input_invalid', 'Two articles have the same id.');
    const stored = new Map(statements.all.all().map((article) => [article.articleId, article]));
    let [added, updated, removed] = [0, 0, 0];
    for (const id of stored.keys()) {
      if (wanted.has(id)) continue;
      statements.remove.run(id);
      removed += 1;
    }
    for (const [id, article] of wanted) {
      const before = stored.get(id);
      if (before === undefined) {
        statements.insert(article);
        added += 1;
        continue;
      }
      const changed = textOf(before) !== textOf(article);
      if (!changed && before.updatedAt === article.updatedAt) continue;
      const { title, content, tags, language, updatedAt } = article;
      statements.update.run(title, content, JSON.stringify(tags), language, updatedAt, id);
      if (changed) updated += 1;
    }
    return { added, updated, removed };
  });
  const getMany = (ids: readonly string[]): readonly Article[] => {
    const found = new Map(
      statements.some.all({ list: JSON.stringify(ids) }).map((article) => [article.articleId, article]),
    );
    return ids.flatMap((id) => found.get(id) ?? []);
  };
  /** Words that nearly all of very many articles have tell none of them from another, and would have all of them ranked. */
  const rarestOf = (expression: string): string => {
    const words = expression.split(' OR ');
    if (words.length * (statements.size.get() ?? 0) <= MOST_RANKED) return expression;
    const counted = words.map((word) => ({
      word,
      articles: statements.articlesWith.get(word.slice(1, -1)) ?? 0,
    }));
    let left = MOST_RANKED;
    const rare = counted
      .sort((a, b) => a.articles - b.articles)
      .filter(({ articles }, at) => {
        left -= articles;
        return at === 0 || left >= 0;
      });
    return rare.map(({ word }) => word).join(' OR ');
  };
  const keywordSearch = (query: string, limit: number): readonly KeywordHit[] => {
    const expression = anyWord(query);
    return expression === null
      ? []
      : statements.search.all(rarestOf(expression), Math.max(0, Math.trunc(limit)));
  };
  const putEmbeddings = handle.sqlite.transaction(
    (model: string, vectors: ReadonlyMap<string, Float32Array>) => {
      for (const [contentHash, vector] of vectors) statements.putEmbedding({ model, contentHash, vector });
    },
  );

  return withTranslatedErrors<KnowledgeStore>(handle, {
    replaceAll: async (articles) => replaceAll.immediate(articles),
    list: async () => statements.all.all(),
    get: async (articleId) => getMany([articleId])[0] ?? null,
    getMany: async (ids) => getMany(ids),
    keywordSearch: async (query, limit) => keywordSearch(query, limit),
    getEmbeddings: async (model, hashes) => {
      const rows = statements.embeddings.all({ model, list: JSON.stringify(hashes) });
      return new Map(rows.map((row) => [row.contentHash, row.vector]));
    },
    putEmbeddings: async (model, vectors) => putEmbeddings.immediate(model, vectors),
    getSetting: async (key) => statements.setting.get({ key })?.value ?? null,
    putSetting: async (key, value) =>
      statements.putSetting({ key, value, updatedAt: clock.now().toISOString() }),
  });
}

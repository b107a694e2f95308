import { asc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Article } from '../../src/core/domain/article.js';
import type { Clock } from '../../src/core/ports/clock.js';
import type { KnowledgeDrafts, StoredDraft } from '../../src/core/ports/knowledge-drafts.js';
import type { DatabaseHandle } from '../open-database.js';
import { prepareInsert, prepareUpsert } from '../statements.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { knowledge, knowledgeDrafts } from './schema.js';

const { rowNo: _rowNo, ...articleColumns } = getTableColumns(knowledge);

function prepare({ orm, sqlite }: DatabaseHandle) {
  const articleId = sql.placeholder('articleId');
  return {
    drafts: orm.select().from(knowledgeDrafts).orderBy(asc(knowledgeDrafts.articleId)).prepare(),
    draft: orm.select().from(knowledgeDrafts).where(eq(knowledgeDrafts.articleId, articleId)).prepare(),
    article: orm.select(articleColumns).from(knowledge).where(eq(knowledge.articleId, articleId)).prepare(),
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
  const run = prepare(handle);
  const atomically = <T>(work: () => T): T => handle.sqlite.transaction(work).immediate();

  const add = (draft: StoredDraft): boolean => {
    const { articleId } = draft;
    if (run.draft.get({ articleId }) !== undefined || run.article.get({ articleId }) !== undefined)
      return false;
    run.put(draft);
    return true;
  };
  const publish = (articleId: string, publishedAt: string): Article | null => {
    const draft = run.draft.get({ articleId });
    if (draft === undefined) return null;
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
    publish: async (articleId, publishedAt) => atomically(() => publish(articleId, publishedAt)),
    unpublish: async (articleId, operatorId) => atomically(() => unpublish(articleId, operatorId)),
  });
}

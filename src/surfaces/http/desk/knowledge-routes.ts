import type { z } from '@hono/zod-openapi';
import type { ArticleInput, IndexState } from '../../../core/article-desk.js';
import {
  toArticleEntryJson,
  toArticleJson,
  toArticleVersionsJson,
  toDraftJson,
} from '../../desk-records-json.js';
import type { HttpDeps } from '../http-deps.js';
import { createRouter, type HubRouter, operatorOf } from '../router.js';
import { wire } from './desk-wire.js';
import {
  createArticle,
  discardDraft,
  editArticle,
  indexedSchema,
  listArticles,
  publishArticle,
  publishedSchema,
  showArticle,
  unpublishArticle,
} from './knowledge-definitions.js';
import {
  articleEntrySchema,
  type articleInputSchema,
  articleVersionsSchema,
  draftSchema,
} from './record-schemas.js';

function inputOf({ article_id: articleId, ...rest }: z.infer<typeof articleInputSchema>): ArticleInput {
  return { articleId, ...rest };
}

function indexedOf({ indexed, reason, tookMs }: IndexState) {
  return { indexed, reason, took_ms: tookMs };
}

/** The knowledge base as operators write it. */
export function knowledgeRoutes({ app: { articles }, work }: HttpDeps): HubRouter {
  const router = createRouter();

  router.openapi(listArticles, async (c) => {
    operatorOf(c);
    const entries = await articles.list(c.req.valid('query').q);
    return c.json(
      { articles: entries.map((entry) => wire(articleEntrySchema, toArticleEntryJson(entry))) },
      200,
    );
  });

  router.openapi(showArticle, async (c) => {
    operatorOf(c);
    const versions = await articles.show(c.req.valid('param').article_id);
    return c.json(wire(articleVersionsSchema, toArticleVersionsJson(versions)), 200);
  });

  router.openapi(createArticle, async (c) => {
    const operator = operatorOf(c);
    const draft = await work.track(articles.create(inputOf(c.req.valid('json')), operator));
    return c.json(wire(draftSchema, toDraftJson(draft)), 201);
  });

  router.openapi(editArticle, async (c) => {
    const operator = operatorOf(c);
    const { article_id: articleId } = c.req.valid('param');
    const draft = await work.track(articles.edit(articleId, inputOf(c.req.valid('json')), operator));
    return c.json(wire(draftSchema, toDraftJson(draft)), 200);
  });

  router.openapi(publishArticle, async (c) => {
    const operator = operatorOf(c);
    const done = await work.track(articles.publish(c.req.valid('param').article_id, operator));
    const answer = { article: toArticleJson(done.article), ...indexedOf(done.index) };
    return c.json(wire(publishedSchema, answer), 200);
  });

  router.openapi(unpublishArticle, async (c) => {
    const operator = operatorOf(c);
    const index = await work.track(articles.unpublish(c.req.valid('param').article_id, operator));
    return c.json(wire(indexedSchema, indexedOf(index)), 200);
  });

  router.openapi(discardDraft, async (c) => {
    operatorOf(c);
    await work.track(articles.discard(c.req.valid('param').article_id));
    return c.body(null, 204);
  });

  return router;
}

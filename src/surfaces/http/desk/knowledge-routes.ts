import { z } from '@hono/zod-openapi';
import type { ArticleInput, IndexState } from '../../../core/desk-work.js';
import { snaked } from '../../../core/domain/json.js';
import { toArticleVersionsJson } from '../../desk-json.js';
import type { HttpDeps } from '../http-deps.js';
import {
  body,
  createRouter,
  type HubRouter,
  json,
  operatorOf,
  routesOf,
  SIGNED_IN,
  writeHeaders,
} from '../router.js';
import { searchSchema, wire } from './desk-wire.js';
import {
  articleEntrySchema,
  articleInputSchema,
  articleSchema,
  articleVersionSchema,
  articleVersionsSchema,
  draftSchema,
} from './record-schemas.js';

const route = routesOf('Desk: knowledge', SIGNED_IN);
/** Imported articles may have any id without control characters. */
const articleId = z.object({ article_id: z.string().regex(/^\P{Cc}{1,200}$/u) });

/** How the search stands after a change. */
export const indexedSchema = z
  .object({
    indexed: z.boolean().openapi({
      description:
        'False where the vector index could not follow; the article is found by keywords meanwhile.',
    }),
    reason: z.string().nullable(),
    took_ms: z.number(),
  })
  .openapi('Indexed');
export const publishedSchema = indexedSchema.extend({ article: articleSchema }).openapi('Published');

const listArticles = route('get', '/api/desk/knowledge', 'listDeskArticles', {
  summary: 'Articles, published and being written',
  request: { query: z.object({ q: searchSchema }) },
  responses: { 200: json('By id.', z.object({ articles: z.array(articleEntrySchema) })) },
});

const showArticle = route('get', '/api/desk/knowledge/{article_id}', 'getDeskArticle', {
  summary: 'Both versions of an article',
  request: { params: articleId },
  responses: { 200: json('The article.', articleVersionsSchema) },
});

const listVersions = route('get', '/api/desk/knowledge/{article_id}/versions', 'listArticleVersions', {
  summary: 'The texts under which an article was published',
  request: { params: articleId },
  responses: { 200: json('The newest first.', z.object({ versions: z.array(articleVersionSchema) })) },
});

const createArticle = route('post', '/api/desk/knowledge', 'createArticle', {
  summary: 'Begin an article',
  description: 'Nobody but operators sees a draft.',
  request: { headers: writeHeaders, body: body(articleInputSchema) },
  responses: { 201: json('The draft.', draftSchema) },
});

const editArticle = route('put', '/api/desk/knowledge/{article_id}', 'saveArticleDraft', {
  summary: 'Write the draft of an article',
  description:
    'What is published stays as it is until the draft is published. Tags and language stay where not given.',
  request: { params: articleId, headers: writeHeaders, body: body(articleInputSchema) },
  responses: { 200: json('The draft.', draftSchema) },
});

const emptyBody = { required: false, content: { 'application/json': { schema: z.object({}) } } };

const restoreVersion = route(
  'post',
  '/api/desk/knowledge/{article_id}/versions/{version}/restore',
  'restoreArticleVersion',
  {
    summary: 'Make the text of a version the draft, in the place of one that is there',
    description: 'Nobody but operators sees it before it is published.',
    request: {
      params: articleId.extend({
        version: z.coerce.number().int().min(1).max(1_000_000).openapi({ type: 'integer' }),
      }),
      headers: writeHeaders,
    },
    responses: { 200: json('The draft.', draftSchema) },
  },
);

const publishArticle = route('post', '/api/desk/knowledge/{article_id}/publish', 'publishArticle', {
  summary: 'Publish the draft; it is found at once',
  request: { params: articleId, headers: writeHeaders, body: emptyBody },
  responses: { 200: json('The published article.', publishedSchema) },
});

const unpublishArticle = route('post', '/api/desk/knowledge/{article_id}/unpublish', 'unpublishArticle', {
  summary: 'Take an article out of the search; it is kept as a draft',
  request: { params: articleId, headers: writeHeaders, body: emptyBody },
  responses: { 200: json('It is found no more.', indexedSchema) },
});

const discardDraft = route('delete', '/api/desk/knowledge/{article_id}/draft', 'discardArticleDraft', {
  summary: 'Throw the draft away; what is published stays',
  request: { params: articleId, headers: writeHeaders },
  responses: { 204: { description: 'Done.' } },
});

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
    const entries = await articles.list(c.req.valid('query').q);
    return c.json({ articles: entries.map((entry) => wire(articleEntrySchema, snaked(entry))) }, 200);
  });

  router.openapi(showArticle, async (c) => {
    const versions = await articles.show(c.req.valid('param').article_id);
    return c.json(wire(articleVersionsSchema, toArticleVersionsJson(versions)), 200);
  });

  router.openapi(listVersions, async (c) => {
    const versions = await articles.versions(c.req.valid('param').article_id);
    return c.json({ versions: versions.map((one) => wire(articleVersionSchema, snaked(one))) }, 200);
  });

  router.openapi(restoreVersion, async (c) => {
    const operator = operatorOf(c);
    const { article_id: articleId, version } = c.req.valid('param');
    const draft = await work.track(articles.restore(articleId, version, operator));
    return c.json(wire(draftSchema, snaked(draft)), 200);
  });

  router.openapi(createArticle, async (c) => {
    const operator = operatorOf(c);
    const draft = await work.track(articles.create(inputOf(c.req.valid('json')), operator));
    return c.json(wire(draftSchema, snaked(draft)), 201);
  });

  router.openapi(editArticle, async (c) => {
    const operator = operatorOf(c);
    const { article_id: articleId } = c.req.valid('param');
    const draft = await work.track(articles.edit(articleId, inputOf(c.req.valid('json')), operator));
    return c.json(wire(draftSchema, snaked(draft)), 200);
  });

  router.openapi(publishArticle, async (c) => {
    const operator = operatorOf(c);
    const done = await work.track(articles.publish(c.req.valid('param').article_id, operator));
    const answer = { article: snaked(done.article), ...indexedOf(done.index) };
    return c.json(wire(publishedSchema, answer), 200);
  });

  router.openapi(unpublishArticle, async (c) => {
    const operator = operatorOf(c);
    const index = await work.track(articles.unpublish(c.req.valid('param').article_id, operator));
    return c.json(wire(indexedSchema, indexedOf(index)), 200);
  });

  router.openapi(discardDraft, async (c) => {
    await work.track(articles.discard(c.req.valid('param').article_id));
    return c.body(null, 204);
  });

  return router;
}

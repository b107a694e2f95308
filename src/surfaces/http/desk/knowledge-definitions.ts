import { createRoute, z } from '@hono/zod-openapi';
import type { ErrorCode } from '../../../core/errors.js';
import { problemResponses, SIGNED_IN } from '../router.js';
import { body, json, searchSchema, writeHeaders } from './desk-wire.js';
import {
  articleEntrySchema,
  articleInputSchema,
  articleSchema,
  articleVersionsSchema,
  draftSchema,
} from './record-schemas.js';

const common = { tags: ['Desk: knowledge'], security: SIGNED_IN };
/** Imported articles may have any id without control characters. */
const articleId = z.object({ article_id: z.string().regex(/^\P{Cc}{1,200}$/u) });
const problems = (...codes: readonly ErrorCode[]) =>
  problemResponses('forbidden', 'token_invalid', 'not_found', ...codes);

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

export const listArticles = createRoute({
  ...common,
  method: 'get',
  path: '/api/desk/knowledge',
  operationId: 'listDeskArticles',
  summary: 'Articles, published and being written',
  request: { query: z.object({ q: searchSchema }) },
  responses: {
    200: json('By id.', z.object({ articles: z.array(articleEntrySchema) })),
    ...problemResponses('forbidden', 'token_invalid'),
  },
});

export const showArticle = createRoute({
  ...common,
  method: 'get',
  path: '/api/desk/knowledge/{article_id}',
  operationId: 'getDeskArticle',
  summary: 'Both versions of an article',
  request: { params: articleId },
  responses: { 200: json('The article.', articleVersionsSchema), ...problems() },
});

export const createArticle = createRoute({
  ...common,
  method: 'post',
  path: '/api/desk/knowledge',
  operationId: 'createArticle',
  summary: 'Begin an article',
  description: 'Nobody but operators sees a draft.',
  request: { headers: writeHeaders, body: body(articleInputSchema) },
  responses: {
    201: json('The draft.', draftSchema),
    ...problemResponses('forbidden', 'token_invalid', 'idempotency_conflict'),
  },
});

export const editArticle = createRoute({
  ...common,
  method: 'put',
  path: '/api/desk/knowledge/{article_id}',
  operationId: 'saveArticleDraft',
  summary: 'Write the draft of an article',
  description:
    'What is published stays as it is until the draft is published. Tags and language stay where not given.',
  request: { params: articleId, headers: writeHeaders, body: body(articleInputSchema) },
  responses: { 200: json('The draft.', draftSchema), ...problems('idempotency_conflict') },
});

const emptyBody = { required: false, content: { 'application/json': { schema: z.object({}) } } };

export const publishArticle = createRoute({
  ...common,
  method: 'post',
  path: '/api/desk/knowledge/{article_id}/publish',
  operationId: 'publishArticle',
  summary: 'Publish the draft; it is found at once',
  request: { params: articleId, headers: writeHeaders, body: emptyBody },
  responses: { 200: json('The published article.', publishedSchema), ...problems('idempotency_conflict') },
});

export const unpublishArticle = createRoute({
  ...common,
  method: 'post',
  path: '/api/desk/knowledge/{article_id}/unpublish',
  operationId: 'unpublishArticle',
  summary: 'Take an article out of the search; it is kept as a draft',
  request: { params: articleId, headers: writeHeaders, body: emptyBody },
  responses: { 200: json('It is found no more.', indexedSchema), ...problems('idempotency_conflict') },
});

export const discardDraft = createRoute({
  ...common,
  method: 'delete',
  path: '/api/desk/knowledge/{article_id}/draft',
  operationId: 'discardArticleDraft',
  summary: 'Throw the draft away; what is published stays',
  request: { params: articleId, headers: writeHeaders },
  responses: { 204: { description: 'Done.' }, ...problems('idempotency_conflict') },
});

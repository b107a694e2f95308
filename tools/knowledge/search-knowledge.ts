import { z } from 'zod';
import { defineTool, type ToolDeps } from '../../src/runtime/define-tool.js';

/** Finds articles that answer a question. */
export const searchKnowledge = defineTool({
  name: 'search_knowledge',
  description:
    'Searches the help centre: rules, prices, how-tos, policies. Returns the best articles with a confidence from 0 to 1.',
  effect: 'read',
  access: 'anyone',
  input: z.object({
    query: z.string().min(1).max(2000).describe('The question in plain words.'),
    top_k: z.number().int().min(1).max(10).optional().describe('Default 3.'),
  }),
  output: z.object({
    mode: z.enum(['hybrid', 'keyword']),
    threshold: z.number(),
    articles: z.array(
      z.object({
        article_id: z.string(),
        title: z.string(),
        confidence: z.number(),
        raw_confidence: z.number(),
        snippet: z.string(),
        passage: z.string(),
        content: z.string(),
      }),
    ),
  }),
  // Articles that hardly fit are given by their passage only: get_article_by_id has the rest.
  view: ({ articles, threshold }) => ({
    articles: articles.map((article, index) => ({
      article_id: article.article_id,
      title: article.title,
      confidence: article.confidence,
      text: index === 0 || article.confidence >= threshold ? article.content : article.snippet,
    })),
  }),
  async run(deps: Pick<ToolDeps, 'retriever' | 'policy'>, input, context) {
    const { retrieval } = deps.policy;
    const found = await deps.retriever.search(input.query, {
      topK: input.top_k ?? retrieval.top_k,
      language: context.session.language,
    });
    return {
      mode: found.mode,
      threshold: retrieval.confidence_threshold,
      articles: found.hits.map((hit) => ({
        article_id: hit.articleId,
        title: hit.title,
        confidence: round(hit.confidence),
        raw_confidence: round(hit.rawConfidence),
        snippet: hit.snippet,
        passage: hit.passage,
        content: hit.content,
      })),
    };
  },
});

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

import { z } from 'zod';
import { HubError } from '../../src/core/errors.js';
import { defineTool, type ToolDeps } from '../../src/runtime/define-tool.js';

/** One whole article. */
export const getArticleById = defineTool({
  name: 'get_article_by_id',
  description: 'Gives a help-centre article of a search result in full.',
  effect: 'read',
  access: 'anyone',
  input: z.object({ article_id: z.string().min(1).max(200) }),
  output: z.object({
    article_id: z.string(),
    title: z.string(),
    content: z.string(),
    tags: z.array(z.string()),
    updated_at: z.string(),
  }),
  async run(deps: Pick<ToolDeps, 'retriever'>, input) {
    const article = await deps.retriever.getArticle(input.article_id);
    if (!article) throw new HubError('not_found', 'There is no article with this id. Search first.');
    return {
      article_id: article.articleId,
      title: article.title,
      content: article.content,
      tags: [...article.tags],
      updated_at: article.updatedAt,
    };
  },
});

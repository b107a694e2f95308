import { z } from 'zod';
import type { ToolTrace } from '../../src/core/domain/session.js';
import type { AgentContext } from '../../src/runtime/agent-definition.js';
import { getArticleById } from '../../tools/knowledge/get-article-by-id.js';
import { articlesShown, searchKnowledge } from '../../tools/knowledge/search-knowledge.js';
import type { AgentSpec } from '../offline-support.js';
import { knowledgePolicy } from './offline.js';

const SEARCH = searchKnowledge.name;
const ARTICLE = getArticleById.name;

const partsSchema = z.object({
  threshold: z.number(),
  articles: z.array(z.object({ confidence: z.number() })),
});
const searchResultSchema = z.object({ articles: z.array(z.object({ confidence: z.number() })) });

/**
 * How probable it is that the best article found answers, 0 to 1: what a calibration reports, and every gate compares.
 * Null where nothing was searched.
 */
function answerable(trace: readonly ToolTrace[]): number | null {
  const found = trace.flatMap((entry) => {
    const parsed = entry.tool === SEARCH ? searchResultSchema.safeParse(entry.result) : null;
    return parsed?.success ? [parsed.data.articles[0]?.confidence ?? 0] : [];
  });
  return found.length === 0 ? null : Math.max(...found);
}

function givenInPart(entry: ToolTrace): boolean {
  const parsed = partsSchema.safeParse(entry.result);
  return parsed.success && articlesShown(parsed.data).some(({ whole }) => !whole);
}

/** True where the best article answers so probably that nothing else is looked up: a third of the way from the threshold to certainty. */
function isAnswered(trace: readonly ToolTrace[]): boolean {
  return trace.some((entry) => {
    const parsed = entry.tool === SEARCH ? partsSchema.safeParse(entry.result) : null;
    return parsed?.success === true && (answerable([entry]) ?? 0) >= (1 + 2 * parsed.data.threshold) / 3;
  });
}

/** True where it is about what is on offer: by its type, or because something was looked up or spoken of just now. */
function isOffered({
  issueType,
  dialogue,
  task,
}: Pick<AgentContext, 'issueType' | 'dialogue' | 'task'>): boolean {
  return (
    issueType?.offered === true ||
    task.list !== undefined ||
    dialogue?.looked != null ||
    dialogue?.focus != null
  );
}

/** Answers from the help centre, and from what the company's tools look up, with sources. */
export const knowledgeAgent: AgentSpec = (tools) => ({
  description: 'Answers general questions: rules, prices, how things work, with sources.',
  role: 'knowledge',
  route: 'knowledge',
  takes: 'rules, prices, how-to, policies',
  alsoTakes: ['account', 'action', 'investigation'],
  access: 'anyone',
  prompt: new URL('./prompt.md', import.meta.url),
  tools,
  needs: [SEARCH, ARTICLE],
  offline: knowledgePolicy,
  prefetch: ({ classification, task, trace }) =>
    (classification?.requests.length === 0 && task.about === undefined) || task.list || trace.length > 0
      ? []
      : [
          {
            tool: SEARCH,
            args: {
              query: task.text.slice(0, 2000),
              ...(task.within ? { within: task.within.slice(0, 2000) } : {}),
              ...(task.about ? { about: task.about } : {}),
              ...(task.only ? { only: true } : {}),
              ...(task.unhelped ? { again: true } : {}),
            },
          },
        ],
  // Where an article answers all but certainly, nothing else is looked up, unless it is about what is on offer or the
  // answer has to be written again. Whole articles are in the search result, unless some were given by their passage.
  spared: (context) => {
    const { trace, revision } = context;
    if (isAnswered(trace) && !isOffered(context) && revision === null) return tools.map(({ name }) => name);
    return trace.some(givenInPart) ? [] : [ARTICLE];
  },
  // What is on offer is asked by the model itself, so a question about it is not given up here.
  early: (context, threshold) => {
    const { trace } = context;
    const best = answerable(trace);
    // A look-up of the company's may know what no article says.
    const looksUp = tools.some(({ effect, asks }) => effect === 'read' && asks !== undefined);
    const elsewhere = looksUp || isOffered(context) || trace.some((entry) => entry.tool !== SEARCH);
    return best !== null && best < threshold && !elsewhere ? { text: '', unanswered: true } : null;
  },
});

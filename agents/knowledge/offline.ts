import { z } from 'zod';
import type { Sentences } from '../../src/core/i18n/index.js';
import { passage } from '../../src/core/passage.js';
import type { OfflinePolicy, OfflineStep } from '../../src/core/ports/offline-policy.js';
import { asksWhoAnswers } from '../../src/nlu/index.js';
import type { AgentContext } from '../../src/runtime/agent-state.js';
import { resultOf, say } from '../../src/runtime/offline-step.js';
import { askedOf, contextIn, type OfflineDeps } from '../offline-support.js';

const searchSchema = z.object({
  threshold: z.number(),
  articles: z.array(
    z.object({
      article_id: z.string(),
      title: z.string(),
      confidence: z.number(),
      snippet: z.string(),
      content: z.string(),
    }),
  ),
});

/** An article less probable than this is not worth naming. */
const WORTH_NAMING = 0.1;

/** The knowledge agent without a model: says what the company answers from its own tools, or quotes the best article. */
export function knowledgePolicy(deps: OfflineDeps): OfflinePolicy {
  return (turn) => {
    const context = contextIn(turn);
    if (context.classification?.requests.length === 0) return smalltalk(deps, context);
    const search = resultOf(context, 'search_knowledge', searchSchema);
    const sum = search?.articles.reduce((total, article) => total + article.confidence, 0) ?? 0;
    const known = search !== null && search.articles.length > 0 && sum >= search.threshold;
    const own = deps.answers.knowledge?.(askedOf(deps, turn, context, known));
    if (own) return own;
    return known
      ? say(quote(search, deps.texts.for(context.session.language)))
      : say('', { unanswered: true });
  };
}

/**
 * The best article's answer. Where it alone is not certain enough, the next ones are named too: one of them has the
 * answer with the threshold's probability.
 */
function quote(search: z.infer<typeof searchSchema>, texts: Sentences): string {
  const [best, ...others] = search.articles;
  if (!best) return '';
  const answer = `${passage(best.content, best.snippet)} [${best.article_id}]`;
  const also =
    best.confidence >= search.threshold ? [] : others.filter((other) => other.confidence >= WORTH_NAMING);
  if (also.length === 0) return answer;
  const titles = also.map((other) => `"${other.title}" [${other.article_id}]`).join(', ');
  return `${answer}\n\n${texts.say('see_also', { titles })}`;
}

/** Below this a word of small talk is a greeting like any other. */
const SURE_KIND = 0.5;

function smalltalk(deps: OfflineDeps, context: AgentContext): OfflineStep {
  const { session, task } = context;
  const texts = deps.texts.for(session.language);
  const { intent, confidence } = deps.nlu.classifyIntent(task.text, session.language);
  if (asksWhoAnswers(task.text) || intent === 'about_assistant') return say(texts.say('identity'));
  if (intent === 'thanks') return say(texts.say('thanks'));
  if (intent === 'goodbye') return say(texts.say('goodbye'));
  if (intent === 'deny' || intent === 'affirm') return say(texts.say('nothing_open'));
  const known = confidence >= SURE_KIND || intent === 'praise' ? texts.sayOf('aside', intent) : '';
  if (known !== '') return say(known);
  const name = session.customerName?.split(' ')[0] ?? null;
  return say(texts.say('greeting', { name, returning: (session.memory?.resolutions.length ?? 0) > 0 }));
}

import { z } from 'zod';
import type { Sentences } from '../../src/core/i18n/index.js';
import type { OfflinePolicy, OfflineStep } from '../../src/core/ports/offline-policy.js';
import { asksWhoAnswers } from '../../src/nlu/index.js';
import type { AgentContext } from '../../src/runtime/agent-state.js';
import { call, contextIn, dashed, type OfflineDeps, resultOf, say } from '../offline-support.js';
import { passage } from './passage.js';
import { catalogWords, findCity } from './programme.js';

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

const programmeSchema = z.object({
  experiences: z.array(
    z.object({
      title: z.string(),
      location: z.string(),
      starts_at: z.string(),
      slots_available: z.number(),
      is_premium: z.boolean(),
      price_cents: z.number(),
    }),
  ),
});

const OPEN_QUESTION_WORDS = 5;
/** An article less probable than this is not worth naming. */
const WORTH_NAMING = 0.1;

/** The knowledge agent without a model: quotes the best article, or lists the programme. */
export function knowledgePolicy(deps: OfflineDeps): OfflinePolicy {
  return (turn) => {
    const context = contextIn(turn);
    const { text } = context.task;
    const { session } = context;
    const { language } = session;
    if (context.classification?.requests.length === 0) return smalltalk(deps, context);
    const intent = deps.nlu.classifyIntent(text, language).intent;
    const programme = resultOf(context, 'find_experiences', programmeSchema);
    if (programme) return programmeStep(deps, context, programme.experiences);
    const search = resultOf(context, 'search_knowledge', searchSchema);
    const best = search?.articles[0];
    const sum = search?.articles.reduce((total, article) => total + article.confidence, 0) ?? 0;
    const known = best && sum >= search.threshold;
    const asksProgramme = intent === 'ask_catalog' || (context.issueType?.offered === true && !known);
    if (asksProgramme && turn.toolNames.includes('find_experiences')) {
      const query = programmeQuery(deps, context);
      if (query !== null) return call('find_experiences', query);
    }
    if (known) return say(quote(search, deps.texts.for(language)));
    // "What is on?" may be answered with what comes next; a longer question names something the programme lacks.
    const open = intent === 'ask_catalog' && text.trim().split(/\s+/).length <= OPEN_QUESTION_WORDS;
    if (open && turn.toolNames.includes('find_experiences')) return call('find_experiences', {});
    return say('', { unanswered: true });
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

/** What to ask the programme for; null where the text names neither time, place nor words to look for. */
function programmeQuery(deps: OfflineDeps, context: AgentContext): Record<string, unknown> | null {
  const { text } = context.task;
  const { language } = context.session;
  const [range] = deps.nlu.slots.findDates(text, { now: new Date(context.now), language });
  const city = findCity(text);
  const rest = range ? text.slice(0, range.start) + text.slice(range.end) : text;
  const words = catalogWords(rest, city);
  if (!range && !city && words === '') return null;
  return {
    ...(words === '' ? {} : { text: words }),
    ...(city ? { location: city } : {}),
    ...(range ? { from: range.from, to: range.to } : {}),
  };
}

/** Where nothing fits exactly, the words are dropped once: something else on that day or in that city may please. */
function programmeStep(
  deps: OfflineDeps,
  context: AgentContext,
  experiences: z.infer<typeof programmeSchema>['experiences'],
): OfflineStep {
  const calls = context.trace.filter((entry) => entry.tool === 'find_experiences');
  const { text: words, ...wider } = (calls[0]?.args ?? {}) as { text?: string };
  if (experiences.length === 0 && calls.length === 1 && words && Object.keys(wider).length > 0) {
    return call('find_experiences', wider);
  }
  const { language } = context.session;
  const texts = deps.texts.for(language);
  const lines = experiences.map((experience) =>
    texts.sayOwn('experience_line', {
      title: experience.title,
      when: deps.time.dateTime(experience.starts_at, language),
      place: experience.location,
      price: experience.price_cents > 0 ? texts.money(experience.price_cents) : null,
      premium: experience.is_premium,
      slots: experience.slots_available,
    }),
  );
  return say(texts.sayOwn('experiences', { list: dashed(lines), exact: calls.length === 1 }));
}

function smalltalk(deps: OfflineDeps, context: AgentContext): OfflineStep {
  const { session, task } = context;
  const texts = deps.texts.for(session.language);
  if (asksWhoAnswers(task.text)) return say(texts.say('identity'));
  const { intent } = deps.nlu.classifyIntent(task.text, session.language);
  if (intent === 'thanks' || intent === 'praise') return say(texts.say('thanks'));
  if (intent === 'goodbye') return say(texts.say('goodbye'));
  if (intent === 'deny' || intent === 'affirm') return say(texts.say('nothing_open'));
  const lastTopic = session.memory?.resolutions[0]?.summary ?? null;
  return say(
    texts.say('greeting', {
      name: session.customerName?.split(' ')[0] ?? null,
      last_topic: lastTopic,
    }),
  );
}

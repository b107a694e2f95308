import { z } from 'zod';
import type { OfflinePolicy, OfflineStep } from '../../src/core/ports/chat-models.js';
import { lacksCount, lacksPrice } from '../../src/core/prices.js';
import { asksWhoAnswers } from '../../src/nlu/index.js';
import type { AgentContext } from '../../src/runtime/agent-definition.js';
import type { Asked } from '../../src/runtime/company-answers.js';
import { resultOf, say } from '../../src/runtime/offline-step.js';
import { listStep } from '../account/offline.js';
import { askedOf, contextIn, noSuchChange, type OfflineDeps } from '../offline-support.js';

const searchSchema = z.object({
  threshold: z.number(),
  meant: z.string(),
  articles: z.array(
    z.object({
      article_id: z.string(),
      title: z.string(),
      confidence: z.number(),
      passage: z.string(),
      point: z.enum(['near', 'sure']).optional(),
      tells: z.boolean(),
    }),
  ),
});

/** The knowledge agent without a model: says what the company answers from its own tools, or quotes the best article. */
export function knowledgePolicy(deps: OfflineDeps): OfflinePolicy {
  return (turn) => {
    const context = contextIn(turn);
    const isAsked = context.task.about !== undefined || context.task.list !== undefined;
    if (context.classification?.requests.length === 0 && !isAsked) {
      // "Something else?" after a list asks for more of it.
      const more = context.dialogue?.looked ? deps.answers.knowledge?.(askedOf(deps, turn, context)) : null;
      return more ?? smalltalk(deps, context);
    }
    const search = resultOf(context, 'search_knowledge', searchSchema);
    const { except } = context.task;
    const [best] = (search?.articles ?? []).filter(({ title }) => title !== except);
    const known = search !== null && best !== undefined && best.confidence >= leastFor(deps, context, search);
    const asked = askedOf(deps, turn, context, known);
    const own = deps.answers.knowledge?.(asked) ?? offeredStep(deps, context, asked);
    if (own) return own;
    const texts = deps.texts.for(context.session.language);
    const cannot = wishFor(deps, context);
    // What an article says of other things than the change that is ordered is no answer to that.
    const ordered = deps.nlu.slots.isQuestion(context.task.text) ? null : noSuchChange(deps, context, null);
    if (ordered && !deps.nlu.slots.answers.changes.exchanges(best?.passage ?? '')) return ordered;
    const quoted = known && best.passage !== '' ? `${best.passage} [${best.article_id}]` : '';
    if (cannot !== '') return say([cannot, quoted].filter(Boolean).join('\n\n'));
    // Who asks again what the article wants told or asked here has done so: the team answers that.
    if (!known || isTeams(deps, context, best.passage) || isAside(deps, context, best))
      return say('', { unanswered: true });
    // Who is told for the second time what did not help is not told a third time that there is no more.
    const isStuck = context.task.unhelped || UPSET.has(context.classification?.sentiment ?? '');
    const isSure = best.point === 'sure' && !context.task.rejected;
    const isNoNews =
      best.passage === '' || (context.task.unhelped && !isSure && isSaid(deps, context, best.passage));
    const isTwice = context.task.unhelped === true && isToldTwice(deps, context, best.passage);
    if (isTwice) return say('', { unanswered: true });
    if (isNoNews && isStuck)
      return isAskedAgain(deps, context, best)
        ? say(`${texts.say('once_more', { passage: best.passage })} [${best.article_id}]`)
        : say('', { unanswered: true });
    const isUncounted = lacksCount(context.task.text, best.passage);
    // What is not told to a part of a message is named in a sentence.
    const isPart = context.task.within !== undefined;
    if (!best.tells || (isPart && isUncounted)) return say('', { unanswered: true });
    const passage =
      best.point === 'near' || isUncounted
        ? texts.say('comes_near', { passage: best.passage })
        : best.passage;
    const told = `${best.passage === '' ? texts.say('nothing_more') : passage} [${best.article_id}]`;
    return say(
      best.point !== 'near' && lacksPrice(context.task.text, `${saidTo(context)} ${best.passage}`)
        ? `${told}\n\n${texts.say('price_not_told')}`
        : told,
    );
  };
}

/** From this share of its characters on a passage is what was said before. */
const MOSTLY = 0.5;
/** Below this share of the last answer's length a passage is one point of it. */
const A_PART = 0.75;

/** True where the customer has read most of a passage in the last replies, and it is not the one point of a longer last one. */
function isSaid({ nlu }: OfflineDeps, context: AgentContext, passage: string): boolean {
  const [said, last] = [saidTo(context), context.session.lastReply ?? ''];
  const sentences = nlu.slots.sentencesOf(passage).map((sentence) => sentence.trim());
  const lengthIn = (text: string) => sentences.filter((one) => text.includes(one)).join('').length;
  const isPoint = lengthIn(last) === sentences.join('').length && passage.length < A_PART * last.length;
  return !isPoint && lengthIn(said) >= MOSTLY * sentences.join('').length;
}

/** From here on an article answers a question that is asked again, whatever was wrong with what was said of it. */
const ANSWERS_AGAIN = 0.85;

/**
 * True where somebody asks the same again and the article answers that: it is said once more, in no other words and without the rest,
 * rather than that nothing is known.
 */
function isAskedAgain(
  { nlu }: OfflineDeps,
  { task }: AgentContext,
  { passage, confidence }: { readonly passage: string; readonly confidence: number },
): boolean {
  const isAsked = task.only === true || nlu.slots.isQuestion(task.text);
  return passage !== '' && isAsked && confidence >= ANSWERS_AGAIN;
}

/** True where the last reply and one before it began to say the same: who still asks needs a person. */
function isToldTwice({ nlu }: OfflineDeps, { session }: AgentContext, passage: string): boolean {
  const [first = ''] = nlu.slots.sentencesOf(passage).map((one) => one.trim());
  const isIn = (said: string | null | undefined): boolean => said?.includes(first) ?? false;
  return first !== '' && isIn(session.lastReply) && isIn(session.earlierReplies);
}

/** The last replies. */
function saidTo({ session }: AgentContext): string {
  return `${session.earlierReplies ?? ''}\n${session.lastReply ?? ''}`;
}

/** Moods in which "that is all our pages say" would be a dead end. */
const UPSET: ReadonlySet<string> = new Set(['negative', 'frustrated']);

/** From here on what there is for everybody is asked for. */
const SURE_LIST = 0.5;

/** Lists what there is for everybody, where that was asked and there is nothing that it could be looked up by; else null. */
function offeredStep(deps: OfflineDeps, context: AgentContext, asked: Asked): OfflineStep | null {
  const tools = deps.agents.find(context.agent)?.tools ?? [];
  const whole = tools.filter(
    ({ lists, access, input }) =>
      lists && access === 'anyone' && Object.keys((input as { shape?: object }).shape ?? {}).length === 0,
  );
  const { session, task } = context;
  const { intent, confidence } = deps.nlu.classifyIntent(task.text, session.language);
  const isAsked = intent === asked.intent ? confidence >= SURE_LIST : task.list !== undefined;
  return isAsked ? listStep(deps, context, whole, asked) : null;
}

/** From here on a few words after an answer hardly ask what articles answer. */
const HARDLY_OURS = 0.8;

/** "And the nearest bakery?" leans on an answer by its form alone: of the article there is only to say again what it begins with. */
function isAside(
  { nlu }: OfflineDeps,
  { session, task }: AgentContext,
  { passage, point }: { readonly passage: string; readonly point?: string | undefined },
): boolean {
  if (task.about === undefined || point !== undefined) return false;
  const [lead = ''] = nlu.slots.sentencesOf(passage);
  const isAgain = session.lastReply?.includes(lead.trim()) ?? false;
  return isAgain && nlu.classifyIntent(task.text, session.language).outOfScope >= HARDLY_OURS;
}

/** In more sentences the wish that something is told here is said beside what the article answers. */
const ONLY_ASKS = 2;

/** True where the article only asks the customer to say something here, as the last answer did. */
function isTeams({ nlu }: OfflineDeps, { session }: AgentContext, passage: string): boolean {
  const isSaid = session.lastReply?.includes(passage) ?? false;
  return isSaid && nlu.team.invites(passage) && nlu.slots.sentencesOf(passage).length <= ONLY_ASKS;
}

/** From here on a wish is what it is taken for. */
const SURE_WISH = 0.5;

/** What is said to who wants something done that only they can do themselves; empty where it is asked about or is another wish. */
function wishFor({ nlu, texts }: OfflineDeps, { session, task }: AgentContext): string {
  if (nlu.slots.isQuestion(task.text)) return '';
  const { intent, confidence } = nlu.classifyIntent(task.text, session.language);
  return confidence >= SURE_WISH ? texts.for(session.language).sayOf('cannot', intent) : '';
}

/** How sure an article must be to answer a message that hardly asks what articles answer. */
const ALL_BUT_CERTAIN = 0.85;
/** From here on the language layer is believed that a question is about something else altogether. */
const FOREIGN = 0.9;
/** How sure an article must be to answer such a question all the same. */
const SURE_ANSWER = 0.6;

/** How sure an article must be after one that the customer turned away: a second wrong one would be worse than none. */
const AFTER_ANOTHER = 0.7;

function leastFor(
  deps: OfflineDeps,
  context: AgentContext,
  search: Pick<z.infer<typeof searchSchema>, 'threshold' | 'meant'>,
): number {
  const { unsure, except } = context.task;
  if (unsure) return ALL_BUT_CERTAIN;
  const least = surenessFor(deps, context, search);
  return except === undefined ? least : Math.max(least, AFTER_ANOTHER);
}

/** How sure an article must be: "who won the world cup?" shares a word with a rule on presents, and is no question about it. */
function surenessFor(
  { nlu }: OfflineDeps,
  { session }: AgentContext,
  { threshold, meant }: Pick<z.infer<typeof searchSchema>, 'threshold' | 'meant'>,
): number {
  const { outOfScope } = nlu.classifyIntent(meant, session.language);
  return outOfScope >= FOREIGN ? Math.max(threshold, SURE_ANSWER) : threshold;
}

/** Of no more words a message may be a mere greeting; from here on it is one. */
const [BRIEF, LIKELY_SMALL] = [3, 0.5];
/** Below this a message in the middle of a conversation is hardly a greeting. */
const HARDLY_KIND = 0.4;
/** Below this a word of small talk is a greeting like any other. */
const SURE_KIND = 0.5;

function smalltalk(deps: OfflineDeps, context: AgentContext): OfflineStep {
  const { session, task } = context;
  const texts = deps.texts.for(session.language);
  const { intent, confidence } = deps.nlu.classifyIntent(task.text, session.language);
  // Words of a language that nobody taught are like anything.
  if (session.unsupportedLanguage && confidence < SURE_KIND) return say(texts.say('clarify'));
  const isAssistant = intent === 'about_assistant' && confidence >= SURE_KIND;
  if (asksWhoAnswers(task.text) || isAssistant) return say(texts.say('identity'));
  // A question that is hardly like small talk asks for something that was not understood, and so does one for a price.
  const isAsked = confidence < SURE_KIND && deps.nlu.slots.isQuestion(task.text);
  if (isAsked || lacksPrice(task.text, '')) return say(texts.say('clarify'));
  // In the middle of a conversation a longer message is seldom a mere greeting, whatever it is like.
  const isLong = task.text.trim().split(/\s+/).length > BRIEF && confidence < LIKELY_SMALL;
  const isMore = session.lastReply !== null && isLong;
  // Nor is what is hardly like one: "this is urgent".
  const isHardly = session.lastReply !== null && intent === 'greeting' && confidence < HARDLY_KIND;
  if (isHardly || (isMore && (intent === 'greeting' || intent === 'goodbye')))
    return say(texts.say('clarify'));
  if (intent === 'thanks') return say(texts.say('thanks'));
  if (intent === 'goodbye') return say(texts.say('goodbye'));
  if (intent === 'affirm') return say(nothingOpen(deps, context));
  if (intent === 'deny') {
    const sentences = deps.nlu.slots.sentencesOf(task.text);
    const thanked = sentences.some(
      (one) => deps.nlu.classifyIntent(one, session.language).intent === 'thanks',
    );
    return say(texts.say('left_as_is', { thanked }));
  }
  const known = confidence >= SURE_KIND || intent === 'praise' ? texts.sayOf('aside', intent) : '';
  if (known !== '') return say(known);
  if (isMore) return say(texts.say('clarify'));
  const name = session.customerName?.split(' ')[0] ?? null;
  return say(texts.say('greeting', { name, returning: (session.memory?.resolutions.length ?? 0) > 0 }));
}

/** From here on what was asked for before is a wish that only the customer can fulfil. */
const LIKELY_WISH = 0.25;

/** Said to a yes that nothing waits for: who was told how they do something themselves learns that the hub cannot do it for them. */
function nothingOpen({ nlu, texts }: OfflineDeps, { session, dialogue }: AgentContext): string {
  const { language, previousMessage = null } = session;
  const own = texts.for(language);
  const wished = previousMessage === null ? [] : nlu.classifyIntent(previousMessage, language).ranked;
  const cannot = wished
    .filter(({ confidence }) => confidence >= LIKELY_WISH)
    .map(({ intent }) => own.sayOf('cannot', intent));
  return cannot.find((text) => text !== '') ?? own.say('nothing_open', { told: dialogue?.article != null });
}

import { ESCALATION_ROUTE, type Language, type Route } from '../core/domain/taxonomy.js';
import type { RequestGuess } from '../core/ports/language-layer.js';
import { INTENT_OF } from './danger.js';
import type { Nlu } from './nlu.js';
import { foldText, tokenize } from './slots/text.js';

/** From here on a clause counts as a request of its own. */
export const OWN_REQUEST = 0.55;
/** A question of so few words asks about what was asked before it: "how much is it?". */
export const LEANING_WORDS = 3;

/** What a text asks for by itself, and who answers that. */
export function guess(nlu: Nlu, text: string, language: Language): RequestGuess {
  const { intent, confidence, outOfScope } = nlu.classifyIntent(text, language);
  const route = routeOf(nlu, intent);
  // What is asked how to do is not asked to be done.
  const [last = ''] = text.trim().match(/[^.!?\n]+[.!?]*$/) ?? [];
  const isExplained = route === 'action' && last !== text.trim() && nlu.asksHow(last);
  const isElse = isExplained || (route === 'account' && hardlyLists(nlu, text, { intent, confidence }));
  return { text, intent, confidence, outOfScope, route: isElse ? 'knowledge' : route };
}

/** Below this a list of records is asked for only in words for them. */
const LISTED = 0.6;
/** From here on a message may be about something else altogether. */
const ELSE = 0.2;

/**
 * True where a company that has taught no questions of its own would show records for being asked little else: "my dog is bleeding, what
 * should I do?" wants no list of dogs. The articles or a person answer that.
 */
function hardlyLists(
  nlu: Nlu,
  text: string,
  { intent, confidence }: { readonly intent: string; readonly confidence: number },
): boolean {
  const { entity, tool } = nlu.intents.of(intent);
  if (entity === null || tool === null || !text.includes('?') || wordsIn(text) <= LEANING_WORDS) return false;
  if (confidence >= LISTED || nlu.readQuestion(text) !== null) return false;
  const [, next] = nlu.classifyIntent(text).ranked;
  const { group, route } = nlu.intents.of(next?.intent ?? intent);
  const isElse = (next?.confidence ?? 0) >= ELSE && (group === 'out_of_scope' || route === ESCALATION_ROUTE);
  return isElse || !tokenize(foldText(text)).some(({ word }) => nlu.slots.isThing(word));
}

/** What a text is likeliest to ask for that is no small talk, and who answers that. */
export function likeliestMatter(nlu: Nlu, text: string, language: Language): RequestGuess {
  const { ranked, outOfScope, ...first } = nlu.classifyIntent(text, language);
  const { intent, confidence } = ranked.find((one) => !isSmalltalk(nlu, one.intent)) ?? first;
  return { text, intent, confidence, outOfScope, route: routeOf(nlu, intent) ?? 'knowledge' };
}

function routeOf(nlu: Nlu, intent: string): Route | null {
  return isSmalltalk(nlu, intent) ? null : answerRoute(nlu, intent, nlu.intents.of(intent).route);
}

/**
 * Who answers a request of this intent, which triage would send to `route`. What no tool can do is explained instead: how
 * the customer does it.
 */
export function answerRoute({ intents }: Pick<Nlu, 'intents'>, intent: string, route: Route): Route {
  return intents.of(intent).selfService && route === 'action' ? 'knowledge' : route;
}

/** True where an intent asks for nothing. */
export function isSmalltalk({ intents }: Pick<Nlu, 'intents'>, intent: string): boolean {
  return intents.of(intent).group === 'smalltalk';
}

/** Small talk that asks nothing. */
const SAYS: ReadonlySet<string> = new Set(['greeting', 'thanks', 'goodbye', 'affirm', 'deny', 'apology']);

/** Below this a question of some words is hardly put to the hub itself: "how do I add another pet?" asks not how it is. */
const HARDLY_SMALL = 0.5;

/** True where a question of some words is taken for small talk by a company that has taught no questions of its own. */
export function hardlyTalks(
  nlu: Nlu,
  text: string,
  { intent, confidence }: Pick<RequestGuess, 'intent' | 'confidence'>,
): boolean {
  if (!text.trim().endsWith('?') || nlu.readQuestion(text) !== null) return false;
  if (nlu.slots.splitClauses(text).length > 1) return false;
  const words = wordsIn(text);
  return (
    words > LEANING_WORDS && (confidence < HARDLY_SMALL || (words > LEANING_WORDS + 1 && SAYS.has(intent)))
  );
}

/** How many words a text has. */
export function wordsIn(text: string): number {
  return text.trim().split(/\s+/).length;
}

/** "If I delete it, what is erased, and for how long is the rest kept?": a part that only asks what is kept is no demand for people. */
export function onlyAsked({ slots }: Nlu, { route }: RequestGuess, one: RequestGuess): RequestGuess {
  const isPart = route !== 'escalation' && one.intent === INTENT_OF.privacy && slots.asksFact(one.text);
  return isPart ? { ...one, route: 'knowledge' } : one;
}

import type { Language, Route } from '../core/domain/taxonomy.js';
import type { RequestGuess } from '../core/ports/language-layer.js';
import type { Nlu } from './nlu.js';

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
  return { text, intent, confidence, outOfScope, route: isExplained ? 'knowledge' : route };
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

/** How many words a text has. */
export function wordsIn(text: string): number {
  return text.trim().split(/\s+/).length;
}

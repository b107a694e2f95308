import type { Language, Route } from '../core/domain/taxonomy.js';
import type { LanguageLayer, RequestGuess } from '../core/ports/language-layer.js';
import { INTENT_INFO, type Intent } from './intents.js';
import type { Nlu } from './nlu.js';
import { readYesNo, splitClauses } from './slots/index.js';

/** From here on a clause counts as a request of its own. */
const OWN_REQUEST = 0.45;
/** From here on a text is a request and not a reply. */
const SURE_REQUEST = 0.6;
const REPLY_WORDS = 8;

/** What the graph asks of the local language layer, over the trained classifier and the slot readers. */
export function createLanguageLayer(nlu: Nlu): LanguageLayer {
  return {
    detectLanguage: (text, previous) => nlu.detectLanguage(text, previous),
    readYesNo: (text, language) => readYesNo(text, language),
    requests: (text, language) => requestsIn(nlu, text, language),
    isReply: (text, language) => isReply(nlu, text, language),
  };
}

/**
 * The requests in a text. A clause without a request of its own (a greeting, a reason, a name) is left out where
 * others have one; a text in which none has is one request as a whole, or none where it is smalltalk.
 */
export function requestsIn(nlu: Nlu, text: string, language: Language): readonly RequestGuess[] {
  const whole = guess(nlu, text, language);
  if (isSmalltalk(whole.intent) && whole.confidence >= OWN_REQUEST) return [];
  const clauses = splitClauses(text, language);
  if (clauses.length < 2) return isSmalltalk(whole.intent) ? [] : [whole];
  const own = clauses
    .map((clause) => guess(nlu, clause.text, language))
    .filter((clause) => !isSmalltalk(clause.intent) && clause.intent !== 'out_of_scope' && clause.confidence >= OWN_REQUEST);
  const distinct = own.filter((clause, index) => own.findIndex((other) => sameRequest(other, clause)) === index);
  return distinct.length < 2 ? [whole] : distinct;
}

function guess(nlu: Nlu, text: string, language: Language): RequestGuess & { readonly intent: Intent } {
  const { intent, confidence } = nlu.classifyIntent(text, language);
  return { text, intent, confidence, route: routeOf(intent) };
}

function routeOf(intent: Intent): Route | null {
  return isSmalltalk(intent) ? null : INTENT_INFO[intent].route;
}

function isSmalltalk(intent: Intent): boolean {
  return INTENT_INFO[intent].group === 'smalltalk';
}

/** Twice the same wish is one, except where it may be about two things ("cancel A and cancel B"). */
function sameRequest(a: RequestGuess, b: RequestGuess): boolean {
  return a.intent === b.intent && a.route !== 'action' && a.route !== 'knowledge';
}

function isReply(nlu: Nlu, text: string, language: Language): boolean {
  const count = text.trim().split(/\s+/).filter(Boolean).length;
  if (count === 0 || count > REPLY_WORDS) return false;
  const { intent, confidence } = nlu.classifyIntent(text, language);
  if (intent === 'affirm' || intent === 'deny') return true;
  const { group } = INTENT_INFO[intent];
  if (group === 'smalltalk') return confidence < SURE_REQUEST;
  return confidence < SURE_REQUEST || group === 'out_of_scope';
}

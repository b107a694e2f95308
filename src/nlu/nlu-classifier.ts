import type { Classification } from '../core/domain/ticket.js';
import { NO_USAGE } from '../core/domain/turn.js';
import type { TicketClassifier } from '../core/ports/ticket-classifier.js';
import type { Nlu } from './nlu.js';
import { requestsIn } from './nlu-language-layer.js';

/** Triage without a model. Resolves at once; the same text gives the same answer. */
export function createNluClassifier(nlu: Nlu): TicketClassifier {
  return {
    classify: async (text, context) => ({
      classification: classify(nlu, text, context?.language),
      provider: 'offline',
      usage: NO_USAGE,
    }),
  };
}

function classify(nlu: Nlu, text: string, previous: Classification['language'] | undefined): Classification {
  const guess = nlu.triage(text, previous);
  const found = requestsIn(nlu, text, guess.language.language);
  const single = found.length === 1 ? [{ text: found[0]?.text ?? text, route: guess.route }] : null;
  return {
    issueType: guess.issueType,
    priority: guess.priority,
    sentiment: guess.sentiment,
    requiresHuman: guess.requiresHuman,
    summary: guess.summary,
    confidence: guess.confidence,
    language: guess.language.language,
    route: guess.route,
    humanReason: guess.humanReason,
    requests: single ?? found.map(({ text: words, route }) => ({ text: words, route: route ?? guess.route })),
  };
}

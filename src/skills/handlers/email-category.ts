import type { Handler } from './handler.js';
import { textInput } from './inputs.js';

const MAX_LENGTH = 20_000;

/** In order of weight where two have as many words: what costs most when it is missed comes first. */
const CATEGORIES: readonly { readonly name: string; readonly words: RegExp }[] = [
  {
    name: 'complaint',
    words:
      /\b(?:complain\w*|unacceptable|refund|wrong|broken|never arrived|not work\w*|problem|disappoint\w*|charged twice|reclama\w*|inaceit[aá]vel|reembolso|errad[oa]|quebrad[oa]|n[aã]o (?:chegou|funciona)|problema|decepcion\w*|cobrad[oa] duas vezes)\b/giu,
  },
  {
    name: 'request',
    words:
      /\b(?:please (?:send|change|cancel|update|confirm)|could you|can you|would like to|i need|request|favor (?:enviar|alterar|cancelar|confirmar)|poderiam?|gostaria|preciso|solicit\w*)\b/giu,
  },
  {
    name: 'question',
    words: /\?|\b(?:how (?:do|can|much|long)|what (?:is|are)|when|where|como|quanto|quando|onde|qual)\b/giu,
  },
  {
    name: 'newsletter',
    words:
      /\b(?:unsubscribe|newsletter|view in browser|special offer|promo\w*|descadastr\w*|cancelar inscri[cç][aã]o|ver no navegador|oferta)\b/giu,
  },
  {
    name: 'thanks',
    words: /\b(?:thank(?:s| you)|appreciate|obrigad[oa]|agrade[cç]\w*)\b/giu,
  },
];
const NEEDS_REPLY = new Set(['complaint', 'request', 'question', 'other']);

/**
 * Says by rules what a letter is, in English and Portuguese: `{ subject?, body }` to `{ category, needs_reply, confidence,
 * signals }`. `category` is complaint, request, question, newsletter, thanks or other.
 */
export const emailCategory: Handler = async (input) => {
  const text = `${textInput(input, 'subject', '')}\n${textInput(input, 'body')}`.slice(0, MAX_LENGTH);
  const ranked = CATEGORIES.map(({ name, words }) => ({
    name,
    signals: [...new Set([...text.matchAll(words)].map(([word]) => word.toLowerCase()))],
  })).sort((a, b) => b.signals.length - a.signals.length);
  // A mass mailing has questions and offers too, but only it can be unsubscribed from.
  const mass = ranked.find(({ name, signals }) => name === 'newsletter' && signals.length >= 2);
  const best = mass ?? ranked[0];
  const total = ranked.reduce((sum, { signals }) => sum + signals.length, 0);
  if (best === undefined || best.signals.length === 0) {
    return { category: 'other', needs_reply: true, confidence: 0.3, signals: [] };
  }
  return {
    category: best.name,
    needs_reply: NEEDS_REPLY.has(best.name),
    confidence: Math.round((0.5 + 0.45 * (best.signals.length / total)) * 100) / 100,
    signals: best.signals.slice(0, 10),
  };
};

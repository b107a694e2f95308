import { type Handler, textInput } from './handler.js';

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
  { name: 'thanks', words: /\b(?:thank(?:s| you)|appreciate|obrigad[oa]|agrade[cç]\w*)\b/giu },
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

const ANGRY =
  /\b(?:unacceptable|ridiculous|furious|outrag\w*|disgust\w*|scam|fraud|worst|never again|lawyer|sue|inaceit[aá]vel|absurdo|rid[ií]cul[oa]|furios[oa]|golpe|fraude|pior|nunca mais|advogad[oa]|processar|palha[cç]ada|vergonha)\b/giu;
const FRUSTRATED =
  /\b(?:still (?:not|waiting|no)|again|third time|second time|disappoint\w*|frustrat\w*|annoy\w*|waiting for (?:days|weeks)|no (?:reply|answer|response)|ainda n[aã]o|de novo|novamente|terceira vez|segunda vez|decepcion\w*|frustrad[oa]|chatead[oa]|cansad[oa]|sem resposta|há (?:dias|semanas))\b/giu;
const WARM =
  /\b(?:thank(?:s| you)|appreciate|love(?:d)?|great|wonderful|kind regards|obrigad[oa]|agrade[cç]\w*|ador(?:o|ei|amos)|[oó]tim[oa]|maravilh\w*|abra[cç]os?|parab[eé]ns)\b/giu;
const URGENT =
  /\b(?:urgent(?:ly)?|asap|immediately|right now|today|tonight|deadline|urgente|imediat\w*|agora|hoje|prazo|o quanto antes)\b/giu;
const FORMAL =
  /\b(?:dear (?:sir|madam|team|mr|ms)|to whom it may concern|sincerely|yours faithfully|prezad[oa]s?|senhor(?:a|es)?|atenciosamente|cordialmente|venho por meio)\b/giu;
const CASUAL = /\b(?:hey|hi there|lol|btw|gonna|wanna|oi|e aí|valeu|blz|beleza|vc|vcs|tá|pra)\b/giu;

/**
 * Reads the tone of a letter by rules, in English and Portuguese: `{ text }` to `{ tone, formality, urgency, signals }`.
 * `tone` is angry, frustrated, warm or neutral; `formality` formal, neutral or casual; `urgency` 0 to 1; `signals` are the
 * words that were counted.
 */
export const emailTone: Handler = async (input) => {
  const text = textInput(input, 'text').slice(0, MAX_LENGTH);
  const angry = found(text, ANGRY);
  const frustrated = found(text, FRUSTRATED);
  const warm = found(text, WARM);
  const urgent = found(text, URGENT);
  const shouted = shouting(text);
  const anger = angry.length * 2 + (shouted ? 2 : 0) + ((text.match(/!{2,}/g)?.length ?? 0) > 0 ? 1 : 0);
  const signals = [...angry, ...frustrated, ...warm, ...urgent];
  return {
    tone: toneOf(anger, frustrated.length, warm.length),
    formality:
      found(text, FORMAL).length > 0 ? 'formal' : found(text, CASUAL).length > 0 ? 'casual' : 'neutral',
    urgency: Math.min(1, urgent.length * 0.4 + (anger >= 2 ? 0.2 : 0)),
    signals: [...new Set(shouted ? [...signals, 'capital letters'] : signals)].slice(0, 10),
  };
};

/** Thanks at the end of a complaint are manners. */
function toneOf(anger: number, frustration: number, warmth: number): string {
  if (anger >= 2) return 'angry';
  if (frustration > 0 || anger > 0) return 'frustrated';
  return warmth > 0 ? 'warm' : 'neutral';
}

function found(text: string, words: RegExp): readonly string[] {
  return [...text.matchAll(words)].map(([word]) => word.toLowerCase());
}

/** A whole phrase in capitals; abbreviations are none. */
function shouting(text: string): boolean {
  return (text.match(/\b\p{Lu}{4,}(?:\s+\p{Lu}{2,}){2,}/gu)?.length ?? 0) > 0;
}

import type { PhraseHit } from './phrase-trie.js';

/** What speaks for a skill. */
export interface Signals {
  /** Intents of the request that are the skill's id or one of its `triggers.intents`; or its id stands in the text. */
  readonly intents: readonly string[];
  /** Its keywords in the text, without those that lie inside a longer one of its own. */
  readonly phrases: readonly PhraseHit[];
  /** The request's category, where it is one of the skill's. */
  readonly category: string | null;
  /** Its conditions hold, and it has nothing else to be found by. */
  readonly conditionsOnly: boolean;
}

const INTENT = 0.5;
const ANY_PHRASE = 0.1;
const PHRASE_WORD = 0.02;
const MAX_WORDS = 18;
const CATEGORY = 0.01;
const CONDITIONS_ONLY = 0.005;

/**
 * score = 0.5 (an intent matches)
 *       + 0.1 + 0.02 for each word of the matched keyword phrases, 18 words at most (a keyword matches)
 *       + 0.01 (the category matches) + 0.005 (found by its conditions alone)
 *
 * An intent outweighs all keywords and the category together, one more word of a keyword outweighs the category. So a
 * phrase outweighs a word, two keywords outweigh one, and the category decides between skills that are otherwise equal.
 */
export function scoreOf(signals: Signals): number {
  const words = Math.min(
    MAX_WORDS,
    signals.phrases.reduce((sum, hit) => sum + hit.words, 0),
  );
  const score =
    (signals.intents.length > 0 ? INTENT : 0) +
    (words > 0 ? ANY_PHRASE + PHRASE_WORD * words : 0) +
    (signals.category === null ? 0 : CATEGORY) +
    (signals.conditionsOnly ? CONDITIONS_ONLY : 0);
  return Math.round(score * 1000) / 1000;
}

/** Whether something in the request itself names the skill's matter, not just its category or the facts. */
export function isStrong(signals: Signals): boolean {
  return signals.intents.length > 0 || signals.phrases.length > 0;
}

/** In words, for the one who asks why. */
export function explain(signals: Signals): string[] {
  return [
    ...signals.intents.map((intent) => `intent ${intent}`),
    ...signals.phrases.map((hit) => `keyword "${hit.phrase}"`),
    ...(signals.category === null ? [] : [`category ${signals.category}`]),
    ...(signals.conditionsOnly ? ['its conditions hold'] : []),
  ];
}

/**
 * The phrases that count: each once, and none that lies inside a longer one (`charged` says nothing beside
 * `charged twice`).
 */
export function countedPhrases(hits: readonly PhraseHit[]): PhraseHit[] {
  const counted: PhraseHit[] = [];
  for (const hit of [...hits].sort((one, other) => other.words - one.words || one.start - other.start)) {
    const inside = counted.some(
      (longer) =>
        longer.phrase === hit.phrase ||
        (longer.start <= hit.start && hit.start + hit.words <= longer.start + longer.words),
    );
    if (!inside) counted.push(hit);
  }
  return counted;
}

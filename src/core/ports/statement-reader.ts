import type { Deed } from '../domain/deed.js';
import type { Language } from '../domain/taxonomy.js';

/**
 * What a sentence of an answer does beside explaining, asking and offering: `courtesy` commits to nothing, `done` says that the hub did something,
 * `claim` that something was done or is so, `denied` that it was not, `pending` that it is under way, `promise` that it will be.
 */
export type StatementAct = 'courtesy' | 'done' | 'claim' | 'denied' | 'pending' | 'promise';

/** What one sentence says, as chances of 0 to 1. */
export interface Statement {
  readonly acts: Readonly<Record<StatementAct, number>>;
  /** Of what it is said, where it is said at all; their sum is 1. */
  readonly deeds: Readonly<Record<Deed, number>>;
}

/** What single words mean. All words are folded. */
export interface WordSense {
  /** Keys of a word: words that share one are forms of one word. */
  formsOf(word: string): readonly string[];
  /** Numbers of what it may stand for: words that share one mean nearly the same. */
  ideasOf(word: string): readonly number[];
  /** Unit vector of what it means; all zeros where that is not known. */
  vectorOf(word: string): Float32Array;
  /** True for a word without a topic of its own. */
  isSmall(word: string): boolean;
  /** True for a word that denies what stands behind it. */
  denies(word: string): boolean;
  /** How a word bounds a rule: "only", "before", "free"; by the same names in every language. */
  boundsOf(word: string): readonly string[];
}

/** How much each sign that nothing supports a sentence counts; `bias` always does. Learnt. */
export type GroundingWeights = Readonly<Record<string, number>>;

/** Reads what a sentence states, without a model elsewhere: deterministic, a fraction of a millisecond. */
export interface StatementReader {
  /** @param text one sentence or part of one */
  read(text: string): Statement;
  /** The words of a language. */
  sense(language: Language): WordSense;
  readonly grounding: GroundingWeights;
}

/** Reads words as the search compares them. */
export interface TermReader {
  analyze(text: string): {
    readonly terms: readonly { readonly stem: string; readonly concepts: readonly number[] }[];
  };
  isStopword(word: string): boolean;
}

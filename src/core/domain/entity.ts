import type { Language } from './taxonomy.js';

/** How customers speak of one kind of the company's records. */
export interface EntityWords {
  readonly id: string;
  /** In the singular, lower case, without accents. */
  readonly nouns: Readonly<Record<Language, readonly string[]>>;
  /** How its ids are written; null where customers see none. */
  readonly ids: {
    /** Before the number; the first as in the records, the others as customers shorten it. */
    readonly prefixes: readonly [string, ...string[]];
    /** A letter that does alone, before a number of enough digits; null where there is none. */
    readonly letter: string | null;
    /** Digits of a number at least: fewer are filled up with zeros. */
    readonly digits: number;
  } | null;
}

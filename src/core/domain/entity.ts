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

/** One thing that a record says of itself. Times are ISO 8601 UTC, money is in minor units of its currency (ISO 4217). */
export type RecordFact =
  | { readonly label: string | null; readonly type: 'text' | 'time'; readonly value: string }
  | { readonly label: string | null; readonly type: 'number'; readonly value: number }
  | {
      readonly label: string | null;
      readonly type: 'money';
      readonly value: number;
      readonly currency: string;
    };

/** One of a customer's records as an operator sees it. A fact without a label says by itself what it is. */
export interface RecordRow {
  readonly id: string;
  readonly title: string;
  readonly status: { readonly value: string; readonly label: string; readonly tone: RecordTone } | null;
  readonly facts: readonly RecordFact[];
}

/** How a status stands out: as usual, well, asking for attention, wrong. */
export const RECORD_TONES = ['plain', 'good', 'warn', 'bad'] as const;
export type RecordTone = (typeof RECORD_TONES)[number];

/** Records of one kind: what there is one of (`facts`), or any number (`list`). Labels are in the reader's language. */
export interface RecordSection {
  readonly id: string;
  readonly label: string;
  readonly kind: 'facts' | 'list';
  /** What is said where the customer has no such record. */
  readonly empty: string;
  readonly rows: readonly RecordRow[];
}

import type { RecordSense } from '../../core/ports/language-layer.js';
import type { Figure } from './figure.js';
import type { Moment, RecordRow } from './record-rows.js';
import type { Sentence } from './sentences.js';
import type { Token } from './tokens.js';

/** What is spoken of. */
export interface Spoken {
  readonly titles: readonly string[];
  readonly kinds: readonly string[];
}

/** Something in a sentence that a record has to bear out. */
export interface Value {
  readonly kind: 'date' | 'time' | 'day' | 'month' | 'weekday' | 'money' | 'place';
  readonly values: readonly (number | string)[];
  readonly from: number;
}

/** A record that a sentence names. */
export interface Mention {
  readonly title: string;
  readonly from: number;
}

/** A part of a sentence that states something. */
export interface Clause {
  readonly tokens: readonly Token[];
  readonly from: number;
  readonly to: number;
}

/** A sentence as it is compared with records. */
export interface RecordSentence {
  readonly sentence: Sentence;
  /** Those of the whole answer. */
  readonly figures: readonly Figure[];
  readonly values: readonly Value[];
  readonly mentions: readonly Mention[];
  readonly clauses: readonly Clause[];
  /** The records that it names. */
  readonly titles: readonly string[];
  /** What it speaks of, or what was spoken of before where it says nothing itself. */
  readonly spoken: Spoken;
  /** The kinds of rows that it speaks of, or that were spoken of before. */
  readonly about: readonly string[];
}

/** The records of a turn with the words for them. */
export interface RecordLexicon {
  readonly rows: readonly RecordRow[];
  readonly sense: RecordSense;
  /** The customer's own words. */
  readonly asked: string;
  /** In minutes since 1970. */
  readonly now: number;
  /** The kinds of rows that a word speaks of. */
  kindsOf(word: string): readonly string[];
  /** The record that a word names. */
  titleOf(word: string): string | undefined;
}

/** The charge for the plan, as against what is paid for one thing. */
export const FEE =
  /(?<!\p{L})(?:fee|membership|subscription|plan|monthly|mensalidade|assinatura|plano|anuidade)(?!\p{L})/u;
const BREAK = /^[.;:!?()\n–—•]$/;
const JOINT = /^(?:and|but|while|e|mas|enquanto|y|pero|mientras)$/;
/** Kinds of rows that are no thing of their own: what is booked is booked, what is paid for it is a payment. */
export const LEDGER: ReadonlySet<string> = new Set(['payment', 'refund']);

/** True for what the fields of a record say. */
export function isComparable(kind: Figure['kind']): kind is Value['kind'] & Figure['kind'] {
  return ['date', 'time', 'day', 'month', 'weekday', 'money'].includes(kind);
}

/** True where a row says that day, hour, amount or place. */
export function has(row: RecordRow, value: Value): boolean {
  if (value.kind === 'money') return value.values.some((one) => row.money.has(Number(one)));
  if (value.kind === 'place') return value.values.some((one) => row.words.has(String(one)));
  return row.moments.some((moment) => isAt(moment, value));
}

/** True where that day or hour is the moment's. */
export function isAt({ day, minute, weekday }: Moment, { kind, values }: Value): boolean {
  return values.some((value) => {
    switch (kind) {
      case 'date':
        return value === day;
      case 'time':
        return value === minute;
      case 'day':
        return value === Number(day.slice(3));
      case 'month':
        return value === Number(day.slice(0, 2));
      case 'weekday':
        return value === weekday;
      default:
        return false;
    }
  });
}

/** The parts of a sentence that state something each. */
export function clausesOf({ tokens, from, text }: Sentence, figures: readonly Figure[]): readonly Clause[] {
  const within = (place: number) => figures.some((one) => one.from <= place && place < one.to);
  const clauses: Clause[] = [];
  let open: Token[] = [];
  let start = from;
  const close = (end: number): void => {
    if (open.length > 0) clauses.push({ tokens: open, from: start, to: end });
    open = [];
    start = end;
  };
  for (const [at, token] of tokens.entries()) {
    const joins = JOINT.test(token.text) && tokens[at - 1]?.text === ',';
    if ((BREAK.test(token.text) && !within(token.from)) || joins) close(token.from);
    open.push(token);
  }
  close(from + text.length);
  return clauses;
}

/** Each once. */
export function unique<T>(items: readonly T[]): readonly T[] {
  return [...new Set(items)];
}

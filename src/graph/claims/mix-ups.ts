import type { RecordSense } from '../../core/ports/language-layer.js';
import type { Facts } from './facts.js';
import type { Figure } from './figure.js';
import { LEDGER, type Mention, titleBeside } from './record-figures.js';
import type { RecordRow } from './record-rows.js';
import { CONDITION, type Sentence } from './sentences.js';
import { tokensOf } from './tokens.js';

/* Two fields or two payments of one customer, taken for each other; and which record a part of a sentence speaks of. */

/** Fields that say when something was written down, and not when it takes place. */
export const WRITTEN_DOWN = /creat|chang|updat|modif|paid|cancel|refund/;
/** States of which a day behind the word says when they came. */
const DEEDS_OF_DAYS: ReadonlySet<string> = new Set(['refund', 'pay', 'fail', 'cancel']);
/** So far before a day the word may stand. */
const NEAR = 5;
/** Says of what was named before that it came about. */
const DONE = /^(?:made|done|issued|processed|feit[oa]|processad[oa])$/;
const MADE = 3;
/** Fewer letters name no place. */
const SHORTEST = 4;
/** Ahead of a city; and words that begin with the same letters may be one. */
const IN = /^(?:in|em)$/;
const STEM = 5;
/** Says that it is elsewhere. */
const NOT = /(?<!\p{L})(?:not|never|n[aã]o|nunca)(?!\p{L})/iu;
/** Behind it the next one of a list may be spoken of. */
const AND = /;|(?<!\p{L})(?:and|e)(?!\p{L})/u;
/** Where something else is spoken of. */
const PART =
  /[;,.!?\n]|(?<!\p{L})(?:while|whereas|but|then|against|enquanto|mas|depois|contra|pero|mientras)(?!\p{L})/u;

/** The record that the part of a sentence around a figure names, else the one named before it. */
export function titleWith(sentence: Sentence, figure: Figure, mentions: readonly Mention[]): string | null {
  return clausesOf(sentence, [figure], mentions)?.[0]?.title ?? titleBeside(mentions, figure, 1);
}

/** Each figure with the one record that its part of the sentence names; null where a part names none or several. */
export function clausesOf(
  { text, from }: Sentence,
  figures: readonly Figure[],
  mentions: readonly Mention[],
): readonly { readonly figure: Figure; readonly title: string }[] | null {
  const ends = [...text.matchAll(new RegExp(PART, 'gu'))].map(({ index }) => from + index);
  const found = figures.flatMap((figure) => {
    const start = ends.findLast((end) => end < figure.from) ?? from;
    const end = ends.find((one) => one >= figure.to) ?? from + text.length;
    const own = new Set(
      mentions.filter((one) => one.from >= start && one.from < end).map(({ title }) => title),
    );
    const [title] = own;
    return title !== undefined && own.size === 1 ? [{ figure, title }] : [];
  });
  return found.length === figures.length ? found : null;
}

/** The part of a text in question: where it begins, and where what follows it does. */
export type Span = Pick<Figure, 'from' | 'to'>;

/**
 * "Elis is at the Sala São Paulo", where another thing takes place; null where the sentence names its own place too.
 * @param isHinted whether another record may be spoken of without its name
 */
export function ofAnotherPlace(
  { text, tokens }: Sentence,
  title: string | null,
  rows: readonly RecordRow[],
  isHinted: (title: string) => boolean,
  facts: Pick<Facts, 'isOfCompany'>,
): Span | null {
  if (title === null || NOT.test(text) || AND.test(text)) return null;
  const wordsOf = (those: readonly RecordRow[]) =>
    new Set(those.flatMap((row) => [...row.words, ...tokensOf(row.title ?? '').map((one) => one.text)]));
  const own = rows.filter((row) => row.title === title);
  const [name, words] = [new Set(tokensOf(title).map((one) => one.text)), wordsOf(own)];
  const names = tokens.slice(1).filter((token) => token.capital && token.text.length >= SHORTEST);
  const titled = new Set(rows.flatMap((row) => tokensOf(row.title ?? '').map((one) => one.text)));
  // A city of the company's, and not that of the record.
  const elsewhere = tokens.find(
    (one, at) =>
      one.capital &&
      one.text.length >= SHORTEST &&
      (IN.test(tokens[at - 1]?.text ?? '') ||
        (tokens[at - 1]?.capital === true && IN.test(tokens[at - 2]?.text ?? ''))) &&
      facts.isOfCompany(one.text) &&
      !titled.has(one.text) &&
      ![...words].some((word) => word.slice(0, STEM) === one.text.slice(0, STEM)),
  );
  if (
    elsewhere &&
    words.size > name.size &&
    !rows.some((row) => row.title !== title && row.title !== null && row.words.has(elsewhere.text))
  )
    return { from: elsewhere.from, to: elsewhere.from + elsewhere.text.length };
  for (const other of words.size > name.size ? rows : []) {
    if (other.title === null || other.title === title || isHinted(other.title)) continue;
    const theirs = wordsOf([other]);
    const called = new Set(tokensOf(other.title).map((one) => one.text));
    // What both have tells neither from the other: the city.
    const isOwn = names.some((one) => words.has(one.text) && !theirs.has(one.text) && !name.has(one.text));
    const wrong = names.find((one) => theirs.has(one.text) && !called.has(one.text) && !words.has(one.text));
    if (wrong && !isOwn) return { from: wrong.from, to: wrong.from + wrong.text.length };
  }
  return null;
}

/** "It is back on 1 December", of the day on which something else begins anew: a day of another field than is spoken of. */
export function ofAnotherField(
  { text, tokens, from }: Sentence,
  figures: readonly Figure[],
  rows: readonly RecordRow[],
  sense: RecordSense,
): Figure | null {
  const [date, ...more] = figures.filter(({ kind }) => kind === 'date');
  // A sum is of a payment.
  if (!date || figures.some(({ kind }) => kind === 'money')) return null;
  const ends = [...text.matchAll(/[;:]|, (?=(?:e|and|mas|but) )/gu)].map(({ index }) => from + index);
  const start = ends.findLast((end) => end < date.from) ?? from;
  const end = ends.find((one) => one >= date.to) ?? from + text.length;
  const clause = tokens.filter((token) => token.from >= start && token.from < end);
  const [name, ...others] = new Set(clause.flatMap(({ text }) => sense.momentOf(text) ?? []));
  const isLedger = tokens.some(({ text }) => sense.kindsOf(text).some((kind) => LEDGER.has(kind)));
  if (more.length > 0 || name === undefined || others.length > 0 || isLedger) return null;
  const moments = rows.flatMap((row) => (row.title === null ? row.moments : []));
  const meant = moments.filter(({ field }) => field.startsWith(name));
  const is = ({ day }: { readonly day: string }) => date.values.includes(day);
  // What a rule counts from today is a day of none, and not that of the record either.
  return meant.length > 0 && !meant.some(is) && (moments.some(is) || !CONDITION.test(text)) ? date : null;
}

/** "Refunded on 16 November", of a day on which something takes place and nothing was paid, returned or changed. */
export function isNeverDone(
  { kind, values, from }: Figure,
  { tokens }: Sentence,
  title: string | null,
  all: readonly RecordRow[],
  sense: RecordSense,
): boolean {
  if (kind !== 'date') return false;
  const at = tokens.findIndex((token) => token.from >= from);
  const isStated = tokens
    .slice(Math.max(0, at - NEAR), at)
    .some(
      ({ text }) =>
        DEEDS_OF_DAYS.has(sense.stateOf(text) ?? '') || sense.kindsOf(text).some((one) => LEDGER.has(one)),
    );
  const isMade =
    tokens.slice(Math.max(0, at - MADE), at).some(({ text }) => DONE.test(text)) &&
    tokens.some(({ text }) => sense.kindsOf(text).some((one) => LEDGER.has(one)));
  if (!isStated && !isMade) return false;
  const rows = all.filter((row) => title === null || row.title === title);
  const moments = rows.flatMap((row) =>
    row.moments.map(({ day, field }) => ({
      day,
      isPlace: !LEDGER.has(row.kind) && !WRITTEN_DOWN.test(field) && row.title !== null,
    })),
  );
  const meant = moments.filter(({ day }) => values.includes(day));
  return meant.length > 0 && meant.every(({ isPlace }) => isPlace);
}

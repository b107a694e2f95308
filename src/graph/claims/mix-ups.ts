import type { RecordSense } from '../../core/ports/language-layer.js';
import type { Figure } from './figure.js';
import { FEE, LEDGER, type Mention, titleBeside } from './record-figures.js';
import type { RecordRow } from './record-rows.js';
import { CONDITION, type Sentence } from './sentences.js';

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
/** Names a pause, in a word for it or for its end; and says what may be. */
const PAUSE = /^paus(?:e[ds]?|as?|ad[oa])$/;
const MAY =
  /(?<!\p{L})(?:would|could|can|may|might|at most|longest|poderia|pode|seria|no m[aá]ximo)(?!\p{L})/iu;
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
  const said = new Set(clause.flatMap(({ text }) => sense.momentOf(text) ?? []));
  // A pause ends when what was paused goes on.
  const isPause = clause.some(({ text }) => PAUSE.test(text) || sense.stateOf(text) === 'pause');
  const [name, ...others] = isPause && !MAY.test(text) ? ['resume'] : said;
  const isLedger = clause.some(({ text }) => sense.kindsOf(text).some((kind) => LEDGER.has(kind)));
  if (more.length > 0 || name === undefined || others.length > 0 || isLedger) return null;
  const moments = rows.flatMap((row) => (row.title === null ? row.moments : []));
  const meant = moments.filter(({ field }) => field.startsWith(name));
  const is = ({ day }: { readonly day: string }) => date.values.includes(day);
  // "The 6th falls into your pause": of what is on that day.
  // "Cancelled since the 18th", likewise, where no plan is spoken of.
  const isOfDeed =
    clause.some(
      ({ text }) => DEEDS_OF_DAYS.has(sense.stateOf(text) ?? '') && sense.momentOf(text) === null,
    ) && !clause.some(({ text }) => FEE.test(text));
  const isOfThing =
    (said.size === 0 || isOfDeed) && rows.some((row) => row.title !== null && row.moments.some(is));
  // What a rule counts from today is a day of none, and not that of the record either.
  return meant.length > 0 && !meant.some(is) && !isOfThing && (moments.some(is) || !CONDITION.test(text))
    ? date
    : null;
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

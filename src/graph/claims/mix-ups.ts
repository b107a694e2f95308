import type { RecordSense } from '../../core/ports/language-layer.js';
import type { Figure } from './figure.js';
import { hasFigure, LEDGER, type Mention } from './record-figures.js';
import type { RecordRow } from './record-rows.js';
import type { Sentence } from './sentences.js';

/* Two fields or two payments of one customer, taken for each other; and which record a part of a sentence speaks of. */

/** Fields that say when something was written down, and not when it takes place. */
export const WRITTEN_DOWN = /creat|chang|updat|modif|paid|cancel|refund/;
/** States of which a day behind the word says when they came. */
const DEEDS_OF_DAYS: ReadonlySet<string> = new Set(['refund', 'pay', 'fail', 'cancel']);
/** So far before a day the word may stand. */
const NEAR = 5;
/** Where something else is spoken of. */
const PART =
  /[;,.!?\n]|(?<!\p{L})(?:while|whereas|but|then|against|enquanto|mas|depois|contra|pero|mientras)(?!\p{L})/u;

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

/** "You paid R$ 320.00 on 17 November", where that sum is of the 12th and another was paid on the 17th. */
export function ofAnotherPayment(
  { text, from }: Sentence,
  figures: readonly Figure[],
  rows: readonly RecordRow[],
): Figure | null {
  const ends = [...text.matchAll(/;|, (?=e |and )|\. /gu)].map(({ index }) => from + index);
  const partOf = ({ from: at }: Figure) => ends.filter((end) => end < at).length;
  const dates = figures.filter(({ kind }) => kind === 'date');
  return (
    dates.find((date) => {
      const [sum, ...more] = figures.filter((one) => one.kind === 'money' && partOf(one) === partOf(date));
      const isAlone = dates.filter((one) => partOf(one) === partOf(date)).length === 1;
      if (!sum || more.length > 0 || !isAlone) return false;
      const paid = rows.filter((row) => LEDGER.has(row.kind) && hasFigure(row, sum));
      const own = rows.filter(
        (row) => hasFigure(row, sum) || paid.some(({ title }) => title !== null && title === row.title),
      );
      return (
        paid.length > 0 &&
        !own.some((row) => hasFigure(row, date)) &&
        rows.some((row) => LEDGER.has(row.kind) && hasFigure(row, date))
      );
    }) ?? null
  );
}

/** "It is back on 1 December", of the day on which something else begins anew: a day of another field than is spoken of. */
export function ofAnotherField(
  { tokens }: Sentence,
  figures: readonly Figure[],
  rows: readonly RecordRow[],
  sense: RecordSense,
): Figure | null {
  const [date, ...more] = figures.filter(({ kind }) => kind === 'date');
  const [name, ...others] = new Set(tokens.flatMap(({ text }) => sense.momentOf(text) ?? []));
  const isLedger = tokens.some(({ text }) => sense.kindsOf(text).some((kind) => LEDGER.has(kind)));
  if (!date || more.length > 0 || name === undefined || others.length > 0 || isLedger) return null;
  const moments = rows.flatMap((row) => (row.title === null ? row.moments : []));
  const meant = moments.filter(({ field }) => field.startsWith(name));
  const is = ({ day }: { readonly day: string }) => date.values.includes(day);
  return meant.length > 0 && !meant.some(is) && moments.some(is) ? date : null;
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
  if (!isStated) return false;
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

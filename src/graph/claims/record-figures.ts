import type { RecordSense } from '../../core/ports/language-layer.js';
import { shifted, weekdayOf } from './calendar.js';
import type { Facts } from './facts.js';
import type { Figure } from './figure.js';
import type { RecordRow } from './record-rows.js';
import type { RecordWords } from './record-words.js';
import type { Token } from './tokens.js';

/** The charge for the plan, as against what is paid for one thing. */
export const FEE =
  /^(?:fees?|memberships?|subscriptions?|plans?|monthly|mensalidades?|assinaturas?|planos?|anuidades?|cuotas?|suscripcion(?:es)?)$/;
/** Fewer letters name nothing. */
const SHORTEST = 4;
/** Kinds of rows that are no thing of their own: what is paid for a thing is a payment. */
export const LEDGER: ReadonlySet<string> = new Set(['payment', 'refund']);
/** What untitled rows of these are. */
export const FEES = 'fee';

/** True for what a row says. */
export function hasFigure({ moments, money, counts, told }: RecordRow, { kind, values }: Figure): boolean {
  const isTold = told.some((one) => one.kind === kind && one.values.some((value) => values.includes(value)));
  if (isTold) return true;
  if (kind === 'money') return values.some((value) => money.has(Number(value)));
  if (kind === 'count') return [...counts.values()].some((count) => values.includes(count));
  return moments.some(({ day, minute, weekday }) =>
    values.some((value) => {
      if (kind === 'date') return value === day;
      if (kind === 'day') return value === Number(day.slice(3));
      return value === (kind === 'time' ? minute : weekday);
    }),
  );
}

/** The day before, until which something can be done; an hour that a rule counts from it. */
export function isDeadline(
  { moments, told }: RecordRow,
  { kind, values }: Figure,
  { spans, today }: Facts,
): boolean {
  const named = told.flatMap((one) =>
    one.kind === 'date'
      ? one.values.map((day) => ({
          day: String(day),
          minute: null,
          weekday: weekdayOf(`${today.slice(0, 4)}-${day}`),
        }))
      : [],
  );
  return [...moments, ...named].some(({ day, minute, weekday }) => {
    if (kind === 'weekday') return values.includes((weekday + 6) % 7);
    if (kind === 'time')
      return (
        minute !== null &&
        [...spans].some((span) => values.includes(minute - span) || values.includes(minute + span))
      );
    const before = shifted(`${today.slice(0, 4)}-${day}`, -1).slice(5);
    return kind === 'date'
      ? values.includes(before)
      : kind === 'day' && values.includes(Number(before.slice(3)));
  });
}

/** What is paid for no thing is paid for the plan. */
export function kindOf({ kind, title }: RecordRow): string {
  return title === null && LEDGER.has(kind) ? FEES : kind;
}

/** The same of the same kind. */
export function isSame(one: Figure, other: Figure): boolean {
  return one.kind === other.kind && one.values.some((value) => other.values.includes(value));
}

/** True where another row counts under the same name what a figure says, so that both are numbers of the same. */
export function sharesCount(
  own: readonly RecordRow[],
  all: readonly RecordRow[],
  { values }: Figure,
): boolean {
  const names = new Set(own.flatMap(({ counts }) => [...counts.keys()]));
  return all.some(({ counts }) =>
    [...counts].some(([name, count]) => names.has(name) && values.includes(count)),
  );
}

/** The kinds of rows that words speak of. */
export function kindsIn(
  tokens: readonly Token[],
  sense: RecordSense,
  nouns: RecordWords,
): ReadonlySet<string> {
  return new Set(
    tokens.flatMap(({ text: word }) => {
      const name = word.length < SHORTEST ? null : nouns.entityOf(word);
      return [...(name === null ? [] : [name]), ...sense.kindsOf(word), ...(FEE.test(word) ? [FEES] : [])];
    }),
  );
}

/** The titles of records by the words of names and places that each has alone. */
export function uniquePlaces(rows: readonly RecordRow[]): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  const shared = new Set<string>();
  for (const { title, words } of rows)
    for (const word of title === null ? [] : words) {
      const other = places.get(word);
      if (title !== null && word.length >= SHORTEST) places.set(word, title);
      if (other !== undefined && other !== title) shared.add(word);
    }
  for (const word of shared) places.delete(word);
  return places;
}

/** A record that a sentence names, and where. */
export interface Mention {
  readonly title: string;
  readonly from: number;
}

/** The record named before a figure, or behind it; the first or last one where none is. */
export function titleBeside(mentions: readonly Mention[], { from }: Figure, side: 1 | -1): string | null {
  const near =
    side === 1
      ? (mentions.findLast((one) => one.from < from) ?? mentions[0])
      : (mentions.find((one) => one.from > from) ?? mentions.at(-1));
  return near?.title ?? null;
}

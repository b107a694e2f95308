import type { RecordSense } from '../../core/ports/language-layer.js';
import { MONTHS } from './calendar.js';
import type { Facts } from './facts.js';
import type { Figure } from './figure.js';
import { isListed } from './figure-counts.js';
import { figuresWithin } from './figures.js';
import { WRITTEN_DOWN } from './mix-ups.js';
import { FEE, hasFigure, LEDGER } from './record-figures.js';
import type { RecordRow } from './record-rows.js';
import type { RecordWords } from './record-words.js';
import { CONDITION, type Sentence } from './sentences.js';
import { fold } from './tokens.js';

/*
 * How many there are of the customer's own: a number of bookings or payments has to be that of the rows which the words of its
 * sentence pick out, of all of them, or of those that are still to come.
 */

/** A part of them by something else than a record says. */
const PART =
  /(?<!\p{L})(?:next|last|first|these|those|latest|recent|most|least|up to|at most|per|each|every|week\p{L}*|today|tonight|tomorrow|yesterday|ago|until|before|after|since|between|different|cheap\p{L}*|expensive|would|could|can|might|more than|open|proxim[oa]s|ultim[oa]s|primeir[oa]s|ess[ea]s|est[ea]s|recentes?|semana|hoje|amanha|ontem|ate|antes|depois|desde|entre|cada|por|diferentes|barat[oa]s|car[oa]s|mais de|abert[oa]s|poderia|teria|twice|days?|dias?|for|with|para|com)(?!\p{L})/u;
const OTHERS = /(?<!\p{L})(?:others?|another|more|outr[oa]s?|mais|demais)(?!\p{L})/u;
const THIS_MONTH = /(?<!\p{L})(?:this month|(?:n?este|desse|neste) mes|do mes)(?!\p{L})/u;
/** So near behind a number stands what it counts. */
const NEAR = 3;
/** What a question counts. */
const HOW_MANY = /(?<!\p{L})(?:how many|[qc]uant[oa]s) ((?:\p{L}+ ?){1,3})/u;
/** An answer begins with a number that stands before here. */
const BARE = 4;
/** More are not tried together. */
const MOST = 8;

type Picks = (row: RecordRow) => boolean;

/** A number of records that no words of its sentence account for; null where each is right. */
export function miscounts(
  sentence: Sentence,
  figures: readonly Figure[],
  sentences: readonly Sentence[],
  rows: readonly RecordRow[],
  { asked, facts }: { readonly asked: string; readonly facts: Facts },
  sense: RecordSense,
  nouns: RecordWords,
): Figure | null {
  const { text, tokens, from, question } = sentence;
  const own = question ? [] : figuresWithin(figures, sentence).filter(({ kind }) => kind === 'count');
  if (own.length === 0 || rows.length === 0) return null;
  const kinds = new Set(rows.map(({ kind }) => kind));
  const plain = fold(text);
  const words = tokens.map((token) => token.text);
  const kindOf = (noun: string) =>
    [nouns.entityOf(noun), ...sense.kindsOf(noun)].find((one) => one !== null && kinds.has(one));
  for (const figure of own) {
    const next = tokens.findIndex((token) => token.from >= figure.to);
    const near = next === -1 ? [] : words.slice(next, next + NEAR);
    const end = near.findIndex((word) => !/\p{L}/u.test(word));
    // "How many bookings?" "Six, the first one today.": what the question counts.
    const isBare = sentence.from === 0 && figure.from < BARE && end === 0 && !PART.test(fold(asked));
    const counted = HOW_MANY.exec(fold(asked))?.[1] ?? '';
    const asks = isBare ? fold(asked).split(/[^\p{L}]+/u) : [];
    const said = [...words, ...asks];
    const noun =
      (isBare ? counted.split(' ') : near.slice(0, end === -1 ? NEAR : end)).find((word) => kindOf(word)) ??
      '';
    const kind = kindOf(noun);
    const value = Number(figure.values[0]);
    if (kind === undefined || kind === null || isListed(value, figure, sentences)) continue;
    const all = rows.filter(
      (row) => row.kind === kind && kind !== 'user' && (!FEE.test(noun) || row.title === null),
    );
    if (all.length < 2 || CONDITION.test(text) || PART.test(clauseAround(plain, figure.from - from)))
      continue;
    const picks: Picks[] = [(row) => isAhead(row, facts)];
    if (!said.some((word) => sense.stateOf(word) !== null)) picks.push(({ deeds }) => deeds.has('book'));
    for (const word of said) {
      const state = sense.stateOf(word);
      if (state !== null)
        picks.push(({ deeds, pending }) => deeds.has(state as never) || pending.has(state as never));
      const month = word.length > 3 ? MONTHS.get(word) : undefined;
      if (month !== undefined) picks.push((row) => isOf(row, month));
      if (FEE.test(word)) picks.push(({ title }) => title === null);
      for (const name of flagsOf(all))
        if (name.includes(word) && word.length > 3) picks.push(({ flags }) => flags.get(name) === true);
      if (all.some((row) => row.words.has(word)) && word.length > 3) picks.push((row) => row.words.has(word));
      if (nouns.entityOf(word) !== null && nouns.entityOf(word) !== kind)
        picks.push(({ title }) => title !== null);
    }
    for (const one of figures)
      if ((one.kind === 'money' || one.kind === 'date') && one.from >= from && one.from < from + text.length)
        picks.push((row) => hasFigure(row, one));
    if (THIS_MONTH.test(plain)) picks.push((row) => isOf(row, Number(facts.today.slice(5, 7))));
    const allowed = countsBy(all, picks.slice(0, MOST));
    if (allowed.has(value) || (OTHERS.test(plain) && allowed.has(value + 1))) continue;
    return figure;
  }
  return null;
}

/** How many any of the picks leave together. */
function countsBy(rows: readonly RecordRow[], picks: readonly Picks[]): ReadonlySet<number> {
  let groups: readonly (readonly RecordRow[])[] = [rows];
  for (const pick of picks) groups = [...groups, ...groups.map((group) => group.filter(pick))];
  return new Set(groups.map(({ length }) => length));
}

/** The words around a number up to the next sign; what a list follows stands with it. */
function clauseAround(plain: string, at: number): string {
  const end = plain.slice(at).search(/[,:;—–](?!\d)/u);
  if (end === -1 || plain[at + end] === ':') return plain;
  return plain.slice(Math.max(...[',', ':', ';'].map((sign) => plain.lastIndexOf(sign, at))) + 1, at + end);
}

function isAhead(row: RecordRow, { moments: [now = 0] }: Facts): boolean {
  const isOver = row.deeds.has('cancel') || row.deeds.has('refund') || LEDGER.has(row.kind);
  return !isOver && row.moments.some(({ at, field }) => !WRITTEN_DOWN.test(field) && at > now);
}

function isOf(row: RecordRow, month: number): boolean {
  return row.moments.some(
    ({ day, field }) => Number(day.slice(0, 2)) === month && (LEDGER.has(row.kind) || !/creat/.test(field)),
  );
}

function flagsOf(rows: readonly RecordRow[]): ReadonlySet<string> {
  return new Set(rows.flatMap(({ flags }) => [...flags.keys()]));
}

import {
  type Clause,
  FEE,
  has,
  isAt,
  LEDGER,
  type RecordLexicon,
  type RecordSentence,
  unique,
} from './record-parts.js';
import type { RecordRow } from './record-rows.js';
import { CONDITION } from './sentences.js';
import { fold } from './tokens.js';

/** So near stands what is the last of its kind. */
const NEAR = 3;
/** A denial reaches so many words. */
const SCOPE = 6;
const OFFERS =
  /(?<!\p{L})(?:can|could|shall|would|posso|podemos|gostaria|quer|queira|puedo|podria)(?!\p{L})/u;
/** Says that there is none. */
const ABSENT: ReadonlySet<string> = new Set(
  'no nothing none never nenhum nenhuma nada nunca ningun ninguna jamas'.split(' '),
);

/** True where the records say the states that a clause names. */
export function statesAreSo(
  { tokens, from, to }: Clause,
  { mentions, spoken, titles: all }: RecordSentence,
  lexicon: RecordLexicon,
): boolean {
  const plain = tokens.map(({ text }) => text).join(' ');
  if (CONDITION.test(plain) || OFFERS.test(plain)) return true;
  const inside = unique(
    mentions.filter((one) => one.from >= from && one.from < to).map(({ title }) => title),
  );
  const titles = inside.length > 0 ? inside : all.length === 1 ? all : all.length === 0 ? spoken.titles : [];
  return tokens.every(({ text }, at) => {
    const state = lexicon.sense.stateOf(text);
    if (state === null) return true;
    const isDenied = tokens
      .slice(Math.max(0, at - SCOPE), at)
      .some(({ text: word }, place, all) => lexicon.sense.denies(word) && all[place + 1]?.text !== ',');
    const kinds = unique(tokens.flatMap(({ text: word }) => lexicon.kindsOf(word)));
    const pool = lexicon.rows.filter((row) => maySay(row, state, kinds));
    const isSo = (row: RecordRow) =>
      state === 'pending'
        ? row.pending.size > 0
        : state === 'active'
          ? !row.deeds.has('pause') && !isGone(row) && !row.deeds.has('block')
          : state === 'free'
            ? ![...row.money].some((one) => one > 0)
            : row.deeds.has(state) ||
              (state === 'pay' &&
                [...row.money].some((one) => one > 0) &&
                row.title !== null &&
                !row.deeds.has('fail'));
    const of = (title: string) => pool.filter((row) => row.title === title);
    const concerned = titles.filter((title) => of(title).length > 0);
    if (titles.length > 0 && (concerned.length > 0 || inside.length > 0))
      return isDenied
        ? titles.every((title) => !of(title).some(isSo))
        : titles.every((title) => of(title).some(isSo));
    return isDenied ? !pool.some(isSo) : pool.some(isSo);
  });
}

/** "No refund", "nothing after that": none of that kind, of what is spoken of. */
export function isAbsent(
  { tokens, from, to }: Clause,
  { mentions, spoken, values }: RecordSentence,
  lexicon: RecordLexicon,
): boolean {
  const at = tokens.findIndex(
    ({ text }, place) =>
      ABSENT.has(text) && lexicon.sense.denies(text) && !/^[,.!?]$/.test(tokens[place + 1]?.text ?? ','),
  );
  if (at === -1) return true;
  const kinds = tokens
    .slice(at, at + SCOPE)
    .map(({ text }) => lexicon.kindsOf(text))
    .find((found) => found.some((kind) => isListed(kind, lexicon)));
  if (kinds === undefined) return true;
  const own = unique(mentions.filter((one) => one.from >= from && one.from < to).map(({ title }) => title));
  const titles = own.length > 0 ? own : spoken.titles;
  const inside = values.filter((value) => value.from >= from && value.from < to && value.kind !== 'money');
  const ofKind = lexicon.rows.filter((row) => kinds.includes(row.kind));
  const some = (rows: readonly RecordRow[]) => rows.some((row) => inside.every((value) => has(row, value)));
  const ofTitle = ofKind.filter(({ title }) => title !== null && titles.includes(title));
  return titles.length > 0 ? !some(ofTitle) : !some(ofKind);
}

/** There may be several or none of it. */
function isListed(kind: string, { rows }: RecordLexicon): boolean {
  return LEDGER.has(kind) || rows.some((row) => row.kind === kind && row.title !== null);
}

/** "The last charge was on 3 March": nothing of that kind came later. */
export function isLatest(
  { sentence: { tokens }, values, about: kinds, mentions }: RecordSentence,
  lexicon: RecordLexicon,
): boolean {
  const at = tokens.findIndex(({ text }) => lexicon.sense.isLatest(text));
  if (at === -1 || mentions.length > 1) return true;
  const days = values.filter(({ kind }) => kind === 'date');
  if (days.length === 0) return values.length === 0;
  const ofKind = lexicon.rows.filter((row) => kinds.includes(row.kind) && row.moments.length > 0);
  const named = tokens.slice(at + 1, at + 1 + NEAR).map(({ text }) => text);
  const isNamed = named.some((word) => lexicon.kindsOf(word).includes('payment'));
  const fee = named.some((word) => FEE.test(word)) || (!isNamed && FEE.test(fold(lexicon.asked)));
  const pool = fee ? ofKind.filter(({ title }) => title === null) : ofKind;
  const latest = pool.toSorted((one, other) => lastOf(other) - lastOf(one))[0];
  return latest !== undefined && days.some((day) => has(latest, day));
}

/** "Your next booking is on 3 March": nothing of that kind comes sooner. */
export function isNext(
  { sentence: { tokens }, values, about: kinds, mentions }: RecordSentence,
  { rows, sense, now }: RecordLexicon,
): boolean {
  if (mentions.length > 1 || !tokens.some(({ text }) => sense.isNext(text))) return true;
  const days = values.filter(({ kind }) => kind === 'date' || kind === 'day');
  if (days.length + mentions.length === 0) return true;
  const ahead = rows.flatMap((row) =>
    row.moments.flatMap((moment) => (moment.at > now && !isGone(row) ? [{ row, moment }] : [])),
  );
  const ofKind = ahead.filter(
    ({ row }) => kinds.includes(row.kind) || (kinds.length === 0 && row.title !== null),
  );
  const [first] = ofKind.toSorted((one, other) => one.moment.at - other.moment.at);
  return (
    first !== undefined &&
    days.every((day) => isAt(first.moment, day)) &&
    mentions.every(({ title }) => title === first.row.title)
  );
}

/** "€ 50.00 each", "four fees of € 59.90": of so many as are counted, in all or of those in a state that is named. */
export function isOfEach(
  { sentence: { tokens }, values, titles, figures, about }: RecordSentence,
  { rows, sense }: RecordLexicon,
): boolean {
  const amounts = values.filter(({ kind }) => kind === 'money');
  const [from, to] = [tokens[0]?.from ?? 0, tokens.at(-1)?.to ?? 0];
  const isEach = tokens.some(({ text }) => sense.isEvery(text));
  const near = isEach ? figures : figures.filter((one) => one.from >= from && one.to <= to);
  const counts = near.flatMap(({ kind, values: all }) => (kind === 'count' ? all.map(Number) : []));
  if (titles.length > 0 || amounts.length === 0 || !(isEach || (amounts.length === 1 && counts.length === 1)))
    return true;
  const states = tokens.flatMap(({ text }) => sense.stateOf(text) ?? []);
  return amounts.some((amount) => {
    const all = rows.filter((row) => has(row, amount) && (about.length === 0 || about.includes(row.kind)));
    const some = all.filter((row) => states.some((state) => [...row.deeds].some((deed) => deed === state)));
    return counts.includes(all.length) || counts.includes(some.length);
  });
}

/** "You have three bookings": all of them, those to come, those in a state that is named, or those that it lists. */
export function isCounted(
  { sentence: { tokens, from, text }, figures, titles }: RecordSentence,
  lexicon: RecordLexicon,
): boolean {
  const { rows, sense, now } = lexicon;
  const own = figures.filter((one) => one.from >= from && one.from < from + text.length);
  // The lines that follow are counted elsewhere.
  if (/:\s*$/.test(text)) return true;
  const states = tokens.flatMap(({ text: word }) => sense.stateOf(word) ?? []);
  return own.every(({ kind, values, noun }) => {
    const kinds = kind === 'count' && noun ? lexicon.kindsOf(noun) : [];
    const all = rows.filter((row) => row.title !== null && !LEDGER.has(row.kind) && kinds.includes(row.kind));
    if (all.length === 0) return true;
    const ahead = all.filter((row) => !isGone(row) && row.moments.some(({ at }) => at > now));
    const named = all.filter((row) => states.some((state) => [...row.deeds].some((deed) => deed === state)));
    const known = [all, ahead, named].map((some) => some.length);
    return values.some((value) => [...known, titles.length].includes(Number(value)));
  });
}

/** Cancelled or refunded: whoever names it has to say so. */
export function isGone({ deeds, kind }: RecordRow): boolean {
  return !LEDGER.has(kind) && (deeds.has('cancel') || deeds.has('refund'));
}

/** An amount of no record is the sum, the difference or the multiple of those that stand beside it. */
export function sumsAreShown(
  { values, figures, mentions }: RecordSentence,
  { rows }: RecordLexicon,
): boolean {
  const unknown = values.filter((value) => value.kind === 'money' && !rows.some((row) => has(row, value)));
  if (unknown.length === 0) return true;
  const shown = figures.flatMap(({ kind, values: all }) => (kind === 'money' ? all.map(Number) : []));
  const counts = figures.flatMap(({ kind, values: all }) => (kind === 'count' ? all.map(Number) : []));
  const known = new Set(rows.flatMap(({ money }) => [...money]));
  return unknown.every(({ values: [value] }) => {
    const sum = Number(value);
    const parts = shown.filter((one) => one !== sum);
    const total = parts.reduce((all, one) => all + one, 0);
    return (
      (parts.length > 1 && total === sum && parts.every((one) => known.has(one)) && mentions.length > 1) ||
      parts.some((one) => known.has(one) && counts.some((count) => one * count === sum)) ||
      parts.some((one) => parts.some((other) => Math.abs(one - other) === sum))
    );
  });
}

/** Whether a row may say that state at all. */
function maySay(row: RecordRow, state: string, kinds: readonly string[]): boolean {
  switch (state) {
    case 'refund':
      return row.kind === 'refund' || row.deeds.has('refund');
    case 'pay':
    case 'fail':
      return row.kind === 'payment' || row.money.size > 0;
    case 'book':
    case 'attend':
    case 'miss':
      return !LEDGER.has(row.kind) && row.title !== null;
    case 'free':
      return row.title !== null;
    case 'active':
      return (kinds.length === 0 || kinds.includes(row.kind)) && !LEDGER.has(row.kind) && row.title === null;
    case 'pending':
      return kinds.length === 0 || kinds.includes(row.kind);
    case 'cancel':
      return !LEDGER.has(row.kind) && (kinds.length === 0 || kinds.includes(row.kind) || row.title !== null);
    default:
      return row.title === null;
  }
}

function lastOf({ moments }: RecordRow): number {
  return Math.max(...moments.map(({ at }) => at));
}

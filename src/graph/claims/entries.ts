import type { Statement } from '../../core/ports/language-layer.js';
import { dayNamed, MONTHS } from './calendar.js';
import { figuresIn } from './figures.js';
import { FEE } from './record-parts.js';
import type { KnownRecord, LedgerEntry } from './records.js';
import { fold } from './tokens.js';
import type { TurnEvidence } from './turn-evidence.js';

/** What happens to money, of which each entry of an account says one. */
const MOVES = ['pay', 'fail', 'refund'] as const;
type Move = (typeof MOVES)[number];

/** What is less likely than this a part does not say; it says one thing alone from there on; and something wrong from here. */
const [BESIDE, ALONE, LIKELY] = [0.1, 0.8, 0.5];
/** Said beside something else: "refunded when it was cancelled". */
const GIVEN_BACK =
  /(?<!\p{L})(?:refunded|reimbursed|reembolsad[oa]s?|estornad[oa]s?|devolvid[oa]s?|gave you back|got (?:it|your money) back)(?!\p{L})/u;
const NEGATIVE =
  /(?<!\p{L})(?:not|nao|no|none|nothing|never|nunca|nenhum|nenhuma|nada|without|sem|n't)(?!\p{L})|n't/u;

/** Something an entry can be told by. */
interface Mark {
  readonly kind: 'money' | 'date' | 'time' | 'month';
  readonly values: readonly (number | string)[];
}

/**
 * True where a part of a sentence says of money what the entries that it means do not: an amount that was refused is not
 * paid, one that was paid is not refunded. Those meant are told by amount, day, hour, month and title.
 * @param whole the sentence, which may name the day that the part leaves out
 */
export function contradictsEntries(
  part: string,
  whole: string,
  statement: Statement,
  about: readonly KnownRecord[],
  evidence: TurnEvidence,
): boolean {
  const entries = evidence.records.entries.filter(({ deeds }) => MOVES.some((move) => deeds.has(move)));
  const plain = fold(part);
  const stated = statement.acts.claim + statement.acts.done;
  if (entries.length === 0 || stated < LIKELY || NEGATIVE.test(plain)) return false;
  const titles = new Set(about.flatMap(({ title, done }) => (title === null || done ? [] : [title])));
  const meant = { part, whole, titles, entries };
  if (GIVEN_BACK.test(plain) && !isBorneOut('refund', false, meant, evidence)) return true;
  const wrong = MOVES.reduce((sum, move) => {
    const share = statement.deeds[move];
    return share < BESIDE || isBorneOut(move, share > ALONE, meant, evidence) ? sum : sum + share;
  }, 0);
  return stated * wrong > LIKELY;
}

interface Meant {
  readonly part: string;
  readonly whole: string;
  readonly titles: ReadonlySet<string>;
  readonly entries: readonly LedgerEntry[];
}

function isBorneOut(move: Move, alone: boolean, meant: Meant, evidence: TurnEvidence): boolean {
  const { part, whole, titles, entries } = meant;
  const titled = entries.filter(({ title }) => title !== null && titles.has(title));
  if (titles.size > 0 && titled.length === 0) return move !== 'refund' || FEE.test(fold(whole));
  const pool = titles.size > 0 ? titled : entries;
  const own = marksOf(part, evidence);
  const isKnown = ({ kind, values }: Mark) =>
    kind !== 'money' || titled.some(({ money }) => values.some((value) => money.has(Number(value))));
  if (titles.size === 1 && own.filter(({ kind }) => kind === 'money').length === 1 && !own.every(isKnown))
    return false;
  const all = (own.length > 0 ? own : marksOf(whole, evidence)).filter(
    (mark) =>
      mark.kind === 'month' || isPastDay(mark, evidence) || entries.some((entry) => fits(mark, entry)),
  );
  const hasFee = FEE.test(fold(part)) && titles.size === 0;
  const plans = pool.filter(({ title }) => title === null);
  const marks = all.filter(({ kind }) => kind !== 'month' || hasFee);
  if (marks.length === 0) {
    const latest = hasFee ? plans.slice(0, 1) : pool;
    return latest.length === 0 || latest.some(({ deeds }) => deeds.has(move));
  }
  const kinds = [...new Set(marks.map(({ kind }) => kind))];
  const fitting = (hasFee && plans.length > 0 ? plans : pool).filter((entry) =>
    kinds.every((kind) => marks.some((mark) => mark.kind === kind && fits(mark, entry))),
  );
  if (!fitting.some(({ deeds }) => deeds.has(move))) return false;
  // "Approved at 23:57 and again at 0:00": each of them was.
  const single = marks.filter(({ kind }) => kind === 'date' || kind === 'time');
  return (
    !alone ||
    single.every((mark) => fitting.some((entry) => entry.deeds.has(move) && fits(mark, entry))) ||
    single.every((mark) => !fitting.some((entry) => fits(mark, entry)))
  );
}

function marksOf(text: string, { facts, records }: TurnEvidence): readonly Mark[] {
  const marks = figuresIn(text, facts.currency).flatMap(({ kind, values }): readonly Mark[] =>
    kind === 'money' || kind === 'date' || kind === 'time' ? [{ kind, values }] : [],
  );
  const plain = fold(records.masked(text).text);
  const day = marks.some(({ kind }) => kind === 'date') ? null : dayNamed(plain, facts.today);
  const month = plain.split(/[^\p{L}]+/u).find((word) => word.length > 2 && MONTHS.has(word));
  const isMonth = month !== undefined && !marks.some(({ kind }) => kind === 'date');
  return [
    ...marks,
    ...(day === null ? [] : [{ kind: 'date', values: [day.slice(5)] } as const]),
    ...(isMonth ? [{ kind: 'month', values: [MONTHS.get(month) ?? 0] } as const] : []),
  ];
}

/** A day that is named by what it is called today needs an entry of that day. */
function isPastDay({ kind, values }: Mark, { facts }: TurnEvidence): boolean {
  return kind === 'date' && values.includes(facts.today.slice(5));
}

function fits({ kind, values }: Mark, { money, days, times }: LedgerEntry): boolean {
  return values.some((value) => {
    if (kind === 'month') return [...days].some((day) => Number(day.slice(0, 2)) === value);
    if (typeof value === 'string') return days.has(value);
    return (kind === 'money' ? money : times).has(value);
  });
}

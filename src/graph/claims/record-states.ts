import type { Deed } from '../../core/domain/guardrail.js';
import { MONTHS, WEEKDAYS } from './calendar.js';
import type { Figure } from './figure.js';
import { figuresIn } from './figures.js';
import { NOW, OVER } from './moods.js';
import type { KnownRecord } from './records.js';
import { fold } from './tokens.js';
import type { TurnEvidence } from './turn-evidence.js';

/* What of a statement the customer's records bear out, and what was done to them in the turn. */

/** What a record says of itself. Where none was read nothing is known of these, and saying them does no harm. */
const STATES: ReadonlySet<Deed> = new Set([
  'book',
  'attend',
  'miss',
  'pay',
  'fail',
  'resume',
  'block',
  'plan',
]);
/** What records show beside their state. */
const SHOWN: ReadonlySet<Deed> = new Set(['cancel', 'refund', 'pause']);
/** What concerns the customer and no single record. */
export const OF_ACCOUNT: ReadonlySet<Deed> = new Set(['pause', 'resume', 'block', 'plan']);
/** What follows from a deed that was done. */
const IMPLIED: Readonly<Partial<Record<Deed, readonly Deed[]>>> = {
  settle: ['cancel', 'refund', 'pause', 'resume', 'note', 'change'],
  send: ['refund'],
  change: ['pause', 'resume', 'cancel'],
  note: ['change'],
};

/** True where a tool has done it in this turn, to what is spoken of. */
export function wasDone(deed: Deed, about: readonly KnownRecord[], { records }: TurnEvidence): boolean {
  const wanted = [deed, ...(IMPLIED[deed] ?? [])];
  const changed = records.all.filter(({ done, deeds }) => done && wanted.some((one) => deeds.has(one)));
  return changed.length > 0 && (about.length === 0 || about.some((record) => sharesName(record, changed)));
}

/** True where the record that is spoken of says so, or any where none is named; unknown states do no harm. */
export function holds(
  deed: Deed,
  part: string,
  about: readonly KnownRecord[],
  evidence: TurnEvidence,
): boolean {
  const { records, facts } = evidence;
  const kept = records.all.filter(({ done }) => !done);
  if (kept.length === 0) return STATES.has(deed) && !NOW.test(fold(part));
  if (!STATES.has(deed) && !SHOWN.has(deed)) return false;
  // What was paid back was given up before.
  const has = ({ deeds }: KnownRecord) => deeds.has(deed) || (deed === 'cancel' && deeds.has('refund'));
  if ((deed === 'plan' || deed === 'resume') && !isOwnPlan(part, kept, evidence)) return false;
  if (deed === 'plan') return !records.lacks;
  if (deed === 'attend' && OVER.test(part)) return isPast(about.length > 0 ? about : kept, evidence);
  // What is used of an allowance was used, whether its day has come or not.
  if (deed === 'attend' && about.length === 0 && facts.tallies.some(({ used }) => used > 0)) return true;
  // "€ 30.00 were charged on 9 November": amount and day tell which record is meant.
  const figures = figuresIn(part, facts.currency).filter(({ kind }) => kind === 'money' || kind === 'date');
  const fitting = kept.filter((record) => figures.every((figure) => fits(figure, record)));
  if (deed === 'pay' || deed === 'fail')
    return figures.length < 2 || fitting.length === 0 ? deed === 'pay' || kept.some(has) : fitting.some(has);
  const sums = figures.filter(({ kind }) => kind === 'money');
  if (deed === 'refund' && sums.length > 0 && !sums.some((sum) => isOfRefund(sum, kept, facts))) return false;
  const meant = OF_ACCOUNT.has(deed) ? [] : about.filter(({ done }) => !done);
  const titled = meant.filter(({ title }) => title !== null);
  if (titled.length > 0) return titled.every(has);
  // Of what is one of a kind only its end is said like that of the others.
  return (deed === 'cancel' && meant.length > 0 ? meant : kept).some(has);
}

/** What came over the customer, so that the opposite is meant by done. */
const SUFFERED: ReadonlySet<Deed> = new Set(['block', 'fail', 'miss', 'attend']);
/** A question is of a deed from this chance on. */
const ASKED = 0.5;

/** True where the customer asks whether something was done and a record shows that it was: "all done" is true then. */
export function isAskedAndShown({ asked, records, statements }: TurnEvidence): boolean {
  if (!asked.includes('?')) return false;
  const { deeds } = statements.read(asked.trim());
  const about = records.asked.length > 0 ? records.asked : records.all;
  return about.some(
    (record) => !record.done && [...record.deeds].some((deed) => !SUFFERED.has(deed) && deeds[deed] > ASKED),
  );
}

/** True for an amount of what was paid back, or what such amounts come to. */
function isOfRefund(sum: Figure, records: readonly KnownRecord[], { sums }: TurnEvidence['facts']): boolean {
  return (
    records.some((record) => record.deeds.has('refund') && fits(sum, record)) ||
    sum.values.some((value) => sums.has(Number(value)))
  );
}

/** True where a day of one of these has passed, or none of them has a day. */
export function isPast(about: readonly KnownRecord[], { facts }: TurnEvidence): boolean {
  const days = about.flatMap((record) => [...record.days]);
  return about.length > 0 && (days.length === 0 || days.some((day) => day < facts.today.slice(5)));
}

/** "You are on Basic": a name in it that no source knows is another than the record's. */
function isOwnPlan(part: string, records: readonly KnownRecord[], { facts }: TurnEvidence): boolean {
  const names = [...part.matchAll(/(?<=[\p{L},] )\p{Lu}\p{L}+/gu)].map(([name]) => fold(name));
  const values = records.flatMap((record) => (record.title === null ? [...record.values] : []));
  if (values.length === 0 || names.some((name) => values.includes(name))) return true;
  const isOther = (name: string) =>
    !facts.sourced.has(name) || facts.rules.some((rule) => fold(rule).includes(name));
  return !names.some((name) => isOther(name) && !MONTHS.has(name) && !WEEKDAYS.has(name));
}

/** True for an amount or a day of a record, and for what is neither. */
export function fits(
  { kind, values }: ReturnType<typeof figuresIn>[number],
  { money, days }: KnownRecord,
): boolean {
  if (kind === 'money') return values.some((value) => typeof value === 'number' && money.has(value));
  if (kind === 'date') return values.some((value) => typeof value === 'string' && days.has(value));
  return true;
}

function sharesName({ names }: KnownRecord, others: readonly KnownRecord[]): boolean {
  return others.some(
    (other) =>
      other.names === names || other.names.size === 0 || [...names].some((name) => other.names.has(name)),
  );
}

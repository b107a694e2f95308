import type { IntentInfo } from '../../src/core/domain/intent.js';
import type { Focus } from '../../src/core/domain/session.js';
import { bareNumber, numberFirst, pickedFirst } from '../../src/nlu/reply.js';
import type { AgentContext } from '../../src/runtime/agent-definition.js';
import { narrowedTo } from '../../src/runtime/company-answers.js';
import type { ListedRecord } from '../../src/runtime/define-tool.js';
import type { OfflineDeps } from '../offline-support.js';

/** What is not wanted any more: "60 days instead of 45", "60, not 45". */
const IN_PLACE_OF =
  /(?<!\p{L})(?:em vez de|ao inv[eé]s de|no lugar de|instead of|rather than|en vez de|en lugar de|not|n[aã]o)\s+\d+(?:\s+(?:days?|dias?|d[ií]as?))?|(?<![\w.,/:-])\d+(?:\s+(?:days?|dias?|d[ií]as?))?,?\s+(?:not?|n[aã]o)(?=\s*,\s*\d)/giu;

/** "60 days is too much, make it 30": the number that was asked about is not the one that is wanted, where another is said. */
export function withoutOld(text: string, before: Focus['args']): string {
  const said = text.replace(IN_PLACE_OF, ' ');
  const old = Object.values(before ?? {}).filter((value) => typeof value === 'number');
  const numbers = said.match(/\d+/g) ?? [];
  if (!numbers.some((number) => !old.includes(Number(number)))) return said;
  return said.replace(NUMBER_OF_DAYS, (words, number: string) =>
    old.includes(Number(number)) ? ' ' : words,
  );
}

const NUMBER_OF_DAYS = /(?<![\w.,/:-])(\d+)(?:'s|\s+(?:days?|dias?|d[ií]as?))?(?![\w/:-])/giu;

/** What the text gives of the inputs that the intent can be given. */
export function slotsIn(
  { nlu }: OfflineDeps,
  intent: IntentInfo | null,
  { now, session, task }: AgentContext,
  before: Focus['args'],
): Record<string, number | string> {
  const options = { now: new Date(now), language: session.language };
  const said = withoutOld(task.text, before);
  const whole = nlu.slots.findPeriod(said, options);
  // "In March I am back on the 5th... no, 80 days": what is said instead counts by itself.
  const instead = nlu.slots.findPeriod(nlu.slots.readCorrection(task.text)?.after ?? '', options);
  const period = instead.start === null && instead.days !== null ? instead : whole;
  // "Make it 45" corrects the number that was asked about.
  const corrects = Object.keys(before ?? {}).length > 0 && period.start === null;
  const number = corrects ? bareNumber(nlu, said) : null;
  return Object.fromEntries(
    Object.entries(intent?.slots ?? {}).flatMap(([input, kind]) => {
      const value = kind === 'start' ? period.start : (period.days ?? number);
      return value === null ? [] : [[input, value]];
    }),
  );
}

/** What stands for an amount that was spoken of. */
const SUM =
  /\b(?:(?:that|this) (?:amount|money|charge|payment|fee|sum)|(?:d?ess[ae]|d?est[ae]|d?aquel[ae]) (?:valor|dinheiro|pagamento|cobrança|quantia|mensalidade|taxa)|(?:ese|esa|este|esta) (?:importe|dinero|pago|cobro|cuota))\b/iu;
const AMOUNT = /\d[\d.,]*[.,]\d{2}(?!\d)/gu;

/**
 * The record whose amount the hub has just named, where the customer points at that: "then give me that money back". Where it was
 * the amount of something else, none of the records is meant (`id` null), however few there are. Null where no amount is pointed
 * at, or it may be that of one record or another.
 * @param isGuess true where nothing else says which record is meant: only then a sum to the cent that none of them cost counts
 */
export function sumPointedAt(
  { texts }: Pick<OfflineDeps, 'texts'>,
  { session, task }: AgentContext,
  from: readonly ListedRecord[],
  isGuess = false,
): { readonly said: string; readonly id: string | null } | null {
  const [exact] = (isGuess && TO_THE_CENT.exec(task.text)) || [];
  const isPaid = from.some(({ amount }) => amount && centsIn(exact ?? '') === amount.minorUnits);
  // "I was charged, give me my 59.90 back" is about nothing that cost another sum.
  if (exact !== undefined && !isPaid) return { said: exact, id: null };
  const [said] = SUM.exec(task.text) ?? [];
  const last = session.lastReply ?? '';
  const named = new Set(last.match(AMOUNT));
  if (said === undefined || named.size === 0) return null;
  const { money } = texts.for(session.language);
  const isNamed = (minorUnits: number): boolean => named.has(money(minorUnits).match(AMOUNT)?.[0] ?? '');
  const [one, ...others] = from.filter(({ amount }) => amount && isNamed(amount.minorUnits));
  if (!one) return { said, id: null };
  return named.size > 1 || others.length > 0 ? null : { said, id: one.id };
}

/** A sum that is said to the cent: what may be a day or an hour, "14.03" or "19.30", only with the name of money beside it. */
const TO_THE_CENT =
  /(?<=(?:r\$|[$€£]) ?)\d{1,6}[.,]\d{2}(?![.,:]?\d)|(?<![\d.,:])(?:(?:3[2-9]|[4-9]\d|\d{3,6})[.,]\d{2}|\d{1,2}[.,][6-9]\d)(?![.,:]?\d)|(?<![\d.,:])\d{1,2}[.,]\d{2}(?= (?:reais|euros?|dollars?))/i;

function centsIn(sum: string): number {
  return Number(sum.replace(/[.,]/g, ''));
}

/**
 * Where one of the list that was asked about is said first, or another number, that is what counts: "the first. Do I get the money
 * back?", "60 then, my doctor says so".
 */
export function asPicked({ nlu }: OfflineDeps, context: AgentContext): AgentContext {
  const { focus, now, session, task } = context;
  if (!focus) return context;
  const picked =
    pickedFirst(nlu, task.text, session.language, { ...focus, now: new Date(now) }) ??
    numberFirst(nlu, task.text, focus.args);
  return picked === null ? context : { ...context, task: { ...task, text: picked } };
}

/** Those of the ids that have not begun, by time. */
export function startingAfter(
  now: string,
  from: readonly ListedRecord[],
  ids: readonly string[],
): readonly ListedRecord[] {
  const starts = ({ startsAt }: ListedRecord): number => Date.parse(startsAt ?? now);
  return from
    .filter((record) => ids.includes(record.id) && starts(record) > Date.parse(now))
    .toSorted((a, b) => starts(a) - starts(b));
}

/** The days that were named where nothing is, as a list is said to be narrowed down to; null where a name was. */
export function daysIn(deps: OfflineDeps, context: AgentContext, mentioned: string): string | null {
  const { slots } = deps.nlu;
  const options = { now: new Date(context.now), language: context.session.language };
  const [date, ...others] = slots.findDates(mentioned, options);
  if (!date || others.length > 0 || /\p{L}/u.test(mentioned.replace(date.text, ''))) return null;
  const { filters } = slots.filters.read(mentioned, options);
  const texts = deps.texts.for(context.session.language);
  return narrowedTo({ texts, time: deps.time, placeIn: slots.filters.placeIn }, filters, context.now);
}

/** Between what is told of one thing and ordered of another: "I will go to Elis after all. But cancel the samba". */
const CLAUSE_END = /[.;!?\n]+|,?\s+(?:but|though|mas|por[eé]m|pero)\s+/iu;

/** The one clause that orders a change and names a record for it, where others name another; the whole text where none does. */
export function orderIn(
  { nlu: { slots } }: Pick<OfflineDeps, 'nlu'>,
  text: string,
  candidates: Parameters<OfflineDeps['nlu']['slots']['selectCandidate']>[1],
  options: Parameters<OfflineDeps['nlu']['slots']['selectCandidate']>[2],
): string {
  const clauses = text.split(CLAUSE_END).filter((clause) => clause.trim() !== '');
  const ordering = clauses.filter((clause) => slots.answers.changes.orderedIn(clause).length > 0);
  const [only, ...others] = ordering;
  if (only === undefined || others.length > 0 || clauses.length < 2) return text;
  const picked = slots.selectCandidate(only, candidates, options);
  return picked.kind === 'one' && picked.by === 'title' ? only : text;
}

import { shifted, weekdayOf } from './calendar.js';
import type { Facts } from './facts.js';
import type { Figure } from './figure.js';

const CENTS = 100;
const HOUR = 60;
const DAY = 1_440;
const YEAR = 365 * DAY;
const MONTH = 30 * DAY;
const WEEK = 7 * DAY;
const LONGEST_MONTH = 31;
const YEARLY = /(?<!\p{L})(?:years?|yearly|annual\p{L}*|anos?|anua\p{L}*)(?!\p{L})/iu;
const DIFFERENCE =
  /(?<!\p{L})(?:difference|gap|less|more|sav\w+|cheaper|diferença|a mais|a menos|econom\w+|barat[oa])(?!\p{L})/iu;
/** Several of one amount. */
const TOTAL =
  /(?<!\p{L})(?:total\w*|altogether|in all|all in|together|comes? to|adds? up|both|twice|times|years?|yearly|months?|som\w+|ao todo|junt[oa]s|anos?|anua\w+|m[eê]s(?:es)?|vezes|dobro|amb[oa]s|ficam?|daria|d[aá]|d[aã]o|sa[ei]m?)(?!\p{L})/iu;
const ADDED =
  /(?<!\p{L})(?:total\w*|altogether|in all|all in|together|adds?|added|plus|then|after|som\w+|ao todo|junt[oa]s|mais|depois)(?!\p{L})/iu;
/** A share of an amount for each of what it buys. */
const EACH =
  /(?<!\p{L})(?:per|each|apiece|a (?:visit|time)|cada|por (?!um|isso|favor|exemplo|conta)|a visita)(?!\p{L})/iu;
export const MONTHS_A_YEAR = 12;
/** As many other figures as one is computed from at most. */
export const MAX_OPERANDS = 60;

/** Figures of the answer that are known to be right: others may follow from them. */
export class Shown {
  readonly money: number[] = [];
  readonly numbers: number[] = [];
  readonly percents: number[] = [];
  readonly times: number[] = [];
  readonly spans: number[] = [];
  readonly businessDays: number[] = [];
  /** MM-DD. */
  readonly dates: string[] = [];

  add({ kind, values }: Figure): void {
    const [value] = values;
    if (kind === 'date' && this.dates.length < MAX_OPERANDS) this.dates.push(String(value));
    if (typeof value !== 'number') return;
    const list = {
      money: this.money,
      count: this.numbers,
      percent: this.percents,
      time: this.times,
      span: this.spans,
      business_days: this.businessDays,
    }[kind as 'money'];
    if (!list || list.length >= MAX_OPERANDS) return;
    list.push(...(values as number[]));
  }
}

/** The sum or difference of two that the answer shows. */
export function follows(value: number, shown: readonly number[]): boolean {
  return shown.some((one, at) =>
    shown.some((other, to) => to > at && (one + other === value || Math.abs(one - other) === value)),
  );
}

/** The sum of two that the answer shows. */
export function isTotal(value: number, shown: readonly number[]): boolean {
  return shown.some((one, at) => shown.some((other, to) => to > at && one + other === value));
}

/** A sum of a record's, or one of other amounts that the answer shows, some of them without their currency. */
export function isWorkedOut(sum: number, figures: readonly Figure[], { sums }: Facts): boolean {
  const parts = figures.flatMap(({ kind, values: [value] }) => {
    const cents = kind === 'money' ? Number(value) : kind === 'count' ? Number(value) * CENTS : sum;
    return cents === sum ? [] : [cents];
  });
  const whole = parts.reduce((total, one) => total + one, 0);
  // "Over three refunds: 65, 210 and 40": one of them may say how many there are.
  return sums.has(sum) || follows(sum, parts) || [0, ...parts].some((one) => whole - one === sum);
}

const IN_ALL =
  /(?<!\p{L})(?:in total|altogether|in all|all in|no total|ao todo|somad[oa]s|somando)(?!\p{L})/iu;

/** "$ 127.00 in total: 12.00 for one and 70.00 for the other": the sum, where it is not that of what is listed behind it. */
export function wrongTotal(text: string, figures: readonly Figure[]): Figure | null {
  const money = figures.filter(({ kind }) => kind === 'money');
  return (
    money.slice(0, MAX_OPERANDS).find((sum, at) => {
      const line = text.slice(sum.to).split(/\n|[.!?](?:\s|$)/u, 1)[0] ?? '';
      const colon = /^[^:]{0,40}:/u.exec(line)?.[0] ?? '';
      const parts = money.slice(at + 1).filter(({ to }) => to <= sum.to + line.length);
      const all = parts.reduce((whole, { values: [value] }) => whole + Number(value), 0);
      const [before, first] = [text.slice(Math.max(0, sum.from - HOUR), sum.from), parts[0]];
      if (!first || parts.length < 2 || colon === '' || first.from < sum.to + colon.length) return false;
      return IN_ALL.test(before + colon) && all !== Number(sum.values[0]);
    }) ?? null
  );
}

/** The sum of all of them. */
export function isSum(value: number, parts: readonly number[]): boolean {
  return parts.length > 1 && parts.reduce((sum, one) => sum + one, 0) === value;
}

/** How an answer speaks of its amounts; read once, since an answer may have very many of them. */
export interface Manner {
  readonly yearly: boolean;
  /** Of a part for each. */
  readonly each: boolean;
  readonly compares: boolean;
  readonly doubles: boolean;
  /** Of several together. */
  readonly totals: boolean;
  /** Of one beside the other. */
  readonly adds: boolean;
}

/** @param asked what the customer wrote, which may ask for a comparison */
export function mannerOf(text: string, asked: string): Manner {
  return {
    yearly: YEARLY.test(text),
    each: EACH.test(text),
    totals: TOTAL.test(text),
    adds: ADDED.test(text),
    doubles: /(?<!\p{L})(?:double|twice|dobro|doble)(?!\p{L})/iu.test(text),
    compares: DIFFERENCE.test(`${text}\n${asked}`),
  };
}

/** Known, or the sum, difference, multiple, part or share of what the answer names and a source knows. */
export function isAmount(
  cents: number,
  { money, percents, numbers, said, yearly, limits }: Facts,
  shown: Shown,
  manner: Manner,
  tolerance: number,
): boolean {
  if (money.has(cents)) return true;
  const amounts = [
    ...shown.money,
    ...shown.numbers.map((number) => Math.round(number * 100)).filter((one) => money.has(one)),
  ];
  const near = (value: number) => Math.abs(value - cents) < tolerance;
  if (tolerance > 1 && [...money].some(near)) return true;
  const whole = amounts.reduce((sum, one) => sum + one, 0);
  if (amounts.length > 1 && near(whole)) return true;
  const isFactor = (count: number) => Number.isInteger(count) && count > 1 && count <= MAX_OPERANDS;
  const spans = shown.spans.flatMap((span) => [span / MONTH, span / WEEK, span / DAY]);
  const year = yearly || manner.yearly ? [MONTHS_A_YEAR] : [];
  const counts = [...new Set([...shown.numbers, ...said.numbers, ...spans, ...year])].filter(isFactor);
  const parts = manner.each ? [...numbers].filter((count) => isFactor(count) && count <= MONTHS_A_YEAR) : [];
  const shares = [...new Set([...shown.percents, ...percents])].slice(0, MAX_OPERANDS);
  const all = [...money].slice(0, MAX_OPERANDS);
  const gaps = manner.compares
    ? all.flatMap((one, at) => all.slice(at + 1).map((other) => Math.abs(one - other)))
    : [];
  // "Three fees of $ 59.90, plus $ 12.00".
  if (amounts.length > 1 && counts.some((count) => amounts.some((one) => near(whole + (count - 1) * one))))
    return true;
  if ([...limits].some((limit) => [...said.numbers].some((one) => near(Math.abs(one * 100 - limit)))))
    return true;
  if (gaps.slice(0, MAX_OPERANDS).some((one) => near(one) || counts.some((count) => near(one * count))))
    return true;
  // "Twice the other and ten cents".
  if (manner.doubles && all.some((one) => all.some((other) => near(Math.abs(one - 2 * other))))) return true;
  return (
    amounts.some(
      (one) =>
        amounts.some((other) => near(one + other) || near(Math.abs(one - other))) ||
        counts.some((count) => near(one * count) || near(one / count)),
    ) ||
    all.some(
      (one) =>
        (manner.totals && counts.some((count) => near(one * count))) ||
        parts.some((part) => near(one / part)),
    ) ||
    all.some((one) => shares.some((share) => near((one * share) / 100) || near((one * (100 - share)) / 100)))
  );
}

/** So many days before or after a day that the answer or the customer names; or the last day before a known one. */
export function isDeadline(
  value: string,
  { dates, spans, businessDays, today, said }: Facts,
  shown: Shown,
  isUntil: boolean,
): boolean {
  const steps = [...spans].filter((span) => span % DAY === 0 && span <= YEAR).slice(0, MAX_OPERANDS);
  const named = [today.slice(5), ...shown.dates, ...said.dates].slice(0, MAX_OPERANDS);
  const is = (from: string, step: number) => shifted(`${today.slice(0, 4)}-${from}`, step).slice(5) === value;
  if (named.some((from) => steps.some((step) => is(from, step / DAY) || is(from, -step / DAY)))) return true;
  const year = today.slice(0, 4);
  if (
    named.some((from) =>
      [...businessDays].some((days) => afterBusinessDays(`${year}-${from}`, days).slice(5) === value),
    )
  )
    return true;
  return steps.includes(DAY) && isUntil && [...dates.keys()].some((from) => is(from, -1));
}

/** So many days later on which banks work. @param day YYYY-MM-DD */
function afterBusinessDays(day: string, days: number): string {
  let [at, left] = [day, Math.min(days, MAX_OPERANDS)];
  while (left > 0) {
    at = shifted(at, 1);
    if (![0, 6].includes(weekdayOf(at))) left -= 1;
  }
  return at;
}

/**
 * Known, or the time between two moments that are known, as a person would round it.
 * @param way where it is counted to from now; 0 where it is not
 * @param isStart true where it is known only as where a range begins, and is said of more
 */
export function isSpan(
  minutes: number,
  { spans, dates, today, numbers, yearly, moments, said }: Facts,
  shown: Shown,
  way: 1 | -1 | 0,
  isStart = false,
  rounding = 0,
): boolean {
  if ((spans.has(minutes) && !isStart) || (yearly && (minutes === MONTHS_A_YEAR * MONTH || minutes === YEAR)))
    return true;
  // An age.
  if (minutes % YEAR === 0 && numbers.has(minutes / YEAR)) return true;
  if (minutes % MONTH === 0 && isMonths(minutes / MONTH, today, dates, shown)) return true;
  const near = minutes % HOUR === 0 ? HOUR / 2 : 1;
  // "So 8 hours are left", of a show tonight at 8.
  if ([...said.waits].some((wait) => Math.abs(Math.abs(wait) - minutes) <= near)) return true;
  const between = (one: number, other: number) => Math.abs(Math.abs(one - other) - minutes) <= near;
  if (minutes < DAY && moments.some((one, at) => moments.slice(at + 1).some((other) => between(one, other))))
    return true;
  if (minutes % DAY !== 0 || minutes > 400 * DAY) return false;
  const days = minutes / DAY;
  const year = today.slice(0, 4);
  const ends = (from: string) =>
    [-days, days]
      .map((step) => shifted(`${year}-${from}`, step))
      // Yesterday and tomorrow are known as such alone.
      .some((day) => dates.has(day.slice(5)) && Math.abs(daysBetween(day, today)) !== 1);
  if (shown.dates.some(ends)) return true;
  const ways = way === 0 ? [-days, days] : [way * days];
  const room = Math.round(days * rounding);
  return ways.some((step) =>
    Array.from({ length: 2 * room + 1 }, (_, at) => shifted(today, step - room + at)).some(
      (day) => dates.get(day.slice(5))?.has(day) === true && days > 1,
    ),
  );
}

function daysBetween(one: string, other: string): number {
  return Math.round((Date.parse(one) - Date.parse(other)) / (DAY * 60_000));
}

/** "From 20 July to 6 November of the next year, a little over 15 months": whole months between two days, rounded. */
function isMonths(months: number, today: string, dates: Facts['dates'], shown: Shown): boolean {
  const known = [today, ...shown.dates.flatMap((day) => [...(dates.get(day) ?? [])])].slice(0, MAX_OPERANDS);
  const count = (day: string) =>
    Number(day.slice(0, 4)) * MONTHS_A_YEAR + Number(day.slice(5, 7)) + Number(day.slice(8)) / LONGEST_MONTH;
  return (
    months > 1 && known.some((one) => known.some((other) => Math.abs(count(other) - count(one) - months) < 1))
  );
}

/** Known, or so long before or after a known time as a rule says. */
export function isTime(minute: number, { times, spans }: Facts, shown: Shown): boolean {
  if (times.has(minute)) return true;
  const known = [...times, ...shown.times].slice(0, MAX_OPERANDS);
  const steps = [...spans].filter((span) => span < DAY).slice(0, MAX_OPERANDS);
  return known.some((time) => steps.some((step) => time - step === minute || time + step === minute));
}

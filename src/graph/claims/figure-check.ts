import { weekdayOf } from './calendar.js';
import { type Facts, shifted } from './facts.js';
import type { Figure } from './figure.js';
import { figuresIn } from './figures.js';
import type { Sentence } from './sentences.js';
import type { TurnEvidence } from './turn-evidence.js';

const DAY = 1_440;
const YEAR = 365 * DAY;
const MONTHS_A_YEAR = 12;
/** Months end on one of these: who knows of one knows of all. */
const LAST_DAYS = [28, 29, 30, 31];
const DIFFERENCE = /(?<!\p{L})(?:difference|sav\w+|cheaper|diferença|economiz\w+|barat[oa])(?!\p{L})/iu;
const TOTAL =
  /(?<!\p{L})(?:total|altogether|in all|together|overall|combined|ao todo|no todo|soma\w*|juntos|juntas)(?!\p{L})/iu;
/** As many other figures as one is computed from at most. */
const MAX_OPERANDS = 60;
/** A number this near to its weekday belongs to it. */
const BESIDE = 12;

/** The first figure of an answer that stands in no source and follows from none, as it is written; null where all do. */
export function unsupportedFigure(
  text: string,
  sentences: readonly Sentence[],
  evidence: TurnEvidence,
): string | null {
  const { facts } = evidence;
  const figures = figuresIn(text);
  const known = new Set<Figure>();
  const shown = new Shown();
  // What is computed from a computed figure stands after one more look.
  for (let look = 0; look < 3; look += 1) {
    for (const figure of figures) {
      if (known.has(figure)) continue;
      if (!isSupported(figure, facts, shown, text, sentences)) continue;
      known.add(figure);
      shown.add(figure);
    }
  }
  const wrong = figures.find((figure) => !known.has(figure)) ?? wrongWeekday(figures, facts);
  return wrong ? text.slice(wrong.from, wrong.to) : null;
}

/** Figures of the answer that are known to be right: others may follow from them. */
class Shown {
  readonly money: number[] = [];
  readonly numbers: number[] = [];
  readonly percents: number[] = [];
  readonly times: number[] = [];
  readonly spans: number[] = [];

  add({ kind, values }: Figure): void {
    const [value] = values;
    if (typeof value !== 'number') return;
    const list = {
      money: this.money,
      count: this.numbers,
      percent: this.percents,
      time: this.times,
      span: this.spans,
    }[kind as 'money'];
    if (!list || list.length >= MAX_OPERANDS) return;
    list.push(...(values as number[]));
  }
}

function isSupported(
  figure: Figure,
  facts: Facts,
  shown: Shown,
  text: string,
  sentences: readonly Sentence[],
): boolean {
  return figure.values.some((value) => {
    if (typeof value === 'string') {
      return figure.kind === 'date'
        ? facts.dates.has(value)
        : [...facts.contacts].some(
            (one) => one === value || one.endsWith(`/${value}`) || one.startsWith(`${value}/`),
          );
    }
    switch (figure.kind) {
      case 'money':
        return (
          isAmount(value, facts, shown, text) ||
          (facts.sums.has(value) && TOTAL.test(text)) ||
          (facts.limits.has(value) && isLimit(text, figure))
        );
      case 'percent':
        return facts.percents.has(value);
      case 'span':
        return isSpan(value, facts) || (figure.noun === 'h' && facts.times.has(value));
      case 'business_days':
        return facts.businessDays.has(value);
      case 'day':
        return (
          facts.days.has(value) ||
          facts.numbers.has(value) ||
          (value >= 28 && LAST_DAYS.some((day) => facts.days.has(day) || facts.numbers.has(day)))
        );
      case 'month':
        return facts.months.has(value);
      case 'weekday':
        return facts.weekdays.has(value);
      case 'time':
        return isTime(value, facts, shown);
      default:
        return isCount(value, figure, facts, shown, text, sentences);
    }
  });
}

/** Known, or the sum, difference, multiple, part or share of what the answer names and a source knows. */
function isAmount(cents: number, { money, percents }: Facts, shown: Shown, text: string): boolean {
  if (money.has(cents)) return true;
  const amounts = [
    ...shown.money,
    ...shown.numbers.map((number) => Math.round(number * 100)).filter((one) => money.has(one)),
  ];
  const near = (value: number) => Math.abs(value - cents) < 1;
  if (amounts.length > 1 && near(amounts.reduce((sum, one) => sum + one, 0))) return true;
  const counts = shown.numbers.filter(
    (count) => Number.isInteger(count) && count > 1 && count <= MAX_OPERANDS,
  );
  const shares = [...new Set([...shown.percents, ...percents])].slice(0, MAX_OPERANDS);
  const all = [...money].slice(0, MAX_OPERANDS);
  const compares = DIFFERENCE.test(text);
  return (
    (compares && amounts.some((one) => all.some((other) => near(Math.abs(one - other))))) ||
    amounts.some(
      (one) =>
        amounts.some((other) => near(one + other) || near(Math.abs(one - other))) ||
        counts.some((count) => near(one * count) || near(one / count)),
    ) ||
    all.some((one) => shares.some((share) => near((one * share) / 100) || near((one * (100 - share)) / 100)))
  );
}

/** "above R$ 200", "até R$ 200,00". */
function isLimit(text: string, { from }: Figure): boolean {
  return /(?:above|over|more than|exceed\w*|beyond|up to|below|under|acima de|mais de|passa\w* de|supera\w*|ate|até|abaixo de|excede\w*)\s*$/iu.test(
    text.slice(Math.max(0, from - 24), from),
  );
}

/** Known, or the time between now and a known day. */
function isSpan(minutes: number, { spans, dates, today, numbers }: Facts): boolean {
  if (spans.has(minutes)) return true;
  // An age.
  if (minutes % YEAR === 0 && numbers.has(minutes / YEAR)) return true;
  if (minutes % DAY !== 0 || minutes > 400 * DAY) return false;
  const days = minutes / DAY;
  return [-days, days].some((step) => {
    const day = shifted(today, step);
    return dates.get(day.slice(5))?.has(day) === true && days > 1;
  });
}

/** Known, or so long before or after a known time as a rule says. */
function isTime(minute: number, { times, spans }: Facts, shown: Shown): boolean {
  if (times.has(minute)) return true;
  const known = [...times, ...shown.times].slice(0, MAX_OPERANDS);
  const steps = [...spans].filter((span) => span < DAY).slice(0, MAX_OPERANDS);
  return known.some((time) => steps.some((step) => time - step === minute || time + step === minute));
}

/** A number of that thing as a source gives it; where no source counts it, any number that is known. */
function isCount(
  value: number,
  figure: Figure,
  facts: Facts,
  shown: Shown,
  text: string,
  sentences: readonly Sentence[],
): boolean {
  if (isListed(value, figure, text, sentences)) return true;
  if (facts.said.has(value)) return true;
  const known = figure.noun ? facts.countsOf(figure.noun) : null;
  if (known) {
    const numbers = [...known].slice(0, MAX_OPERANDS);
    const most = Math.max(...numbers);
    if (known.has(value) || known.has(most - value) || (value === MONTHS_A_YEAR && facts.yearly)) return true;
    return isSum(
      value,
      shown.numbers.filter((one) => known.has(one)),
    );
  }
  if (value === MONTHS_A_YEAR && facts.yearly) return true;
  if (facts.numbers.has(value) || facts.money.has(Math.round(value * 100)) || facts.days.has(value))
    return true;
  if (value > 24) return isSum(value, shown.numbers) || isYear(value, facts);
  if (facts.times.has((value % 24) * 60) || facts.times.has(((value + 12) % 24) * 60)) return true;
  return isSum(value, shown.numbers);
}

/** The year of a day that is known. */
function isYear(value: number, { dates }: Facts): boolean {
  return [...dates.values()].some((days) => [...days].some((day) => day.startsWith(`${value}-`)));
}

function isSum(value: number, parts: readonly number[]): boolean {
  return parts.length > 1 && parts.reduce((sum, one) => sum + one, 0) === value;
}

/** Which sentence a place stands in. */
function sentenceAt(sentences: readonly Sentence[], place: number): number {
  let [low, high] = [0, sentences.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sentences[middle]?.from ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** "You have two bookings:" and two lines follow; "there are two plans: A and B". */
function isListed(value: number, { from }: Figure, text: string, sentences: readonly Sentence[]): boolean {
  const at = sentenceAt(sentences, from);
  const sentence = sentences[at];
  if (!sentence) return false;
  const colon = text.indexOf(':', from);
  if (colon !== -1 && colon < sentence.from + sentence.text.length) {
    const rest = text.slice(colon + 1, sentence.from + sentence.text.length);
    const items = rest.split(/,|;| and | e | or | ou /).filter((item) => /\p{L}/u.test(item)).length;
    if (items === value) return true;
  }
  const lines = sentences
    .slice(at + 1, at + 1 + MAX_OPERANDS)
    .filter((one) => /^\s*(?:[-•*]|\d{1,2}[.)])/.test(one.text)).length;
  return lines === value;
}

/** "Friday 27 November" where the 27th is a Thursday. */
function wrongWeekday(figures: readonly Figure[], facts: Facts): Figure | null {
  for (const [at, figure] of figures.entries()) {
    if (figure.kind !== 'weekday') continue;
    const date = [figures[at + 1], figures[at - 1]].find(
      (other) => other?.kind === 'date' && gap(figure, other) <= BESIDE,
    );
    const days = date ? facts.dates.get(String(date.values[0])) : undefined;
    if (days && ![...days].some((day) => figure.values.includes(weekdayOf(day)))) return figure;
  }
  return null;
}

function gap(one: Figure, other: Figure): number {
  return Math.max(one.from, other.from) - Math.min(one.to, other.to);
}

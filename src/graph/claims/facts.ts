import type { TimeFormat } from '../../core/i18n/index.js';
import type { Policy } from '../../core/policy/policy.js';
import { shifted, weekdayOf } from './calendar.js';
import { CustomerFigures } from './customer-figures.js';
import { AT_ONCE, NOT_FREE, saysFree } from './denials.js';
import type { Figure } from './figure.js';
import { figuresAndWords } from './figures.js';
import { featuresOf, ISO_DAY, ISO_TIME, tallyOf } from './record-rows.js';
import type { RecordWords } from './record-words.js';
import { fold, tokensOf } from './tokens.js';

/** Where a fact comes from: a rule for everybody, a finding about this customer in words, a record, or what was said before. */
type FactOrigin = 'rule' | 'finding' | 'record' | 'said';

type Row = Readonly<Record<string, unknown>>;

/** An allowance as a record counts it: a row with a number of what was used and one of what is left. */
export interface Tally {
  /** What it is counted in, by one name. */
  readonly of: string;
  readonly used: number;
  readonly remaining: number;
}

const CENTS = /_cents$/;
/** What the customer named of these is known as such alone. */
const ECHOES: ReadonlySet<Figure['kind']> = new Set(['weekday', 'count', 'span']);
/** Numbers of the machinery. */
const MACHINERY = /confidence|threshold|_id$|^mode$/;
/** So many days from now. */
const IN_DAYS = /_in_days$/;
const HOUR = 60;
const DAY = 1_440;
/** As many moments are kept as are compared with each other. */
const MOMENTS = 60;

/** All that an answer's figures and words are compared with. */
export class Facts {
  readonly money = new Set<number>();
  /** Thresholds of the policy, in cents: "above € 200". */
  readonly limits = new Set<number>();
  readonly percents = new Set<number>();
  readonly spans = new Set<number>();
  readonly businessDays = new Set<number>();
  /** Spans that do not merely begin a range, by kind and value. */
  readonly #ends = new Set<string>();
  /** MM-DD, with the whole days where the year is known. */
  readonly dates = new Map<string, Set<string>>();
  readonly days = new Set<number>();
  readonly months = new Set<number>();
  readonly weekdays = new Set<number>();
  readonly times = new Set<number>();
  /** Every number, whatever it counts. */
  readonly numbers = new Set<number>();
  /** What the customer named. */
  readonly said = new CustomerFigures();
  /** Numbers by what they count. */
  readonly counts = new Map<string, Set<number>>();
  readonly tallies: Tally[] = [];
  /** How many are still to come, by what they are. */
  readonly upcoming = new Map<string, number>();
  readonly contacts = new Set<string>();
  /** Every word of every source, folded. */
  readonly words = new Set<string>();
  /** Those of them that stand in a record, a finding or a rule, and not in the conversation alone. */
  readonly sourced = new Set<string>();
  /** True where a source says that something costs nothing, or happens at once. */
  free = false;
  /** True where a rule says that something is not to be had for nothing. */
  notFree = false;
  atOnce = false;
  /** All that rules, findings and records say in words, folded. */
  text = '';
  /** What the amounts of a list and of its parts come to. */
  readonly sums = new Set<number>();
  /** The customer's own words. */
  asked = '';
  /** Sentences about this customer. */
  readonly statements: string[] = [];
  /** Texts of rules for everybody. */
  readonly rules: string[] = [];
  /** When what is known happened or will, in minutes since 1970; first of all now. */
  readonly moments: number[] = [];
  /** Words of the company's name. */
  readonly names: ReadonlySet<string>;
  readonly today: string;
  readonly minute: number;

  constructor(
    private readonly time: Pick<TimeFormat, 'local'>,
    now: Date,
    /** The company's, ISO 4217. */
    readonly currency: string,
    private readonly recordWords: RecordWords,
    company: string,
  ) {
    this.names = new Set(tokensOf(company).map(({ text }) => text));
    const { day, minute } = time.local(now);
    this.today = day;
    this.moments.push(now.getTime() / 60_000);
    this.minute = minute;
    this.#addDay(day);
    this.times.add(minute);
    for (const step of [-1, 1]) this.#addDay(shifted(day, step), false);
  }

  /** Adds what stands in a text. */
  addText(text: string, origin: FactOrigin): void {
    const { figures, tokens } = figuresAndWords(text, this.currency);
    for (const figure of figures) if (origin !== 'said' || !ECHOES.has(figure.kind)) this.#addFigure(figure);
    if (origin === 'said') this.said.add(text, figures, this.today, this.minute);
    for (const [at, { text: word, number }] of tokens.entries()) {
      // The number of a line in a list counts nothing.
      const isLine =
        (at === 0 || tokens[at - 1]?.text === '\n') && ['.', ')'].includes(tokens[at + 1]?.text ?? '');
      if (number !== null && !isLine && origin !== 'said') this.numbers.add(number);
      if (number !== null && origin === 'said') this.said.numbers.add(number);
      this.words.add(word);
      if (origin !== 'said') this.sourced.add(word);
    }
    const plain = fold(text);
    this.text += `${plain}\n`;
    if (origin !== 'said' && saysFree(plain)) this.free = true;
    if (origin === 'rule' && NOT_FREE.test(plain)) this.notFree = true;
    if (origin !== 'said' && AT_ONCE.test(plain)) this.atOnce = true;
    if (origin === 'said') this.asked += `${text}\n`;
    if (origin === 'finding' && text.includes(' ')) this.statements.push(text);
    if (origin === 'rule' && text.includes(' ')) this.rules.push(text);
  }

  /** Adds the output of a tool. @param path the keys that lead to the value */
  addValue(value: unknown, path: readonly string[], origin: FactOrigin): void {
    const key = path.at(-1) ?? '';
    if (typeof value === 'string') this.#addString(value, origin);
    else if (typeof value === 'number') this.#addNumber(value, path);
    else if (Array.isArray(value)) {
      this.#addList(value, key);
      for (const item of value) this.addValue(item, path, origin);
    } else if (isRow(value)) {
      const tally = tallyOf(value);
      if (tally) this.tallies.push({ of: this.nameOf(key), ...tally });
      for (const [name, inner] of Object.entries(value)) {
        for (const word of name.split('_')) this.words.add(word);
        this.addValue(inner, [...path, name], origin);
      }
    }
  }

  /** The numbers that policy knows; its hours and time limits not where something was read, which states its own. */
  addPolicy({ company, support }: Policy): void {
    for (const [name, value] of Object.values(company).flatMap((section) => Object.entries(section ?? {}))) {
      if (typeof value !== 'number') continue;
      if (CENTS.test(name)) this.limits.add(value);
      else if (this.rules.length > 0 && this.moments.length === 1) continue;
      else if (name.endsWith('_hours')) this.#addSpan(value * HOUR);
      else if (name.endsWith('_days')) this.#addSpan(value * DAY);
    }
    if (this.rules.length > 0 || this.moments.length > 1) return;
    for (const text of [support.hours.opens, support.hours.closes]) {
      const [hours = 0, minutes = 0] = text.split(':').map(Number);
      this.times.add(hours * HOUR + minutes);
    }
    for (const weekday of support.weekdays) this.weekdays.add(weekday);
  }

  /** True where somebody speaks of years, and so of twelve months. */
  get yearly(): boolean {
    return 'year yearly annual annually ano anual anos'.split(' ').some((word) => this.words.has(word));
  }

  /** One name for what is counted. */
  nameOf(noun: string): string {
    return this.recordWords.nameOf(noun);
  }

  /** True for a word of the company's own: its name, what its records and their kinds are called. */
  isOfCompany(word: string): boolean {
    return this.names.has(word) || this.recordWords.names(word);
  }

  /** Numbers of that kind of thing; null where no source counts it. @param noun folded */
  countsOf(noun: string): ReadonlySet<number> | null {
    return this.counts.get(this.nameOf(noun)) ?? null;
  }

  #addString(text: string, origin: FactOrigin): void {
    if (ISO_TIME.test(text)) {
      const { day, minute } = this.time.local(new Date(text));
      if (this.moments.length < MOMENTS) this.moments.push(Date.parse(text) / 60_000);
      this.#addDay(day);
      this.times.add(minute);
    } else if (ISO_DAY.test(text)) this.#addDay(text);
    else this.addText(text, origin);
  }

  #addNumber(value: number, path: readonly string[]): void {
    const key = path.at(-1) ?? '';
    if (MACHINERY.test(key)) return;
    if (CENTS.test(key)) {
      this.money.add(value);
      if (value === 0) this.free = true;
      return;
    }
    if (IN_DAYS.test(key)) this.#addDay(shifted(this.today, value));
    this.numbers.add(value);
    for (const word of path.flatMap((part) => part.split('_'))) this.#addCount(word, value);
  }

  /** How many there are, in all and by what they have in common; and what the amounts of such a group come to. */
  #addList(items: readonly unknown[], key: string): void {
    const rows = items.filter(isRow);
    if (rows.some((row) => typeof row.upcoming === 'boolean'))
      this.upcoming.set(this.nameOf(key), rows.filter((row) => row.upcoming === true).length);
    const features = rows.map((row) =>
      featuresOf(row, this.time, { today: this.today, minute: this.minute }),
    );
    const uses = new Map<string, number>();
    for (const one of features.flat()) uses.set(one, (uses.get(one) ?? 0) + 1);
    const groups = new Map<string, { count: number; sums: Map<string, number> }>();
    for (const [at, row] of rows.entries()) {
      // What one row alone has makes no group, and what all have parts none.
      const shared = (features[at] ?? []).filter((one) => {
        const count = uses.get(one) ?? 0;
        return count > 1 && count < rows.length;
      });
      const pairs = shared.flatMap((one, from) => shared.slice(from + 1).map((other) => `${one}&${other}`));
      const amounts = Object.entries(row).filter(
        (entry): entry is [string, number] => CENTS.test(entry[0]) && typeof entry[1] === 'number',
      );
      for (const name of ['', ...shared, ...pairs]) {
        const group = groups.get(name) ?? { count: 0, sums: new Map<string, number>() };
        group.count += 1;
        for (const [key, value] of amounts) group.sums.set(key, (group.sums.get(key) ?? 0) + value);
        groups.set(name, group);
      }
    }
    const counts = new Set([items.length, ...[...groups.values()].map(({ count }) => count)]);
    if (rows.length > 0) counts.add(1);
    for (const count of counts) {
      for (const word of key.split('_')) this.#addCount(word, count);
      this.numbers.add(count);
    }
    for (const { count, sums } of groups.values())
      if (count > 1) for (const sum of sums.values()) this.sums.add(sum);
  }

  #addDay(day: string, counts = true): void {
    const short = day.slice(5);
    this.dates.set(short, (this.dates.get(short) ?? new Set()).add(day));
    if (!counts) return;
    this.days.add(Number(short.slice(3)));
    this.months.add(Number(short.slice(0, 2)));
    this.weekdays.add(weekdayOf(day));
  }

  #addCount(noun: string, value: number): void {
    const name = this.nameOf(noun);
    if (name === '') return;
    this.counts.set(name, (this.counts.get(name) ?? new Set()).add(value));
  }

  #addSpan(minutes: number): void {
    this.spans.add(minutes);
    this.#ends.add(`span:${minutes}`);
  }

  /** True for a span that a source only gives as where a range begins. */
  isStartOnly(kind: Figure['kind'], value: number): boolean {
    const known = kind === 'business_days' ? this.businessDays : this.spans;
    return known.has(value) && !this.#ends.has(`${kind}:${value}`);
  }

  #addFigure({ kind, values, noun, start }: Figure): void {
    for (const value of values) {
      if (typeof value === 'string') {
        if (kind === 'contact') this.contacts.add(value);
        if (kind === 'date') this.#addDay(`${this.today.slice(0, 4)}-${value}`);
        continue;
      }
      const sets = {
        money: this.money,
        percent: this.percents,
        span: this.spans,
        business_days: this.businessDays,
        day: this.days,
        month: this.months,
        weekday: this.weekdays,
        time: this.times,
        count: this.numbers,
      };
      if (kind in sets) sets[kind as keyof typeof sets].add(value);
      if (!start) this.#ends.add(`${kind}:${value}`);
      if (kind === 'count' && noun) this.#addCount(noun, value);
    }
  }
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { calendarDay, MONTHS, WEEKDAYS } from './calendar.js';
import { isClockAt, isMonthAt, isWeekdayAt, partOfDayAt, rateAt } from './day-words.js';
import type { Figure, FigureKind } from './figure.js';
import {
  A_DOZEN,
  A_SINGLE,
  BETWEEN,
  BETWEEN_TWO,
  BUSINESS,
  CENTAVOS,
  type CurrencyWords,
  DEFINITE,
  DOZEN,
  ENDS,
  EVENING,
  FOREIGN,
  JOINS,
  LEFT,
  LISTED,
  MINUTES,
  MORNING,
  NAMED_HOURS,
  NO_THING,
  PAIR,
  RANGES,
  SOME,
  WITHIN,
} from './figure-words.js';
import type { Token } from './tokens.js';

/** A figure whose place is not known yet. */
type Read = Omit<Figure, 'from' | 'to'>;

const FIRST: ReadonlySet<string> = new Set(['first', 'primeiro', '1o']);

/** Walks over the words of a text once. */
export class FigureReader {
  #at = 0;
  #counted = '';
  #before = '';
  #unit: number | undefined;

  /** @param currency words of the company's own: an amount of another one equals none of its */
  constructor(
    private readonly tokens: readonly Token[],
    private readonly currency: CurrencyWords,
  ) {}

  read(): readonly Figure[] {
    const figures: Figure[] = [];
    while (this.#at < this.tokens.length) {
      const start = this.#at;
      const found = this.#figure();
      if (found) this.#before = found.kind === 'count' ? (found.noun ?? '') : '';
      else if (ENDS.has(this.tokens[start]?.text ?? '')) this.#before = '';
      if (!found) this.#at = start + 1;
      else {
        figures.push({
          ...found,
          from: this.tokens[start]?.from ?? 0,
          to: this.tokens[this.#at - 1]?.to ?? 0,
        });
      }
    }
    return figures;
  }

  #word(ahead: number): string {
    return this.tokens[this.#at + ahead]?.text ?? '';
  }

  #number(ahead: number): number | null {
    return this.tokens[this.#at + ahead]?.number ?? null;
  }

  #take(length: number, kind: FigureKind, ...values: readonly (number | string)[]): Read {
    this.#at += length;
    return { kind, values };
  }

  #figure(): Read | null {
    const word = this.#word(0);
    const rate = rateAt(this.tokens, this.#at);
    if (rate) return { ...this.#take(rate.length, 'count', rate.times), noun: rate.noun };
    const own = this.currency.before.find((sign) => this.#isBefore(sign));
    if (own) return this.#money(own.length);
    const other = FOREIGN.find((sign) => this.#isBefore(sign));
    if (other) return this.#take(other.length + 1, 'money', `${other.join('')}${this.#number(other.length)}`);
    return this.#number(0) === null ? this.#named(word) : this.#numeric();
  }

  /** True where these words stand here, before a number. */
  #isBefore(sign: readonly string[]): boolean {
    return this.#number(sign.length) !== null && sign.every((word, at) => this.#word(at) === word);
  }

  #money(at: number): Read {
    return this.#take(at + 1, 'money', Math.round((this.#number(at) ?? 0) * 100));
  }

  /** Figures that begin with a word. */
  #named(word: string): Read | null {
    const month = MONTHS.get(word);
    if (month !== undefined && isMonthAt(this.tokens, this.#at)) {
      const day = this.#number(1) ?? 0;
      const isHour = this.#word(2) === ':' && this.#number(3) !== null;
      if (day < 1 || day > 31 || isHour) return this.#take(1, 'month', month);
      const length = ['st', 'nd', 'rd', 'th'].includes(this.#word(2)) ? 3 : 2;
      return this.#take(length, 'date', calendarDay(month, day));
    }
    const weekday =
      WEEKDAYS.get(word) ?? (word.endsWith('days') ? WEEKDAYS.get(word.slice(0, -1)) : undefined);
    if (weekday !== undefined && isWeekdayAt(this.tokens, this.#at))
      return this.#take(this.#word(1) === '-' && this.#word(2) === 'feira' ? 3 : 1, 'weekday', weekday);
    if (FIRST.has(word) && ['of', 'de'].includes(this.#word(1))) {
      const first = MONTHS.get(this.#word(2));
      if (first !== undefined) return this.#take(3, 'date', calendarDay(first, 1));
    }
    const hour = NAMED_HOURS[word];
    if (hour !== undefined) return this.#take(1, 'time', hour);
    const whole = this.#word(1) === '-' ? NAMED_HOURS[`${word}-${this.#word(2)}`] : undefined;
    if (whole !== undefined) return this.#take(3, 'time', whole);
    return this.#soon(word) ?? this.#fraction(word);
  }

  /** "Within a week", "dentro de uma hora". */
  #soon(word: string): Read | null {
    if (!A_SINGLE.has(word)) return null;
    const unit = MINUTES[this.#word(1)] ?? 0;
    if (unit === 0 || !WITHIN.test(`${this.#word(-2)} ${this.#word(-1)}`)) return null;
    return BUSINESS.has(this.#word(2)) ? this.#take(3, 'business_days', 1) : this.#take(2, 'span', unit);
  }

  #fraction(word: string): Read | null {
    const [next, after] = [this.#word(1), this.#word(2)];
    if (word === 'half' || word === 'meia' || word === 'metade' || word === 'meio') {
      if (word === 'half' && next === 'past' && this.#number(2) !== null)
        return this.#clock(3, (this.#number(2) ?? 0) * 60 + 30);
      if (next === 'hora' || next === 'hour') return this.#take(2, 'span', 30);
      if (next === 'an' && after === 'hour') return this.#take(3, 'span', 30);
      if (next === 'a' && after === 'day') return this.#take(3, 'span', 720);
      const share =
        word === 'metade' ||
        (word === 'half' && ['off', 'of', 'price', 'the', 'back', 'your', 'what', 'refund'].includes(next));
      return share ? this.#take(1, 'percent', 50) : null;
    }
    if (word === 'quarter' && next === 'of' && after === 'an') return this.#take(4, 'span', 15);
    if (word === 'quarter' && (next === 'past' || next === 'to') && this.#number(2) !== null) {
      const hour = (this.#number(2) ?? 0) * 60;
      return this.#clock(3, next === 'past' ? hour + 15 : hour - 15);
    }
    return null;
  }

  /** Figures that begin with a number. */
  #numeric(): Read | null {
    const token = this.tokens[this.#at];
    const n = token?.number ?? 0;
    const [next, after] = [this.#word(1), this.#word(2)];
    if (this.currency.after.has(next)) {
      const cents = after === 'e' && CENTAVOS.has(this.#word(4)) ? (this.#number(3) ?? 0) : 0;
      return this.#take(cents > 0 ? 5 : 2, 'money', Math.round(n * 100) + cents);
    }
    if (CENTAVOS.has(next)) return this.#take(2, 'money', n);
    if (next === '%' || next === 'percent') return this.#take(2, 'percent', n);
    if ((next === 'por' && after === 'cento') || (next === 'per' && after === 'cent'))
      return this.#take(3, 'percent', n);
    if (token?.digits) {
      const written = this.#written(n);
      if (written) return written;
    }
    return this.#date(n) ?? this.#span(n) ?? this.#time(n) ?? this.#count(n, token?.digits ?? false);
  }

  /** 2026-11-22, 25/11, 25/11/2026, 18:00, 19h30. */
  #written(n: number): Read | null {
    const [sign, second] = [this.#word(1), this.#number(2)];
    // "On the 15th: one of them".
    if (second === null || this.tokens[this.#at + 2]?.digits !== true) return null;
    const third = this.#number(4);
    if (sign === '-' && n > 1900 && n < 2200 && this.#word(3) === '-' && third !== null)
      return this.#take(5, 'date', calendarDay(second, third));
    if (sign === '/' && n >= 1 && n <= 31 && second >= 1 && second <= 12) {
      return this.#take(this.#word(3) === '/' && third !== null ? 5 : 3, 'date', calendarDay(second, n));
    }
    if ((sign === ':' || sign === 'h') && n <= 24 && second < 60)
      return this.#clock(3, n * 60 + second, sign === 'h' || n > 12 || n === 0);
    return null;
  }

  /** "25 November", "25 de novembro", "the 25th of November", "dia 25", "the 25th". */
  #date(n: number): Read | null {
    if (n < 1 || n > 31 || !Number.isInteger(n)) return null;
    const ordinal =
      ['st', 'nd', 'rd', 'th', 'º', 'o'].includes(this.#word(1)) &&
      this.tokens[this.#at + 1]?.from === this.tokens[this.#at]?.to;
    let at = ordinal ? 2 : 1;
    const isOf = this.#word(at) === 'of' || this.#word(at) === 'de';
    if (isOf) at += 1;
    // "Two out of five", "one set": the short names of months are also other words; "your five November visits".
    const named = (this.#word(at).length > 3 && (ordinal || isOf)) || this.tokens[this.#at]?.digits === true;
    const month = named ? MONTHS.get(this.#word(at)) : undefined;
    // "As 2 de março": two of them, of that month.
    const several = /^(?:[dn]?as|suas)$/.test(this.#word(-1)) && this.#word(1) === 'de';
    if (month !== undefined) return several ? null : this.#take(at + 1, 'date', calendarDay(month, n));
    const before = this.#word(-1);
    // "Tuesday 24", "terça, 24, às 19h".
    const beside = before === ',' ? this.#word(-2) : before;
    const isBeside = (WEEKDAYS.has(beside) || beside === 'feira') && !/\p{L}/u.test(this.#word(1));
    if (isBeside && this.tokens[this.#at]?.digits) return this.#take(1, 'day', n);
    if (before === 'dia' || (ordinal && ['the', 'on', 'no'].includes(before)))
      return this.#take(ordinal ? 2 : 1, 'day', n);
    return null;
  }

  /** "24 hours", "5 business days", "six-month", "a 3 dias úteis"; "5 to 10 days" gives its unit to both. */
  #span(n: number): Read | null {
    let at = 1;
    // "In 2025, six days later": a year begins no list.
    while (n < 1_900 && JOINS.has(this.#word(at)) && this.#number(at + 1) !== null && at < LISTED) at += 2;
    const ranged = at > 1;
    if (this.#word(at) === '-') at += 1;
    if (BUSINESS.has(this.#word(at))) at += 1;
    const unit = MINUTES[this.#word(at)];
    this.#unit = unit ?? this.#unit;
    // "Daqui a oito dias, e o outro daqui a 26".
    if (unit === undefined && this.#unit && this.#word(-2) === 'daqui' && !/\p{L}/u.test(this.#word(1)))
      return this.#take(1, 'span', n * this.#unit);
    // "If one day you move": some day.
    if (unit === undefined || (n === 1 && !this.tokens[this.#at]?.digits && SOME.has(this.#word(-1))))
      return null;
    // "às 16h" is a time of the day; "24h" is a span.
    if (this.#word(at) === 'h' && n < 24 && isClockAt(this.tokens, this.#at)) return null;
    const business = BUSINESS.has(this.#word(at - 1)) || BUSINESS.has(this.#word(at + 1));
    const value = (of: number): number => (business ? of : of * unit);
    const kind = business ? 'business_days' : 'span';
    // The first number of a range ends before its second, which is read with its unit.
    const isRange = RANGES.has(this.#word(1)) || BETWEEN_TWO.has(this.#word(-1));
    const start = isRange ? { start: true as const } : {};
    if (ranged) return { ...this.#take(1, kind, value(n)), ...start };
    const unitless = this.#word(at) === 'h' && n < 24;
    const span = this.#take(BUSINESS.has(this.#word(at + 1)) ? at + 2 : at + 1, kind, value(n));
    // "o show das 20h": hours or a time of the day.
    return unitless ? { ...span, noun: 'h' } : span;
  }

  /** "8 pm", "20h", "at seven in the evening", "seis da tarde", "sete e meia". */
  #time(n: number): Read | null {
    if (n > 24 || !Number.isInteger(n)) return null;
    const [next, after] = [this.#word(1), this.#word(2)];
    if (next === 'am' || next === 'pm') return this.#clock(1, n * 60);
    if ((next === 'a' || next === 'p') && after === '.' && this.#word(3) === 'm') {
      const hour = (n % 12) + (next === 'p' ? 12 : 0);
      return this.#take(this.#word(4) === '.' ? 5 : 4, 'time', hour * 60);
    }
    if (next === 'h' || next === 'hs') return this.#take(2, 'time', n * 60);
    if (next === 'o' && after === 'clock') return this.#clock(3, n * 60);
    if (next === 'e' && after === 'meia') return this.#clock(3, n * 60 + 30);
    if (['da', 'in', 'at'].includes(next) && partOfDayAt(this.tokens, this.#at + 1) !== null)
      return this.#clock(1, n * 60);
    return this.#word(-1) === 'as' && this.tokens[this.#at - 1]?.accent === true
      ? this.#clock(1, n * 60)
      : null;
  }

  /** A time of twelve hours may be of either half of the day. */
  #clock(length: number, minutes: number, sure = false): Read {
    const part = partOfDayAt(this.tokens, this.#at + length);
    let end = length;
    if (part !== null) while (!EVENING.has(this.#word(end)) && !MORNING.has(this.#word(end))) end += 1;
    const early = minutes % 720;
    if (part === 'late') return this.#take(end + 1, 'time', early + 720);
    if (part === 'early') return this.#take(end + 1, 'time', early);
    return sure || minutes >= 780
      ? this.#take(length, 'time', minutes % 1440)
      : this.#take(length, 'time', early, early + 720);
  }

  #count(n: number, digits: boolean): Read | null {
    let at = 1;
    while ((BETWEEN.has(this.#word(at)) || (at > 1 && this.#number(at) !== null)) && at < 5) at += 1;
    if (DOZEN.has(this.#word(1))) return this.#take(2, 'count', n * A_DOZEN);
    const share = this.#word(1) === 'of' || this.#word(1) === 'de' || this.#word(1) === 'das';
    const noun = this.tokens[this.#at + at];
    // "One" is mostly a pronoun, and the number of a list's line counts nothing.
    if (n < 2 && !digits && !(share && [2, 3].some((ahead) => this.#number(ahead) !== null))) return null;
    if (['.', ')'].includes(this.#word(1)) && ['', '\n'].includes(this.#word(-1))) return null;
    // "One of the two", "as duas": what was named before, not a number of its own.
    if (!digits && n <= PAIR && DEFINITE.has(this.#word(-1)) && !this.tokens[this.#at - 1]?.accent)
      return null;
    const counted = noun && /\p{L}/u.test(noun.text) && !NO_THING.has(noun.text) ? noun.text : '';
    // "Four remain": of what was counted before.
    if (!LEFT.has(counted) && counted !== '') this.#counted = counted;
    return {
      ...this.#take(1, 'count', n),
      noun: LEFT.has(counted) ? this.#counted : counted || this.#before,
    };
  }
}

import type { EntityRecord } from '../domain/entity.js';
import type { Language } from '../domain/taxonomy.js';
import type { Clock } from '../ports/system.js';
import type { ENGINE_TEXTS, EngineText, TextFamily } from './engine-texts.js';

/** What a sentence is filled with. Null and the empty text choose its `none`, true and false its `yes` and `no`. */
export type TextValue = string | number | boolean | null;
export type TextValues = Readonly<Record<string, TextValue>>;

type ValuesOf<Key extends EngineText> = (typeof ENGINE_TEXTS)[Key][number] extends never
  ? readonly []
  : readonly [values: Readonly<Record<(typeof ENGINE_TEXTS)[Key][number], TextValue>>];

/** What the hub says to customers and operators, in one language. Values that come in are already formatted. */
export interface Sentences {
  readonly language: Language;
  /** One of the engine's sentences, in the company's words where it has its own. */
  say<Key extends EngineText>(key: Key, ...values: ValuesOf<Key>): string;
  /** One of a family, or the family's `other`. @returns the empty text where it has neither */
  sayOf(family: TextFamily, member: string): string;
  /** A sentence that only the company has. @throws HubError `config_invalid` where it has none of that key */
  sayOwn(key: string, values?: TextValues): string;
  /** An amount of the company's currency, from its smallest unit: `US$ 45.90`. */
  money(minorUnits: number): string;
  /** "a, b and c". */
  list(items: readonly string[]): string;
}

/** The sentences of a company in each of its languages. */
export interface Texts {
  /** In the company's order of preference. */
  readonly languages: readonly Language[];
  for(language: Language): Sentences;
}

/** What happens next, and when. */
export interface NextStep {
  /** The latest time of a person's answer; null where it should have come by now. */
  readonly by: string | null;
  readonly outOfHours: boolean;
}

/** A first sentence, and when a person answers. */
export function withNextStep(texts: Sentences, first: string, { by, outOfHours }: NextStep): string {
  return `${first} ${texts.say('next_step', { by, out_of_hours: outOfHours })}`;
}

/** An operator's no, with the reason as a part of the sentence. */
export function declinedText(texts: Sentences, reason: string | null): string {
  return texts.say('operator_declined', { reason: reason?.replace(/[.!?\s]+$/, '') ?? null });
}

/** That a yes of an operator changes nothing, and why. @param code of the refusal */
export function cannotRun(texts: Sentences, code: string): string {
  return texts.say('cannot_run', { why: texts.sayOf('impossible', code) });
}

/** What a record's status means to its customer, as a sentence. */
export function statusText(
  texts: Sentences,
  {
    entity,
    title,
    status,
    upcoming,
    place,
  }: Pick<EntityRecord, 'entity' | 'title' | 'status' | 'upcoming' | 'place'>,
): string {
  const value = statusName(texts, entity, status);
  const named = { entity, title, value, upcoming, place };
  return texts.say('record_fact', {
    ...named,
    attribute: 'status',
    zero: null,
    page: null,
    again: false,
    whether: false,
    amount: null,
  });
}

/** How a status of a record is spoken of; as the company's data have it where no text says it. */
export function statusName(texts: Sentences, entity: string, status: string): string {
  return texts.sayOf('status', `${entity}.${status}`) || status;
}

/**
 * An amount as customers read it: `US$ 45.90`, `45,90 €`. A symbol that holds a letter is set apart by a space.
 * @param minorUnits of the currency's smallest unit
 * @param currency ISO 4217
 */
export function formatMoney(minorUnits: number, language: string, currency: string): string {
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  const parts = format.formatToParts(minorUnits / 10 ** digits);
  return parts
    .map(({ type, value }, at) => {
      const leads = type === 'currency' && at < parts.length - 1 && parts[at + 1]?.type !== 'literal';
      return leads && /\p{L}/u.test(value) ? `${value} ` : value.replace(/\s/gu, ' ');
    })
    .join('');
}

/** English dates are written the international way: day before month. */
function localeOf(language: string): string {
  return language === 'en' ? 'en-GB' : language;
}

const DATE = { day: 'numeric', month: 'long' } as const;
const DATE_TIME = { ...DATE, weekday: 'long', hour: '2-digit', minute: '2-digit' } as const;

/** A day alone has no zone. */
const onDay = (style: Intl.DateTimeFormatOptions) => (language: Language) =>
  new Intl.DateTimeFormat(localeOf(language), { ...DATE, ...style, timeZone: 'UTC' });

const formatters = {
  dateTime: (language: Language, timeZone: string) =>
    new Intl.DateTimeFormat(localeOf(language), { ...DATE_TIME, timeZone }),
  dateTimeYear: (language: Language, timeZone: string) =>
    new Intl.DateTimeFormat(localeOf(language), { ...DATE_TIME, year: 'numeric', timeZone }),
  date: (language: Language, timeZone: string) =>
    new Intl.DateTimeFormat(localeOf(language), { ...DATE, timeZone }),
  dateYear: (language: Language, timeZone: string) =>
    new Intl.DateTimeFormat(localeOf(language), { ...DATE, year: 'numeric', timeZone }),
  dayMonth: onDay({}),
  dayYear: onDay({ year: 'numeric' }),
  weekdayMonth: onDay({ weekday: 'long' }),
  weekdayYear: onDay({ weekday: 'long', year: 'numeric' }),
  shortDay: onDay({ weekday: 'short', month: 'short', year: 'numeric' }),
  month: (language: Language, timeZone: string) =>
    new Intl.DateTimeFormat(localeOf(language), { month: 'long', timeZone }),
  monthYear: (language: Language, timeZone: string) =>
    new Intl.DateTimeFormat(localeOf(language), { month: 'long', year: 'numeric', timeZone }),
  weekday: (language: Language, _timeZone: string) =>
    new Intl.DateTimeFormat(localeOf(language), { weekday: 'long', timeZone: 'UTC' }),
  local: (_language: Language, timeZone: string) =>
    new Intl.DateTimeFormat('en-CA', {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone,
    }),
  short: (_language: Language, timeZone: string) =>
    new Intl.DateTimeFormat('en-GB', {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone,
    }),
};

/** A day of the calendar; as a time of a record it stands for its noon, written without seconds. */
const DAY = /^(\d{4}-\d{2}-\d{2})(?:T12:00Z)?$/;

/** The day, YYYY-MM-DD, of what is a day and no moment; null of a moment. A day is the same in every time zone. */
export function dayAlone(iso: string): string | null {
  return DAY.exec(iso)?.[1] ?? null;
}

/** How a day of the calendar is written as the time of a record. @param day YYYY-MM-DD */
export function asRecordTime(day: string): string {
  return `${day}T12:00Z`;
}

/** Formats times in one zone; made once, since building an Intl formatter is slow. */
export class TimeFormat {
  readonly #cache = new Map<string, Intl.DateTimeFormat>();

  /** @param clock what "this year" is told by; without one a date never says its year */
  constructor(
    readonly timeZone: string,
    readonly clock: Pick<Clock, 'now'> | null = null,
  ) {}

  /**
   * "Thursday 26 November at 20:00" / "quinta-feira, 26 de novembro às 20:00"; with the year where it is another one. A day alone has
   * no time: "Thursday 26 November", of another year past "26 November 2019".
   */
  dateTime(iso: string, language: Language): string {
    const day = dayAlone(iso);
    if (day !== null) return this.#day(day, language);
    const kind = this.#isThisYear(iso) ? 'dateTime' : 'dateTimeYear';
    return this.#get(kind, language).format(new Date(iso));
  }

  /** "26 November" / "26 de novembro"; with the year where it is another one. */
  date(iso: string, language: Language): string {
    const day = dayAlone(iso);
    if (day !== null)
      return this.#get(this.#isThisYear(day) ? 'dayMonth' : 'dayYear', language).format(new Date(day));
    return this.#get(this.#isThisYear(iso) ? 'date' : 'dateYear', language).format(new Date(iso));
  }

  /** "March", of a text that begins with a month such as 2026-03; with the year where it is another one. Any other stays as it is. */
  month(text: string, language: Language): string {
    const [month] = /^\d{4}-\d{2}/.exec(text) ?? [];
    if (month === undefined) return text;
    // Its middle is in it wherever the clock stands.
    const within = `${month}-15T12:00:00Z`;
    return this.#get(this.#isThisYear(within) ? 'month' : 'monthYear', language).format(new Date(within));
  }

  /** "Thursday 26 November": the day that the text begins with, in every time zone; any other text stays as it is. */
  day(iso: string, language: Language): string {
    const written = dayAlone(iso.slice(0, 10));
    return written === null ? iso : this.#day(written, language);
  }

  /**
   * "December", of a stretch of time that is a whole month, with the year where it is another one; "2026" of a whole year; null
   * where it is neither.
   */
  wholeMonth(from: string, to: string, language: Language): string | null {
    const [first, after] = [this.local(new Date(from)), this.local(new Date(to))];
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
    const isYear = [first, after].every(({ day }) => day.endsWith('-01-01')) && days < 367;
    if (isYear) return first.day.slice(0, 4);
    if (!first.day.endsWith('-01') || !after.day.endsWith('-01') || days > 32) return null;
    return this.#get(this.#isThisYear(from) ? 'month' : 'monthYear', language).format(new Date(from));
  }

  /** "In 3 days" / "em 3 dias", by the days of the calendar; on the same day in hours, and in minutes within the hour. */
  until(iso: string, now: Date, language: Language): string {
    const at = new Date(iso);
    const words = new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'always' });
    const day = dayAlone(iso);
    const days = Math.round(
      (Date.parse(day ?? this.local(at).day) - Date.parse(this.local(now).day)) / 86_400_000,
    );
    if (days !== 0) return words.format(days, 'day');
    if (day !== null)
      return new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' }).format(0, 'day');
    const minutes = Math.round((at.getTime() - now.getTime()) / 60_000);
    return Math.abs(minutes) < 60
      ? words.format(minutes, 'minute')
      : words.format(Math.round(minutes / 60), 'hour');
  }

  /** "Sunday" / "domingo". @param day Sunday is 0 */
  weekday(day: number, language: Language): string {
    // 4 January 1970 was a Sunday.
    return this.#get('weekday', language).format(new Date(Date.UTC(1970, 0, 4 + day)));
  }

  /** "Thu, 26 Nov 2026, 20:00": short and without doubt, for a model. */
  short(iso: string): string {
    const day = dayAlone(iso);
    if (day !== null) return this.#get('shortDay', 'en').format(new Date(day));
    return this.#get('short', 'en').format(new Date(iso));
  }

  /** What the zone's clocks show: the day as YYYY-MM-DD, and the minute of that day. */
  local(at: Date): { readonly day: string; readonly minute: number } {
    const [day = '', clock = ''] = this.#get('local', 'en').format(at).split(', ');
    const [hours = 0, minutes = 0] = clock.split(':').map(Number);
    return { day, minute: hours * 60 + minutes };
  }

  #day(day: string, language: Language): string {
    if (this.#isThisYear(day)) return this.#get('weekdayMonth', language).format(new Date(day));
    const isPast = this.clock !== null && day < this.local(this.clock.now()).day;
    return this.#get(isPast ? 'dayYear' : 'weekdayYear', language).format(new Date(day));
  }

  #isThisYear(iso: string): boolean {
    if (!this.clock) return true;
    const day = dayAlone(iso) ?? this.local(new Date(iso)).day;
    return day.slice(0, 4) === this.local(this.clock.now()).day.slice(0, 4);
  }

  #get(kind: keyof typeof formatters, language: Language): Intl.DateTimeFormat {
    const key = `${kind}:${language}`;
    let format = this.#cache.get(key);
    if (!format) {
      format = formatters[kind](language, this.timeZone);
      this.#cache.set(key, format);
    }
    return format;
  }
}

export * from './engine-texts.js';

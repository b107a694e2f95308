import {
  type EntityRecord,
  type EntityWords,
  NO_FILTERS,
  type RecordFilters,
} from '../../core/domain/entity.js';
import type { Language } from '../../core/domain/taxonomy.js';
import { minorUnits } from '../../core/prices.js';
import { weekdayOf, zoneOf } from './date-reading.js';
import type { DateOptions } from './dates.js';
import type { FilterWords } from './filter-words.js';
import type { Place } from './month-spans.js';
import type { FindSpans } from './spans.js';
import { foldText } from './text.js';

/** What a text narrows a list down to, and which words say so. */
export interface FilterReading {
  readonly filters: RecordFilters;
  /** Where the folded text says it. */
  readonly places: readonly Place[];
}

/** What of a record is looked at. */
type Filtered = Pick<EntityRecord, 'place' | 'startsAt' | 'attributes'> &
  Partial<Pick<EntityRecord, 'amount'>>;

/** Reads what a list of records is narrowed down to, and narrows it down. */
export interface FilterReader {
  read(text: string, options: DateOptions): FilterReading;
  /** The folded text, with blanks for what is only small talk: "lovely evening!" asks for no evening. */
  plain(text: string): string;
  /** @param entity whose record it is */
  fits(record: Filtered, filters: RecordFilters, entity: string): boolean;
  /** How a place is written behind a noun, where the company says it: "no Rio de Janeiro". */
  placeIn(name: string, language: Language): string | null;
}

/** What the reader is made of. */
interface FilterReaders {
  readonly entities: readonly EntityWords[];
  readonly findSpans: FindSpans;
  readonly words: FilterWords;
  /** Words of the currency, as an alternative of regular expressions. */
  readonly currency: string;
  /** Digits of its smallest unit. */
  readonly digits: number;
  /** IANA name. */
  readonly timeZone: string;
}

const CLAUSE = /[^,;:.!?\n()]+/g;
const HOUR_MS = 3_600_000;
const SIGN = String.raw`(?:r\$|us\$|[$€£¥])`;
const NUMBER = String.raw`(\d{1,3}(?:[.,]\d{3})+|\d+)(?:[.,](\d{1,2}))?(?![\d:/]|\s?%)`;
/** After a number that is no amount. */
const OTHER = String.raw`(?!\s?(?:h|hs|am|pm|min\w*|hours?|horas?|days?|dias?|weeks?|semanas?|people|persons?|pessoas?|years?|anos?)\b)`;
const HOUR = String.raw`(\d{1,2})(?:[:h](\d{2}))?\s?(am|pm|h|hs|hrs|horas|o'?clock)?(?![\w:/])`;

/** Makes the reader of a company. @throws RangeError where the time zone is unknown */
export function createFilterReader({
  entities,
  findSpans,
  words,
  currency,
  digits,
  timeZone,
}: FilterReaders): FilterReader {
  const zone = zoneOf(timeZone);
  /** In minor units, of the first number there is. */
  const centsIn = (groups: readonly (string | undefined)[]): number => {
    const at = groups.findIndex((group) => group !== undefined);
    const [whole = '0', part = ''] = groups.slice(at, at + 2);
    return minorUnits(whole, part, digits);
  };
  const unit = `\\s?(?:${SIGN}|(?:${currency})\\b)`;
  const amount = `(?:${SIGN}\\s?${NUMBER}|${NUMBER}${unit})`;
  const prices = {
    between: new RegExp(
      `\\b(?:${words.between}) (?:${SIGN}\\s?)?${NUMBER}(?:${unit})?\\s*(?:${words.and}|${words.to})\\s+${amount}`,
    ),
    most: new RegExp(`\\b(?:${words.most}|${words.most_bare}) ${amount}`),
    bare: new RegExp(`\\b(?:${words.most_bare}) ${NUMBER}${OTHER}`),
    after: new RegExp(`${amount} (?:${words.most_after})(?![a-z])`),
    least: new RegExp(`\\b(?:${words.least}) ${amount}`),
  };
  const free = new RegExp(`(?<![a-z0-9])(?:${words.free})(?![a-z0-9])`);
  const left = new RegExp(`(?<![a-z0-9])(?:${words.left})(?![a-z0-9])`);
  const denies = new RegExp(`(?<![a-z0-9])(?:${words.denied})\\s*$`);
  const deniesAfter = new RegExp(`^(?:${words.denied_after})(?![a-z0-9])`);
  const clock = (cues: string) => new RegExp(`\\b(?:${cues})s? ((?:${words.clock}) )?${HOUR}`);
  const greeted = new RegExp(`^(?:${words.greeted})$`);
  const plain = (text: string): string => {
    const folded = foldText(text);
    const clauses = folded.match(CLAUSE) ?? [];
    const isGreeted = (clause: string): boolean =>
      greeted.test(
        clause
          .replace(/[^a-z0-9' ]/g, ' ')
          .replace(/ +/g, ' ')
          .trim(),
      );
    // What is all that was said is meant.
    if (clauses.every((clause) => !/[a-z]/.test(clause) || isGreeted(clause))) return folded;
    return folded.replace(CLAUSE, (clause) => (isGreeted(clause) ? ' '.repeat(clause.length) : clause));
  };
  const [from, to] = [
    clock(`${words.after}|${words.since}|${words.between}`),
    clock(`${words.before}|${words.until}|${words.to}`),
  ];
  const parts = words.hours.map((part) => ({ ...part, cue: new RegExp(`\\b(?:${part.words})\\b`) }));
  const named = entities
    .flatMap(({ places }) => places)
    .map(({ name, also }) => ({
      name,
      cue: new RegExp(`(?<![a-z0-9])(?:${[foldText(name), ...also].join('|')})(?![a-z0-9])`),
    }));
  const priceOf = new Map(
    entities.map(
      ({ id, attributes }) => [id, attributes.find(({ as }) => as === 'money')?.of ?? 'amount'] as const,
    ),
  );
  const leftOf = new Map(
    entities.map(({ id, attributes }) => [id, attributes.find(({ as }) => as === 'left')?.of] as const),
  );

  const priceIn = (folded: string): { price: RecordFilters['price']; match: RegExpExecArray } | null => {
    const range = prices.between.exec(folded);
    if (range)
      return { price: { least: centsIn(range.slice(1, 3)), most: centsIn(range.slice(3)) }, match: range };
    const none = free.exec(folded);
    if (none) return { price: { least: 0, most: 0 }, match: none };
    const most = prices.most.exec(folded) ?? prices.bare.exec(folded) ?? prices.after.exec(folded);
    if (most) return { price: { least: 0, most: centsIn(most.slice(1)) }, match: most };
    const least = prices.least.exec(folded);
    return (
      least && { price: { least: centsIn(least.slice(1)), most: Number.MAX_SAFE_INTEGER }, match: least }
    );
  };
  const hoursIn = (folded: string, said: (match: RegExpExecArray) => void): RecordFilters['hours'] => {
    const at = (cue: RegExp): number | null => {
      const match = cue.exec(folded);
      const hour = match && hourOf(match.slice(-3), match[1] !== undefined && !/\d/.test(match[1]));
      if (match && hour !== null) said(match);
      return hour;
    };
    const [begins, ends] = [at(from), at(to)];
    if (begins !== null || ends !== null) return { from: begins ?? 0, to: ends ?? 24 };
    // "In the morning or in the afternoon" is from the one to the end of the other.
    const named = parts.flatMap((part) => {
      const match = part.cue.exec(folded);
      return match ? [{ ...part, match }] : [];
    });
    for (const { match } of named) said(match);
    if (named.length === 0) return null;
    return { from: Math.min(...named.map((one) => one.from)), to: Math.max(...named.map((one) => one.to)) };
  };

  return {
    plain,
    read(text, options) {
      const folded = plain(text);
      const places: Place[] = [];
      const say = (match: RegExpExecArray): void => {
        places.push({ start: match.index, end: match.index + match[0].length });
      };
      const price = priceIn(folded);
      if (price) say(price.match);
      const room = left.exec(folded);
      if (room) say(room);
      const spans = findSpans(folded, options);
      // What is a price is no day: "under 50".
      const isFree = (place: Place): boolean =>
        !price || place.end <= price.match.index || place.start >= price.match.index + price.match[0].length;
      const found = named.flatMap(({ name, cue }) => {
        const match = cue.exec(folded);
        return match ? [{ name, match, end: match.index + match[0].length }] : [];
      });
      // "The north" is no place of its own in "the north east".
      const where = found.flatMap(({ name, match, end }) => {
        const isPart = found.some(
          (other) =>
            other.match[0].length > match[0].length && other.match.index < end && match.index < other.end,
        );
        if (!isPart) say(match);
        const isDenied = denies.test(folded.slice(0, match.index)) || deniesAfter.test(folded.slice(end));
        return isPart ? [] : [{ name, isDenied }];
      });
      // "Porto Alegre, not São Paulo" is about the one.
      const meant = where.filter(({ isDenied }) => !isDenied);
      const dated = spans.places.every(isFree);
      const inDates = (match: RegExpExecArray): boolean =>
        spans.places.some(({ start, end }) => match.index >= start && match.index + match[0].length <= end);
      const clockwise: RegExpExecArray[] = [];
      const hours = hoursIn(folded, (match) => clockwise.push(match));
      const isOwn = clockwise.some((match) => !inDates(match));
      if (isOwn) for (const match of clockwise) say(match);
      if (dated) places.push(...spans.places);
      return {
        filters: {
          days: dated ? spans.days : [],
          weekdays: dated ? spans.weekdays : [],
          hours: isOwn ? hours : null,
          places: (meant.length > 0 ? meant : where).map(({ name }) => name),
          price: price?.price ?? null,
          left: room !== null,
        },
        places,
      };
    },
    placeIn: (name, language) =>
      entities.flatMap(({ places }) => places).find((place) => place.name === name)?.in[language] ?? null,
    fits(record, { days, weekdays, hours, places, price, left: isLeft }, entity) {
      const { startsAt, place } = record;
      if ((days.length > 0 || weekdays.length > 0 || hours) && startsAt === null) return false;
      const at = startsAt ?? '';
      if (days.length > 0 && !days.some((span) => span.from <= at && at < span.to)) return false;
      if (startsAt !== null && (weekdays.length > 0 || hours)) {
        const day = zone.dayOf(new Date(startsAt));
        const hour = (Date.parse(startsAt) - zone.instant(day).getTime()) / HOUR_MS;
        if (weekdays.length > 0 && !weekdays.includes(weekdayOf(day))) return false;
        if (hours && (hour < hours.from || hour >= hours.to)) return false;
      }
      const where = foldText(place ?? '');
      if (places.length > 0 && !places.some((name) => where.includes(foldText(name)))) return false;
      const costs = priceOf.get(entity) ?? 'amount';
      const value = costs === 'amount' ? record.amount?.minorUnits : record.attributes[costs];
      if (price && (typeof value !== 'number' || value < price.least || value > price.most)) return false;
      const room = record.attributes[leftOf.get(entity) ?? ''];
      return !isLeft || room === undefined || room === null || Number(room) > 0;
    },
  };
}

/** What a text narrows down otherwise takes the place of what was said before; the rest stays. */
export function mergeFilters(before: RecordFilters, now: RecordFilters): RecordFilters {
  const sameTime = now.days.length === 0 && now.weekdays.length === 0;
  // "On Sunday?" of a month asked about is one of its Sundays; of another day it is another day.
  const within = now.days.length === 0 && now.weekdays.length > 0;
  return {
    days: sameTime || within ? before.days : now.days,
    weekdays: sameTime ? before.weekdays : now.weekdays,
    hours: now.hours ?? before.hours,
    places: now.places.length > 0 ? now.places : before.places,
    price: now.price ?? before.price,
    left: now.left || before.left,
  };
}

/** True where everything is wanted. */
export function narrowsNothing({ days, weekdays, hours, places, price, left }: RecordFilters): boolean {
  const all = days.length + weekdays.length + places.length === 0;
  return all && hours === null && price === NO_FILTERS.price && !left;
}

/** Null where nothing says that the number is an hour. */
function hourOf([hour, minutes, suffix]: readonly (string | undefined)[], isClock: boolean): number | null {
  if (!isClock && suffix === undefined && minutes === undefined) return null;
  const said = Number(hour);
  const whole = suffix === 'pm' && said < 12 ? said + 12 : said;
  return whole > 24 ? null : whole + Number(minutes ?? 0) / 60;
}

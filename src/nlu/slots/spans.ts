import type { DaySpan } from '../../core/domain/entity.js';
import { dayFrom, partsOf, weekdayOf, type Zone, zoneOf } from './date-reading.js';
import { type Counts, type DateWords, either, isAny } from './date-words.js';
import type { DateOptions, FindDates } from './dates.js';
import type { FilterWords } from './filter-words.js';
import { monthFinder, monthParts, type Named, type Place, placeOf } from './month-spans.js';

/** The days that a text names as a whole: ranges, several, days of the week. */
interface Spans {
  readonly days: readonly DaySpan[];
  /** Sunday is 0. */
  readonly weekdays: readonly number[];
  /** Where the folded text names them. */
  readonly places: readonly Place[];
}

/** Reads the days of a folded text: "between 4 and 18 December", "the 9th or 10th", "Sundays in December". */
export type FindSpans = (folded: string, options: DateOptions) => Spans;

const DAY_MS = 86_400_000;
const FOREVER = '9999-12-31T00:00:00.000Z';
const WORKDAYS = [1, 2, 3, 4, 5];
const WEEKEND = [6, 0];
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
/** From here on days of the week are looked for within it. */
const LONG_DAYS = 5;
const MOST_NUMBERS = 6;

/** What the reader of spans is made of. */
interface SpanReaders {
  readonly findDates: FindDates;
  readonly dates: readonly DateWords[];
  readonly counts: Counts;
  readonly words: FilterWords;
  /** IANA name. */
  readonly timeZone: string;
}

/** Makes the reader. @throws RangeError where the time zone is unknown */
export function createSpans({ findDates, dates, counts, words, timeZone }: SpanReaders): FindSpans {
  const zone = zoneOf(timeZone);
  const weekdayNames =
    dates[0]?.weekdays.map((_, day) =>
      either(
        dates.flatMap(({ weekdays, weekday_words: { ending } }) =>
          (weekdays[day] ?? []).map((one) => one + ending),
        ),
      ),
    ) ?? [];
  const plural = weekdayNames.map((names) => new RegExp(`\\b(?:${names})s\\b`, 'g'));
  const anyDay = weekdayNames.map((_, day) => {
    const said = dates.map(({ weekdays }, at) => `(?:${words.any[at]}) (?:${either(weekdays[day] ?? [])})`);
    return new RegExp(`\\b(?:${said.join('|')})\\b`, 'g');
  });
  const month = new RegExp(`\\b(?:${either(dates.flatMap(({ months: names }) => names.flat()))})\\b`);
  const isWeekday = new RegExp(`\\b(?:${weekdayNames.join('|')})\\b`);
  const recurring = [
    ...weekdayNames.flatMap((_, day) => [plural[day], anyDay[day]].map((cue) => ({ cue, days: [day] }))),
    { cue: new RegExp(`\\b(?:${words.weekdays})\\b`, 'g'), days: WORKDAYS },
    { cue: new RegExp(`\\b(?:${words.weekends})\\b`, 'g'), days: WEEKEND },
  ];
  const months = monthFinder(dates, findDates);
  const joint = `(?:${words.article})*`;
  const join = `\\s*(${words.to}|${words.and})\\s+|\\s*(-)\\s*`;
  const numberBefore = new RegExp(`(?<![\\d/.,:$])\\b(\\d{1,2})(?:${words.ending})?(?:${join})${joint}$`);
  const numberAfter = new RegExp(
    `^(?:${join})${joint}(\\d{1,2})(?:${words.ending})?(?=$|[?!;,]|\\.(?!\\d)|\\s(?:\\D|$))(?! (?:h|am|pm|[a-z]+s)\\b)`,
  );
  const joins = new RegExp(`^\\s*(?:(${words.to})|(${words.and}))(?![a-z0-9])[\\s\\w]{0,8}$|^\\s*(-)\\s*$`);
  const begins = new RegExp(`^(?:(${words.to})|(${words.and}))\\s`);
  const linked = new RegExp(`^[\\s,(]{0,3}(?:(?:${words.between}|${words.article.trim()}|of|on) ?){0,2}$`);
  const between = new RegExp(`\\b(?:${words.between})\\s+${joint}(?:\\S+ )?$`);
  const bounds = [
    { cue: endsIn(words.until), bound: 'until' },
    { cue: endsIn(words.before), bound: 'before' },
    { cue: endsIn(words.after), bound: 'after' },
    { cue: endsIn(words.since), bound: 'since' },
    { cue: endsIn(words.about), bound: 'about' },
  ] as const;
  const coming = dates.map(({ units }) => ({
    units,
    cue: new RegExp(
      `\\b(?:${words.coming}) (${counts.pattern}) (${either([...units.day, ...units.week, ...units.month])})\\b`,
      'g',
    ),
  }));

  const partOf = monthParts(zone, dates, words);

  /** The same month, another day: what a number beside a day means. */
  const inMonthOf = (day: DaySpan, number: number): DaySpan | null => {
    const { year, month } = partsOf(zone.dayOf(new Date(day.from)));
    return wholeDay(zone, dayFrom(year, month, number));
  };
  const numbersBeside = (folded: string, named: readonly Named[]): readonly Named[] => {
    const all = [...named];
    for (const one of named) {
      const said = folded.slice(one.start, one.end);
      const figure = said.search(/\d/);
      if (one.kind !== 'day' || figure < 0) continue;
      const others = named.filter((other) => other !== one);
      let start = one.start;
      // "20 and January 5" are of different months, "4 and 18 December" and "December 4-18" of one.
      for (let at = month.test(said.slice(0, figure)) ? MOST_NUMBERS : 0; at < MOST_NUMBERS; at += 1) {
        const match = numberBefore.exec(folded.slice(0, start));
        const day = match && inMonthOf(one, Number(match[1]));
        if (!match || !day) break;
        const place = { start: match.index, end: match.index + match[0].search(/\D|$/) };
        // "dias 9 e 10 de dezembro": the month is said with the last.
        const known = others.findIndex((other) => overlaps(other, place));
        const found = others[known];
        if (found) all.splice(all.indexOf(found), 1, { ...found, ...day });
        else all.push({ ...place, ...day, kind: 'day' });
        start = found?.start ?? place.start;
      }
      let end = one.end;
      for (let at = month.test(said.slice(figure)) ? MOST_NUMBERS : 0; at < MOST_NUMBERS; at += 1) {
        const match = numberAfter.exec(folded.slice(end));
        const day = match && inMonthOf(one, Number(match[3]));
        if (!match || !day) break;
        const place = { start: end + match[0].search(/\d/), end: end + match[0].length };
        if (others.some((other) => overlaps(other, place))) break;
        all.push({ ...place, ...day, kind: 'day' });
        end = place.end;
      }
    }
    return all.sort((a, b) => a.start - b.start);
  };
  /** Joins the two days of a range, and leaves out what is said again more exactly. */
  const joined = (folded: string, named: readonly Named[]): readonly Named[] => {
    const kept: Named[] = [];
    for (const each of named) {
      const last = kept.at(-1);
      const gap = last ? folded.slice(last.end, each.start) : '';
      // "The weekend of 5 and 6 December" is those days.
      const isVague = last?.kind === 'weekend' || last?.kind === 'long';
      const isExact = last && isVague && each.kind === 'day' && linked.test(gap);
      if (isExact) kept.pop();
      const one = isExact ? { ...each, start: last.start } : each;
      const before = kept.at(-1);
      const match =
        before &&
        (joins.exec(gap) ?? (gap.trim() === '' ? begins.exec(folded.slice(one.start, one.end)) : null));
      const isRange =
        match &&
        (match[1] !== undefined ||
          match[3] !== undefined ||
          between.test(folded.slice(0, before.start)) ||
          between.test(`${folded.slice(before.start, before.end)} `.replace(/\d.*/, '')));
      if (!before || !isRange) kept.push(one);
      else kept[kept.length - 1] = rangeOf(before, one);
    }
    return kept;
  };
  const bounded = (folded: string, one: Named, now: string): Named => {
    if (one.kind === 'range') return one;
    const text = folded.slice(0, one.start);
    const inside = `${folded.slice(one.start, one.end).replace(/\d.*/, '')}`;
    // "Since January" is one date, which begins with the word.
    const opening = inside.slice(0, Math.max(0, inside.trimEnd().lastIndexOf(' ')));
    const found = bounds.find(({ cue }) =>
      [text, `${text}${inside}`, `${text}${opening}`].some((one) => cue.test(one)),
    );
    if (!found || (found.bound === 'about' && !SHORT.has(one.kind))) return one;
    if (found.bound === 'about') return { ...one, ...aroundOf(one), kind: 'range', alternatives: [] };
    const stretch =
      found.bound === 'until'
        ? { from: now, to: one.to }
        : found.bound === 'before'
          ? { from: now, to: one.from }
          : { from: found.bound === 'after' ? one.to : one.from, to: FOREVER };
    return { ...one, ...stretch, kind: 'long', alternatives: [] };
  };

  const busy = new RegExp(`(?<![a-z0-9'])(?:${words.busy}) [^.,;:!?\\n]{3,60}`, 'g');
  const read: FindSpans = (folded, options) => {
    const now = options.now.toISOString();
    const weekdays = new Set<number>();
    const places: Place[] = [];
    for (const { cue, days } of recurring) {
      for (const match of cue ? folded.matchAll(cue) : []) {
        for (const day of days) weekdays.add(day);
        places.push(placeOf(match));
      }
    }
    const lengths = coming.flatMap(({ cue, units }) =>
      [...folded.matchAll(cue)].map((match): Named => {
        const unit = match[2] ?? '';
        const days = isAny(units.week, unit) ? 7 : isAny(units.month, unit) ? 30 : 1;
        const end = zone.instant(zone.dayOf(options.now) + counts.countOf(match[1] ?? '') * days + 1);
        return { ...placeOf(match), from: now, to: end.toISOString(), alternatives: [], kind: 'long' };
      }),
    );
    const found = findDates(folded, options).map((date): Named => {
      const said = folded.slice(date.start, date.end);
      const isName = date.grain === 'day' && !/\d/.test(said) && isWeekday.test(said);
      const kind = isName ? 'weekday' : date.grain === 'week' || date.grain === 'month' ? 'long' : date.grain;
      return { ...date, kind };
    });
    const said = [...lengths, ...found].filter((one) => !places.some((place) => overlaps(place, one)));
    const bare = months(folded, options).filter((one) => !said.some((other) => overlaps(one, other)));
    // "The last week of December" is no last week and no December.
    const parted = [...said, ...bare].flatMap((one) =>
      one.kind === 'long' ? (partOf(folded, one) ?? []) : [],
    );
    const whole = [...said, ...bare].filter((one) => !parted.some((part) => overlaps(part, one)));
    const all = [...whole, ...parted].sort((a, b) => a.start - b.start);
    const named = joined(folded, numbersBeside(folded, all)).map((one) => bounded(folded, one, now));
    const isLong = named.some(
      (one) =>
        (one.kind === 'long' || one.kind === 'range') &&
        Date.parse(one.to) - Date.parse(one.from) > LONG_DAYS * DAY_MS,
    );
    const days: DaySpan[] = [];
    for (const one of named) {
      places.push({ start: one.start, end: one.end });
      // "A Sunday in December" is one of December's, whichever comes next.
      if (isLong && one.kind === 'weekday') weekdays.add(weekdayOf(zone.dayOf(new Date(one.from))));
      else if (isLong && one.kind === 'weekend') for (const day of WEEKEND) weekdays.add(day);
      else days.push({ from: one.from, to: one.to, alternatives: one.alternatives });
    }
    return { days, weekdays: [...weekdays], places };
  };
  /** The days of the week of what is named, as far as it is no longer than a week. */
  const weekdaysOf = ({ days, weekdays }: Spans): ReadonlySet<number> => {
    const named = days.flatMap(({ from, to }) => {
      const [first, end] = [zone.dayOf(new Date(from)), zone.dayOf(new Date(to))];
      const length = Math.min(end - first, 7);
      return Array.from({ length }, (_, at) => weekdayOf(first + at));
    });
    return new Set([...weekdays, ...named]);
  };
  return (folded, options) => {
    const clauses = [...folded.matchAll(busy)].map((match) => ({ ...placeOf(match), said: match[0] }));
    const taken = clauses.map(({ said, ...place }) => ({ place, on: weekdaysOf(read(said, options)) }));
    const known = taken.filter(({ on }) => on.size > 0);
    if (known.length === 0) return read(folded, options);
    // "I work on Saturdays, what is on in the week?": the days on which somebody works are not those that are wished.
    let left = folded;
    for (const { place } of known)
      left = left.slice(0, place.start) + ' '.repeat(place.end - place.start) + left.slice(place.end);
    const found = read(left, options);
    const places = [...found.places, ...known.map(({ place }) => place)];
    if (found.days.length + found.weekdays.length > 0) return { ...found, places };
    const free = EVERY_DAY.filter((day) => !known.some(({ on }) => on.has(day)));
    return { ...found, weekdays: free.length === 0 ? [] : free, places };
  };
}

function endsIn(words: string): RegExp {
  return new RegExp(`\\b(?:${words})\\s*(?:the |on |o |a |dia |el )*$`);
}

function rangeOf(first: Named, last: Named): Named {
  const readings = [last, ...last.alternatives];
  const end = readings.find(({ to }) => to > first.from) ?? last;
  return { start: first.start, end: last.end, from: first.from, to: end.to, alternatives: [], kind: 'range' };
}

/** What is meant by "around" a day: so many days before and after it. */
const AROUND_DAYS = 2;
const SHORT: ReadonlySet<Named['kind']> = new Set(['day', 'weekday', 'weekend']);

function aroundOf({ from, to }: Pick<DaySpan, 'from' | 'to'>): Pick<DaySpan, 'from' | 'to'> {
  const moved = (iso: string, days: number): string =>
    new Date(Date.parse(iso) + days * DAY_MS).toISOString();
  return { from: moved(from, -AROUND_DAYS), to: moved(to, AROUND_DAYS) };
}

function wholeDay(zone: Zone, day: number | null): DaySpan | null {
  if (day === null) return null;
  const [from, to] = [zone.instant(day), zone.instant(day + 1)];
  return { from: from.toISOString(), to: to.toISOString(), alternatives: [] };
}

function overlaps(one: Place, other: Place): boolean {
  return one.start < other.end && other.start < one.end;
}

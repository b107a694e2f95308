import {
  addMonths,
  type CalendarDay,
  type DateContext,
  type DateRule,
  days,
  monthStart,
  type Reading,
} from './date-reading.js';
import { holidayRules, numericRules } from './date-rules-numeric.js';
import { anyOf, type Counts, type DateWords, either, isAny, mayBe } from './date-words.js';

const HOUR_MS = 3_600_000;

/** Which one is meant, by the words around it; `coming` where nothing says. */
type Shift = 'coming' | Exclude<keyof DateWords['weekday_words']['before'], 'plain'>;
const SHIFTS = ['next_week', 'last_week', 'this_week', 'next', 'last', 'this', 'every'] as const;

const shiftOf = (words: DateWords['weekday_words']['before'], said: string | undefined): Shift | null =>
  said === undefined ? null : (SHIFTS.find((shift) => isAny(words[shift], said.trim())) ?? null);

/** What may stand there, with what says nothing about which one it is. */
const around = (words: DateWords['weekday_words']['before']): string =>
  either([...SHIFTS, 'plain' as const].flatMap((shift) => words[shift] ?? []));

/** The days a weekday can stand for, likeliest first. */
const weekdays = (
  context: DateContext,
  weekday: number,
  shift: Shift,
  next: DateWords['next_weekday'],
): CalendarDay[] => {
  const ahead = (weekday - context.weekday + 7) % 7;
  const coming = context.today + ahead;
  const inWeek = weekBack(context) + ((weekday + 6) % 7);
  switch (shift) {
    case 'last':
      return [coming - 7];
    case 'next_week':
      return [inWeek + 7];
    case 'last_week':
      return [inWeek - 7];
    case 'this_week':
      return [inWeek];
    case 'next': {
      const soonest = ahead === 0 ? coming + 7 : coming;
      const nextWeek = inWeek + 7;
      // On a Wednesday, "next Friday" is in nine days to most and in two to many; "próxima sexta" the other way round.
      const order = next === 'soonest' ? [soonest, nextWeek] : [nextWeek, soonest];
      return soonest === nextWeek ? [soonest] : order;
    }
    case 'this':
      return coming === inWeek ? [coming] : [coming, inWeek];
    case 'every':
      return [];
    case 'coming':
      return [coming, coming - 7, coming + 7];
  }
};

/** Monday of the week. */
const weekBack = (context: DateContext): CalendarDay => context.today - ((context.weekday + 6) % 7);
/** Saturday of the weekend. */
const weekend = (context: DateContext): CalendarDay =>
  context.weekday === 0 ? context.today - 1 : context.today + 6 - context.weekday;

/** The Saturdays a weekend can stand for, likeliest first; early in a week the next one is the one ahead. */
const weekends = (
  context: DateContext,
  shift: -1 | 0 | 1,
  next: DateWords['next_weekday'],
): CalendarDay[] => {
  const start = weekend(context);
  // Within a weekend the next one is never the one that runs, and on its last day even "this one" may be the next.
  if (start <= context.today && shift === 1) return [start + 7];
  if (context.weekday === 0 && shift === 0) return [start, start + 7];
  if (shift !== 1) return [start + 7 * shift];
  const isNear = next === 'soonest' || [1, 2].includes(context.weekday);
  return isNear ? [start, start + 7] : [start + 7, start];
};

const away = (context: DateContext, count: number, unit: keyof DateWords['units']): Reading | null => {
  if (unit === 'day') return days(context, [context.today + count]);
  if (unit === 'week') return days(context, [context.today + 7 * count]);
  if (unit === 'month') return days(context, [addMonths(context, count)]);
  if (unit === 'year') return days(context, [addMonths(context, 12 * count)]);
  const from = new Date(Math.floor((context.now.getTime() + count * HOUR_MS) / HOUR_MS) * HOUR_MS);
  return { grain: 'hour', ranges: [{ from, to: new Date(from.getTime() + HOUR_MS) }] };
};

/** Parts of the day in all languages: the pattern that may follow a day, its group the last, and what it narrows to. */
function createParts(all: readonly DateWords[]) {
  const hoursOf = new Map(all.flatMap(({ parts }) => Object.entries(parts)));
  const before = either(all.flatMap(({ part_words }) => part_words.before));
  return {
    words: anyOf([...hoursOf.keys()]),
    /** May follow a day; its group is the last of the pattern. */
    pattern: `(?: (?:${before})?(${anyOf([...hoursOf.keys()])}))?\\b`,
    narrow(context: DateContext, starts: readonly CalendarDay[], part: string | undefined): Reading | null {
      const hours = hoursOf.get(part ?? '');
      if (hours === undefined) return days(context, starts);
      return {
        grain: 'hour',
        ranges: starts.map((start) => ({
          from: context.zone.instant(start, hours[0]),
          to: context.zone.instant(start, hours[1]),
        })),
      };
    },
  };
}

type Parts = ReturnType<typeof createParts>;

/**
 * The rules by which days are found in the languages of a company; where two match overlapping words the longer match is
 * kept.
 */
export function createDateRules(all: readonly DateWords[], counts: Counts): readonly DateRule[] {
  const parts = createParts(all);
  return [
    ...all.flatMap((words) => [
      ...relativeRules(words, parts),
      ...holidayRules(words),
      weekdayRule(words, parts),
      shortWeekdayRule(words),
      ...spanRules(words),
    ]),
    ...awayRules(all, counts),
    ...numericRules(all),
  ];
}

/** "Tomorrow morning", "tonight", "last night". */
function relativeRules(words: DateWords, parts: Parts): readonly DateRule[] {
  const { this: thisOne, last, tonight, last_night: lastNight } = words.part_words;
  const night = Object.keys(words.parts).at(-1);
  return [
    ...words.relative.map(
      ({ days: count, words: names, not_after: notAfter }): DateRule => ({
        pattern: new RegExp(
          `${notAfter.length === 0 ? '' : `(?<!\\b(?:${either(notAfter)}) )`}\\b(?:${either(names)})(?:'s)?${parts.pattern}`,
          'g',
        ),
        read: (match, context) => parts.narrow(context, [context.today + count], match.at(-1)),
      }),
    ),
    {
      pattern: new RegExp(
        `\\b(?:(${either(tonight)})(?:'s)?|(${either(lastNight)})|(?:(${either(thisOne)})|(${either(last)})) (${anyOf(Object.keys(words.parts))}))\\b`,
        'g',
      ),
      read: (match, context) => {
        const before = match[2] !== undefined || match[4] !== undefined;
        return parts.narrow(context, [context.today - Number(before)], match[5] ?? night);
      },
    },
  ];
}

/** The position of each name in a list of lists. */
const positions = (lists: readonly (readonly string[])[]): ReadonlyMap<string, number> =>
  new Map(lists.flatMap((names, at) => names.map((name) => [name, at] as const)));

function weekdayRule(words: DateWords, parts: Parts): DateRule {
  const { before, article, ending, after, ordinal } = words.weekday_words;
  const known = positions(words.weekdays);
  const counted = ordinal && new RegExp(`^ (?:${ordinal.counted})`);
  return {
    pattern: new RegExp(
      `\\b(?:(${around(before)}) )?(?:${either(article)})?(${anyOf([...known.keys()])})\\b(?:'s\\b)?(${ending})\\b(?: (${around(after)}))?${parts.pattern}`,
      'g',
    ),
    read: (match, context, text) => {
      const [whole, lead, name = '', end = '', trail] = match;
      const part = match.at(-1);
      const sure = end !== '' || trail !== undefined || part !== undefined;
      if (!sure && ordinal?.words.includes(name)) {
        const rest = text.slice((match.index ?? 0) + whole.length);
        if (counted?.test(rest) || context.counted.test(rest)) return null;
        if (ordinal.after[lead ?? '']?.includes(name)) return null;
      }
      const shift = shiftOf(after, trail) ?? shiftOf(before, lead) ?? 'coming';
      if (shift === 'every') return null;
      return parts.narrow(context, weekdays(context, known.get(name) ?? 0, shift, words.next_weekday), part);
    },
  };
}

/** Short names that are other words too: after a word that says so, or alone. */
function shortWeekdayRule(words: DateWords): DateRule {
  const { before, ending, alone, not_after: notAfter } = words.short_weekday_words;
  const known = positions(words.short_weekdays);
  const start = alone ? '(^\\s*|\\b' : '(\\b';
  return {
    pattern: new RegExp(
      `${start}(?:${around(before)}) )(${anyOf([...known.keys()])})\\b(?:${ending})?\\.?`,
      'g',
    ),
    read: (match, context, text) => {
      const [whole, lead = '', name = ''] = match;
      const said = lead.trim();
      if (!mayBe(words, context.language)) return null;
      if (said === '' && text.slice((match.index ?? 0) + whole.length).trim() !== '') return null;
      if (notAfter[name]?.includes(said)) return null;
      const shift = shiftOf(before, said) ?? 'coming';
      return days(context, weekdays(context, known.get(name) ?? 0, shift, words.next_weekday));
    },
  };
}

/** Days of several weeks or months, where nobody says how many. */
const [WEEKS, MONTHS] = [35, 92];

/** "Next weekend", "this week", "o mês que vem". */
function spanRules(words: DateWords): readonly DateRule[] {
  const { before, after } = words.span_words;
  const of = (names: readonly string[]) =>
    new RegExp(`\\b(?:(${around(before)}) )?(?:${either(names)})\\b(?: (${around(after)})\\b)?`, 'g');
  const which = (match: RegExpMatchArray): -1 | 0 | 1 | null => {
    const shift = shiftOf(after, match[2]) ?? shiftOf(before, match[1]);
    return shift === null ? null : shift === 'next' ? 1 : shift === 'last' ? -1 : 0;
  };
  const isSeveral = new RegExp(`\\b(?:${either(words.span_words.several)})\\b`);
  // "The coming weeks" begin now, "the last months" end now.
  const several = ({ today }: DateContext, shift: number, length: number) => [
    shift === 1 ? today : today - length,
  ];
  const afterMonth = new RegExp(`\\b(?:${either(words.months.flat())})(?: [a-z]{1,3})? $`);
  return [
    {
      pattern: of(words.weekend),
      read: (match, context) => {
        return days(context, weekends(context, which(match) ?? 0, words.next_weekday), 'weekend', 2);
      },
    },
    {
      pattern: of(words.units.week),
      read: (match, context) => {
        const shift = which(match);
        if (shift === null) return null;
        if (shift !== 0 && isSeveral.test(match[0]))
          return days(context, several(context, shift, WEEKS), 'week', WEEKS + 1);
        const monday = weekBack(context);
        // On a Sunday "this week" begins for most, and ends for some.
        const starts = shift === 0 && context.weekday === 0 ? [context.today, monday] : [monday + 7 * shift];
        return days(context, starts, 'week', 7);
      },
    },
    {
      pattern: of(words.units.month),
      read: (match, context) => {
        const shift = which(match);
        if (shift === null) return null;
        if (shift !== 0 && isSeveral.test(match[0]))
          return days(context, several(context, shift, MONTHS), 'month', MONTHS + 1);
        const start = monthStart(context.year, context.month + shift);
        return days(context, [start], 'month', monthStart(context.year, context.month + shift + 1) - start);
      },
    },
    {
      pattern: of(words.units.year),
      read: (match, context, text) => {
        const shift = which(match);
        // "October of last year" is a month.
        if (shift === null || afterMonth.test(text.slice(0, match.index))) return null;
        const [start, end] = [0, 1].map((years) => monthStart(context.year + shift + years, 1)) as [
          number,
          number,
        ];
        return days(context, [start], 'month', end - start);
      },
    },
  ];
}

const UNITS = ['hour', 'day', 'week', 'month', 'year'] as const;

/** "In three days", "two weeks ago". */
function awayRules(all: readonly DateWords[], { pattern: count, countOf }: Counts): readonly DateRule[] {
  const unitsOf = (unit: (typeof UNITS)[number]) => all.flatMap(({ units }) => units[unit]);
  const unit = `(${either(UNITS.flatMap(unitsOf))})\\b`;
  const calendar = `(?! (?:${either(all.flatMap((words) => words.not_counted))}))`;
  const of = (before: string, after: string, sign: 1 | -1): DateRule => ({
    pattern: new RegExp(`\\b${before}(${count}) ${unit}${after}`, 'g'),
    read: (match, context) => {
      const named = UNITS.find((one) => isAny(unitsOf(one), match[2] ?? '')) ?? 'hour';
      return away(context, sign * countOf(match[1] ?? ''), named);
    },
  });
  const ahead = all.map((words) => words.ahead);
  const ago = all.map((words) => words.ago);
  const behind = either(ago.flatMap(({ after }) => after));
  return [
    of(`(?:${either(ahead.flatMap(({ before }) => before))}) `, calendar, 1),
    of('', ` (?:${either(ahead.flatMap(({ after }) => after))})\\b`, 1),
    of('', ` (?:${behind})\\b`, -1),
    of(`(?:${either(ago.flatMap(({ before }) => before))}) `, `(?: (?:${behind})\\b)?`, -1),
  ];
}

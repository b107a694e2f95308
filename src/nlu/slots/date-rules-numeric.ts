import {
  type CalendarDay,
  type DateContext,
  type DateRule,
  dayFrom,
  days,
  monthStart,
  type Reading,
} from './date-reading.js';
import { anyOf, type DateWords, either, mayBe } from './date-words.js';

/** How far off a day is; what is planned lies ahead and charges lie shortly behind, so the past counts more. */
const distance = (day: CalendarDay, today: CalendarDay): number =>
  day >= today ? day - today : (today - day) * 2.5;

/** A day and month without a year: the nearest such day first, the one a year off after it. */
const nearest = (context: DateContext, month: number, day: number): CalendarDay[] =>
  [-1, 0, 1]
    .map((shift) => dayFrom(context.year + shift, month, day))
    .filter((found): found is CalendarDay => found !== null)
    .sort((a, b) => distance(a, context.today) - distance(b, context.today))
    .slice(0, 2);

const fullYear = (digits: string): number => (digits.length === 2 ? 2000 + Number(digits) : Number(digits));

const onDate = (
  context: DateContext,
  month: number,
  day: number,
  year: string | undefined,
): CalendarDay[] => {
  if (month < 1 || month > 12) return [];
  if (year === undefined) return nearest(context, month, day);
  const found = dayFrom(fullYear(year), month, day);
  return found === null ? [] : [found];
};

/** The coming day of the month with this number; the one just past is the other reading. */
const dayOfMonth = (context: DateContext, day: number): CalendarDay[] => {
  const found: CalendarDay[] = [];
  for (const shift of [0, 1, 2, -1]) {
    const first = monthStart(context.year, context.month + shift);
    const date = first + day - 1;
    if (date < monthStart(context.year, context.month + shift + 1)) found.push(date);
  }
  const coming = found.find((date) => date >= context.today);
  const past = [...found].sort((a, b) => b - a).find((date) => date < context.today);
  return [coming, past].filter((date) => date !== undefined);
};

type Reader = DateRule['read'];

/** Days and months in figures. "4/10 visits" is a count and "24/7" is always. */
function figuresReader(all: readonly DateWords[]): Reader {
  const counts = all.map((words) => words.counts);
  const countAfter = new RegExp(`^ ?(?:%|(?:${either(counts.flatMap(({ after }) => after))}))`);
  const countBefore = new RegExp(
    `(?:${either(counts.flatMap(({ before }) => before))})[:=]? (?:(?:${either(counts.flatMap(({ of }) => of))}) )?$`,
  );
  const always = new RegExp(`\\b(?:${either(all.flatMap((words) => words.always))}) $`);
  return (match, context, text) => {
    const [whole, first = '', second = '', year] = match;
    const start = match.index ?? 0;
    const before = text.slice(Math.max(0, start - 24), start);
    const after = text.slice(start + whole.length);
    if (countAfter.test(after.slice(0, 12)) || context.counted.test(after) || countBefore.test(before))
      return null;
    if (whole === '24/7' && !always.test(before)) return null;
    const dayFirst = onDate(context, Number(second), Number(first), year);
    const spoken = all.filter((words) => mayBe(words, context.language));
    // In English "12/05" may be meant the American way; in most languages never, unless nothing else is possible.
    const either = spoken.length === 0 || spoken.some(({ figures }) => figures.includes('month_day'));
    const monthFirst =
      !either && dayFirst.length > 0 ? [] : onDate(context, Number(first), Number(second), year);
    return days(context, [...new Set([...dayFirst, ...monthFirst])]);
  };
}

/** Rules for dates with figures in them and for months by name. */
export function numericRules(all: readonly DateWords[]): readonly DateRule[] {
  const figures = figuresReader(all);
  const word = either(all.flatMap(({ day_numbers }) => day_numbers.word ?? []));
  return [
    {
      pattern: /(?<![\d/-])(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?![\d/])/g,
      read: (match, context) => days(context, onDate(context, Number(match[2]), Number(match[3]), match[1])),
    },
    {
      pattern: new RegExp(
        `(?<![\\d/.,$-])(?:\\b(?:${word}) )?(\\d{1,2})\\/(\\d{1,2})(?:\\/(\\d{4}|\\d{2}))?(?![\\d/]|[.,]\\d)`,
        'g',
      ),
      read: figures,
    },
    { pattern: /(?<![\d/.,$-])(\d{1,2})[.-](\d{1,2})[.-](\d{4})(?![\d/]|[.,-]\d)/g, read: figures },
    ...all.flatMap((words) => [...monthRules(words), ...dayRules(words)]),
  ];
}

/** "3 December", "Dec 3", "in December". */
function monthRules(words: DateWords): readonly DateRule[] {
  const { month_words: rules, day_numbers: numbers } = words;
  const months = new Map(words.months.flatMap((names, at) => names.map((name) => [name, at + 1] as const)));
  const month = anyOf([...months.keys()]);
  const full = anyOf(words.months.map(([name = '']) => name));
  const first = numbers.first ?? '(?!)';
  const link = either(rules.link);
  const year = `(?:,? (?:(?:${link}) )?(\\d{4}))?`;
  const lead = either([
    ...(numbers.article ? [numbers.article] : []),
    ...(numbers.word ? [numbers.word] : []),
  ]);
  const ending = either(numbers.endings);
  const before = either([...rules.before.sure, ...rules.before.other]);
  return [
    {
      pattern: new RegExp(
        `(?<![\\d/.,:])(?:\\b(?:${lead}) )?(\\d{1,2}|${first})(?:${ending})?( (?:${link})|-)? ?(${month})\\b\\.?${year}(?!\\d)`,
        'g',
      ),
      read: (match, context, text) => {
        const [whole, day = '', linked, name = '', said] = match;
        const next = text.slice((match.index ?? 0) + whole.length);
        // "5 out of 10", "3 set": other words unless something says that they are months.
        if (linked === undefined && rules.need_link.includes(name))
          if ((context.language !== undefined && !mayBe(words, context.language)) || /^ of\b/.test(next))
            return null;
        const number = /^\d/.test(day) ? Number(day) : 1;
        return days(context, onDate(context, months.get(name) ?? 0, number, said));
      },
    },
    {
      pattern: new RegExp(
        `\\b(${month})\\.? (?:(?:${numbers.article ?? '(?!)'}) )?(\\d{1,2})(?:${ending})?\\b(?![:/]|[.,]\\d)(?:,? (\\d{4}))?`,
        'g',
      ),
      read: (match, context, text) => {
        const [, name = '', day, said] = match;
        if (rules.never_first.includes(name)) return null;
        const word = /(\S+) $/.exec(text.slice(0, match.index))?.[1] ?? '';
        if (rules.not_after[name]?.includes(word)) return null;
        return days(context, onDate(context, months.get(name) ?? 0, Number(day), said));
      },
    },
    {
      pattern: new RegExp(
        `\\b(${before}) (${full})\\b(?:,? (?:(?:${link}) )?(\\d{4}))?(?! (?:the )?\\d{1,2}(?:${ending})?\\b)`,
        'g',
      ),
      read: (match, context) => {
        const [, lead = '', name = '', said] = match;
        if (rules.doubtful.includes(name) && said === undefined && !rules.before.sure.includes(lead))
          return null;
        return monthReading(context, months.get(name) ?? 0, said, rules.past.includes(lead));
      },
    },
  ];
}

/** A month as a whole, the nearest first. */
function monthReading(context: DateContext, month: number, year: string | undefined, past: boolean): Reading {
  const years = year !== undefined ? [Number(year)] : [context.year - 1, context.year, context.year + 1];
  const ranges = years
    .map((one) => ({ start: monthStart(one, month), end: monthStart(one, month + 1) }))
    .filter(({ start }) => year !== undefined || !past || start <= context.today)
    .sort(
      (a, b) =>
        Math.min(distance(a.start, context.today), distance(a.end - 1, context.today)) -
        Math.min(distance(b.start, context.today), distance(b.end - 1, context.today)),
    );
  return {
    grain: 'month',
    ranges: ranges
      .slice(0, 2)
      .map(({ start, end }) => ({ from: context.zone.instant(start), to: context.zone.instant(end) })),
  };
}

/** "The 12th", "dia 12". */
function dayRules({ day_numbers: numbers }: DateWords): readonly DateRule[] {
  const { word, word_before: lead, first = '(?!)', article, not, before, endings } = numbers;
  const inMonth = (context: DateContext, day: number): Reading | null => {
    const reading = day >= 1 && day <= 31 ? days(context, dayOfMonth(context, day)) : null;
    return reading && { ...reading, dayNumber: day };
  };
  const byWord: DateRule[] =
    word === undefined
      ? []
      : [
          {
            pattern: new RegExp(
              `\\b(?:${lead ?? '(?!)'})?(?:${word}) (\\d{1,2}|${first})\\b(?![:/]|[.,]\\d| ?%)`,
              'g',
            ),
            read: (match, context) => inMonth(context, /^\d/.test(match[1] ?? '') ? Number(match[1]) : 1),
          },
        ];
  if (article === undefined) return byWord;
  return [
    ...byWord,
    {
      pattern: new RegExp(
        `\\b(?:(${either(before)}) )?(${article} )?(\\d{1,2})(?:${either(endings)})\\b(?! (?:${not ?? '(?!)'}))`,
        'g',
      ),
      read: (match, context, text) => {
        if (context.counted.test(text.slice((match.index ?? 0) + match[0].length))) return null;
        const day = Number(match[3]);
        if (match[1] === undefined && (match[2] === undefined || day <= 5)) return null;
        return inMonth(context, day);
      },
    },
  ];
}

/** "At Christmas": the days that have it every year, the coming ones first. */
export function holidayRules({ holidays }: DateWords): readonly DateRule[] {
  return holidays.map(({ month, day, days: length, words }) => ({
    pattern: new RegExp(`\\b(?:${either(words)})(?![a-z0-9])`, 'g'),
    read: (_match, context) => {
      const starts = [context.year, context.year + 1].map((year) => dayFrom(year, month, day));
      const coming = starts.filter((start) => start !== null && start + length > context.today);
      return days(context, coming.slice(0, 1), length > 1 ? 'weekend' : 'day', length);
    },
  }));
}

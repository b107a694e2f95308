import {
  type CalendarDay,
  type DateContext,
  type DateRule,
  dayFrom,
  days,
  monthStart,
} from './date-reading.js';
import { anyOf, MONTHS } from './date-words.js';

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

/** "4/10 visits" is a count and "24/7" is always. */
const COUNT_AFTER = /^ ?(?:estrela|star|credit|point|ponto|%|of\b)/;
const COUNT_BEFORE =
  /(?:quota|cota|used|usei|nota|rat(?:e|ed|ing)|score|avalia\w*|gave|dou|visitas?|visits?|is|foram)[:=]? (?:at |de |a )?$/;

const numeric = (
  match: RegExpMatchArray,
  context: DateContext,
  text: string,
): ReturnType<DateRule['read']> => {
  const [, first = '', second = '', year] = match;
  const start = match.index ?? 0;
  const before = text.slice(Math.max(0, start - 24), start);
  if (
    COUNT_AFTER.test(text.slice(start + match[0].length, start + match[0].length + 12)) ||
    context.counted.test(text.slice(start + match[0].length)) ||
    COUNT_BEFORE.test(before)
  )
    return null;
  if (match[0] === '24/7' && !/(?:\bon|\bdia|\bem|\bde|\bno) $/.test(before)) return null;
  const dayFirst = onDate(context, Number(second), Number(first), year);
  // In English "12/05" may be meant the American way; in Portuguese never, unless nothing else is possible.
  const monthFirst =
    context.language === 'pt-BR' && dayFirst.length > 0
      ? []
      : onDate(context, Number(first), Number(second), year);
  return days(context, [...new Set([...dayFirst, ...monthFirst])]);
};

/** Words for months that are other words too, unless "de" or a pronoun-free place says so. */
const TWO_FACED = new Set([
  'out',
  'set',
  'ago',
  'dez',
  'may',
  'mar',
  'marco',
  'mai',
  'march',
  'april',
  'june',
  'august',
  'sept',
  'jun',
  'jan',
]);
const MONTH = anyOf(MONTHS);
const FULL_MONTH = Object.keys(MONTHS)
  .filter(
    (name) => name.length > 4 || name === 'may' || name === 'june' || name === 'july' || name === 'maio',
  )
  .join('|');

/** Rules for dates with figures in them and for months by name. */
export const NUMERIC_RULES: readonly DateRule[] = [
  {
    pattern: /(?<![\d/-])(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?![\d/])/g,
    read: (match, context) => days(context, onDate(context, Number(match[2]), Number(match[3]), match[1])),
  },
  {
    pattern: /(?<![\d/.,$-])(?:dia )?(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?(?![\d/]|[.,]\d)/g,
    read: numeric,
  },
  { pattern: /(?<![\d/.,$-])(\d{1,2})[.-](\d{1,2})[.-](\d{4})(?![\d/]|[.,-]\d)/g, read: numeric },
  {
    pattern: new RegExp(
      `(?<![\\d/.,:])(?:the |dia )?(\\d{1,2}|primeiro)(?:st|nd|rd|th|o|a)?( of| de|-)? ?(${MONTH})\\b\\.?(?:,? (?:de |of )?(\\d{4}))?(?!\\d)`,
      'g',
    ),
    read: (match, context, text) => {
      const month = match[3] ?? '';
      const next = text.slice((match.index ?? 0) + match[0].length, (match.index ?? 0) + match[0].length + 4);
      if (
        match[2] === undefined &&
        ['out', 'set', 'ago', 'dez'].includes(month) &&
        (context.language === 'en' || /^ of\b/.test(next))
      )
        return null;
      return days(
        context,
        onDate(context, MONTHS[month] ?? 0, match[1] === 'primeiro' ? 1 : Number(match[1]), match[4]),
      );
    },
  },
  {
    pattern: new RegExp(
      `\\b(${MONTH})\\.? (?:the )?(\\d{1,2})(?:st|nd|rd|th)?\\b(?![:/]|[.,]\\d)(?:,? (\\d{4}))?`,
      'g',
    ),
    read: (match, context, text) => {
      const month = match[1] ?? '';
      if (['out', 'set', 'ago', 'dez', 'mai'].includes(month)) return null;
      if (
        month === 'may' &&
        /\b(?:i|we|you|they|he|she|it|that|this|which|who) $/.test(text.slice(0, match.index))
      )
        return null;
      return days(context, onDate(context, MONTHS[month] ?? 0, Number(match[2]), match[3]));
    },
  },
  {
    pattern: /\b(?:(?:n|d|pr)?o |de )?dias? (\d{1,2}|primeiro)\b(?![:/]|[.,]\d| ?%)/g,
    read: (match, context) => {
      const day = match[1] === 'primeiro' ? 1 : Number(match[1]);
      return day >= 1 && day <= 31 ? days(context, dayOfMonth(context, day)) : null;
    },
  },
  {
    pattern:
      /\b(?:(on|for|from) )?(the )?(\d{1,2})(?:st|nd|rd|th)\b(?! (?:one|option|item|time|try|attempt|message|floor|on the|in the|of (?:them|these|those|the|my)))/g,
    read: (match, context, text) => {
      if (context.counted.test(text.slice((match.index ?? 0) + match[0].length))) return null;
      const day = Number(match[3]);
      if (match[1] === undefined && (match[2] === undefined || day <= 5)) return null;
      return day >= 1 && day <= 31 ? days(context, dayOfMonth(context, day)) : null;
    },
  },
  {
    pattern: new RegExp(
      `\\b(in|for|by|until|since|of|early|late|mid|next|this|last|em|de|mes de|para|pra|ate|desde) (${FULL_MONTH})\\b(?:,? (?:of |de )?(\\d{4}))?(?! (?:the )?\\d{1,2}(?:st|nd|rd|th)?\\b)`,
      'g',
    ),
    read: (match, context) => {
      const [, before = '', name = '', year] = match;
      if (
        TWO_FACED.has(name) &&
        year === undefined &&
        !/^(?:in|by|until|since|next|this|last|early|late|mid|em|mes de|ate|desde)$/.test(before)
      )
        return null;
      const month = MONTHS[name] ?? 0;
      const years = year !== undefined ? [Number(year)] : [context.year - 1, context.year, context.year + 1];
      const past = /^(?:last|since|desde)$/.test(before);
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
    },
  },
];

import type { DaySpan } from '../../core/domain/entity.js';
import { weekdayOf, type Zone } from './date-reading.js';
import { type DateWords, either } from './date-words.js';
import type { DateOptions, FindDates } from './dates.js';
import type { FilterWords } from './filter-words.js';

/** A stretch of a folded text. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** A stretch of time, and where the text names it. */
export interface Named extends Place, DaySpan {
  readonly kind: 'day' | 'weekday' | 'weekend' | 'long' | 'range' | 'hour';
}

/** Months by their bare names: "and December?", "December shows". */
export function monthFinder(
  dates: readonly DateWords[],
  findDates: FindDates,
): (folded: string, options: DateOptions) => readonly Named[] {
  const finders = dates.map(({ months, month_words: { doubtful, need_link, before, link } }) => {
    const names = months.flat().filter((name) => !doubtful.includes(name) && !need_link.includes(name));
    // After such a word even a short name is a month.
    const led = months.flat().filter((name) => !names.includes(name));
    const leads = before.sure.filter((word) => /^[a-z]{2,5}$/.test(word));
    return {
      cue: new RegExp(
        `\\b(?:${either(names)}|(?<=\\b(?:${either(leads)}|${either(link)}) )(?:${either(led)}))\\b(?! \\d)`,
        'g',
      ),
      full: new Map(months.flatMap((all) => all.map((name) => [name, all[0] ?? name] as const))),
      lead: leads[0] ?? 'in',
    };
  });
  return (folded, options) =>
    finders.flatMap(({ cue, full, lead }) =>
      [...folded.matchAll(cue)].flatMap((match): readonly Named[] => {
        const [month] = findDates(`${lead} ${full.get(match[0]) ?? match[0]}`, options);
        return month ? [{ ...month, ...placeOf(match), kind: 'long' }] : [];
      }),
    );
}

/** Makes the reader of parts of a month: "the last week of December", "early January"; null where none is named. */
export function monthParts(zone: Zone, dates: readonly DateWords[], words: FilterWords) {
  const unit = either(dates.flatMap(({ units }) => units.week));
  const weekend = either(dates.flatMap((one) => one.weekend));
  const link = `(?:(?:of|in|de|do|da|em|del) )?(?:the |[oa] |el )?(?:[a-z]+ )?[a-z]+$`;
  const nth = words.nth.map((ordinal) => new RegExp(`\\b(?:${ordinal}) (?:(${weekend})|${unit}) ${link}`));
  const tenths = [words.early, words.middle, words.late].map((part) => new RegExp(`\\b(?:${part}) ${link}`));
  return (folded: string, month: Named): Named | null => {
    const [from, to] = [zone.dayOf(new Date(month.from)), zone.dayOf(new Date(month.to))];
    if (to - from < 28 || to - from > 31) return null;
    const text = folded.slice(0, month.end);
    const stretch = (match: RegExpExecArray, first: number, after: number): Named => {
      const [begins, ends] = [zone.instant(first), zone.instant(Math.min(after, to))];
      const days = { from: begins.toISOString(), to: ends.toISOString(), alternatives: [] };
      return { ...days, start: match.index, end: month.end, kind: 'range' };
    };
    for (const [at, cue] of nth.entries()) {
      const match = cue.exec(text);
      if (!match) continue;
      const isLast = at === nth.length - 1;
      if (match[1] === undefined)
        return isLast ? stretch(match, to - 7, to) : stretch(match, from + at * 7, from + at * 7 + 7);
      const saturdays = Array.from({ length: to - from }, (_, day) => from + day).filter(
        (day) => weekdayOf(day) === 6,
      );
      const saturday = isLast ? saturdays.at(-1) : saturdays[at];
      if (saturday !== undefined) return stretch(match, saturday, saturday + 2);
    }
    for (const [at, cue] of tenths.entries()) {
      const match = cue.exec(text);
      if (match) return stretch(match, from + at * 10, at === tenths.length - 1 ? to : from + at * 10 + 10);
    }
    return null;
  };
}

/** Where a match stands. */
export function placeOf(match: RegExpExecArray): Place {
  return { start: match.index, end: match.index + match[0].length };
}

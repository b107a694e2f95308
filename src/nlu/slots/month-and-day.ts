import { type DateContext, dayFrom, days, partsOf, type Reading } from './date-reading.js';

/** A date in a text. */
interface Found {
  readonly start: number;
  readonly end: number;
  readonly reading: Reading;
}

/** Characters between two days of one stretch: "from the 4th to the 20th". */
const SAME_STRETCH = 12;

/**
 * Reads a month and a day that a text names apart as one date: "in January, from the 4th", "no dia 4, em janeiro", and the end of
 * such a stretch: "do dia 4 ao dia 20".
 * @param joins finds what may stand between a month and its day, and nothing else
 */
export function inNamedMonth(
  all: readonly Found[],
  folded: string,
  context: DateContext,
  joins: RegExp,
): readonly Found[] {
  const found: Found[] = [];
  let month: Reading | null = null;
  for (const one of all) {
    const last = found.at(-1);
    const between = last ? folded.slice(last.end, one.start) : '';
    const number = one.reading.dayNumber;
    if (last && number !== undefined && last.reading.grain === 'month' && joins.test(between)) {
      month = last.reading;
      found[found.length - 1] = {
        ...one,
        start: last.start,
        reading: dayIn(month, number, context) ?? one.reading,
      };
      continue;
    }
    if (last?.reading.dayNumber !== undefined && one.reading.grain === 'month' && joins.test(between)) {
      month = one.reading;
      const reading = dayIn(month, last.reading.dayNumber, context) ?? last.reading;
      found[found.length - 1] = { start: last.start, end: one.end, reading };
      continue;
    }
    const goesOn = month !== null && number !== undefined && between.length <= SAME_STRETCH;
    const reading = goesOn && month && !/[.!?;]/.test(between) ? dayIn(month, number, context) : null;
    if (reading === null) month = null;
    found.push(reading === null ? one : { ...one, reading });
  }
  return found;
}

/** A day of the month that is meant, in the years of its readings; null where it has no such day. */
function dayIn({ ranges }: Reading, number: number, context: DateContext): Reading | null {
  const starts = ranges.map(({ from }) => {
    const { year, month } = partsOf(context.zone.dayOf(from));
    return dayFrom(year, month, number);
  });
  return days(context, starts);
}

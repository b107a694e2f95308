const DAY_MS = 86_400_000;

const names = (lists: string, from: number): ReadonlyMap<string, number> =>
  new Map(
    lists
      .split('|')
      .flatMap((list, at) => list.split(' ').map((name): [string, number] => [name, at + from])),
  );

/** Months by name, both languages, folded. */
export const MONTHS = names(
  'january jan janeiro|february feb fevereiro fev|march mar marco|april apr abril abr|may maio mai|june jun junho|july jul julho|august aug agosto ago|september sep sept setembro set|october oct outubro out|november nov novembro|december dec dezembro dez',
  1,
);

/** Weekdays by name, both languages, folded; Sunday is 0. */
export const WEEKDAYS = names(
  'sunday sun domingo|monday mon segunda|tuesday tue terca|wednesday wed quarta|thursday thu quinta|friday fri sexta|saturday sat sabado',
  0,
);

/** A day of the year that can be compared, MM-DD. */
export function calendarDay(month: number, day: number): string {
  return `${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** 0 for Sunday. @param day YYYY-MM-DD */
export function weekdayOf(day: string): number {
  return new Date(`${day}T12:00:00Z`).getUTCDay();
}

/** That many days later; the same where there is no such day, as 30 February. @param day YYYY-MM-DD */
export function shifted(day: string, days: number): string {
  const noon = Date.parse(`${day}T12:00:00Z`);
  return Number.isNaN(noon) ? day : new Date(noon + days * DAY_MS).toISOString().slice(0, 10);
}

/** Days by what they are called today, folded, the longer names first. */
const NAMED_DAYS: readonly (readonly [RegExp, number])[] = [
  [/day after tomorrow|depois de amanha/, 2],
  [/(?<!\p{L})(?:tomorrow|amanha)(?!\p{L})/u, 1],
  [/day before yesterday|anteontem|antes de ayer|anteayer/, -2],
  [/(?<!\p{L})(?:yesterday|ontem)(?!\p{L})/u, -1],
  [
    /(?<!\p{L}|(?:from|partir de|contar de|contando de) )(?:today|tonight|this (?:morning|afternoon|evening)|hoje|(?:esta|nesta) (?:manha|tarde|noite))(?!\p{L})/u,
    0,
  ],
];

/** Every day that a text names so, with where it does. @param plain folded */
export function namedDaysIn(
  plain: string,
  today: string,
): readonly { readonly day: string; readonly at: number; readonly length: number }[] {
  let rest = plain;
  return NAMED_DAYS.flatMap(([name, step]) =>
    [...rest.matchAll(new RegExp(name, 'gu'))].map(({ 0: { length }, index: at }) => {
      // "Tomorrow" stands in "the day after tomorrow" too.
      rest = rest.slice(0, at) + ' '.repeat(length) + rest.slice(at + length);
      return { day: shifted(today, step), at, length };
    }),
  );
}

/** The day that "yesterday" or "tomorrow" in a text means; null where it says none of these. @param plain folded */
export function dayNamed(plain: string, today: string): string | null {
  return namedDaysIn(plain, today)[0]?.day ?? null;
}

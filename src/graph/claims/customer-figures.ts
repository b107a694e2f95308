import { calendarDay, dayNamed, shifted, weekdayOf } from './calendar.js';
import type { Figure } from './figure.js';
import { fold } from './tokens.js';

const DAY = 1_440;
const WEEK = 7;
const DAY_MS = 86_400_000;

/** What the customer named: an answer may work with it, though no source has it. */
export class CustomerFigures {
  readonly numbers = new Set<number>();
  /** Days, MM-DD. */
  readonly dates = new Set<string>();
  readonly weekdays = new Set<number>();
  /** In minutes. */
  readonly spans = new Set<number>();
  /** Minutes from now to a day and an hour. */
  readonly waits = new Set<number>();

  /**
   * @param figures those of a text
   * @param today YYYY-MM-DD
   * @param minute of that day
   */
  add(text: string, figures: readonly Figure[], today: string, minute: number): void {
    const days = new Set<string>();
    for (const { kind, values } of figures) {
      const [value] = values;
      if (kind === 'span') this.spans.add(Number(value));
      if (kind === 'weekday') this.weekdays.add(Number(value));
      if (kind === 'date') days.add(`${today.slice(0, 4)}-${value}`);
      // "On the 21st" is of this month.
      if (kind === 'day')
        days.add(`${today.slice(0, 4)}-${calendarDay(Number(today.slice(5, 7)), Number(value))}`);
    }
    for (const day of days) this.dates.add(day.slice(5));
    for (const { kind, values } of figures)
      if (kind === 'weekday') for (let step = 1; step <= WEEK; step += 1) addNext(days, today, step, values);
    const named = dayNamed(fold(text), today);
    if (named !== null) this.spans.add(Math.abs(daysBetween(today, named)) * DAY);
    if (named !== null || days.size === 0) days.add(named ?? today);
    for (const { kind, values } of figures)
      if (kind === 'time')
        for (const value of values)
          for (const day of days) this.waits.add(daysBetween(today, day) * DAY + Number(value) - minute);
    for (const day of this.dates) this.waits.add(daysBetween(today, `${today.slice(0, 4)}-${day}`) * DAY);
  }
}

function addNext(days: Set<string>, today: string, step: number, weekdays: Figure['values']): void {
  const day = shifted(today, step);
  if (weekdays.includes(weekdayOf(day))) days.add(day);
}

function daysBetween(one: string, other: string): number {
  return Math.round((Date.parse(`${other}T12:00:00Z`) - Date.parse(`${one}T12:00:00Z`)) / DAY_MS);
}

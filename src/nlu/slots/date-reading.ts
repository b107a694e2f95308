import type { Language } from '../../core/domain/taxonomy.js';
import type { CalendarDay, Zone } from './zone.js';

/** What a date phrase spans. */
export type Grain = 'day' | 'hour' | 'week' | 'weekend' | 'month';

/** The moment a text was written, on the calendar of its place. */
export interface DateContext {
  readonly today: CalendarDay;
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Sunday is 0. */
  readonly weekday: number;
  readonly now: Date;
  readonly zone: Zone;
  readonly language: Language | undefined;
  /** At the beginning of what follows a number: something that the number counts. */
  readonly counted: RegExp;
}

/** What a phrase can mean; `ranges` has the likeliest reading first and is never empty. */
export interface Reading {
  readonly grain: Grain;
  readonly ranges: readonly { from: Date; to: Date }[];
}

/** One way of naming a date. `read` may still refuse what the pattern found. */
export interface DateRule {
  readonly pattern: RegExp;
  read(match: RegExpMatchArray, context: DateContext, text: string): Reading | null;
}

/** Days as whole days, likeliest first. */
export const days = (
  context: DateContext,
  starts: readonly (CalendarDay | null)[],
  grain: Grain = 'day',
  length = 1,
): Reading | null => {
  const known = starts.filter((start): start is CalendarDay => start !== null);
  if (known.length === 0) return null;
  return {
    grain,
    ranges: known.map((start) => ({
      from: context.zone.instant(start),
      to: context.zone.instant(start + length),
    })),
  };
};

/**
 * Something a text states that can be compared: an amount (cents), a share (percent), a span (minutes, or business
 * days), a date (MM-DD), a day of a month, a month, a weekday, a time of the day (minutes), a number of things, an
 * address, when something begins to hold (now, next month).
 */
export type FigureKind =
  | 'money'
  | 'percent'
  | 'span'
  | 'business_days'
  | 'date'
  | 'day'
  | 'month'
  | 'weekday'
  | 'time'
  | 'count'
  | 'contact'
  | 'start';

export interface Figure {
  readonly kind: FigureKind;
  /** What it may mean: "at seven" is in the morning or in the evening. */
  readonly values: readonly (number | string)[];
  /** What is counted, folded; for a count only. */
  readonly noun?: string;
  /** True for the 5 of "5 to 10 days". */
  readonly start?: true;
  readonly from: number;
  readonly to: number;
}

import type { Deed } from '../../core/domain/deed.js';
import { weekdayOf } from './calendar.js';
import type { Figure } from './figure.js';

/** When something of a record is, by the field that says so. */
export interface Moment {
  /** MM-DD. */
  readonly day: string;
  /** Of the day; null where the field has none. */
  readonly minute: number | null;
  readonly weekday: number;
  /** In minutes since 1970. */
  readonly at: number;
  /** The name of the field. */
  readonly field: string;
}

/** One row as a tool returned it, by itself: an order, a payment, a refund. */
export interface RecordRow {
  /** Under which name rows of its kind are counted. */
  readonly kind: string;
  readonly title: string | null;
  /** Of its record and of those it belongs to. */
  readonly ids: readonly string[];
  /** Its numbers that are no amounts, by the names of their fields. */
  readonly counts: ReadonlyMap<string, number>;
  /** What its texts name. */
  readonly told: readonly Figure[];
  readonly moments: readonly Moment[];
  readonly money: ReadonlySet<number>;
  /** Words of its names and places. */
  readonly words: ReadonlySet<string>;
  readonly deeds: ReadonlySet<Deed>;
  readonly pending: ReadonlySet<Deed>;
}

/** When a field says something is; null where it says no day. */
export function momentOf(
  field: string,
  value: unknown,
  local: (at: Date) => { readonly day: string; readonly minute: number },
): Moment | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) return null;
  const at = Date.parse(value) / 60_000;
  if (Number.isNaN(at)) return null;
  const { day, minute } = value.length === 10 ? { day: value, minute: null } : local(new Date(value));
  return { day: day.slice(5), minute, weekday: weekdayOf(day), at, field };
}

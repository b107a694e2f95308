import type { Deed } from '../../core/domain/guardrail.js';
import type { TimeFormat } from '../../core/i18n/index.js';
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
  /** What it says with yes or no, by the names of its fields. */
  readonly flags: ReadonlyMap<string, boolean>;
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

/** Names of numbers that say how much of an allowance was used and is left: `left_this_month`. */
const USED = /(?:^|_)(?:used|spent|consumed)(?:_|$)/;
const REMAINING = /(?:^|_)(?:remaining|left|available)(?:_|$)/;
/** The one number of a row with such a name; null where there are none or several. */
function numberOf(row: Readonly<Record<string, unknown>>, name: RegExp): number | null {
  const found = Object.entries(row).filter(
    ([key, value]) => typeof value === 'number' && !key.endsWith('_cents') && name.test(key),
  );
  return found.length === 1 ? Number(found[0]?.[1]) : null;
}

/** What was used of an allowance and what is left; null where a row counts none. */
export function tallyOf(
  row: Readonly<Record<string, unknown>>,
): { readonly used: number; readonly remaining: number } | null {
  const [used, remaining] = [numberOf(row, USED), numberOf(row, REMAINING)];
  return used === null || remaining === null ? null : { used, remaining };
}

export const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
export const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** What a row may have in common with others: its states, its amounts, the month it is of, whether that is over. */
export function featuresOf(
  row: Readonly<Record<string, unknown>>,
  time: Pick<TimeFormat, 'local'>,
  now: { readonly today: string; readonly minute: number },
): readonly string[] {
  return Object.entries(row).flatMap(([name, value]) => {
    if (value === null) return [`${name}=null`];
    if (typeof value === 'number' && name.endsWith('_cents')) return [`${name}=${value}`];
    if (typeof value === 'boolean') return [`${name}=${value}`];
    if (typeof value !== 'string') return [];
    if (ISO_DAY.test(value) || ISO_TIME.test(value)) {
      const { day, minute } = ISO_DAY.test(value) ? { day: value, minute: 0 } : time.local(new Date(value));
      const later = day > now.today || (day === now.today && minute > now.minute);
      return [`${name}@${day.slice(0, 7)}`, `${name}:${later ? 'later' : 'past'}`];
    }
    return value.length < 24 && !/_id$/.test(name)
      ? [`${name}=${value}`]
      : /_id$/.test(name)
        ? [`${name}=set`]
        : [];
  });
}

import type { RecordFilters } from '../../../src/core/domain/record-filters.js';

/** What begins at a time, ISO 8601 UTC. */
interface Timed {
  readonly starts_at: string;
}

/** What is looked through: what is of the kind that was asked for, null where none was; and everything. */
interface Looked<Entry> {
  readonly ofKind: readonly Entry[] | null;
  readonly all: readonly Entry[];
}

/** Those of a list that fit. */
type Fits<Entry> = (all: readonly Entry[], filters: RecordFilters) => readonly Entry[];

/**
 * What comes nearest to what nothing fits: first without the hour and the places left, then of another kind, on another day,
 * for another price, elsewhere; the soonest to the day that was asked for first.
 */
export function nearest<Entry extends Timed>(
  filters: RecordFilters,
  { ofKind, all }: Looked<Entry>,
  fits: Fits<Entry>,
): readonly Entry[] {
  const anyTime: Partial<RecordFilters> = { days: [], weekdays: [], hours: null };
  const anyHour: Partial<RecordFilters> = { hours: null, left: false };
  const tries: readonly (readonly [readonly Entry[] | null, Partial<RecordFilters>])[] = [
    [ofKind ?? all, anyHour],
    [all, anyHour],
    [ofKind ?? all, { ...anyHour, ...anyTime }],
    [ofKind ?? all, { ...anyHour, price: null }],
    [ofKind ?? all, { ...anyHour, places: [] }],
    [ofKind ?? all, { ...anyHour, ...anyTime, price: null }],
    [ofKind ?? all, { ...anyHour, ...anyTime, places: [] }],
    [all, { ...anyHour, ...anyTime }],
    [all, { ...anyHour, ...anyTime, price: null }],
    [all, { ...anyHour, ...anyTime, price: null, places: [] }],
  ];
  for (const [among, dropped] of tries) {
    const found = among === null ? [] : fits(among, { ...filters, ...dropped });
    if (found.length > 0) return 'days' in dropped ? soonestTo(filters, found) : found;
  }
  return [];
}

function soonestTo<Entry extends Timed>(
  { days: [span] }: RecordFilters,
  found: readonly Entry[],
): readonly Entry[] {
  if (!span) return found;
  const [from, to] = [Date.parse(span.from), Date.parse(span.to)];
  const away = ({ starts_at: at }: Entry): number =>
    Date.parse(at) < from ? from - Date.parse(at) : Math.max(0, Date.parse(at) - to);
  return [...found].sort((a, b) => away(a) - away(b));
}

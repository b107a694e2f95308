import { NO_FILTERS, type RecordFilters } from '../../../src/core/domain/entity.js';
import { fold } from '../../../src/core/text.js';
import type { Asked } from '../../../src/runtime/company-answers.js';
import { CHOICE, type Kinds } from '../data/search-words.js';
import { type Experience, type Experiences, recordOf } from './programme-lines.js';

/** What is looked through: what is of the kind that was asked for, null where none was; and everything. */
export interface Looked {
  readonly ofKind: Experiences | null;
  readonly all: Experiences;
}

/** Those of a list that fit. */
type Fits = (all: Experiences, filters: RecordFilters) => Experiences;

/**
 * What comes nearest to what nothing fits: first without the hour and the places left, then of another kind, on another day,
 * for another price, elsewhere; the soonest to the day that was asked for first, and the cheapest where the price does not fit.
 */
export function nearest(filters: RecordFilters, { ofKind, all }: Looked, fits: Fits): Experiences {
  const anyTime: Partial<RecordFilters> = { days: [], weekdays: [], hours: null };
  const anyHour: Partial<RecordFilters> = { hours: null, left: false };
  const tries: readonly (readonly [Experiences, Partial<RecordFilters>])[] = [
    [ofKind ?? all, anyHour],
    [all, anyHour],
    [ofKind ?? all, { ...anyHour, ...anyTime }],
    [ofKind ?? all, { ...anyHour, price: null }],
    [all, { ...anyHour, price: null }],
    [ofKind ?? all, { ...anyHour, ...anyTime, price: null }],
    [all, { ...anyHour, ...anyTime }],
    [all, { ...anyHour, ...anyTime, price: null }],
    [ofKind ?? all, { ...anyHour, places: [] }],
    [ofKind ?? all, { ...anyHour, ...anyTime, places: [] }],
    [all, { ...anyHour, ...anyTime, price: null, places: [] }],
  ];
  for (const [among, dropped] of tries) {
    const found = fits(among, { ...filters, ...dropped });
    if (found.length === 0) continue;
    if ('days' in dropped) return soonestTo(filters, found);
    return 'price' in dropped ? [...found].sort((a, b) => a.price_cents - b.price_cents) : found;
  }
  return [];
}

function soonestTo({ days: [span] }: RecordFilters, found: Experiences): Experiences {
  if (!span) return found;
  const [from, to] = [Date.parse(span.from), Date.parse(span.to)];
  const away = ({ starts_at: at }: Experience): number =>
    Date.parse(at) < from ? from - Date.parse(at) : Math.max(0, Date.parse(at) - to);
  return [...found].sort((a, b) => away(a) - away(b));
}

/**
 * In what they are not what was asked for, in words: "of another kind and at an extra cost".
 * @param shown what is shown instead
 * @returns null where each is all of it
 */
export function apartFrom(
  { fits, texts }: Asked,
  filters: RecordFilters,
  { ofKind }: Looked,
  shown: Experiences,
): string | null {
  const isApart = (only: Partial<RecordFilters>): boolean =>
    shown.some((one) => !fits(recordOf(one), 'experience', { ...NO_FILTERS, ...only }));
  const { days, weekdays, hours, places, price, left } = filters;
  const isOther =
    ofKind !== null && shown.some((one) => !ofKind.some((of) => of.experience_id === one.experience_id));
  const isOnOtherDay = isApart({ days, weekdays });
  const parts = [
    ...(isOther ? ['kind'] : []),
    ...(isApart({ places }) ? ['place'] : []),
    ...(isOnOtherDay ? ['day'] : []),
    ...(!isOnOtherDay && isApart({ hours }) ? ['hour'] : []),
    ...(isApart({ price }) ? [price?.most === 0 ? 'extra' : 'price'] : []),
    ...(isApart({ left }) ? ['full'] : []),
  ];
  return parts.length === 0 ? null : texts.list(parts.map((part) => texts.sayOwn('apart', { part })));
}

/** Those that are of a kind, whatever words of another their text has: a ballet with an orchestra is no concert. */
export function trulyOf(all: Experiences, wanted: string | null, { unless }: Kinds): Experiences {
  const others = (wanted ?? '').split(CHOICE).map((kind) => unless.get(kind) ?? new Set<string>());
  const isOther = ({ title }: Experience): boolean => {
    const words = fold(title).split(/[^a-z]+/);
    return others.every((not) => words.some((word) => not.has(word)));
  };
  return all.filter((one) => !isOther(one));
}

import type { RecordFilters } from '../core/domain/record-filters.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { Sentences, TimeFormat } from '../core/i18n/index.js';

/** How the places of the company's records are written behind a noun: "in Recife", "no Rio de Janeiro". */
type PlacePhrase = (name: string, language: Language) => string | null;

const DAY_MS = 86_400_000;
/** Later than any day that is asked for. */
const OPEN_END = '9';
const ALL_DAY = 24;

/**
 * What a list was narrowed down to, in words that follow what it is of: "in Recife, from 4 December to 18 December".
 * @param now ISO 8601 UTC
 * @returns null where it was not
 */
export function narrowedTo(
  {
    texts,
    time,
    placeIn,
  }: { readonly texts: Sentences; readonly time: TimeFormat; readonly placeIn: PlacePhrase },
  { days, weekdays, hours, places, price, left }: RecordFilters,
  now: string,
): string | null {
  const { language } = texts;
  const say = (part: string, from: string | null = null, to: string | null = null) =>
    texts.say('narrowed_to', { part, from, to });
  const either = (parts: readonly string[]): readonly string[] =>
    parts.length > 1
      ? [texts.say('either', { first: parts.slice(0, -1).join(', '), last: parts.at(-1) ?? '' })]
      : parts;
  const spanOf = ({ from, to }: { readonly from: string; readonly to: string }): string => {
    const last = new Date(Date.parse(to) - 1).toISOString();
    const [begins, ends] = [time.date(from, language), time.date(last, language)];
    if (to.startsWith(OPEN_END)) return say('since', begins);
    const month = time.wholeMonth(from, to, language);
    if (month !== null) return say('month', month);
    if (from <= now && Date.parse(to) - Date.parse(now) > DAY_MS) return say('until', null, ends);
    if (Date.parse(to) - Date.parse(from) < DAY_MS)
      return `${say('day', begins)}, ${hourPhrase(hoursOf({ from, to }, time), say)}`;
    if (begins === ends || Date.parse(to) - Date.parse(from) <= DAY_MS) return say('day', begins);
    return say('span', begins, ends);
  };
  const named = [...weekdays].sort().map((day) => time.weekday(day, language));
  const set = [...weekdays].sort().join('');
  const onDays =
    set === '06'
      ? [say('weekends')]
      : set === '12345'
        ? [say('workdays')]
        : either(named.map((day) => say('weekday', day)));
  const parts = [
    ...either(places.map((name) => placeIn(name, language) ?? say('place', name))),
    ...either(days.map(spanOf)),
    ...onDays,
    ...(hours ? [hourPhrase(hours, say)] : []),
    ...(price ? [pricePhrase(price, texts, say)] : []),
    ...(left ? [say('left')] : []),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

/** The hours of the day between two instants; what ends in the night ends with the day. */
function hoursOf({ from, to }: { readonly from: string; readonly to: string }, time: TimeFormat) {
  const [first, last] = [from, to].map((iso) => time.local(new Date(iso)));
  const begins = (first?.minute ?? 0) / 60;
  return { from: begins, to: first?.day === last?.day ? (last?.minute ?? 0) / 60 : ALL_DAY };
}

type Say = (part: string, from?: string | null, to?: string | null) => string;

function hourPhrase({ from, to }: { readonly from: number; readonly to: number }, say: Say): string {
  const clock = (hour: number) =>
    `${String(Math.floor(hour)).padStart(2, '0')}:${String(Math.round((hour % 1) * 60)).padStart(2, '0')}`;
  if (to >= ALL_DAY) return say('after', clock(from));
  return from === 0 ? say('before', null, clock(to)) : say('hours', clock(from), clock(to));
}

function pricePhrase(
  { least, most }: { readonly least: number; readonly most: number },
  texts: Sentences,
  say: Say,
): string {
  if (most === 0) return say('free');
  if (most === Number.MAX_SAFE_INTEGER) return say('least', texts.money(least));
  return least === 0
    ? say('most', null, texts.money(most))
    : say('price', texts.money(least), texts.money(most));
}

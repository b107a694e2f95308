import type { EntityRecord, RecordFilters } from '../core/domain/entity.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { Sentences, TimeFormat } from '../core/i18n/index.js';
import type { OfflineStep } from '../core/ports/chat-models.js';
import type { AgentContext } from './agent-definition.js';
import type { AnyTool, ListedRecord } from './define-tool.js';

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

/** What of a record a list is narrowed down by. */
type Filtered = Pick<EntityRecord, 'place' | 'startsAt' | 'attributes'> &
  Partial<Pick<EntityRecord, 'amount'>>;

/** What a text narrows a list down to. */
export interface Narrowed {
  readonly own: RecordFilters;
  /** With what was said of the list that was shown last. */
  readonly merged: RecordFilters;
  /** True where it narrows something down by itself. */
  readonly narrows: boolean;
}

/** A request as a company's own answers see it. */
export interface Asked {
  readonly context: AgentContext;
  /** The customer's intent, one of the company's or the engine's. */
  readonly intent: string;
  /** How sure that intent is, 0 to 1. */
  readonly confidence: number;
  /** True where the agent has an answer of its own, such as an article. */
  readonly answered: boolean;
  /** True where it says what the hub asked for last. */
  readonly replies: boolean;
  /** Names of the tools that may be called. */
  readonly toolNames: readonly string[];
  /** True where the program that speaks for the customer may use this tool. */
  may(tool: string): boolean;
  /**
   * Calls a tool with what the customer's words give of its inputs, or asks for the first that is missing.
   * @param known what is known of them beside these words
   * @param among the records of which one is missing
   */
  call(
    tool: AnyTool,
    known?: Readonly<Record<string, unknown>>,
    among?: readonly ListedRecord[],
  ): OfflineStep;
  readonly texts: Sentences;
  readonly time: TimeFormat;
  /** Stretches of time that the text names, or what it was written with (`task.within`), in the order written. */
  dates(): readonly NamedDate[];
  /** Names of what the text, the request where none is given, says has become of a record of this entity, as the entity declares them. */
  said(entity: string, text?: string): ReadonlySet<string>;
  /** The declared questions about the customer's own records that the request asks, in its order; empty where none. */
  readonly asks: readonly string[];
  /** What the text narrows a list down to; with what stood before it, where it only changes that. */
  readonly filters: RecordFilters;
  /** True where a record of the entity is one of those. */
  fits(record: Filtered, entity: string, filters?: RecordFilters): boolean;
  /** What a text alone narrows a list down to, by itself and as a change of the list that was shown last. */
  narrowed(text: string): Narrowed;
  /** True where not everything is wanted. */
  narrows(filters: RecordFilters): boolean;
  /** What a list was narrowed down to, in words that follow what it is of; null where it was not. */
  narrowedTo(filters: RecordFilters): string | null;
  /** What the message says by itself: a short one comes with the message before it. */
  readonly own: string;
  /** How many of the latest the request asks for: "my last 5 payments"; null where it gives no number. */
  readonly latest: number | null;
  /** Words of the request that say neither where, when nor what kind, nor stand in any such question: without accents, in their order. */
  readonly unexplained: readonly string[];
  /** Which of the records a text names, the whole request where none is given; null where it names none, or several. */
  named(records: readonly ListedRecord[], text?: string): string | null;
}

/** A stretch of time, and where the text names it. Instants are ISO 8601 UTC; `to` is the first that is not meant. */
interface NamedDate {
  readonly from: string;
  readonly to: string;
  readonly start: number;
  readonly end: number;
  /** Other readings of the same words, likeliest first. */
  readonly alternatives: readonly { readonly from: string; readonly to: string }[];
}

/**
 * How a company answers without a model what only it knows how to say. Deterministic: the same request gives the same step.
 * @returns null where the engine should answer
 */
export type CompanyAnswer = (asked: Asked) => OfflineStep | null;

/** A company's answers, by name of the agent that is asked. */
export type CompanyAnswers = Readonly<Record<string, CompanyAnswer>>;

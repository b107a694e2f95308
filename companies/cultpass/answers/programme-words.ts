import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { RecordFilters } from '../../../src/core/domain/entity.js';
import { fold } from '../../../src/core/text.js';
import { type Kinds, readKinds } from '../data/search-words.js';

const wordsSchema = z.record(
  z.enum(['cheap', 'cheaper', 'premium', 'more', 'anything', 'otherwise', 'need_not', 'leads']),
  z.array(z.string()),
);

/** What customers ask the programme by. */
export interface ProgrammeWords {
  readonly kinds: Kinds;
  readonly cheap: RegExp;
  /** Asks for what is cheaper than what was shown. */
  readonly cheaper: RegExp;
  /** Asks for what is for Premium subscribers alone. */
  readonly premium: RegExp;
  /** Asks for more of what was shown. */
  readonly more: RegExp;
  /** Asks for whatever there is. */
  readonly anything: RegExp;
  /** Asks for something of another kind. */
  readonly otherwise: RegExp;
  /** What it need not be. */
  readonly needNot: RegExp;
  /** A sentence that continues from what was shown. */
  readonly leads: RegExp;
}

/** Reads them from the file beside this one. */
export function readProgrammeWords(): ProgrammeWords {
  const read = (file: string): unknown => parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
  const words = wordsSchema.parse(read('./programme.yaml'));
  const anyOf = (patterns: readonly string[] = []) => new RegExp(`\\b(?:${patterns.join('|')})\\b`);
  return {
    kinds: readKinds(),
    cheap: anyOf(words.cheap),
    cheaper: anyOf(words.cheaper),
    premium: anyOf(words.premium),
    more: anyOf(words.more),
    anything: anyOf(words.anything),
    otherwise: anyOf(words.otherwise),
    needNot: new RegExp(`(?<!\\p{L})(?:${words.need_not?.join('|')})`, 'giu'),
    leads: new RegExp(`^\\W*(?:${words.leads?.join('|')})\\b`),
  };
}

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
    [ofKind ?? all, { ...anyHour, ...anyTime, price: null }],
    [all, { ...anyHour, ...anyTime }],
    [all, { ...anyHour, ...anyTime, price: null }],
    [ofKind ?? all, { ...anyHour, places: [] }],
    [ofKind ?? all, { ...anyHour, ...anyTime, places: [] }],
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

/** What is on lies ahead: "in December" is the one to come, whatever month it is. */
export function aheadOf(span: RecordFilters['days'][number], now: string): RecordFilters['days'][number] {
  if (span.to > now) return span;
  const [next, ...alternatives] = span.alternatives.filter(({ to }) => to > now);
  return next ? { ...next, alternatives } : span;
}

/** The filters with the days in each of their readings. */
export function readingsOf(filters: RecordFilters): readonly RecordFilters[] {
  const others = filters.days.flatMap(({ alternatives }) => alternatives);
  const readings = others.map((one) => ({ ...filters, days: [{ ...one, alternatives: [] }] }));
  return filters.days.length === 1 ? [filters, ...readings] : [filters];
}

/** Its sentences, with how they end. */
export function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?])\s+/);
}

/** True where a sentence continues from what was shown: "none in Recife? And in Rio?". */
export function leadsOn(text: string, { leads }: ProgrammeWords): boolean {
  return sentencesOf(text).some((sentence) => leads.test(fold(sentence)));
}

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { RecordFilters } from '../../../src/core/domain/entity.js';
import { fold } from '../../../src/core/text.js';
import { type Kinds, readKinds } from '../data/search-words.js';

const wordsSchema = z.record(
  z.enum(['cheap', 'cheaper', 'premium', 'plans', 'more', 'anything', 'otherwise', 'need_not', 'leads']),
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
  /** Names a plan. */
  readonly plans: RegExp;
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
    plans: anyOf(words.plans),
    more: anyOf(words.more),
    anything: anyOf(words.anything),
    otherwise: anyOf(words.otherwise),
    needNot: new RegExp(`(?<!\\p{L})(?:${words.need_not?.join('|')})`, 'giu'),
    leads: new RegExp(`^\\W*(?:${words.leads?.join('|')})\\b`),
  };
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

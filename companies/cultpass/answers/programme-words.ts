import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { type Kinds, readKinds } from '../data/search-words.js';

const wordsSchema = z.record(
  z.enum(['cheap', 'more', 'anything', 'otherwise', 'need_not', 'leads']),
  z.array(z.string()),
);

/** What customers ask the programme by. */
export interface ProgrammeWords {
  readonly kinds: Kinds;
  readonly cheap: RegExp;
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
    more: anyOf(words.more),
    anything: anyOf(words.anything),
    otherwise: anyOf(words.otherwise),
    needNot: new RegExp(`(?<!\\p{L})(?:${words.need_not?.join('|')})`, 'giu'),
    leads: new RegExp(`^\\W*(?:${words.leads?.join('|')})\\b`),
  };
}

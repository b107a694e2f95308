import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { fold } from '../../../src/core/fold.js';
import { type Kinds, readKinds } from '../data/kinds.js';

const wordsSchema = z.record(z.enum(['free', 'cheap', 'more', 'leads']), z.array(z.string()));
const placesSchema = z.object({
  places: z.array(z.object({ name: z.string(), also: z.array(z.string()).default([]) })),
});

/** What customers ask the programme by. */
export interface ProgrammeWords {
  readonly kinds: Kinds;
  /** Asks for what costs nothing beside the plan. */
  readonly free: RegExp;
  readonly cheap: RegExp;
  /** Asks for more of what was shown. */
  readonly more: RegExp;
  /** Goes on from what was shown. */
  readonly leads: RegExp;
  /** Cities with everything they are called, folded. */
  readonly cities: readonly { readonly name: string; readonly names: readonly string[] }[];
}

/** Reads them from the files beside this one. */
export function readProgrammeWords(): ProgrammeWords {
  const read = (file: string): unknown => parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
  const words = wordsSchema.parse(read('./programme.yaml'));
  const { places } = placesSchema.parse(read('../entities/experience.yaml'));
  const anyOf = (patterns: readonly string[] = []) => new RegExp(`\\b(?:${patterns.join('|')})\\b`);
  return {
    kinds: readKinds(),
    free: anyOf(words.free),
    cheap: anyOf(words.cheap),
    more: anyOf(words.more),
    leads: new RegExp(`^\\W*(?:${words.leads?.join('|')})\\b`),
    cities: places.map(({ name, also }) => ({ name, names: [fold(name), ...also] })),
  };
}

import { z } from 'zod';
import type { Language } from '../../core/domain/taxonomy.js';
import { pattern, readWords } from '../words.js';
import type { Candidate } from './clues.js';
import { foldText } from './text.js';

const schema = z.strictObject({ cheapest: pattern, dearest: pattern, earliest: pattern, latest: pattern });

/** By what a superlative compares: what things cost, or when they are. */
export type Compared = 'amount' | 'time';

/** Reads "the cheapest", "a mais cara", "the soonest of them". */
export interface Superlatives {
  /** Null where the text has none. */
  comparedIn(text: string): Compared | null;
  /** The candidates that it means, several where they are equal; null where it has none, or they cannot be compared. */
  pick(text: string, candidates: readonly Candidate[]): readonly Candidate[] | null;
}

/** Makes the reader, in all these languages. @throws HubError `config_invalid` where the engine has no words of one */
export function createSuperlatives(languages: readonly Language[]): Superlatives {
  const files = languages.map((language) => readWords(language, 'superlatives', schema));
  const any = (key: keyof z.infer<typeof schema>) =>
    new RegExp(`\\b(?:${files.map((words) => words[key]).join('|')})\\b`);
  const kinds = [
    { said: any('cheapest'), by: 'amount', sign: 1 },
    { said: any('dearest'), by: 'amount', sign: -1 },
    { said: any('earliest'), by: 'time', sign: 1 },
    { said: any('latest'), by: 'time', sign: -1 },
  ] as const;
  const kindIn = (text: string) => kinds.find(({ said }) => said.test(foldText(text)));
  return {
    comparedIn: (text) => kindIn(text)?.by ?? null,
    pick(text, candidates) {
      const kind = kindIn(text);
      if (!kind) return null;
      const values = candidates.map((candidate) => measureOf(candidate, kind.by));
      const known = values.flatMap((value) => (value === null ? [] : [value * kind.sign]));
      // What has no price is no cheaper than the others: it cannot be compared.
      if (known.length === 0 || known.length < candidates.length) return null;
      const best = Math.min(...known);
      return candidates.filter((_, at) => (values[at] ?? 0) * kind.sign === best);
    },
  };
}

function measureOf({ amount, startsAt }: Candidate, by: Compared): number | null {
  if (by === 'amount') return amount ?? null;
  return startsAt === null ? null : Date.parse(startsAt);
}

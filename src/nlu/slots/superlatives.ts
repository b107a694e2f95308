import { z } from 'zod';
import type { Language } from '../../core/domain/taxonomy.js';
import { pattern, readWords } from '../words.js';
import type { Candidate } from './clues.js';
import { foldText } from './text.js';

const schema = z.strictObject({
  ...{ cheapest: pattern, dearest: pattern, earliest: pattern, latest: pattern },
  ...{ cheaper: pattern, dearer: pattern, sooner: pattern, later: pattern },
  ...{ sum: pattern, difference: pattern, between: pattern, which: pattern },
});

/** By what a superlative compares: what things cost, or when they are. */
export type Compared = 'amount' | 'time';

/** What is asked of several records that are named: what they come to, or which has less or more of what is compared. */
export interface AskedOfSeveral {
  /** The text, cut between what may be named one after the other. */
  readonly parts: readonly string[];
  /** Words that ask for a sum. */
  readonly sums: boolean;
  /** How far apart they are is asked for. */
  readonly difference: boolean;
  /** Null where nothing is compared; `sign` is 1 where less is meant. */
  readonly compares: { readonly by: Compared; readonly sign: 1 | -1 } | null;
}

/** Reads "the cheapest", "a mais cara", "the soonest of them". */
export interface Superlatives {
  /** @param text names several records */
  askedOfSeveral(text: string): AskedOfSeveral;
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
  const either = (
    least: 'cheapest' | 'dearest' | 'earliest' | 'latest',
    less: 'cheaper' | 'dearer' | 'sooner' | 'later',
  ) => new RegExp(`${any(least).source}|${any(less).source}`);
  // Between two that are named "more" is enough, and what costs is meant before when it is.
  const between = [
    { said: either('cheapest', 'cheaper'), by: 'amount', sign: 1 },
    { said: either('dearest', 'dearer'), by: 'amount', sign: -1 },
    { said: either('earliest', 'sooner'), by: 'time', sign: 1 },
    { said: either('latest', 'later'), by: 'time', sign: -1 },
  ] as const;
  const [sum, difference, which] = [any('sum'), any('difference'), any('which')];
  const joint = new RegExp(
    String.raw`[,;:]|(?<!\p{L})(?:${files.map((words) => words.between).join('|')})(?!\p{L})`,
    'iu',
  );
  const kindIn = (text: string) => kinds.find(({ said }) => said.test(foldText(text)));
  return {
    askedOfSeveral(text) {
      const said = foldText(text);
      // "After the samba and the play" compares nothing.
      const compares =
        kindIn(text) ?? (which.test(said) ? between.find(({ said: cue }) => cue.test(said)) : null) ?? null;
      const parts = text.split(joint).filter((part) => part.trim() !== '');
      return { parts, sums: sum.test(said), difference: difference.test(said), compares };
    },
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

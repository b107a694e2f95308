import { z } from 'zod';
import type { Language } from '../core/domain/taxonomy.js';
import type { Slots } from '../nlu/slots/index.js';
import { foldText } from '../nlu/slots/text.js';
import { readWords } from '../nlu/words.js';

/** Reads who wants to have it back as it was. */
export interface UndoneReader {
  /**
   * What a message says of a change that was made: `asks` where it wants that undone in so many words, `slips` where it says that it was
   * not meant, which speaks of what was done just now only; null where neither.
   */
  undoing(text: string): 'asks' | 'slips' | null;
}

const patterns = z.array(z.string()).min(1);
const schema = z.object({ undoing: z.strictObject({ asks: patterns, slips: patterns }) });

/** Longer messages tell a story. */
const LONGEST = 160;

/** @throws HubError `config_invalid` where the engine does not know one of the languages */
export function createUndoneReader(
  slots: Pick<Slots, 'sentencesOf'>,
  languages: readonly Language[],
): UndoneReader {
  const files = languages.map((language) => readWords(language, 'dialogue', schema).undoing);
  const any = (key: 'asks' | 'slips') =>
    new RegExp(`(?<![a-z0-9'])(?:${files.flatMap((words) => words[key]).join('|')})(?![a-z0-9'])`);
  const [asks, slips] = [any('asks'), any('slips')];
  return {
    undoing(text) {
      if (text.length > LONGEST) return null;
      const sentences = slots.sentencesOf(text).map((one) => foldText(one).trim());
      if (sentences.some((one) => asks.test(one))) return 'asks';
      return sentences.some((one) => slips.test(one)) ? 'slips' : null;
    },
  };
}

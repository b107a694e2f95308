import { z } from 'zod';
import type { Language } from '../core/domain/taxonomy.js';
import { fold, foldText } from '../nlu/slots/text.js';
import { pattern, readWords } from '../nlu/words.js';

/** Reads parts of a message that say what they ask only with what stands before them in it. */
export interface LeaningParts {
  /**
   * A text in which somebody who is spoken of is called so in the questions after it too: "my son is five. Does my son pay?" of "does he
   * pay?". The text itself where nobody is spoken of, or several are.
   */
  callingThem(text: string): string;
  /** The question that a part asks for which says what is to be told: "can I go?" of "tell me why, and whether I can go". */
  asQuestion(part: string, message: string): string;
  /** True where a part only gives the reason of the question before it: "can I still go? Because if it rains I shall". */
  isReasonOf(part: string, message: string): boolean;
}

const patterns = z.array(pattern).min(1);
const schema = z.strictObject({
  whether: patterns,
  reasons: patterns,
  somebody: patterns,
  standing_for_somebody: patterns,
  parting: patterns,
});
const telling = z.object({ knowing: patterns });

/** Characters that are looked at: a longer message tells a story of several people. */
const LONGEST = 300;

/** @throws HubError `config_invalid` where the engine does not know one of the languages */
export function createLeaningParts(
  languages: readonly Language[],
  isQuestion: (text: string) => boolean,
): LeaningParts {
  const files = languages.map((language) => readWords(language, 'leaning', schema));
  const any = (key: keyof z.infer<typeof schema>) => files.flatMap((words) => words[key]).join('|');
  const knowing = languages.flatMap((language) => readWords(language, 'clauses', telling).knowing).join('|');
  const asksToKnow = new RegExp(`\\b(?:${knowing})\\b`);
  const whether = new RegExp(`^\\W*(?:${any('whether')})(?![a-z'])\\s*`);
  const reasons = new RegExp(`^\\W*(?:${any('reasons')})(?![a-z'])`);
  const somebody = new RegExp(`(?<![a-z'])(?:${any('somebody')})`, 'g');
  const standing = new RegExp(`(?<![a-z'])(?:${any('standing_for_somebody')})(?![a-z'])`, 'g');
  /** Between what is told of somebody and what is asked of them. */
  const parted = new RegExp(`[.,;:!?\\n]|(?<![a-z])(?:${any('parting')})(?![a-z])`);
  return {
    callingThem(text) {
      if (text.length > LONGEST) return text;
      const { folded, at } = fold(text);
      const [first, ...others] = [...folded.matchAll(somebody)];
      if (!first || others.some(([other]) => other !== first[0])) return text;
      const end = first.index + first[0].length;
      const name = text.slice(at[first.index], at[end] ?? text.length);
      const stands = [...folded.matchAll(standing)].find(
        ({ index }) => index > end && parted.test(folded.slice(end, index)),
      );
      if (!stands) return text;
      const after = stands.index + stands[0].length;
      const [sentence = ''] = /^[^.;!?\n]*\??/.exec(folded.slice(after)) ?? [];
      if (!sentence.endsWith('?') && !isQuestion(text.slice(at[stands.index]))) return text;
      return `${text.slice(0, at[stands.index])}${name}${text.slice(at[after] ?? text.length)}`;
    },
    asQuestion(part, message) {
      const { folded, at } = fold(part);
      const [lead = ''] = whether.exec(folded) ?? [];
      const isTold = lead !== '' && part !== message && asksToKnow.test(foldText(message));
      return isTold ? `${part.slice(at[lead.length] ?? 0).replace(/[\s?.!,;]+$/u, '')}?` : part;
    },
    isReasonOf: (part, message) =>
      !part.includes('?') &&
      reasons.test(foldText(part)) &&
      message.slice(0, message.indexOf(part)).includes('?'),
  };
}

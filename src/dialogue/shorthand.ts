import { z } from 'zod';
import type { Language } from '../core/domain/taxonomy.js';
import { foldText } from '../nlu/slots/text.js';
import { readWords } from '../nlu/words.js';

/** Reads the shorthand of chats. */
export interface ShorthandReader {
  /** A text with its shorthand written out: "que horas tenho que chegar" of "q hrs tenho q chegar". */
  writtenOut(text: string, language: Language): string;
}

const schema = z.strictObject({ words: z.record(z.string(), z.string()) });
const WORD = /[\p{L}\p{N}]+/gu;

/** @throws HubError `config_invalid` where the engine does not know one of the languages */
export function createShorthandReader(languages: readonly Language[]): ShorthandReader {
  const known = new Map(
    languages.map((language) => [
      language,
      new Map(Object.entries(readWords(language, 'shorthand', schema).words)),
    ]),
  );
  return {
    writtenOut: (text, language) =>
      text.replace(WORD, (word) => known.get(language)?.get(foldText(word)) ?? word),
  };
}

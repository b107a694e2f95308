import { z } from 'zod';
import { fold } from '../core/text.js';
import { readLanguages, readWords } from './words.js';

const schema = z.record(z.string(), z.string());
const WORD = /[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu;

/**
 * Reads a question about a relative of the customer's as one about any friend: whom they want to bring changes nothing of
 * what is asked. It is for looking things up, not for answers: nothing that is read so is said to anybody.
 * @throws HubError `config_invalid` where the words of a language are missing or wrong
 */
export function createOfAnyone(): (text: string) => string {
  const friends = new Map<string, string>();
  for (const language of readLanguages())
    for (const [friend, relatives] of Object.entries(readWords(language, 'relatives', schema)))
      for (const relative of relatives.trim().split(/\s+/)) friends.set(relative, friend);
  return (text) => text.replace(WORD, (word) => friends.get(fold(word)) ?? word);
}

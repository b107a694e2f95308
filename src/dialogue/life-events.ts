import { z } from 'zod';
import { LIFE_EVENTS, type LifeEvent } from '../core/domain/session.js';
import type { Language } from '../core/domain/taxonomy.js';
import { foldText } from '../nlu/slots/text.js';
import { readWords } from '../nlu/words.js';

const phrases = z.array(z.string());
const schema = z.object({ grief: phrases, trouble: phrases, joy: phrases, told_of_trouble: phrases });

/** One question, and nothing told before or after it. */
const ONE_QUESTION = /^[^.!?;\n]+\?\W*$/u;

/**
 * Makes the reader of what customers tell of their lives.
 * @returns what a text tells of; null where it tells of nothing, or only asks for a rule: "does a cat fast before surgery?"
 * @throws HubError `config_invalid` where the engine has no words for one of the languages
 */
export function readLifeEvents(languages: readonly Language[]): (text: string) => LifeEvent | null {
  const files = languages.map((language) => readWords(language, 'dialogue', schema));
  const said = (key: keyof z.infer<typeof schema>) => files.flatMap((words) => words[key]).join('|');
  const events = LIFE_EVENTS.map((event) => [event, new RegExp(`\\b(?:${said(event)})`)] as const);
  const asRule = new RegExp(`(?<![a-z])(?:${said('told_of_trouble')}) (?:${said('trouble')})(?![a-z])`);
  return (text) => {
    const folded = foldText(text);
    const found = events.find(([, pattern]) => pattern.test(folded))?.[0] ?? null;
    return found === 'trouble' && ONE_QUESTION.test(text) && asRule.test(folded) ? null : found;
  };
}

import type { Language } from '../core/domain/taxonomy.js';
import { foldText } from './slots/text.js';
import { readMarks } from './words.js';

/** Characters of a question that says no more than how. */
const LONGEST = 80;

/** Tells a text that does no more than ask how or where to do what was said before it: "how do I do that?" */
export function createMannerReader(languages: readonly Language[]): (text: string) => boolean {
  const manners = languages.map((language) => readMarks(language).manner);
  return (text) => {
    if (text.length > LONGEST) return false;
    const words = foldText(text)
      .replace(/[^a-z0-9]+/g, ' ')
      .trim();
    return manners.some((manner) => manner.test(words));
  };
}

import type { Language } from '../core/domain/taxonomy.js';
import { readMarks } from './words.js';

/** Characters. A longer message tells a story. */
const LONGEST = 500;
/** More than this nobody tells in one message. */
const MOST_STRETCHES = 6;

/** Where one thing that happened may end and the next begin: at the end of a sentence, and at a word that joins. */
export function createStretches(languages: readonly Language[]): (text: string) => readonly string[] {
  const joints = [...new Set(languages.flatMap((language) => readMarks(language).joints))];
  const cut = new RegExp(
    String.raw`[.!?;\n]+(?=\s|$)|[,\s]+(?:${joints.join('|')})(?=[,\s])(?:[,\s]+(?:${joints.join('|')})(?=[,\s]))*`,
    'giu',
  );
  return (text) => {
    if (text.length > LONGEST) return [];
    const stretches = text
      .split(cut)
      .map((stretch) => stretch.replace(/^[\s,]+|[\s,]+$/gu, ''))
      .filter((stretch) => stretch !== '');
    return stretches.length > MOST_STRETCHES ? [] : stretches;
  };
}

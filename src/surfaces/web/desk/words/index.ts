import { type Catalogue, useTexts } from '../../shared/i18n.js';
import { en, type Words } from './en.js';
import { pt } from './pt.js';

const WORDS: Catalogue<Words> = { en, 'pt-BR': pt };

/** The desk's words in the language of the page. */
export function useWords(): Words {
  return useTexts(WORDS);
}

export type { Words } from './en.js';
export { term } from './term.js';

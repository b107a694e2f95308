import { type Catalogue, useTexts } from '../../shared/i18n.js';
import { en, type Words } from './en.js';
import { pt } from './pt.js';

const WORDS: Catalogue<Words> = { en, 'pt-BR': pt };

/** The desk's words in the language of the page. */
export function useWords(): Words {
  return useTexts(WORDS);
}

/** A term of the hub's vocabulary in words; one that is not known is shown as it came. */
export function term(group: Readonly<Record<string, string>>, key: string): string {
  const known = Object.hasOwn(group, key) ? group[key] : undefined;
  return known ?? key.replaceAll('_', ' ');
}

export type { Words } from './en.js';

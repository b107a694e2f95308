import { z } from 'zod';
import type { Language } from '../core/domain/taxonomy.js';
import { pattern, readWords } from './words.js';

const schema = z.strictObject({ joints: pattern, otherwise: z.array(pattern).min(1), lead_in: pattern });

/** Longer messages tell a story. */
const LONGEST = 240;

/**
 * The change that is preferred, of two in one message: "cancel it, and if that is not possible pause my plan".
 * @param isChange true where a text surely asks for a change
 * @returns the whole text where it names no two changes so
 */
export type PreferredReader = (text: string, isChange: (part: string) => boolean) => string;

/** @throws HubError `config_invalid` where the engine has no words of a language */
export function createPreferredReader(languages: readonly Language[]): PreferredReader {
  const files = languages.map((language) => readWords(language, 'preferred', schema));
  const otherwise = files.map(
    ({ joints, otherwise: cases, lead_in: leadIn }) =>
      `(?:(?:${joints}) )?(?:${cases.join('|')})[\\s,:]+(?:(?:${leadIn}) )?`,
  );
  const between = otherwise.join('|').replaceAll(' ', '\\s+');
  const parts = new RegExp(`^(?<first>.{4,}?)[\\s,.;:]+(?:${between})(?<second>.{4,})$`, 'isu');
  return (text, isChange) => {
    const { first, second } = (text.length <= LONGEST ? parts.exec(text)?.groups : undefined) ?? {};
    // "If not, I call a lawyer" is no second choice.
    return first && second && isChange(second) && isChange(first) ? first : text;
  };
}

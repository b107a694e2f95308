import { z } from 'zod';
import type { Language } from '../core/domain/taxonomy.js';
import { pattern, readWords } from './words.js';

const schema = z.strictObject({
  joints: pattern,
  otherwise: z.array(pattern).min(1),
  lead_in: pattern,
  or_else: z.array(pattern).min(1),
});

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

/** A part of a message that may threaten with something. */
export interface Threat {
  readonly text: string;
  /** True for what is to follow where a wish is not granted: "..., or I call my lawyer". */
  readonly isLast: boolean;
}

/** What ends a sentence that asks nothing. */
const SENTENCE = /[^.!?\n]+(?:[.!\n]+|$)/g;

/**
 * The sentences of a message that ask nothing, and what each sets against a wish.
 * @throws HubError `config_invalid` where the engine has no words of a language
 */
export function createThreatReader(languages: readonly Language[]): (text: string) => readonly Threat[] {
  const words = languages.flatMap((language) => readWords(language, 'preferred', schema).or_else);
  const orElse = new RegExp(`(?<=[\\s,;])(?:${words.join('|')})[\\s,:]+(.{4,})$`, 'isu');
  return (text) =>
    (text.match(SENTENCE) ?? []).flatMap((sentence) => {
      const [, last] = orElse.exec(sentence) ?? [];
      const whole = { text: sentence, isLast: false };
      return last === undefined ? [whole] : [whole, { text: last, isLast: true }];
    });
}

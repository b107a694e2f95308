import type { Language } from './taxonomy.js';

/** A BCP 47 tag: `es`, `pt-BR`. */
export const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;

/** What of a tag says which language it is: `pt` of `pt-BR`. */
export function primaryOf(tag: string): string {
  return (tag.trim().split(/[-_]/)[0] ?? '').toLowerCase();
}

/**
 * Which of these languages is asked for: that of the tag, else another way of writing it (`pt-PT` asks for `pt-BR`).
 * @returns undefined where none of them is
 */
export function languageAmong(
  tag: string | null | undefined,
  languages: readonly Language[],
): Language | undefined {
  const asked = (tag ?? '').trim().toLowerCase();
  if (asked === '') return undefined;
  return (
    languages.find((language) => language.toLowerCase() === asked) ??
    languages.find((language) => primaryOf(language) === primaryOf(asked))
  );
}

/** What is there in a language, however its tag is written; undefined where nothing is. */
export function onlyIn<Value>(
  values: Readonly<Record<Language, Value>>,
  language: Language,
): Value | undefined {
  const found = languageAmong(language, Object.keys(values));
  return found === undefined ? undefined : values[found];
}

/** What is there in a language, else in English, else in any; undefined where there is nothing. */
export function inLanguage<Value>(
  values: Readonly<Record<Language, Value>>,
  language: Language,
): Value | undefined {
  const languages = Object.keys(values);
  const found = languageAmong(language, languages) ?? languageAmong('en', languages) ?? languages[0];
  return found === undefined ? undefined : values[found];
}

/** What a language is called in another: `português`, without the country. */
export function languageName(language: Language, inWords: Language): string {
  const primary = primaryOf(language);
  return new Intl.DisplayNames(inWords, { type: 'language' }).of(primary) ?? language;
}

/** What English calls a language, as models are told it: "Brazilian Portuguese". */
export function englishNameOf(language: Language): string {
  return new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language;
}

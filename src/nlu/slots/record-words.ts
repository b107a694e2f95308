import type { EntityWords } from '../../core/domain/entity.js';
import type { Language } from '../../core/domain/taxonomy.js';
import { readFillers, readMarks } from '../words.js';
import { foldText, tokenize } from './text.js';

/** Whose records they are. */
interface RecordWordsOptions {
  readonly entities: readonly EntityWords[];
  /** Name of the company, as customers greet it. */
  readonly companyName: string;
  /** ISO 4217: a number before its name is an amount and no id. */
  readonly currency: string;
  /** In which customers are read. */
  readonly languages: readonly Language[];
}

/**
 * What customers call a company's records, as the readers of slots look for it. What is a string is an alternative of
 * regular expressions over folded text, with plurals; it matches nothing where the company has no such words.
 */
export interface RecordWords {
  /** Everything that one of several may be called. */
  readonly things: string;
  /** The same by language. */
  readonly thingsIn: (language: Language) => string;
  /** Words that a title may follow, by language. */
  readonly namesIn: (language: Language) => string;
  /** The nouns alone. */
  readonly nouns: string;
  /** What the records are for. */
  readonly kinds: string;
  /** What a customer has at most one of. */
  readonly single: string;
  /** The same by language. */
  readonly singleIn: (language: Language) => string;
  /** Names and short names of places. */
  readonly placeNames: string;
  /** Words of the currency. */
  readonly currency: string;
  /** The company's name. */
  readonly company: string;
  /** True for a word of so many titles that it names none alone. */
  isCommon(word: string): boolean;
  /** True for a word that names nothing in any sentence: "now", "also", "still". */
  isFiller(word: string): boolean;
  /** True for a word that is never a slip of a title's word. */
  isOrdinary(word: string): boolean;
  /** True for a noun that any of the records is called by: it tells none of them from another. */
  isNoun(word: string): boolean;
  /** True for a word of what the records are called. */
  isThing(word: string): boolean;
  /** The form under which a word is compared. */
  stem(word: string): string;
  /** Words of the place that a short name stands for; empty where it is none. */
  placeOf(word: string): readonly string[];
}

/** Matches nothing. */
const NOTHING = '(?!)';

/** Makes the words of a company's records. */
export function createRecordWords({
  entities,
  companyName,
  currency,
  languages,
}: RecordWordsOptions): RecordWords {
  const inAll = (of: readonly EntityWords[], wordsOf: WordsOf) =>
    anyForm(of.flatMap((entity) => languages.flatMap((language) => wordsOf(entity, language))));
  const byLanguage = (of: readonly EntityWords[], wordsOf: WordsOf) => {
    const spoken = languages.map(
      (language) => [language, anyForm(of.flatMap((entity) => wordsOf(entity, language)))] as const,
    );
    const known = new Map(spoken);
    return (language: Language) => known.get(language) ?? NOTHING;
  };
  const several = entities.filter(({ single }) => !single);
  const one = entities.filter(({ single }) => single);
  const same = new Map(entities.flatMap(({ titles }) => titles.same.flatMap(pairs)));
  const common = new Set(entities.flatMap(({ titles }) => titles.common));
  const never = new Set(entities.flatMap(({ titles }) => titles.never));
  const places = entities.flatMap((entity) => entity.places);
  const shortNames = new Map<string, readonly string[]>();
  for (const [short, whole] of places.flatMap(shortNamesOf))
    shortNames.set(short, [...(shortNames.get(short) ?? []), ...whole]);
  const things = inAll(several, thingsOf);
  const isThing = new RegExp(`^(?:${things}|${inAll(one, thingsOf)})$`);
  const isNoun = new RegExp(`^(?:${inAll(entities, namesOf)})$`);
  const company = foldText(companyName).trim();
  const fillers = new Set(
    languages.flatMap((language) => [...readFillers(language), ...readMarks(language).words]),
  );
  return {
    things,
    thingsIn: byLanguage(several, thingsOf),
    namesIn: byLanguage(several, namesOf),
    nouns: inAll(several, ({ nouns }, language) => nouns[language] ?? []),
    kinds: inAll(several, ({ kinds }, language) => kinds[language] ?? []),
    single: inAll(one, thingsOf),
    singleIn: byLanguage(one, thingsOf),
    placeNames: anyOf(places.flatMap(({ name, also }) => [foldText(name), ...also]).map(escaped)),
    currency: anyOf(currencyWords(currency, languages)),
    company: company === '' ? NOTHING : escaped(company),
    isCommon: (word) => common.has(word),
    isFiller: (word) => fillers.has(word),
    isOrdinary: (word) => never.has(word),
    isNoun: (word) => isNoun.test(word),
    isThing: (word) => isThing.test(word),
    stem(word) {
      const bare = word.replace(/'s$/, '');
      const plural = bare.length > 4 && bare.endsWith('s') && !bare.endsWith('ss');
      const single = plural ? bare.slice(0, -1) : bare;
      return same.get(bare) ?? same.get(single) ?? single;
    },
    placeOf: (word) => shortNames.get(word) ?? [],
  };
}

type WordsOf = (entity: EntityWords, language: Language) => readonly string[];

const namesOf: WordsOf = ({ nouns, also }, language) => [
  ...(nouns[language] ?? []),
  ...(also[language] ?? []),
];
const thingsOf: WordsOf = (entity, language) => [
  ...namesOf(entity, language),
  ...(entity.kinds[language] ?? []),
];

function pairs(words: readonly string[]): readonly (readonly [string, string])[] {
  return words.map((word) => [word, words[0] ?? word] as const);
}

function shortNamesOf({ name, also }: EntityWords['places'][number]) {
  const whole = tokenize(foldText(name)).map(({ word }) => word);
  return also.map((word) => [word, whole] as const);
}

/** Words that amounts in a currency are said with: its code and its names in all languages of the company. */
function currencyWords(currency: string, languages: readonly Language[]): readonly string[] {
  const names = languages.flatMap((language) =>
    [1, 2].flatMap((amount) =>
      new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'name' })
        .formatToParts(amount)
        .filter(({ type }) => type === 'currency')
        .flatMap(({ value }) => tokenize(foldText(value)).map(({ word }) => word)),
    ),
  );
  return [...new Set([currency.toLowerCase(), ...names])];
}

function anyForm(words: readonly string[]): string {
  return anyOf([...new Set(words)].map((word) => forms(escaped(word))));
}

function anyOf(words: readonly string[]): string {
  // The longest first, so that a word that begins another does not end the match.
  return words.length === 0 ? NOTHING : [...words].sort((a, b) => b.length - a.length).join('|');
}

/** Singular and plural of a folded noun, as a regular expression. */
export function forms(noun: string): string {
  if (noun.endsWith('ao')) return `${noun.slice(0, -2)}(?:ao|oes|aos)`;
  if (noun.endsWith('y')) return `${noun.slice(0, -1)}(?:y|ys|ies)`;
  if (noun.endsWith('m')) return `${noun.slice(0, -1)}(?:ms?|ns)`;
  if (noun.endsWith('l')) return `${noun.slice(0, -1)}(?:ls?|is)`;
  return `${noun}(?:e?s)?`;
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

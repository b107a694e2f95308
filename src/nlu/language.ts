import { eld } from 'eld';
import type { EntityWords } from '../core/domain/entity.js';
import { languageAmong, primaryOf } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import { readLanguages, readMarks } from './words.js';

/** Which language a message is in, and which the hub should answer in. */
export interface LanguageGuess {
  /** Language to answer in: another one where the customer's is not offered. */
  readonly language: Language;
  /** ISO 639-1 code, `und` where the text says nothing. */
  readonly detected: string;
  /** 0..1 */
  readonly confidence: number;
  /** False where the message is in a language the hub does not speak. */
  readonly supported: boolean;
}

/** A number for each language, by its ISO 639-1 code. */
type Chances = Readonly<Record<string, number>>;

/** What a model found of each language; one that knows one language alone says nothing of it. */
export function chancesOf(classes: readonly string[], found: Float32Array): Chances {
  return classes.length < 2 ? {} : Object.fromEntries(classes.map((name, at) => [name, found[at] ?? 0]));
}

/** Recognises a language; made by {@link createLanguageDetector}. */
export interface LanguageDetector {
  /**
   * @param text after `cleanText`
   * @param tokens the same text after `tokenize`
   * @param domain how probable each language is by the words of the support domain, from the trained model, by its
   *   ISO 639-1 code; empty where the model says nothing
   * @param previous language of the conversation so far; kept where the text does not tell
   */
  detect(text: string, tokens: readonly string[], domain: Chances, previous?: Language): LanguageGuess;
}

const SAMPLE_CHARS = 400;
/** eld is unreliable below about this many letters (its own README says so). */
const ENOUGH_LETTERS = 24;
/** With so few letters a foreign language is believed only where nothing speaks for ours. */
const FEW_LETTERS = 15;
/** From here on the words of the domain tell the language by themselves, unless others speak against it. */
const SURE_DOMAIN = 0.999;

/** What a word counts that the company's language shares with one that it does not speak. */
const OWN_OF_TWO = 0.6;

type Loadable = { load(size: string): Promise<unknown> };

/**
 * Loads the n-gram data of eld (about 2 MB) into an instance of its own.
 * @param languages those of the company; a text in any other is answered in the first
 * @param entities whose names tell a language, as its own words do
 */
export async function createLanguageDetector(
  languages: readonly Language[],
  entities: readonly EntityWords[],
): Promise<LanguageDetector> {
  const detector = eld.newInstance();
  // The declared type covers eld's preloaded entries too; the root entry always has a loader.
  await (detector as unknown as Loadable).load('medium');
  const names = (language: Language | undefined) =>
    language === undefined
      ? []
      : entities.flatMap(({ nouns, also }) => [...(nouns[language] ?? []), ...(also[language] ?? [])]);
  const all = readLanguages().map((language) => {
    const ours = languageAmong(language, languages);
    const { words, ...marks } = readMarks(language);
    return { ...marks, ours, words: new Set([...words, ...names(ours)]) };
  });
  // Where two languages are as likely, the company's own comes first.
  const known = all.sort((a, b) => Number(b.ours !== undefined) - Number(a.ours !== undefined));
  const spoken = languages.map(primaryOf);
  const english = spoken.includes('en') ? 'en' : 'und';

  const guess = (detected: string, confidence: number, previous: Language | undefined): LanguageGuess => {
    const language = languageAmong(detected, languages);
    if (language !== undefined) return { language, detected, confidence, supported: true };
    const [first = 'en'] = languages;
    if (detected === 'und')
      return { language: languageAmong(previous, languages) ?? first, detected, confidence, supported: true };
    return { language: first, detected, confidence, supported: false };
  };

  // What a place is called says nothing of who writes: "anything in São Paulo?"
  const places = entities
    .flatMap((entity) => entity.places)
    .map(({ name }) => ({
      name: new RegExp(`(?<!\\p{L})${name}(?!\\p{L})`, 'giu'),
      words: name.toLowerCase(),
    }));
  const gather = (written: string, all: readonly string[]): Chances => {
    const named = places.filter(({ name }) => written.search(name) >= 0);
    const text = named.reduce((rest, { name }) => rest.replace(name, ' '), written);
    const inNames = new Set(named.flatMap(({ words }) => words.split(' ')));
    const tokens = all.filter((token) => !inNames.has(token));
    const evidence = Object.fromEntries(known.map(({ primary }) => [primary, 0]));
    const add = (primary: string, amount: number): void => {
      evidence[primary] = (evidence[primary] ?? 0) + amount;
    };
    for (const token of tokens.slice(0, 80)) {
      const having = known.filter(({ words }) => words.has(token));
      // A word of two languages is half a hint for each; where only one of them is the company's, rather at that.
      const alone = having.filter(({ ours }) => ours !== undefined).length === 1 && having.length > 1;
      for (const { primary, ours } of having)
        add(primary, alone && ours !== undefined ? OWN_OF_TWO : 1 / having.length ** 2);
    }
    const sample = text.slice(0, SAMPLE_CHARS);
    for (const { primary, marks } of known)
      if (marks !== null) add(primary, Math.min(4, (sample.match(marks) ?? []).length * 0.8));
    return evidence;
  };

  return {
    detect(text, tokens, domain, previous) {
      const letters = (text.slice(0, SAMPLE_CHARS).match(/\p{L}/gu) ?? []).length;
      if (letters < 2) return guess('und', 0, previous);
      // Other languages than English have the word too.
      if (tokens.length === 1 && tokens[0] === 'no')
        return guess(primaryOf(previous ?? 'en') === 'en' ? english : 'und', 0.5, previous);
      const latin = (text.slice(0, SAMPLE_CHARS).match(/\p{Script=Latin}/gu) ?? []).length;
      if (latin < letters / 2) {
        const found = detector.detect(text.slice(0, SAMPLE_CHARS)).language;
        return guess(found === '' ? 'und' : found, 0.9, previous);
      }
      const evidence = gather(text, tokens);
      const [first = ['und', 0], second = ['und', 0]] = ranked(evidence);
      if (first[1] >= 3 && first[1] >= 2.2 * second[1]) return guess(first[0], 0.97, previous);
      // Names, addresses and numbers are of no language: "Cardoso & Filhos Arquitetura, CNPJ 12.345, Recife".
      if (previous !== undefined && first[1] < 2 && isNames(text)) return guess('und', 0.3, previous);
      if (letters >= ENOUGH_LETTERS) {
        const found = detector.detect(text.slice(0, SAMPLE_CHARS));
        const words = Math.max(1, tokens.length);
        const share = first[1] / words;
        if (found.language === first[0]) return guess(first[0], found.isReliable() ? 0.95 : 0.85, previous);
        // Function words of our languages outweigh an unreliable n-gram guess; a text without any is foreign.
        if (share >= 0.3 && first[1] > second[1] * 1.3) return guess(first[0], 0.8, previous);
        // Titles and names ("o Círio e o Minas Electronic") mislead n-grams, not the words of the domain.
        const ownWords = first[1] >= OWN_OF_TWO && (domain[first[0]] ?? 0) >= SURE_DOMAIN;
        if (found.language !== '' && found.isReliable() && share < 0.3 && !ownWords)
          return guess(found.language, 0.7, previous);
      }
      const lean = Math.max(0.5, ...Object.values(domain)) - 0.5;
      if (letters >= FEW_LETTERS && first[1] < 1 && lean < 0.35) {
        const found = detector.detect(text);
        const foreign = found.language !== '' && !(found.language in evidence);
        if (foreign && found.isReliable()) return guess(found.language, 0.6, previous);
      }
      const sureOfDomain = lean > (tokens.length <= 1 ? 0.47 : 0.42);
      if (previous && first[1] < 1 && !sureOfDomain) return guess('und', 0.3, previous);
      // One word that a neighbour has too ("entrada") is little beside words of the domain.
      const sureDomain = Object.values(domain).some((chance) => chance >= SURE_DOMAIN);
      const foreign = known.find(
        ({ primary, ours }) =>
          ours === undefined &&
          primary === first[0] &&
          first[1] >= (sureDomain ? 2 : 1) &&
          first[1] > second[1] + 0.4,
      );
      // A few words amid a conversation are no change of language: "melhor 30 dias".
      const amid = previous !== undefined && tokens.length <= 4;
      if (foreign !== undefined && !amid) return guess(foreign.primary, 0.6, previous);
      const scores = spoken.map(
        (primary) =>
          [primary, (evidence[primary] ?? 0) + Math.max(0, (domain[primary] ?? 0) - 0.5) * 3] as const,
      );
      const [best = ['und', 0], next = ['und', 0]] = [...scores].sort((a, b) => b[1] - a[1]);
      const ahead = best[1] - next[1];
      const before = previous === undefined ? best[0] : primaryOf(previous);
      const isFew = tokens.length <= 6;
      const isOver = (evidence[best[0]] ?? 0) - (evidence[before] ?? 0) < CHANGED;
      if (ahead < 0.25 || (isFew && best[0] !== before && isOver)) return guess('und', 0.3, previous);
      return guess(best[0], Math.min(0.9, 0.55 + ahead * 0.15), previous);
    },
  };
}

/** By so much the words of another language must lead for a few words amid a conversation to change it. */
const CHANGED = 0.9;

/** True where most words are names or numbers. */
function isNames(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const names = words.filter(
    (word) => /^\P{L}*(?:\p{Lu}|\p{N})/u.test(word) && !/^\p{Lu}+[!?.]*$/u.test(word),
  );
  return words.length >= 4 && names.length >= words.length * 0.6;
}

/** The likeliest first. */
function ranked(evidence: Chances): readonly (readonly [string, number])[] {
  return Object.entries(evidence).sort((a, b) => b[1] - a[1]);
}

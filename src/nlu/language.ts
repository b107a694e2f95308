import { eld } from 'eld';
import type { EntityWords } from '../core/domain/entity.js';
import type { Language } from '../core/domain/taxonomy.js';
import { LANGUAGE_MARKS, LANGUAGE_WORDS } from './language-words.js';

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

/** Recognises a language; made by {@link createLanguageDetector}. */
export interface LanguageDetector {
  /**
   * @param text after `cleanText`
   * @param tokens the same text after `tokenize`
   * @param domain probability that the text is Portuguese rather than English by the words of
   *   the support domain, from the trained model; 0.5 says nothing
   * @param previous language of the conversation so far; kept where the text does not tell
   */
  detect(text: string, tokens: readonly string[], domain: number, previous?: Language): LanguageGuess;
}

const SAMPLE_CHARS = 400;
/** eld is unreliable below about this many letters (its own README says so). */
const ENOUGH_LETTERS = 24;
/** With so few letters a foreign language is believed only where nothing speaks for ours. */
const FEW_LETTERS = 15;

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).filter((word) => word !== ''));
}

type Loadable = { load(size: string): Promise<unknown> };

interface Evidence {
  en: number;
  pt: number;
  es: number;
}

function guess(detected: string, confidence: number, previous: Language | undefined): LanguageGuess {
  if (detected === 'pt') return { language: 'pt-BR', detected, confidence, supported: true };
  if (detected === 'en') return { language: 'en', detected, confidence, supported: true };
  if (detected === 'und') return { language: previous ?? 'en', detected, confidence, supported: true };
  return { language: 'en', detected, confidence, supported: false };
}

/**
 * Loads the n-gram data of eld (about 2 MB) into an instance of its own.
 * @param entities whose names tell a language, as its own words do
 */
export async function createLanguageDetector(entities: readonly EntityWords[]): Promise<LanguageDetector> {
  const detector = eld.newInstance();
  // The declared type covers eld's preloaded entries too; the root entry always has a loader.
  await (detector as unknown as Loadable).load('medium');
  const names = (language: Language) =>
    entities.flatMap(({ nouns, also }) => [...nouns[language], ...also[language]]).join(' ');
  const sets = {
    en: wordSet(`${LANGUAGE_WORDS.en} ${names('en')}`),
    pt: wordSet(`${LANGUAGE_WORDS.pt} ${names('pt-BR')}`),
    es: wordSet(LANGUAGE_WORDS.es),
  };

  const gather = (text: string, tokens: readonly string[]): Evidence => {
    const evidence: Evidence = { en: 0, pt: 0, es: 0 };
    for (const token of tokens.slice(0, 80)) {
      const en = sets.en.has(token);
      const pt = sets.pt.has(token);
      const es = sets.es.has(token);
      const shared = Number(en) + Number(pt) + Number(es);
      // A word of two languages is half a hint for each.
      if (en) evidence.en += 1 / shared ** 2;
      if (pt) evidence.pt += 1 / shared ** 2;
      if (es) evidence.es += 1 / shared ** 2;
    }
    const sample = text.slice(0, SAMPLE_CHARS);
    evidence.pt += Math.min(4, (sample.match(LANGUAGE_MARKS.pt) ?? []).length * 0.8);
    evidence.es += Math.min(4, (sample.match(LANGUAGE_MARKS.es) ?? []).length * 0.8);
    return evidence;
  };

  return {
    detect(text, tokens, domain, previous) {
      const letters = (text.slice(0, SAMPLE_CHARS).match(/\p{L}/gu) ?? []).length;
      if (letters < 2) return guess('und', 0, previous);
      if (tokens.length === 1 && tokens[0] === 'no')
        return guess(previous === 'pt-BR' ? 'und' : 'en', 0.5, previous);
      const latin = (text.slice(0, SAMPLE_CHARS).match(/\p{Script=Latin}/gu) ?? []).length;
      if (latin < letters / 2) {
        const found = detector.detect(text.slice(0, SAMPLE_CHARS)).language;
        return guess(found === '' ? 'und' : found, 0.9, previous);
      }
      const evidence = gather(text, tokens);
      const ranked = (Object.entries(evidence) as [keyof Evidence, number][]).sort((a, b) => b[1] - a[1]);
      const first = ranked[0] ?? (['en', 0] as const);
      const second = ranked[1] ?? (['pt', 0] as const);
      if (first[1] >= 3 && first[1] >= 2.2 * second[1]) return guess(first[0], 0.97, previous);
      if (letters >= ENOUGH_LETTERS) {
        const found = detector.detect(text.slice(0, SAMPLE_CHARS));
        const words = Math.max(1, tokens.length);
        const known = first[1] / words;
        if (found.language === first[0]) return guess(first[0], found.isReliable() ? 0.95 : 0.85, previous);
        // Function words of our languages outweigh an unreliable n-gram guess; a text without any is foreign.
        if (known >= 0.3 && first[1] > second[1] * 1.3) return guess(first[0], 0.8, previous);
        if (found.language !== '' && found.isReliable() && known < 0.3)
          return guess(found.language, 0.7, previous);
      }
      if (letters >= FEW_LETTERS && first[1] < 1 && Math.abs(domain - 0.5) < 0.35) {
        const found = detector.detect(text);
        const foreign = found.language !== '' && !(found.language in evidence);
        if (foreign && found.isReliable()) return guess(found.language, 0.6, previous);
      }
      const sureOfDomain = Math.abs(domain - 0.5) > (tokens.length <= 1 ? 0.47 : 0.42);
      if (previous && first[1] < 1 && !sureOfDomain) return guess('und', 0.3, previous);
      if (evidence.es >= 1 && evidence.es > evidence.pt + 0.4 && evidence.es > evidence.en + 0.4)
        return guess('es', 0.6, previous);
      const pt = evidence.pt + Math.max(0, domain - 0.5) * 3;
      const en = evidence.en + Math.max(0, 0.5 - domain) * 3;
      if (Math.abs(pt - en) < 0.25) return guess('und', 0.3, previous);
      return guess(pt > en ? 'pt' : 'en', Math.min(0.9, 0.55 + Math.abs(pt - en) * 0.15), previous);
    },
  };
}

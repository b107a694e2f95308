import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { EntityWords } from '../core/domain/entity.js';
import { primaryOf } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import { createSpeller, type Speller } from '../core/spelling.js';
import { FeatureExtractor, type Features } from './features.js';
import { SignalReader, type Signals } from './signals.js';
import { coreText } from './summary.js';
import { cleanText, tokenize } from './text.js';
import { buildMatcher } from './vocabulary.js';
import { readWordVectors, type WordVectors } from './word-vectors.js';
import { type AttachedReader, readMarks } from './words.js';

const DATA = new URL('../../data/nlu/', import.meta.url);

/** The word lists the layer works with, as parsed from data/nlu. */
export interface WordLists {
  readonly concepts: Readonly<Record<string, string>>;
  readonly signals: readonly Readonly<Record<string, string>>[];
  /** A verb and the pronouns that are written at its end, see `attached` of a language. */
  readonly attached: readonly AttachedReader[];
}

/** A message, read. */
export interface Analysis {
  /** Whole text, cleaned and capped. */
  readonly cleaned: string;
  /** Tokens of the text without greeting lines, signature and quoted mail. */
  readonly tokens: readonly string[];
  readonly signals: Signals;
  readonly features: Features;
  /** The same before misspelt words were mended, which would make Portuguese of Spanish. */
  readonly written: { readonly tokens: readonly string[]; readonly features: Features };
}

/** Reads messages; the same code serves training and use, so that the two cannot drift apart. */
export class Analyzer {
  readonly #extractor: FeatureExtractor;
  readonly #signals: SignalReader;
  readonly #speller: Speller;

  readonly #shorthand: ReadonlyMap<string, string>;
  readonly #attached: readonly AttachedReader[];

  /**
   * @param words what the model was taught, with how often: a word that nobody knows is read as the one of these that is one slip away
   * @param entities whose names customers shorten as they do before a number: "cxl my resv"
   */
  constructor(
    lists: WordLists,
    vectors: WordVectors,
    words: ReadonlyMap<string, number>,
    entities: readonly EntityWords[] = [],
  ) {
    this.#shorthand = new Map(
      entities.flatMap(({ ids, nouns }) => {
        const [[noun] = []] = Object.values(nouns);
        return noun === undefined
          ? []
          : (ids?.prefixes.slice(1) ?? []).map((short) => [short, noun] as const);
      }),
    );
    this.#attached = lists.attached;
    this.#speller = createSpeller(words, (word) => vectors.knows(word));
    this.#extractor = new FeatureExtractor(buildMatcher(lists.concepts), vectors);
    this.#signals = new SignalReader(lists.signals);
  }

  analyze(text: string): Analysis {
    const cleaned = cleanText(text);
    const core = coreText(cleaned);
    const asWritten = tokenize(core)
      .map((token) => this.#shorthand.get(token) ?? token)
      .flatMap((token) => this.#apart(token));
    const tokens = asWritten.map((token) => this.#speller.correct(token));
    const signals = this.#signals.read(core, tokens);
    const features = this.#extractor.extract(tokens, signals.names);
    const same = tokens.every((token, index) => token === asWritten[index]);
    const written = same
      ? { tokens, features }
      : { tokens: asWritten, features: this.#extractor.extract(asWritten, signals.names) };
    return { cleaned, tokens, signals, features, written };
  }

  /** "Muévela" is "mover" and "la" where that verb was taught, and no word by itself. */
  #apart(token: string): readonly string[] {
    if (this.#speller.knows(token)) return [token];
    for (const read of this.#attached) {
      const { verbs = [], pronoun = '' } = read(token) ?? {};
      const verb = verbs.find((one) => this.#speller.knows(one));
      if (verb !== undefined) return [verb, pronoun];
    }
    return [token];
  }

  /** How many different support concepts a sentence names. */
  conceptCount(sentence: string): number {
    return new Set(this.#extractor.concepts(tokenize(sentence))).size;
  }
}

async function readJson(name: string): Promise<Record<string, unknown>> {
  if (!existsSync(new URL(name, DATA))) return {};
  return JSON.parse(await readFile(new URL(name, DATA), 'utf8')) as Record<string, unknown>;
}

/** Reads the word lists of data/nlu: the concepts, and the signals of these languages. */
export async function loadWordLists(languages: readonly Language[] = ['en', 'pt-BR']): Promise<WordLists> {
  const files = languages.map((language) => `signals.${primaryOf(language)}.json`);
  // A language may have no signals of its own.
  const [concepts, ...signals] = await Promise.all(['concepts.json', ...files].map(readJson));
  return {
    concepts: (concepts?.concepts ?? {}) as Record<string, string>,
    signals: signals as readonly Record<string, string>[],
    attached: languages.flatMap((language) => readMarks(language).attached ?? []),
  };
}

/** Reads the word vectors of data/nlu. */
export async function loadWordVectors(): Promise<WordVectors> {
  return readWordVectors(await readFile(new URL('vectors.bin', DATA)));
}

/** Tells how near two texts are in what they mean, 0 to 1, each given as its words, in English or Portuguese. */
export async function readMeaning(): Promise<(one: readonly string[], other: readonly string[]) => number> {
  const vectors = await loadWordVectors();
  return (one, other) => {
    const left = vectors.mean(one);
    const right = vectors.mean(other);
    const product = left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
    return Math.min(1, Math.max(0, product));
  };
}

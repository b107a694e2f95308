import { FeatureExtractor, type Features } from './features.js';
import { SignalReader, type Signals } from './signals.js';
import { coreText } from './summary.js';
import { cleanText, tokenize } from './text.js';
import { buildMatcher } from './vocabulary.js';
import type { WordVectors } from './word-vectors.js';

/** The word lists the layer works with, as parsed from data/nlu. */
export interface WordLists {
  readonly concepts: Readonly<Record<string, string>>;
  readonly signals: readonly Readonly<Record<string, string>>[];
}

/** A message, read. */
export interface Analysis {
  /** Whole text, cleaned and capped. */
  readonly cleaned: string;
  /** Tokens of the text without greeting lines, signature and quoted mail. */
  readonly tokens: readonly string[];
  readonly signals: Signals;
  readonly features: Features;
}

/** Reads messages; the same code serves training and use, so that the two cannot drift apart. */
export class Analyzer {
  readonly #extractor: FeatureExtractor;
  readonly #signals: SignalReader;

  constructor(lists: WordLists, vectors: WordVectors) {
    this.#extractor = new FeatureExtractor(buildMatcher(lists.concepts), vectors);
    this.#signals = new SignalReader(lists.signals);
  }

  analyze(text: string): Analysis {
    const cleaned = cleanText(text);
    const core = coreText(cleaned);
    const tokens = tokenize(core);
    const signals = this.#signals.read(core, tokens);
    return { cleaned, tokens, signals, features: this.#extractor.extract(tokens, signals.names) };
  }

  /** How many different support concepts a sentence names. */
  conceptCount(sentence: string): number {
    return new Set(this.#extractor.concepts(tokenize(sentence))).size;
  }
}

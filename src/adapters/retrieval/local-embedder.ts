import { createHash } from 'node:crypto';
import type { Embedder } from '../../core/ports/knowledge-store.js';
import {
  add,
  addGrams,
  addHashed,
  addScaled,
  damp,
  join,
  loadWordVectors,
  sif,
  type WordVectors,
} from './local-word-vectors.js';

/** What the embedding needs to know of a text; `createAnalyzer` in src/rag makes it. */
interface LocalAnalyzer {
  analyze(text: string): {
    readonly terms: readonly {
      readonly word: string;
      readonly stem: string;
      readonly isStopword: boolean;
      readonly concepts: readonly number[];
    }[];
    readonly phraseConcepts: readonly number[];
    readonly isPortuguese: boolean;
  };
  englishOf(concept: number): readonly string[];
  readonly conceptCount: number;
}

interface LocalEmbedderOptions {
  readonly analyzer: LocalAnalyzer;
  /** The shipped ones where absent. */
  readonly vectors?: WordVectors;
}

/**
 * Share of each block in the cosine of two texts, measured on labelled questions (see data/rag/README.md):
 * what is written the same (stems, and parts of words for typos), what means the same by the lexicon (also across
 * languages), and what is used alike in general English (word vectors).
 */
const SHARE = { stems: 0.25, concepts: 0.4, grams: 0.1, meaning: 0.25 } as const;
const STEM_DIMENSIONS = 320;
const GRAM_DIMENSIONS = 192;
/** What stands before the first blank line is a heading (title, tags) and says more than the text below it. */
const HEADING_WEIGHT = 4;
/** Words of a concept that stand for a Portuguese word among the English word vectors. */
const TYPICAL_WORDS = 3;
const MAX_CHARS = 20_000;
const VERSION = 'v1';

/** An embedding computed in process: deterministic, no download, about 0.1 ms a question. */
export function createLocalEmbedder(options: LocalEmbedderOptions): Embedder {
  return new LocalEmbedder(options.analyzer, options.vectors ?? loadWordVectors());
}

class LocalEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  private readonly conceptVectors = new Map<number, Float32Array>();

  constructor(
    private readonly analyzer: LocalAnalyzer,
    private readonly vectors: WordVectors,
  ) {
    this.dimensions = STEM_DIMENSIONS + GRAM_DIMENSIONS + analyzer.conceptCount + vectors.dimensions;
    // Another lexicon or other word vectors make another embedding: cached vectors must not be mixed with new ones.
    const words = Array.from({ length: analyzer.conceptCount }, (_, concept) =>
      analyzer.englishOf(concept).join(' '),
    );
    const digest = createHash('sha256')
      .update(`${words.join('|')}${vectors.digest}${JSON.stringify(SHARE)}`)
      .digest('hex');
    this.id = `local-${VERSION}-${this.dimensions}-${digest.slice(0, 6)}`;
  }

  embedDocuments(texts: readonly string[]): Promise<number[][]> {
    return Promise.resolve(texts.map((text) => this.embed(text)));
  }

  embedQuery(text: string): Promise<number[]> {
    return Promise.resolve(this.embed(text));
  }

  private embed(text: string): number[] {
    const blocks = {
      stems: new Float64Array(STEM_DIMENSIONS),
      grams: new Float64Array(GRAM_DIMENSIONS),
      concepts: new Float64Array(this.analyzer.conceptCount),
      meaning: new Float64Array(this.vectors.dimensions),
    };
    const cut = text.slice(0, MAX_CHARS);
    const blank = cut.search(/\n\s*\n/u);
    const [heading, body] = blank < 0 ? ['', cut] : [cut.slice(0, blank), cut.slice(blank)];
    this.collect(body, 1, blocks);
    if (heading !== '') this.collect(heading, HEADING_WEIGHT, blocks);
    return join([
      [damp(blocks.stems), SHARE.stems],
      [damp(blocks.grams), SHARE.grams],
      [damp(blocks.concepts), SHARE.concepts],
      [this.vectors.centre(blocks.meaning), SHARE.meaning],
    ]);
  }

  private collect(
    text: string,
    times: number,
    blocks: { stems: Float64Array; grams: Float64Array; concepts: Float64Array; meaning: Float64Array },
  ): void {
    const { terms, phraseConcepts, isPortuguese } = this.analyzer.analyze(text);
    for (const { word, stem, isStopword, concepts } of terms) {
      const weight = isStopword ? 0 : this.weightOf(word, isPortuguese, concepts.length > 0);
      for (const concept of concepts)
        add(blocks.concepts, concept, (times * (weight || 0.3)) / Math.sqrt(concepts.length));
      if (isStopword) continue;
      addHashed(blocks.stems, stem, times * weight);
      addGrams(blocks.grams, word, times * weight);
      this.addMeaning(blocks.meaning, word, isPortuguese, concepts, times);
    }
    for (const concept of phraseConcepts) {
      add(blocks.concepts, concept, times * 0.9);
      addScaled(blocks.meaning, this.conceptVector(concept), times * 0.5);
    }
  }

  /** Rare words say more. Frequencies are of English; a Portuguese word counts by whether the lexicon knows it. */
  private weightOf(word: string, isPortuguese: boolean, known: boolean): number {
    if (isPortuguese) return known ? 0.85 : 1;
    const rank = this.vectors.rankOf(word);
    return rank === null ? 1 : Math.min(9, Math.log(rank + 20) - 1) / 9;
  }

  private addMeaning(
    target: Float64Array,
    word: string,
    isPortuguese: boolean,
    concepts: readonly number[],
    times: number,
  ): void {
    const own = isPortuguese ? null : this.vectors.vectorOf(word);
    if (own !== null) {
      addScaled(target, own, times * sif(this.vectors.rankOf(word) ?? 0));
    } else if (concepts.length > 0) {
      for (const concept of concepts)
        addScaled(target, this.conceptVector(concept), (times * 0.7) / concepts.length);
    } else {
      addScaled(target, this.vectors.vectorOf(word), times * 0.5);
    }
  }

  private conceptVector(concept: number): Float32Array {
    const known = this.conceptVectors.get(concept);
    if (known !== undefined) return known;
    const sum = new Float64Array(this.vectors.dimensions);
    for (const word of this.analyzer.englishOf(concept).slice(0, TYPICAL_WORDS))
      addScaled(sum, this.vectors.vectorOf(word), 1);
    const vector = Float32Array.from(sum);
    this.conceptVectors.set(concept, vector);
    return vector;
  }
}

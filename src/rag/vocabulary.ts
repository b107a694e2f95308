import type { Article } from '../core/domain/article.js';
import { createSpeller, type Speller } from '../core/spelling.js';
import type { Analyzer } from './analyzer.js';
import { wantedOf } from './article-features.js';
import { fold, replaceWords } from './text.js';

/** A word with a capital inside a sentence: a name. */
const NAME = /(?<=[\p{Ll}\p{N},]\s)\p{Lu}[\p{L}\p{N}]{2,}/gu;

/** The words of the articles, and what a query has beside them. */
export class Vocabulary {
  private readonly stems = new Set<string>();
  private readonly speller: Speller;

  /** @param isWord words of a language that are right as they stand */
  constructor(
    private readonly analyzer: Analyzer,
    articles: readonly Article[],
    isWord: (word: string) => boolean = () => false,
  ) {
    const words = new Map<string, number>();
    for (const { title, tags, content } of articles)
      for (const { word, stem } of analyzer.analyze(`${title}. ${tags.join('. ')}. ${content}`).terms) {
        words.set(word, (words.get(word) ?? 0) + 1);
        this.stems.add(stem);
      }
    for (let concept = 0; concept < analyzer.conceptCount; concept += 1)
      for (const word of analyzer.wordsOf(concept)) if (!words.has(word)) words.set(word, 1);
    this.speller = createSpeller(words, (word) => analyzer.isStopword(word) || isWord(word));
  }

  /** The query as it was meant: words next to a known one are mended. */
  mend(query: string): string {
    return replaceWords(query, this.speller.correct);
  }

  /** Share of what a query asks for that stands in no article, in no other word either; 0 to 1. */
  unknownShare(query: string): number {
    const words = wantedOf(this.analyzer, query).filter(({ stem }) => stem !== null);
    const unknown = words.filter(
      ({ stem, concepts }) => concepts.length === 0 && !this.stems.has(stem ?? ''),
    );
    return words.length === 0 ? 0 : unknown.length / words.length;
  }

  /** True where a query names something that no article knows: a place, a brand, a work. */
  namesUnknown(query: string): boolean {
    const names = [...query.matchAll(NAME)].map(([name]) => fold(name));
    return names.some((name) => this.unknownShare(name) === 1);
  }
}

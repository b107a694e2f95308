import { LRUCache } from 'lru-cache';
import type { Article } from '../core/domain/article.js';
import type { Embedder } from '../core/ports/retrieval.js';
import type { Analyzer } from './analyzer.js';
import { ArticleBagCache } from './article-features.js';
import type { InForce } from './calibration-store.js';
import { fingerprintOf } from './indexer.js';
import { Passages } from './passages.js';
import { Snippets } from './snippet.js';
import { Vocabulary } from './vocabulary.js';

const CACHED_VOCABULARIES = 8;

interface ReaderOptions {
  readonly analyzer: Analyzer;
  /** An embedding that is computed in process, and cannot fail: it reads parts of articles and example questions. */
  readonly local: Embedder;
  /** Words of a language that are right as they stand; those of the articles are known anyway. */
  readonly isWord?: (word: string) => boolean;
}

/** Reads each article once for all knowledge bases of a process that hold it. Depends on texts alone. */
export class ArticleReader {
  readonly analyzer: Analyzer;
  readonly local: Embedder;
  readonly bags: ArticleBagCache;
  readonly snippets: Snippets;
  readonly passages: Passages;
  /** What the company ships for its articles, by embedding and file; see CalibrationSource. */
  readonly calibrations = new Map<string, InForce>();
  private readonly vocabularies = new LRUCache<string, Vocabulary>({ max: CACHED_VOCABULARIES });

  constructor(private readonly options: ReaderOptions) {
    const { analyzer, local } = options;
    this.analyzer = analyzer;
    this.local = local;
    this.bags = new ArticleBagCache(analyzer);
    this.snippets = new Snippets(analyzer);
    this.passages = new Passages(analyzer, local);
  }

  /** The words of these articles. */
  vocabularyOf(articles: readonly Article[]): Vocabulary {
    const fingerprint = fingerprintOf(articles);
    const known = this.vocabularies.get(fingerprint);
    if (known !== undefined) return known;
    const words = new Vocabulary(this.analyzer, articles, this.options.isWord);
    this.vocabularies.set(fingerprint, words);
    return words;
  }
}

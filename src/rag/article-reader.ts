import { LRUCache } from 'lru-cache';
import type { Article } from '../core/domain/article.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { ArticleIndex, Embedder, KnowledgeStore } from '../core/ports/knowledge-store.js';
import type { Log } from '../core/ports/system.js';
import { createSpeller, type Speller } from '../core/spelling.js';
import { type Analyzer, fold, replaceWords } from './analyzer.js';
import { ArticleBagCache, type Bag, bagOf, type Wanted, wantedOf } from './article-features.js';
import type { InForce } from './calibration-store.js';
import type { Candidate } from './candidates.js';
import type { HitFeatures, SearchMode } from './confidence.js';
import type { ExampleScores } from './examples.js';
import { fingerprintOf } from './indexer.js';
import { splitSentences } from './parts.js';
import { Passages } from './passages.js';

const LONGEST = 300;
const MAX_SENTENCES = 3;
const ELLIPSIS = '…';
const CACHED_CONTENTS = 5000;
/** What a word counts that is there by another word only. */
const SYNONYM = 0.6;

interface Sentence {
  readonly text: string;
  readonly bag: Bag;
}

/** Picks the passage of a content that shares most with a query. Splits and analyses each content once. */
export class Snippets {
  private readonly cache = new LRUCache<string, readonly Sentence[]>({
    maxSize: CACHED_CONTENTS,
    sizeCalculation: () => 1,
  });

  constructor(private readonly analyzer: Analyzer) {}

  /** 1 to 3 sentences, at most 300 characters; where nothing is shared, the beginning. */
  of(content: string, wanted: readonly Wanted[]): string {
    const sentences = this.sentencesOf(content);
    if (sentences.length === 0) return '';
    const scores = sentences.map(({ bag }) => shared(wanted, bag));
    let best = { start: 0, score: -1 };
    sentences.forEach((_, start) => {
      // The first sentence of the passage should be the one that answers.
      const score = window(sentences, start).reduce(
        (sum, i, place) => sum + (scores[i] ?? 0) / (1 + place * 0.5),
        0,
      );
      if (score > best.score) best = { start, score };
    });
    const passage = window(sentences, best.start)
      .map((i) => sentences[i]?.text ?? '')
      .join(' ');
    return passage.length <= LONGEST
      ? passage
      : `${passage.slice(0, LONGEST - 1).replace(/\s+\S*$/u, '')}${ELLIPSIS}`;
  }

  private sentencesOf(content: string): readonly Sentence[] {
    const known = this.cache.get(content);
    if (known !== undefined) return known;
    const sentences = splitSentences(content).map((text) => ({ text, bag: bagOf(this.analyzer, text) }));
    this.cache.set(content, sentences);
    return sentences;
  }
}

function shared(wanted: readonly Wanted[], bag: Bag): number {
  let sum = 0;
  for (const { stem, concepts } of wanted) {
    if (stem !== null && bag.stems.has(stem)) sum += 1;
    else if (concepts.some((concept) => bag.concepts.has(concept))) sum += SYNONYM;
  }
  return sum;
}

/** Indexes of the sentences that fit from here on. */
function window(sentences: readonly Sentence[], start: number): readonly number[] {
  const indexes = [start];
  let length = sentences[start]?.text.length ?? 0;
  for (let i = start + 1; i < sentences.length && indexes.length < MAX_SENTENCES; i += 1) {
    length += 1 + (sentences[i]?.text.length ?? 0);
    if (length > LONGEST) break;
    indexes.push(i);
  }
  return indexes;
}

/** A word with a capital inside a sentence: a name. */
const NAME = /(?<=[\p{Ll}\p{N},]\s)\p{Lu}[\p{L}\p{N}]{2,}/gu;

const CACHED_VOCABULARIES = 8;
/** The parts of a few messages. */
const CACHED_QUERIES = 128;

/** The words of the articles, and what a query has beside them. */
export class Vocabulary {
  private readonly stems = new Set<string>();
  private readonly speller: Speller;
  private readonly mended = new LRUCache<string, string>({
    max: CACHED_QUERIES,
    memoMethod: (query) => replaceWords(query, this.speller.correct),
  });

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
    return this.mended.memo(query);
  }

  /** Share of what a query asks for that is in no article, in no other word either; 0 to 1. */
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

export interface RankOptions {
  /** Language of the versions to show; detected where absent. */
  readonly language?: Language | undefined;
  readonly limit?: number;
  /** `keyword` leaves the vectors out, to calibrate that mode. */
  readonly only?: 'keyword' | undefined;
  /** What labelled questions say to a query, as it was meant. */
  readonly examples?: ((meant: string) => Promise<ExampleScores | null>) | undefined;
  /** Whether the passages are wanted too. */
  readonly passages?: boolean;
}

/** A candidate with what it has to say. */
export interface ReadCandidate extends Omit<Candidate, 'features'> {
  readonly features: HitFeatures;
  /** What would be sent; empty where the search was not asked for it. */
  readonly passage: string;
  readonly isTaught: boolean;
  readonly isElsewhere: boolean;
}

/** What a search found before it is cut and worded, fused by rank; calibration works on this. */
export interface RankedSearch {
  readonly mode: SearchMode;
  readonly candidates: readonly ReadCandidate[];
}

/** What the search works with. */
export interface RetrieverDeps {
  readonly store: KnowledgeStore;
  readonly embedder: Embedder;
  readonly index: ArticleIndex;
  readonly log: Log;
  readonly reader: ArticleReader;
  readonly detectLanguage: (text: string) => Language;
  /** Those of the company. */
  readonly languages: readonly Language[];
  /** The calibration in force for this embedder, with what its labelled questions say to a query. */
  readonly calibration: () => Promise<InForce>;
  readonly vocabulary: () => Promise<Vocabulary>;
  /** What a question asks without the courtesy around it. */
  readonly bare: (text: string) => string;
  /** A question about a relative of who asks as one about any friend. */
  readonly ofAnyone: (text: string) => string;
  /** Rebuilds a vector index that turned out to be empty or foreign; false where it could not. */
  readonly heal: () => Promise<boolean>;
  readonly answered?: () => void;
}

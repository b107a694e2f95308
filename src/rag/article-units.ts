import { LRUCache } from 'lru-cache';
import type { Embedder } from '../core/ports/knowledge-store.js';
import { dot, type Sparse, sparse } from '../core/softmax.js';
import { type Analyzer, fold } from './analyzer.js';
import { type Bag, bagOf, rarityAmong } from './article-features.js';
import { type Unit, unitsOf } from './parts.js';
import { type KindName, kindsHeldBy } from './question.js';

// By size: `max` takes the room for all of them at once, for every App.
const CACHED_ARTICLES = 5000;
const CACHED_WORDS = 20_000;

/** An article as its units are ranked: one version, in one language. */
export interface Readable {
  readonly title: string;
  readonly tags: readonly string[];
  readonly content: string;
}

/** A unit with all that questions are held against. */
export interface ReadUnit extends Unit {
  readonly bag: Bag;
  readonly vector: readonly number[];
  /** Cosine with the mean of the article's units. */
  readonly toMean: number;
  readonly words: readonly Sparse[];
  readonly kinds: ReadonlySet<KindName>;
  readonly folded: string;
  readonly names: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  readonly negated: boolean;
  readonly beginsConditional: boolean;
  readonly exception: boolean;
}

/** The embedding of a word. */
export interface WordVector {
  readonly vector: readonly number[];
  readonly sparse: Sparse;
}

/** An article with its units. */
export interface ReadArticle {
  readonly heading: Bag;
  readonly units: readonly ReadUnit[];
  readonly mean: readonly number[];
  readonly names: ReadonlySet<string>;
  readonly rarity: ReturnType<typeof rarityAmong>;
}

/** Says that something is not so. */
export const NEGATED =
  /\b(?:not|no|never|cannot|can't|won't|don't|doesn't|didn't|isn't|without|nao|nunca|sem|nem|nenhum\w*)\b/u;
const BEGINS_CONDITIONAL =
  /^(?:if|when|after|before|while|until|unless|once|se|quando|depois|antes|enquanto|caso|ao|assim que)\b/u;
const EXCEPTION =
  /\b(?:only|except\w*|unless|however|but not|even if|even when|instead|so|somente|apenas|exceto|excec\w+|a nao ser|menos|porem|mesmo que|mesmo quando)\b/u;
/** Figures in a folded text. */
export const DIGITS = /\d+(?:[.,]\d+)*/gu;

/** Reads articles and words, each once. */
export class ArticleUnits {
  private readonly articles = new LRUCache<string, Promise<ReadArticle>>({
    maxSize: CACHED_ARTICLES,
    sizeCalculation: () => 1,
  });
  private readonly vectors = new LRUCache<string, WordVector>({
    maxSize: CACHED_WORDS,
    sizeCalculation: () => 1,
  });

  /** @param local an embedding that is computed in process: every word is compared */
  constructor(
    private readonly analyzer: Analyzer,
    private readonly local: Embedder,
  ) {}

  /** The units of an article, as questions are held against them. */
  read(article: Readable): Promise<ReadArticle> {
    const key = `${article.title}\n${article.tags.join(',')}\n${article.content}`;
    const known = this.articles.get(key);
    if (known !== undefined) return known;
    const reading = this.readNow(article);
    this.articles.set(key, reading);
    return reading;
  }

  private async readNow({ title, tags, content }: Readable): Promise<ReadArticle> {
    const units = unitsOf(content);
    const lower = new Set(content.match(/(?<![\p{L}\p{N}])\p{Ll}[\p{L}\p{N}]*/gu)?.map(fold));
    const vectors = await this.local.embedDocuments(units.map(({ text }) => text));
    const size = this.local.dimensions;
    const mean = Array.from({ length: size }, (_, at) =>
      vectors.reduce((sum, vector) => sum + (vector[at] ?? 0) / units.length, 0),
    );
    const read = await Promise.all(
      units.map(async (unit, i): Promise<ReadUnit> => {
        const folded = fold(unit.text);
        const vector = vectors[i] ?? [];
        const terms = this.analyzer.analyze(unit.text).terms.filter(({ isStopword }) => !isStopword);
        const words = [...new Set(terms.map(({ word }) => word))];
        return {
          ...unit,
          bag: bagOf(this.analyzer, unit.text),
          vector,
          toMean: dot(vector, mean),
          words: await Promise.all(words.map(async (word) => (await this.vectorOf(word)).sparse)),
          kinds: kindsHeldBy(unit.text),
          folded,
          names: namesIn(unit.text, lower),
          numbers: new Set(folded.match(DIGITS) ?? []),
          negated: NEGATED.test(folded),
          beginsConditional: BEGINS_CONDITIONAL.test(folded),
          exception: EXCEPTION.test(folded),
        };
      }),
    );
    return {
      heading: bagOf(this.analyzer, `${title}. ${tags.join('. ')}`),
      units: read,
      mean,
      names: new Set(read.flatMap(({ names }) => [...names])),
      rarity: rarityAmong(read.map(({ bag }) => bag)),
    };
  }

  /** The embedding of a word. */
  async vectorOf(word: string): Promise<WordVector> {
    const known = this.vectors.get(word);
    if (known !== undefined) return known;
    const vector = await this.local.embedQuery(word);
    const read = { vector, sparse: sparse(vector) };
    this.vectors.set(word, read);
    return read;
  }
}

/** Names of plans, places and the like: words of an article that never stand there in small letters. */
function namesIn(text: string, lower: ReadonlySet<string>): ReadonlySet<string> {
  const words = (text.match(/\p{Lu}[\p{L}\p{N}]{2,}/gu) ?? []).map(fold);
  return new Set(words.filter((word) => !lower.has(word)));
}

import { LRUCache } from 'lru-cache';
import type { Article } from '../core/domain/article.js';
import type { Analyzer } from './analyzer.js';

/** A text as a set of things to look for or to find. */
export interface Bag {
  /** Stems of the words that carry a topic. */
  readonly stems: ReadonlySet<string>;
  readonly concepts: ReadonlySet<number>;
}

/** One thing a query asks for: a word, or a phrase the lexicon knows (then without a stem). */
export interface Wanted {
  readonly stem: string | null;
  readonly concepts: readonly number[];
}

/** An article as it is compared with a query. */
export interface ArticleBags {
  /** Title and tags. */
  readonly heading: Bag;
  readonly all: Bag;
}

// By size: `max` takes the room for all of them at once, for every App.
const CACHED_ARTICLES = 20_000;
/** What a word counts that is not there itself, but another word for it is. */
const SYNONYM = 0.8;

/** Analyses each version of an article once. */
export class ArticleBagCache {
  private readonly cache = new LRUCache<string, ArticleBags>({
    maxSize: CACHED_ARTICLES,
    sizeCalculation: () => 1,
  });

  constructor(private readonly analyzer: Analyzer) {}

  of(article: Article): ArticleBags {
    const headingText = `${article.title}. ${article.tags.join('. ')}`;
    const key = `${headingText}\n${article.content}`;
    const known = this.cache.get(key);
    if (known !== undefined) return known;
    const heading = bagOf(this.analyzer, headingText);
    const body = bagOf(this.analyzer, article.content);
    const all = {
      stems: new Set([...heading.stems, ...body.stems]),
      concepts: new Set([...heading.concepts, ...body.concepts]),
    };
    const bags = { heading, all };
    this.cache.set(key, bags);
    return bags;
  }
}

/** Stems without stopwords, and concepts. */
export function bagOf(analyzer: Analyzer, text: string): Bag {
  const { terms, phraseConcepts } = analyzer.analyze(text);
  const content = terms.filter((term) => !term.isStopword);
  return {
    stems: new Set(content.map((term) => term.stem)),
    concepts: new Set([...content.flatMap((term) => term.concepts), ...phraseConcepts]),
  };
}

/** What a query asks for, without repetition. */
export function wantedOf(analyzer: Analyzer, query: string): readonly Wanted[] {
  const { terms, phraseConcepts } = analyzer.analyze(query);
  const words = new Map<string, Wanted>();
  for (const { stem, concepts, isStopword } of terms) if (!isStopword) words.set(stem, { stem, concepts });
  return [...words.values(), ...phraseConcepts.map((concept) => ({ stem: null, concepts: [concept] }))];
}

const EXPANSIONS_EACH = 8;

/** Other words for what a query asks for, in both languages: for a search that knows exact words only. */
export function synonymsFor(analyzer: Analyzer, wanted: readonly Wanted[]): string {
  // Round by round, so that a limit on the number of words cuts the least typical ones of all.
  const lists = wanted
    .flatMap((thing) => thing.concepts)
    .map((concept) => analyzer.wordsOf(concept).slice(0, EXPANSIONS_EACH));
  const rounds = Array.from({ length: EXPANSIONS_EACH }, (_, round) =>
    lists.flatMap((words) => words[round] ?? []),
  );
  return [...new Set(rounds.flat())].join(' ');
}

/** Share of what is wanted that is there, rare things counting more; 0 where nothing is wanted. */
export function coverage(
  wanted: readonly Wanted[],
  there: Bag,
  weightOf: (wanted: Wanted) => number,
  synonym: number = SYNONYM,
): number {
  let total = 0;
  let covered = 0;
  for (const thing of wanted) {
    const weight = weightOf(thing);
    total += weight;
    if (thing.stem !== null && there.stems.has(thing.stem)) covered += weight;
    else if (thing.concepts.some((concept) => there.concepts.has(concept))) covered += weight * synonym;
  }
  return total === 0 ? 0 : covered / total;
}

/** The same the other way round: share of a heading's words and concepts that a query is about. */
export function headingShare(heading: Bag, wanted: readonly Wanted[]): number {
  const words = wanted.filter((thing) => thing.stem !== null && heading.stems.has(thing.stem)).length;
  const concepts = new Set(
    wanted.flatMap((thing) => thing.concepts).filter((concept) => heading.concepts.has(concept)),
  ).size;
  return (words / Math.max(1, heading.stems.size) + concepts / Math.max(1, heading.concepts.size)) / 2;
}

/** Inverse document frequency among the articles at hand: what all have tells nothing, what none has counts most. */
export function rarityAmong(bags: readonly Bag[]): {
  ofStem(stem: string): number;
  ofConcept(concept: number): number;
} {
  const total = bags.length;
  const memo = new Map<string | number, number>();
  const rarity = <T extends string | number>(feature: T, has: (bag: Bag) => boolean): number => {
    const known = memo.get(feature);
    if (known !== undefined) return known;
    let count = 0;
    for (const bag of bags) if (has(bag)) count += 1;
    const value = Math.log(1 + (total + 1) / (count + 0.5));
    memo.set(feature, value);
    return value;
  };
  return {
    ofStem: (stem) => rarity(stem, (bag) => bag.stems.has(stem)),
    ofConcept: (concept) => rarity(concept, (bag) => bag.concepts.has(concept)),
  };
}

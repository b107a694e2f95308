import { LRUCache } from 'lru-cache';
import type { Analyzer } from './analyzer.js';
import { type Bag, bagOf, type Wanted } from './article-features.js';
import { splitSentences } from './parts.js';

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

import { LRUCache } from 'lru-cache';
import type { Embedder } from '../core/ports/embedder.js';
import type { Analyzer } from './analyzer.js';
import { type Bag, bagOf, coverage, rarityAmong, type Wanted, wantedOf } from './article-features.js';
import { type Part, partsOf } from './parts.js';
import { answersTo } from './question-kind.js';

const CACHED_CONTENTS = 5000;
/** An article this short is given whole. */
const SHORT_ARTICLE = 420;
/** About a screen: two parts are given together up to this length, and an article up to it is read as one. */
const TOGETHER = 900;
/** The second part is left out where the first is this much more probable. */
const AHEAD = 4;
/** The same for the parts of an article of one screen. */
const NEAR = 1.2;

interface ReadPart extends Part {
  readonly bag: Bag;
  readonly vector: readonly number[];
}

/** How well a part of an article answers a question. */
interface PartFeatures {
  /** Cosine with the question. */
  readonly near: number;
  /** Share of the question's words that the part has, rare ones counting more. */
  readonly overlap: number;
  /** Share of the kinds of answer asked for (an amount, a time, steps) that it has. */
  readonly kind: number;
  /** 1 for the first part, which says what the article is about. */
  readonly first: number;
  /** 1 for 500 characters: more text answers more. */
  readonly length: number;
}

/** What contents are read for. */
export interface Question {
  readonly vector: readonly number[];
  readonly wanted: readonly Wanted[];
  /** Whether a text has a kind of answer that is asked for. */
  readonly tests: ReturnType<typeof answersTo>;
}

/** What an article has to say to a question. */
export interface Reading {
  /** The parts that answer best, at most about a screen. */
  readonly passage: string;
  /** Highest cosine of a part with the question. */
  readonly near: number;
  /** Highest share of the question's words that one part has, 0 to 1. */
  readonly overlap: number;
}

/** Log odds of holding the answer: fitted on the `fit` half of the labelled questions that name their sentence. */
const WEIGHTS: PartFeatures = { near: 4, overlap: 2, kind: 1, first: 0.75, length: 1.9 };

/** Finds the parts of an article that answer a question. Reads each content once. */
export class Passages {
  private readonly cache = new LRUCache<string, Promise<readonly ReadPart[]>>({ max: CACHED_CONTENTS });

  /** @param local an embedding that is computed in process: every part of every candidate is compared */
  constructor(
    private readonly analyzer: Analyzer,
    private readonly local: Embedder,
  ) {}

  /** A query as contents are read for it: made once for all of them. */
  async ask(query: string): Promise<Question> {
    return {
      vector: await this.local.embedQuery(oneLine(query)),
      wanted: wantedOf(this.analyzer, query),
      tests: answersTo(query),
    };
  }

  /** What this content has to say to the question. */
  async read(content: string, question: Question): Promise<Reading> {
    const scored = await this.score(content, question);
    return {
      passage: passageOf(content.trim(), scored),
      near: Math.max(0, ...scored.map(({ features }) => features.near)),
      overlap: Math.max(0, ...scored.map(({ features }) => features.overlap)),
    };
  }

  private async score(content: string, { vector, wanted, tests }: Question): Promise<readonly ScoredPart[]> {
    const parts = await this.partsOf(content);
    const rarity = rarityAmong(parts.map(({ bag }) => bag));
    const weightOf = ({ stem, concepts }: Wanted): number =>
      stem === null ? Math.max(...concepts.map(rarity.ofConcept)) : rarity.ofStem(stem);
    return parts.map(({ text, bag, vector: own }, at) => {
      const features: PartFeatures = {
        near: cosine(vector, own),
        overlap: coverage(wanted, bag, weightOf),
        kind: tests.length === 0 ? 0 : tests.filter((test) => test(text)).length / tests.length,
        first: at === 0 ? 1 : 0,
        length: Math.min(1, text.length / 500),
      };
      const names = Object.keys(WEIGHTS) as (keyof PartFeatures)[];
      return {
        at,
        text,
        features,
        score: names.reduce((sum, name) => sum + WEIGHTS[name] * features[name], 0),
      };
    });
  }

  private partsOf(content: string): Promise<readonly ReadPart[]> {
    const known = this.cache.get(content);
    if (known !== undefined) return known;
    const reading = this.partsNow(content);
    this.cache.set(content, reading);
    return reading;
  }

  private async partsNow(content: string): Promise<readonly ReadPart[]> {
    const parts = partsOf(content);
    const vectors = await this.local.embedDocuments(parts.map(({ text }) => oneLine(text)));
    return parts.map((part, i) => ({
      ...part,
      bag: bagOf(this.analyzer, part.text),
      vector: vectors[i] ?? [],
    }));
  }
}

interface ScoredPart {
  readonly at: number;
  readonly text: string;
  readonly features: PartFeatures;
  readonly score: number;
}

/** What is sent of a content. */
function passageOf(content: string, scored: readonly ScoredPart[]): string {
  if (content.length <= SHORT_ARTICLE) return content;
  return content.length <= TOGETHER ? allNear(scored) : together(scored);
}

/** Words that go on from the sentence before them. */
const GOES_ON =
  /^(?:it|its|this|that|these|those|they|then|there|after|afterwards|still|until|otherwise|when this|in that case|ele|ela|eles|elas|isso|isto|esse|essa|nesses?|nessas?|depois|até lá|aí|nada ainda|se continuar)\b/iu;

/** The best part, and the next one unless it is far behind; one that goes on from the other stands after it. */
function together(scored: readonly ScoredPart[]): string {
  const [best, next] = [...scored].sort((a, b) => b.score - a.score);
  if (best === undefined) return '';
  if (next === undefined || best.score - next.score > AHEAD) return best.text;
  if (best.text.length + next.text.length > TOGETHER) return best.text;
  const pair = next.at === best.at - 1 && GOES_ON.test(best.text) ? [next, best] : [best, next];
  return pair.map(({ text }) => text).join('\n\n');
}

/**
 * Of an article of one screen: the best part, the next one unless it is far behind, and all that are hardly worse, in the
 * order of the article, since its sentences lean on one another.
 */
function allNear(scored: readonly ScoredPart[]): string {
  const [best, next] = [...scored].sort((a, b) => b.score - a.score);
  const behind = (part: ScoredPart): number => (best?.score ?? 0) - part.score;
  return scored
    .filter((part) => behind(part) <= (part === next ? AHEAD : NEAR))
    .map(({ text }) => text)
    .join('\n\n');
}

/** An embedding reads what stands before a blank line as a heading; a part has none. */
function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** Of unit vectors. */
export function cosine(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

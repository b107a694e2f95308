import { LRUCache } from 'lru-cache';
import type { Embedder } from '../core/ports/knowledge-store.js';
import type { SparseEntries } from '../core/softmax.js';
import type { Analyzer } from './analyzer.js';

/** Groups of features; each is scaled on its own, so that a long question drowns nothing. Weights by cross-validation. */
const WEIGHTS = { word: 1, pair: 0.7, grams: 0.8, concept: 1, concepts: 0.6 } as const;
type Group = keyof typeof WEIGHTS;
const GROUPS = Object.keys(WEIGHTS) as Group[];
/** How much the embedding counts beside them. */
const MEANING = 1.2;
/** Entries of an embedding that are this small say nothing. */
const LEAST = 0.01;
const [SHORTEST_GRAM, LONGEST_GRAM, MAX_CONCEPTS] = [3, 5, 24];

/** What a question is made of: its words and their stems in a row, parts of words, concepts, and its embedding. */
export interface QuestionFeatures {
  readonly groups: Readonly<Record<Group, readonly number[]>>;
  readonly meaning: readonly number[];
}

/** The parts of a long message. */
const CACHED_QUESTIONS = 64;
const SHARED = new WeakMap<Embedder, QuestionReader>();

/** Reads questions for the learner of labelled questions. */
export class QuestionReader {
  private readonly last = new LRUCache<string, Promise<QuestionFeatures>>({ max: CACHED_QUESTIONS });

  /** @param local an embedding that is computed in process */
  constructor(
    private readonly analyzer: Analyzer,
    private readonly local: Embedder,
  ) {}

  /** The one of an embedding: all that score a message read it once. */
  static sharedOf(analyzer: Analyzer, local: Embedder): QuestionReader {
    const known = SHARED.get(local) ?? new QuestionReader(analyzer, local);
    SHARED.set(local, known);
    return known;
  }

  read(question: string): Promise<QuestionFeatures> {
    const reading = this.last.get(question) ?? this.readNow(question);
    this.last.set(question, reading);
    return reading;
  }

  private async readNow(question: string): Promise<QuestionFeatures> {
    const { terms, phraseConcepts } = this.analyzer.analyze(question);
    const groups: Record<Group, number[]> = { word: [], pair: [], grams: [], concept: [], concepts: [] };
    let before = '^';
    const concepts = new Set(phraseConcepts);
    for (const { word, stem, isStopword, concepts: own } of terms) {
      groups.word.push(hash(`w ${stem}`));
      groups.pair.push(hash(`p ${before} ${stem}`));
      before = stem;
      if (isStopword) continue;
      for (const concept of own) concepts.add(concept);
      groups.grams.push(...gramsOf(word));
    }
    const some = [...concepts].sort((a, b) => a - b).slice(0, MAX_CONCEPTS);
    for (const [i, concept] of some.entries()) {
      groups.concept.push(hash(`c ${concept}`));
      for (const other of some.slice(i + 1)) groups.concepts.push(hash(`c ${concept} ${other}`));
    }
    return { groups, meaning: await this.local.embedQuery(question) };
  }
}

function gramsOf(word: string): number[] {
  const framed = `^${word}$`;
  const grams: number[] = [];
  for (let size = SHORTEST_GRAM; size <= LONGEST_GRAM; size += 1)
    for (let start = 0; start + size <= framed.length; start += 1)
      grams.push(hash(`g ${framed.slice(start, start + size)}`));
  return grams;
}

/**
 * The features as a vector: each group of length 1 times its weight, the entries of the embedding after those known.
 * @param numberOf number of a known feature
 * @param known how many those are
 */
export function vectorOf(
  { groups, meaning }: QuestionFeatures,
  numberOf: (feature: number) => number | undefined,
  known: number,
): SparseEntries {
  const [indices, values]: [number[], number[]] = [[], []];
  for (const group of GROUPS) {
    const counts = new Map<number, number>();
    for (const feature of groups[group]) {
      const at = numberOf(feature);
      if (at !== undefined) counts.set(at, (counts.get(at) ?? 0) + 1);
    }
    let squares = 0;
    for (const count of counts.values()) squares += (1 + Math.log(count)) ** 2;
    for (const [at, count] of counts) {
      indices.push(at);
      values.push(((1 + Math.log(count)) * WEIGHTS[group]) / Math.sqrt(squares));
    }
  }
  for (const [i, value] of meaning.entries()) {
    if (Math.abs(value) < LEAST) continue;
    indices.push(known + i);
    values.push(value * MEANING);
  }
  return { indices, values };
}

/** 32-bit FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/). */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}

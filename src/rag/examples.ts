import { deflateSync, inflateSync } from 'node:zlib';
import type { Embedder } from '../core/ports/knowledge-store.js';
import {
  logitsOf,
  type SparseEntries,
  softmax,
  type Trained,
  type TrainingExample,
  trainSoftmax,
} from '../core/softmax.js';
import type { Analyzer } from './analyzer.js';
import { type QuestionFeatures, QuestionReader, vectorOf } from './question-features.js';

/** What a set of labelled questions taught, as it is stored: a softmax regression with weights of 8 bits. */
export interface StoredExamples {
  /** Id of the embedding among its features; another one has to be taught anew. */
  readonly embedder: string;
  /** One id of each article, or of a version of it; one more class is for questions that none answers. */
  readonly articles: readonly string[];
  /** Hashes of the features known: 32 bits each, deflated, in base64. */
  readonly features: string;
  /** A row for each feature and each entry of the embedding, a column for each class: deflated, in base64. */
  readonly weights: string;
  /** Of each class: what a weight of 127 stands for, and what a question without features has. */
  readonly scales: readonly number[];
  readonly bias: readonly number[];
}

/** How much a question is like those that each article answers. */
export interface ExampleScores {
  /** Probability; null for an article that no question names. */
  of(article: string): number | null;
  /** The highest of another article. */
  rivalOf(article: string): number;
  /** That no article answers. */
  readonly foreign: number;
  /** Ids of the articles that are most probable, or of versions of them; the best first. */
  readonly likely: readonly string[];
}

/** A text with the article it belongs to; `article` is null where none answers it. */
export interface Example {
  readonly text: string;
  /** Id of the article, or of a version of it in some language. */
  readonly article: string | null;
  /** Others that it belongs to as well. */
  readonly also?: readonly string[];
  /** Number of the writer. */
  readonly hand?: number | undefined;
}

/** What the learner reads texts with. */
export interface ExampleTools {
  readonly analyzer: Analyzer;
  /** An embedding that is computed in process. */
  readonly local: Embedder;
  /** What the versions of an article in several languages have in common. */
  readonly keyOf: (article: string) => string;
}

/** Knobs by cross-validation on questions of several writers. */
const TRAINING = { epochs: 8, rate: 0.1, l2: 0, seed: 1, balance: 0.3 } as const;
const FOLDS = 4;
/** A feature seen once tells nothing of another question; of the others the most frequent are kept. */
const LEAST_SEEN = 2;
const MOST_FEATURES = 40_000;
const FULL = 127;
const LIKELY = 4;

/**
 * Learns which questions go to which article. The work grows with the number of questions.
 * @param questions what is learned and scored
 * @param besides what is learned beside them, such as the sentences of the articles
 * @param folds which questions are left out together; none where nothing is to be scored
 * @returns what is stored, and how each question is scored by a learner that did not see it, nor its writer where there are
 * enough of them: customers write like none of those whose questions are known
 */
export async function teachExamples(
  tools: ExampleTools,
  questions: readonly Example[],
  besides: readonly Example[] = [],
  folds: readonly number[] = foldsOf(questions),
): Promise<{ readonly stored: StoredExamples; readonly leftOut: readonly ExampleScores[] }> {
  const reader = new QuestionReader(tools.analyzer, tools.local);
  const classes = classesOf(questions, tools.keyOf);
  const known = besides.filter(({ article }) => article !== null && classes.keys.has(tools.keyOf(article)));
  const all: readonly Example[] = [...questions, ...known];
  const read = await Promise.all(all.map(({ text }) => reader.read(text)));
  const features = frequent(read);
  const numbers = new Map(features.map((feature, at) => [feature, at]));
  const samples = all.map(({ article, also = [] }, i): readonly TrainingExample[] => {
    const own = read[i];
    const vector = own ? vectorOf(own, (feature) => numbers.get(feature), features.length) : NOTHING;
    const weight = 1 / (1 + also.length);
    return [article, ...also].map((one) => {
      const label = one === null ? classes.ids.length : (classes.keys.get(tools.keyOf(one)) ?? 0);
      return { vector, label, weight };
    });
  });
  const size = { classes: classes.ids.length + 1, features: features.length + tools.local.dimensions };
  const leftOut = new Array<ExampleScores>(questions.length);
  for (const fold of new Set(folds)) {
    const seen = samples.filter((_, i) => folds[i] !== fold);
    const trained = trainSoftmax(seen.flat(), { ...TRAINING, ...size });
    for (let i = 0; i < questions.length; i += 1) {
      if (folds[i] !== fold) continue;
      const logits = logitsOf(trained, samples[i]?.[0]?.vector ?? NOTHING, size.classes);
      leftOut[i] = scoresOf(classes.ids, tools.keyOf, softmax(logits, 1));
    }
  }
  const { weights, bias } = trainSoftmax(samples.flat(), { ...TRAINING, ...size });
  const rounded = quantised(weights, size.classes);
  return {
    stored: {
      embedder: tools.local.id,
      articles: classes.ids,
      features: packed(Uint32Array.from(features)),
      weights: packed(rounded.weights),
      scales: rounded.scales,
      bias: [...bias],
    },
    leftOut,
  };
}

/** Knobs of learning further, by what new questions gain and old ones lose. */
const FURTHER = { epochs: 4, rate: 0.15, l2: 0, seed: 1, balance: 0 } as const;
const [STARTING_SQUARES, NEW_WEIGHT] = [0.3, 3];
/** A class that was less probable than this is not held to it. */
const HELD_FROM = 0.01;

/**
 * Learns further questions beside what was taught: the weights go on from those, held to the probabilities that they gave to other texts
 * (distillation: Hinton et al. 2015), so that few other answers change. Words that no earlier question had are not learned.
 * @param held texts of which as much as possible is to be said as before
 */
export async function teachFurther(
  tools: ExampleTools,
  stored: StoredExamples,
  questions: readonly Example[],
  held: readonly string[],
): Promise<StoredExamples> {
  const taught = new TaughtExamples(tools, stored);
  const from = { ...taught.trained(), squares: STARTING_SQUARES };
  const classes = new Map(stored.articles.map((article, at) => [tools.keyOf(article), at]));
  const samples: TrainingExample[] = [];
  for (const { text, article } of questions) {
    const label = article === null ? stored.articles.length : classes.get(tools.keyOf(article));
    if (label === undefined) continue;
    samples.push({ vector: await taught.vectorOf(text), label, weight: NEW_WEIGHT });
  }
  const size = { classes: stored.bias.length, features: from.weights.length / stored.bias.length };
  for (const text of held) {
    const vector = await taught.vectorOf(text);
    const chances = softmax(logitsOf(from, vector, size.classes), 1);
    for (const [label, weight] of chances.entries())
      if (weight >= HELD_FROM) samples.push({ vector, label, weight });
  }
  const { weights, bias } = trainSoftmax(samples, { ...FURTHER, ...size, from });
  const rounded = quantised(weights, size.classes);
  return { ...stored, weights: packed(rounded.weights), scales: rounded.scales, bias: [...bias] };
}

/** Scores questions by what was taught. */
export class TaughtExamples {
  private readonly reader: QuestionReader;
  private readonly numbers: ReadonlyMap<number, number>;
  private readonly weights: Int8Array;

  constructor(
    private readonly tools: ExampleTools,
    private readonly stored: StoredExamples,
  ) {
    this.reader = QuestionReader.sharedOf(tools.analyzer, tools.local);
    const features = unpacked(stored.features);
    this.numbers = new Map(Array.from(new Uint32Array(features.buffer), (feature, at) => [feature, at]));
    this.weights = new Int8Array(unpacked(stored.weights).buffer);
  }

  /** A text by the features that are known. */
  async vectorOf(text: string): Promise<SparseEntries> {
    const read = await this.reader.read(text);
    return vectorOf(read, (feature) => this.numbers.get(feature), this.numbers.size);
  }

  /** The weights, as they were before they were rounded. */
  trained(): Trained {
    const { bias, scales } = this.stored;
    const weights = Float32Array.from(this.weights, (weight, at) => weight * (scales[at % bias.length] ?? 0));
    return { weights, bias: Float32Array.from(bias) };
  }

  async score(question: string): Promise<ExampleScores> {
    const { bias, scales, articles } = this.stored;
    const vector = await this.vectorOf(question);
    const sums = new Float64Array(bias.length);
    for (let at = 0; at < vector.indices.length; at += 1) {
      const base = (vector.indices[at] ?? 0) * sums.length;
      const value = vector.values[at] ?? 0;
      for (let column = 0; column < sums.length; column += 1)
        sums[column] = (sums[column] ?? 0) + value * (this.weights[base + column] ?? 0);
    }
    const logits = Float32Array.from(sums, (sum, i) => sum * (scales[i] ?? 0) + (bias[i] ?? 0));
    return scoresOf(articles, this.tools.keyOf, softmax(logits, 1));
  }
}

/** The fold of each question: whole hands where there are enough, the largest first into the smallest fold; else by position. */
function foldsOf(questions: readonly Example[]): readonly number[] {
  const counts = new Map<number, number>();
  for (const { hand = 0 } of questions) counts.set(hand, (counts.get(hand) ?? 0) + 1);
  if (counts.size < FOLDS) return questions.map((_, i) => i % FOLDS);
  const sizes = new Array<number>(FOLDS).fill(0);
  const foldOf = new Map<number, number>();
  for (const [hand, count] of [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])) {
    const smallest = sizes.indexOf(Math.min(...sizes));
    foldOf.set(hand, smallest);
    sizes[smallest] = (sizes[smallest] ?? 0) + count;
  }
  return questions.map(({ hand = 0 }) => foldOf.get(hand) ?? 0);
}

const NOTHING: SparseEntries = { indices: [], values: [] };

/** The articles that questions name, by an id of each, in an order that does not depend on that of the questions. */
function classesOf(
  questions: readonly Example[],
  keyOf: ExampleTools['keyOf'],
): { readonly ids: readonly string[]; readonly keys: ReadonlyMap<string, number> } {
  const named = [
    ...new Set(questions.flatMap(({ article, also = [] }) => [article ?? [], also].flat())),
  ].sort();
  const byKey = new Map<string, string>();
  for (const id of named) if (!byKey.has(keyOf(id))) byKey.set(keyOf(id), id);
  return { ids: [...byKey.values()], keys: new Map([...byKey.keys()].map((key, at) => [key, at])) };
}

function frequent(read: readonly QuestionFeatures[]): readonly number[] {
  const counts = new Map<number, number>();
  for (const { groups } of read)
    for (const feature of new Set(Object.values(groups).flat()))
      counts.set(feature, (counts.get(feature) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= LEAST_SEEN)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, MOST_FEATURES)
    .map(([feature]) => feature);
}

function scoresOf(
  articles: readonly string[],
  keyOf: ExampleTools['keyOf'],
  scores: ArrayLike<number>,
): ExampleScores {
  const byKey = new Map(articles.map((article, i) => [keyOf(article), scores[i] ?? 0]));
  const [first, second] = [...byKey.entries()].sort((a, b) => b[1] - a[1]);
  return {
    of: (article) => byKey.get(article) ?? null,
    rivalOf: (article) => (first?.[0] === article ? second?.[1] : first?.[1]) ?? 0,
    foreign: scores[articles.length] ?? 0,
    likely: [...articles]
      .sort((a, b) => (byKey.get(keyOf(b)) ?? 0) - (byKey.get(keyOf(a)) ?? 0))
      .slice(0, LIKELY),
  };
}

/** Weights as signed bytes, with a scale for each class. */
function quantised(
  weights: Float32Array,
  classes: number,
): { readonly weights: Int8Array; readonly scales: readonly number[] } {
  const scales = new Array<number>(classes).fill(Number.MIN_VALUE);
  for (const [at, weight] of weights.entries())
    scales[at % classes] = Math.max(scales[at % classes] ?? 0, Math.abs(weight) / FULL);
  return {
    weights: Int8Array.from(weights, (weight, at) => Math.round(weight / (scales[at % classes] ?? 1))),
    scales,
  };
}

function packed(numbers: Uint32Array | Int8Array): string {
  return deflateSync(Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength)).toString('base64');
}

/** In memory of its own, from its beginning: what is read as 32-bit numbers must not begin in between. */
function unpacked(text: string): Uint8Array {
  return Uint8Array.from(inflateSync(Buffer.from(text, 'base64')));
}

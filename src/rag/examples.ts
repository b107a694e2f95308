import type { Embedder } from '../core/ports/embedder.js';

/** What a set of labelled questions taught, as it is stored. */
export interface StoredExamples {
  /** Id of the embedding they were compared in; another one has to be taught anew. */
  readonly embedder: string;
  /** Vectors of the questions: of each what is not near zero, as number of entries, and each entry's place and value; in base64. */
  readonly vectors: string;
  /** Articles without their language; the last column of the weights is for questions that none answers. */
  readonly articles: readonly string[];
  /** One row a query and one column an article and one more: 16-bit integers, little endian, in base64. */
  readonly weights: string;
  /** What 32767 stands for. */
  readonly scale: number;
}

/** How much a question is like those that each article answers. */
export interface ExampleScores {
  /** About 0 to 1; null for an article that no question names. */
  of(article: string): number | null;
  /** The highest of another article. */
  rivalOf(article: string): number;
  /** Like the questions that no article answers. */
  readonly foreign: number;
}

/** One labelled question; `article` is null where none answers it. */
export interface Example {
  readonly query: string;
  readonly article: string | null;
}

/** Width of the kernel exp(WIDTH * (cosine - 1)), and how much an example may be wrong; both by cross-validation. */
const WIDTH = 2;
const NOISE = 0.2;
const FULL = 32_767;

/**
 * Learns which questions go to which article: kernel ridge regression, which has one exact solution. The work grows
 * with the third power of the number of questions; 1,500 take a few seconds.
 * @returns what is stored, and how each question would be scored had it not been among them
 */
export async function teachExamples(
  local: Embedder,
  examples: readonly Example[],
): Promise<{ readonly stored: StoredExamples; readonly leftOut: readonly ExampleScores[] }> {
  const size = examples.length;
  const queries = examples.map(({ query }) => query);
  const vectors = pack(await local.embedDocuments(queries));
  const rows = unpack(vectors);
  const articles = [...new Set(examples.flatMap(({ article }) => article ?? []))].sort();
  const columns = articles.length + 1;
  const targets = new Float64Array(size * columns).fill(-1 / columns);
  for (const [i, { article }] of examples.entries())
    targets[i * columns + (article === null ? articles.length : articles.indexOf(article))] = 1;
  const kernel = new Float64Array(size * size);
  for (let i = 0; i < size; i += 1) {
    const own = spread(rows[i], local.dimensions);
    for (let j = 0; j <= i; j += 1) kernel[i * size + j] = likeness(rows[j], own) + (i === j ? NOISE : 0);
  }
  const { weights, diagonal } = solve(kernel, size, targets, columns);
  // The exact score of an example by all others follows from the diagonal of the inverse.
  const leftOut = examples.map((_, i) => {
    const scores = new Float64Array(columns);
    for (let c = 0; c < columns; c += 1)
      scores[c] = (targets[i * columns + c] ?? 0) - (weights[i * columns + c] ?? 0) / (diagonal[i] ?? 1);
    return scoresOf(articles, scores);
  });
  const scale = weights.reduce((most, value) => Math.max(most, Math.abs(value)), Number.MIN_VALUE);
  const bytes = Buffer.alloc(weights.length * 2);
  for (const [i, value] of weights.entries()) bytes.writeInt16LE(Math.round((value / scale) * FULL), i * 2);
  return {
    stored: { embedder: local.id, vectors, articles, weights: bytes.toString('base64'), scale },
    leftOut,
  };
}

/** Scores questions by what was taught. */
export class TaughtExamples {
  private readonly rows: readonly Row[];
  private readonly weights: Float32Array;

  constructor(
    private readonly local: Embedder,
    private readonly stored: StoredExamples,
  ) {
    this.rows = unpack(stored.vectors);
    const bytes = Buffer.from(stored.weights, 'base64');
    this.weights = Float32Array.from(
      { length: bytes.length / 2 },
      (_, i) => (bytes.readInt16LE(i * 2) / FULL) * stored.scale,
    );
  }

  async score(query: string): Promise<ExampleScores> {
    const own = Float64Array.from(await this.local.embedQuery(query));
    const columns = this.stored.articles.length + 1;
    const scores = new Float64Array(columns);
    for (const [i, row] of this.rows.entries()) {
      const near = likeness(row, own);
      for (let c = 0; c < columns; c += 1)
        scores[c] = (scores[c] ?? 0) + near * (this.weights[i * columns + c] ?? 0);
    }
    return scoresOf(this.stored.articles, scores);
  }
}

function scoresOf(articles: readonly string[], scores: Float64Array): ExampleScores {
  const byArticle = new Map(articles.map((article, i) => [article, scores[i] ?? 0]));
  const [first, second] = [...byArticle.entries()].sort((a, b) => b[1] - a[1]);
  return {
    of: (article) => byArticle.get(article) ?? null,
    rivalOf: (article) => (first?.[0] === article ? second?.[1] : first?.[1]) ?? 0,
    foreign: scores[articles.length] ?? 0,
  };
}

/** What is not zero of a unit vector. */
interface Row {
  readonly places: Uint16Array;
  readonly values: Float32Array;
}

const BYTE = 127;
const ENTRY = 3;
const LEAST = 2;

/** A value of a unit vector as one signed byte; what is next to nothing is left out. */
function pack(vectors: readonly (readonly number[])[]): string {
  const rows = vectors.map((vector) => {
    const entries = [...vector.entries()].flatMap(([place, value]) => {
      const byte = Math.round(value * BYTE);
      return Math.abs(byte) < LEAST ? [] : [{ place, byte }];
    });
    const bytes = Buffer.alloc(2 + entries.length * ENTRY);
    bytes.writeUInt16LE(entries.length, 0);
    for (const [i, { place, byte }] of entries.entries()) {
      bytes.writeUInt16LE(place, 2 + i * ENTRY);
      bytes.writeInt8(byte, 4 + i * ENTRY);
    }
    return bytes;
  });
  return Buffer.concat(rows).toString('base64');
}

function unpack(text: string): readonly Row[] {
  const bytes = Buffer.from(text, 'base64');
  const rows: Row[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt16LE(at);
    const start = at + 2;
    rows.push({
      places: Uint16Array.from({ length }, (_, i) => bytes.readUInt16LE(start + i * ENTRY)),
      values: Float32Array.from({ length }, (_, i) => bytes.readInt8(start + 2 + i * ENTRY) / BYTE),
    });
    at = start + length * ENTRY;
  }
  return rows;
}

function spread(row: Row | undefined, dimensions: number): Float64Array {
  const vector = new Float64Array(dimensions);
  row?.places.forEach((place, i) => {
    vector[place] = row.values[i] ?? 0;
  });
  return vector;
}

/** The kernel: 1 for the same text, and less the smaller the cosine. */
function likeness(row: Row | undefined, vector: Float64Array): number {
  let cosine = 0;
  if (row !== undefined)
    for (let i = 0; i < row.places.length; i += 1)
      cosine += (row.values[i] as number) * (vector[row.places[i] as number] as number);
  return Math.exp(WIDTH * (cosine - 1));
}

/**
 * Solves matrix * weights = targets by Cholesky, and gives the diagonal of the inverse.
 * @param matrix symmetric, positive definite; its lower half is read
 */
function solve(
  matrix: Float64Array,
  size: number,
  targets: Float64Array,
  columns: number,
): { readonly weights: Float64Array; readonly diagonal: Float64Array } {
  const lower = matrix.slice();
  for (let i = 0; i < size; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = lower[i * size + j] as number;
      for (let k = 0; k < j; k += 1) sum -= (lower[i * size + k] as number) * (lower[j * size + k] as number);
      lower[i * size + j] = i === j ? Math.sqrt(sum) : sum / (lower[j * size + j] as number);
    }
  }
  const weights = targets.slice();
  const subtract = (from: number, row: number, factor: number): void => {
    for (let c = 0; c < columns; c += 1)
      weights[from * columns + c] =
        (weights[from * columns + c] as number) - factor * (weights[row * columns + c] as number);
  };
  const divide = (row: number): void => {
    for (let c = 0; c < columns; c += 1)
      weights[row * columns + c] =
        (weights[row * columns + c] as number) / (lower[row * size + row] as number);
  };
  for (let i = 0; i < size; i += 1) {
    for (let k = 0; k < i; k += 1) subtract(i, k, lower[i * size + k] as number);
    divide(i);
  }
  for (let i = size - 1; i >= 0; i -= 1) {
    divide(i);
    for (let k = 0; k < i; k += 1) subtract(k, i, lower[i * size + k] as number);
  }
  const diagonal = new Float64Array(size);
  const column = new Float64Array(size);
  for (let j = 0; j < size; j += 1) {
    let squares = 0;
    for (let i = j; i < size; i += 1) {
      let sum = i === j ? 1 : 0;
      for (let k = j; k < i; k += 1) sum -= (lower[i * size + k] as number) * (column[k] as number);
      column[i] = sum / (lower[i * size + i] as number);
      squares += (column[i] as number) ** 2;
    }
    diagonal[j] = squares;
  }
  return { weights, diagonal };
}

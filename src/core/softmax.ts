/** A sparse vector: parallel lists of feature numbers and values. */
export interface SparseEntries {
  readonly indices: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** A training example: a vector, its class and how much it counts. */
export interface TrainingExample {
  readonly vector: SparseEntries;
  readonly label: number;
  readonly weight: number;
}

/** Knobs of {@link trainSoftmax}. */
export interface TrainOptions {
  readonly classes: number;
  readonly features: number;
  readonly epochs: number;
  /** AdaGrad step. */
  readonly rate: number;
  /** L2 penalty per example. */
  readonly l2: number;
  readonly seed: number;
  /** 0 none .. 1: rare classes weigh as much in total as frequent ones. */
  readonly balance: number;
  /** Where to start instead of from nothing, and the sum of squared gradients that AdaGrad starts from: the more, the smaller the steps. */
  readonly from?: Trained & { readonly squares: number };
}

/** Weights of a trained softmax regression, row-major by feature. */
export interface Trained {
  readonly weights: Float32Array;
  readonly bias: Float32Array;
}

/** Softmax in place at a temperature; returns its argument. */
export function softmax(logits: Float32Array, temperature: number): Float32Array {
  let highest = Number.NEGATIVE_INFINITY;
  for (const logit of logits) highest = Math.max(highest, logit);
  let total = 0;
  for (let index = 0; index < logits.length; index += 1) {
    const value = Math.exp(((logits[index] ?? 0) - highest) / temperature);
    logits[index] = value;
    total += value;
  }
  for (let index = 0; index < logits.length; index += 1) logits[index] = (logits[index] ?? 0) / total;
  return logits;
}

/** Mulberry32: a small seeded generator of numbers in [0, 1) (public domain, T. Ettinger). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Shuffles in place by Fisher and Yates; returns its argument. */
function shuffle<T>(items: T[], random: () => number): T[] {
  for (let index = items.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    const swapped = items[index] as T;
    items[index] = items[other] as T;
    items[other] = swapped;
  }
  return items;
}

/** Errors of a class below this change nothing that is worth the time. */
const SETTLED = 1e-4;

/** Logits of a vector. */
export function logitsOf(model: Trained, vector: SparseEntries, classes: number): Float32Array {
  return addLogits(model.bias.slice(), model.weights, vector, classes);
}

/** Adds what each entry of a vector says; returns its first argument. */
function addLogits(
  logits: Float32Array,
  weights: Float32Array,
  { indices, values }: SparseEntries,
  classes: number,
): Float32Array {
  for (let at = 0; at < indices.length; at += 1) {
    const base = (indices[at] ?? 0) * classes;
    const value = values[at] ?? 0;
    for (let column = 0; column < classes; column += 1) {
      logits[column] = (logits[column] ?? 0) + value * (weights[base + column] ?? 0);
    }
  }
  return logits;
}

/** Multinomial logistic regression by AdaGrad (Duchi et al. 2011) with L2 on the touched weights; deterministic. */
export function trainSoftmax(examples: readonly TrainingExample[], options: TrainOptions): Trained {
  const { classes, rate, l2, from } = options;
  const weights = from?.weights.slice() ?? new Float32Array(options.features * classes);
  const squares = new Float32Array(options.features * classes).fill(from?.squares ?? 1e-4);
  const bias = from?.bias.slice() ?? new Float32Array(classes);
  const biasSquares = new Float32Array(classes).fill(from?.squares ?? 1e-2);
  const totals = new Float64Array(classes);
  for (const example of examples) totals[example.label] = (totals[example.label] ?? 0) + example.weight;
  const mean = totals.reduce((sum, total) => sum + total, 0) / classes;
  const order = examples.map((_, index) => index);
  const errors = new Float32Array(classes);
  const open = new Int32Array(classes);
  const openErrors = new Float32Array(classes);
  const random = seededRandom(options.seed);
  for (let epoch = 0; epoch < options.epochs; epoch += 1) {
    shuffle(order, random);
    for (const index of order) {
      const example = examples[index];
      if (!example) continue;
      const { indices, values } = example.vector;
      errors.set(bias);
      softmax(addLogits(errors, weights, example.vector, classes), 1);
      errors[example.label] = (errors[example.label] ?? 0) - 1;
      const importance = example.weight * (mean / Math.max(1, totals[example.label] ?? 1)) ** options.balance;
      // Most classes are ruled out after the first rounds; what is left to learn of them is nothing.
      let opened = 0;
      for (let column = 0; column < classes; column += 1) {
        const error = (errors[column] ?? 0) * importance;
        if (Math.abs(error) < SETTLED) continue;
        open[opened] = column;
        openErrors[opened] = error;
        opened += 1;
        biasSquares[column] = (biasSquares[column] ?? 0) + error * error;
        bias[column] = (bias[column] ?? 0) - (rate * error) / Math.sqrt(biasSquares[column] ?? 1);
      }
      for (let at = 0; at < indices.length; at += 1) {
        const base = (indices[at] ?? 0) * classes;
        const value = values[at] ?? 0;
        for (let one = 0; one < opened; one += 1) {
          const slot = base + (open[one] ?? 0);
          const weight = weights[slot] ?? 0;
          const gradient = (openErrors[one] ?? 0) * value + l2 * weight;
          const square = (squares[slot] ?? 0) + gradient * gradient;
          squares[slot] = square;
          weights[slot] = weight - (rate * gradient) / Math.sqrt(square);
        }
      }
    }
  }
  return { weights, bias };
}

/** The softmax temperature with the least log-loss on held-out logits (Guo et al. 2017), by a grid. */
export function fitTemperature(cases: readonly { logits: Float32Array; label: number }[]): number {
  let best = 1;
  let lowest = Number.POSITIVE_INFINITY;
  for (let step = 0; step <= 40; step += 1) {
    const temperature = 0.3 * 1.07 ** step;
    let loss = 0;
    for (const { logits, label } of cases) {
      loss -= Math.log(Math.max(1e-9, softmax(Float32Array.from(logits), temperature)[label] ?? 0));
    }
    if (loss < lowest) {
      lowest = loss;
      best = temperature;
    }
  }
  return best;
}

/** A few of many entries of a vector. */
export interface Sparse {
  readonly indices: Int32Array;
  readonly values: Float64Array;
}

/** Its entries that are not next to nothing. */
export function sparse(vector: readonly number[]): Sparse {
  return entriesAbove(vector, 0.005, Math.fround);
}

/** All its entries but those that are nothing: a cosine with them is the same as with the whole. */
export function nonZero(vector: readonly number[]): Sparse {
  return entriesAbove(vector, 0, (value) => value);
}

function entriesAbove(vector: readonly number[], least: number, kept: (value: number) => number): Sparse {
  const indices: number[] = [];
  const values: number[] = [];
  for (let at = 0; at < vector.length; at += 1) {
    const value = vector[at] ?? 0;
    if (Math.abs(value) <= least) continue;
    indices.push(at);
    values.push(kept(value));
  }
  return { indices: Int32Array.from(indices), values: Float64Array.from(values) };
}

/** Cosine of unit vectors, one of them with few entries. */
export function sparseDot({ indices, values }: Sparse, vector: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < indices.length; i += 1) sum += (values[i] ?? 0) * (vector[indices[i] ?? 0] ?? 0);
  return sum;
}

/** Cosine of unit vectors. */
export function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

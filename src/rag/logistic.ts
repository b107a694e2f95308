import { softmax } from '../core/softmax.js';
import { sigmoid } from './confidence.js';

/** One labelled example: standardised or raw features and whether it was right. */
export interface Example {
  readonly x: readonly number[];
  readonly y: 0 | 1;
}

interface Fit {
  readonly bias: number;
  readonly weights: readonly number[];
}

const ITERATIONS = 60;
const SHORTEST_STEP = 1e-3;
const TOLERANCE = 1e-7;

/**
 * Logistic regression with an L2 penalty on standardised features, by Newton's method (iteratively reweighted least
 * squares). Deterministic. The answer is in units of the features as given.
 * @param penalty strength of the L2 penalty; the bias is not penalised
 */
export function fitLogistic(examples: readonly Example[], penalty: number): Fit {
  const width = examples[0]?.x.length ?? 0;
  const { means, scales } = standardisation(examples, width);
  const rows = examples.map(({ x, y }) => ({
    z: Float64Array.from([1, ...x.map((value, i) => (value - (means[i] ?? 0)) / (scales[i] ?? 1))]),
    y,
  }));
  let theta = new Array<number>(width + 1).fill(0);
  for (let iteration = 0; iteration < ITERATIONS; iteration += 1) {
    const step = newtonStep(rows, theta, penalty);
    theta = theta.map((value, i) => value + (step[i] ?? 0));
    if (step.every((value) => Math.abs(value) < TOLERANCE)) break;
  }
  const weights = theta.slice(1).map((value, i) => value / (scales[i] ?? 1));
  const bias = (theta[0] ?? 0) - weights.reduce((sum, weight, i) => sum + weight * (means[i] ?? 0), 0);
  return { bias, weights };
}

function standardisation(
  examples: readonly Example[],
  width: number,
): { means: readonly number[]; scales: readonly number[] } {
  const columns = Array.from({ length: width }, (_, i) => examples.map(({ x }) => x[i] ?? 0));
  const means = columns.map(
    (column) => column.reduce((sum, value) => sum + value, 0) / Math.max(1, column.length),
  );
  const scales = columns.map((column, i) => {
    const variance =
      column.reduce((sum, value) => sum + (value - (means[i] ?? 0)) ** 2, 0) / Math.max(1, column.length);
    return Math.sqrt(variance) || 1;
  });
  return { means, scales };
}

interface Row {
  readonly z: Float64Array;
  readonly y: 0 | 1;
}

function newtonStep(rows: readonly Row[], theta: readonly number[], penalty: number): readonly number[] {
  const size = theta.length;
  const gradient = Float64Array.from(theta, (value, i) => (i === 0 ? 0 : -penalty * value));
  // The upper half; the other one is the same.
  const hessian = new Float64Array(size * size);
  for (let i = 0; i < size; i += 1) hessian[i * size + i] = i === 0 ? 1e-9 : penalty;
  for (const { z, y } of rows) {
    let sum = 0;
    for (let i = 0; i < size; i += 1) sum += (z[i] as number) * (theta[i] as number);
    const p = sigmoid(sum);
    const curve = Math.max(p * (1 - p), 1e-6);
    for (let i = 0; i < size; i += 1) {
      const own = z[i] as number;
      gradient[i] = (gradient[i] as number) + (y - p) * own;
      const slope = curve * own;
      for (let j = i; j < size; j += 1)
        hessian[i * size + j] = (hessian[i * size + j] as number) + slope * (z[j] as number);
    }
  }
  const whole = theta.map((_, i) =>
    theta.map((__, j) => hessian[Math.min(i, j) * size + Math.max(i, j)] ?? 0),
  );
  return solve(whole, [...gradient]);
}

/** Gaussian elimination with partial pivoting; the matrix is positive definite. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  const size = rows.length;
  for (let column = 0; column < size; column += 1) {
    let pivot = column;
    for (let i = column + 1; i < size; i += 1)
      if (Math.abs(rows[i]?.[column] ?? 0) > Math.abs(rows[pivot]?.[column] ?? 0)) pivot = i;
    [rows[column], rows[pivot]] = [rows[pivot] ?? [], rows[column] ?? []];
    const lead = rows[column] ?? [];
    for (let i = column + 1; i < size; i += 1) {
      const row = rows[i] ?? [];
      const factor = (row[column] ?? 0) / (lead[column] || 1);
      for (let j = column; j <= size; j += 1) row[j] = (row[j] ?? 0) - factor * (lead[j] ?? 0);
    }
  }
  const solution = new Array<number>(size).fill(0);
  for (let i = size - 1; i >= 0; i -= 1) {
    const row = rows[i] ?? [];
    let value = row[size] ?? 0;
    for (let j = i + 1; j < size; j += 1) value -= (row[j] ?? 0) * (solution[j] ?? 0);
    solution[i] = value / (row[i] || 1);
  }
  return solution;
}

/** A question with several possible answers: the features of each, and which are right. */
export interface ChoiceExample {
  readonly options: readonly (readonly number[])[];
  /** Share of each option in what is right; sums up to 1. */
  readonly right: readonly number[];
}

/**
 * Conditional logit (McFadden 1974): P(option) is the softmax of its weighted features among those it stands beside. With
 * an L2 penalty on standardised features, by Newton's method. The weights are in units of the features as given.
 */
export function fitChoice(examples: readonly ChoiceExample[], penalty: number): readonly number[] {
  const width = examples[0]?.options[0]?.length ?? 0;
  const all = examples.flatMap(({ options }) => options.map((x) => ({ x, y: 0 as const })));
  const { means, scales } = standardisation(all, width);
  const sets = examples.map(({ options, right }) => ({
    right,
    rows: options.map((x) =>
      Float64Array.from(x, (value, i) => (value - (means[i] ?? 0)) / (scales[i] ?? 1)),
    ),
  }));
  let theta = new Array<number>(width).fill(0);
  for (let iteration = 0; iteration < ITERATIONS; iteration += 1) {
    const step = choiceStep(sets, theta, penalty);
    const before = choiceLoss(sets, theta, penalty);
    // Where a feature decides nearly alone, a whole step of Newton's leads far beyond the best.
    let share = 1;
    const moved = (): number[] => theta.map((value, i) => value + share * (step[i] ?? 0));
    while (share > SHORTEST_STEP && !(choiceLoss(sets, moved(), penalty) <= before)) share /= 2;
    theta = moved();
    if (step.every((value) => Math.abs(value) < 1e-5)) break;
  }
  return theta.map((value, i) => value / (scales[i] ?? 1));
}

/** What {@link fitChoice} makes small: log-loss and penalty. */
function choiceLoss(sets: readonly ChoiceSet[], theta: readonly number[], penalty: number): number {
  let loss = theta.reduce((sum, value) => sum + (penalty / 2) * value ** 2, 0);
  for (const { rows, right } of sets) {
    const scores = rows.map((row) => row.reduce((sum, value, i) => sum + value * (theta[i] as number), 0));
    const highest = Math.max(...scores);
    const total = highest + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - highest), 0));
    for (const [at, score] of scores.entries()) loss += (right[at] ?? 0) * (total - score);
  }
  return loss;
}

/** Probability of each option. */
export function choose(
  weights: readonly number[],
  options: readonly (readonly number[])[],
): readonly number[] {
  const scores = options.map((x) => x.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0));
  return [...softmax(Float32Array.from(scores), 1)];
}

interface ChoiceSet {
  readonly rows: readonly Float64Array[];
  readonly right: readonly number[];
}

function choiceStep(
  sets: readonly ChoiceSet[],
  theta: readonly number[],
  penalty: number,
): readonly number[] {
  const size = theta.length;
  const gradient = Float64Array.from(theta, (value) => -penalty * value);
  const hessian = new Float64Array(size * size);
  for (let i = 0; i < size; i += 1) hessian[i * size + i] = penalty;
  const mean = new Float64Array(size);
  for (const { rows, right } of sets) {
    const p = softmax(
      Float32Array.from(rows, (row) => row.reduce((sum, value, i) => sum + value * (theta[i] as number), 0)),
      1,
    );
    mean.fill(0);
    for (const [at, row] of rows.entries())
      for (let i = 0; i < size; i += 1)
        mean[i] = (mean[i] as number) + (p[at] as number) * (row[i] as number);
    for (const [at, row] of rows.entries()) {
      const chance = p[at] as number;
      const error = (right[at] ?? 0) - chance;
      for (let i = 0; i < size; i += 1) {
        const own = row[i] as number;
        gradient[i] = (gradient[i] as number) + error * own;
        const slope = chance * (own - (mean[i] as number));
        for (let j = i; j < size; j += 1)
          hessian[i * size + j] =
            (hessian[i * size + j] as number) + slope * ((row[j] as number) - (mean[j] as number));
      }
    }
  }
  const whole = theta.map((_, i) =>
    theta.map((__, j) => hessian[Math.min(i, j) * size + Math.max(i, j)] ?? 0),
  );
  return solve(whole, [...gradient]);
}

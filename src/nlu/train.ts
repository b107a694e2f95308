import type { Trained } from '../core/softmax.js';
import { CONFIDENCE_WEIGHTS, type ConfidenceFacts, confidenceInputs } from './confidence.js';
import type { ModelNumbers } from './model-file.js';

/** How a model is trained. */
export interface TrainingOptions {
  /** Measure, and write nothing. */
  readonly dry?: boolean;
  /** Tell the mistakes too. */
  readonly errors?: boolean;
  /** Takes a line of what is measured. */
  readonly say: (line: string) => void;
}

/** Weights of the confidence function: logistic regression by plain gradient descent on held-out cases. */
export function fitConfidence(
  cases: readonly { facts: ConfidenceFacts; right: boolean; weight: number }[],
): number[] {
  const width = CONFIDENCE_WEIGHTS;
  const inputs = Float64Array.from(cases.flatMap(({ facts }) => confidenceInputs(facts)));
  const weights = new Array<number>(width).fill(0);
  const total = cases.reduce((sum, { weight }) => sum + weight, 0);
  const gradient = new Float64Array(width);
  for (let round = 0; round < 3000; round += 1) {
    gradient.fill(0);
    let from = 0;
    for (const { right, weight } of cases) {
      let sum = 0;
      for (let at = 0; at < width; at += 1) sum += (inputs[from + at] ?? 0) * (weights[at] ?? 0);
      const error = (1 / (1 + Math.exp(-sum)) - (right ? 1 : 0)) * weight;
      for (let at = 0; at < width; at += 1)
        gradient[at] = (gradient[at] ?? 0) + error * (inputs[from + at] ?? 0);
      from += width;
    }
    gradient.forEach((slope, at) => {
      weights[at] = (weights[at] ?? 0) - (0.5 * slope) / total;
    });
  }
  return weights;
}

/** Puts heads side by side and rounds their weights to 8 bits, with a scale for each class. */
export function quantize(hashes: Uint32Array, heads: readonly Trained[]): ModelNumbers {
  const width = heads.reduce((sum, { bias }) => sum + bias.length, 0);
  const rows = (heads[0]?.weights.length ?? 0) / Math.max(1, heads[0]?.bias.length ?? 1);
  const weights = new Int8Array(rows * width);
  const scales = new Float32Array(width);
  const bias = new Float32Array(width);
  let from = 0;
  for (const head of heads) {
    const classes = head.bias.length;
    for (let column = 0; column < classes; column += 1) {
      const at = (row: number) => head.weights[row * classes + column] ?? 0;
      let largest = 1e-6;
      for (let row = 0; row < rows; row += 1) largest = Math.max(largest, Math.abs(at(row)));
      scales[from + column] = largest / 127;
      bias[from + column] = head.bias[column] ?? 0;
      for (let row = 0; row < rows; row += 1) {
        weights[row * width + from + column] = Math.round((at(row) / largest) * 127);
      }
    }
    from += classes;
  }
  return { hashes, weights, scales, bias };
}

/** Number of weights of the confidence function. */
export const CONFIDENCE_WEIGHTS = 5;

/** What the confidence in the first guess is worked out from. */
export interface ConfidenceFacts {
  /** Probability of the first and of the second guess. */
  readonly first: number;
  readonly second: number;
  /** Share of the words that the training data knew, 0..1. */
  readonly coverage: number;
  readonly words: number;
}

/** The inputs of the logistic confidence function, the constant last. */
export function confidenceInputs(facts: ConfidenceFacts): number[] {
  const first = Math.min(0.9999, Math.max(0.0001, facts.first));
  return [
    Math.log(first / (1 - first)),
    facts.first - facts.second,
    facts.coverage,
    Math.log1p(Math.min(60, facts.words)) / 4,
    1,
  ];
}

/** Chance that the first guess is right (logistic regression on out-of-fold predictions; Platt 1999). */
export function calibratedConfidence(weights: readonly number[], facts: ConfidenceFacts): number {
  let sum = 0;
  confidenceInputs(facts).forEach((input, index) => {
    sum += input * (weights[index] ?? 0);
  });
  return 1 / (1 + Math.exp(-sum));
}

/**
 * The likeliest class on the likeliest route: where several of one route share the probability, they outvote a single one of
 * another, because routing is what must not go wrong.
 * @param routes of each class
 */
function likeliest(chances: Float32Array, routes: readonly string[]): number {
  const sums = new Map<string, number>();
  routes.forEach((route, index) => {
    sums.set(route, (sums.get(route) ?? 0) + (chances[index] ?? 0));
  });
  const highest = Math.max(...sums.values());
  let best = 0;
  let most = -1;
  routes.forEach((route, index) => {
    const chance = chances[index] ?? 0;
    if (sums.get(route) === highest && chance > most) {
      best = index;
      most = chance;
    }
  });
  return best;
}

/**
 * The numbers of the classes, the one on the likeliest route first, the others by their chance.
 * @param routes of each class
 */
export function inOrder(chances: Float32Array, routes: readonly string[]): readonly number[] {
  const best = likeliest(chances, routes);
  return routes
    .map((_, index) => index)
    .sort((a, b) => (a === best ? -1 : b === best ? 1 : (chances[b] ?? 0) - (chances[a] ?? 0)));
}

/** The others share what the first leaves, so that the list stays in order and sums to at most 1. */
export function sharedOut(
  chances: Float32Array,
  order: readonly number[],
  confidence: number,
): readonly { readonly at: number; readonly confidence: number }[] {
  const rest = Math.max(1e-9, 1 - (chances[order[0] ?? 0] ?? 0));
  return order.map((at, position) => ({
    at,
    confidence:
      position === 0 ? confidence : Math.min(confidence, ((chances[at] ?? 0) / rest) * (1 - confidence)),
  }));
}

/**
 * Geometric mean of what the issue head says and of what the intents make likely; measured in data/nlu/MODEL.md.
 * @param table P(issue type | intent), a row an intent
 * @returns the number of the likeliest issue type
 */
export function likeliestIssue(
  intents: Float32Array,
  issues: Float32Array,
  table: readonly (readonly number[])[],
): number {
  let best = 0;
  let highest = -1;
  issues.forEach((chance, column) => {
    const likely = intents.reduce((sum, intent, row) => sum + intent * (table[row]?.[column] ?? 0), 0);
    const score = Math.sqrt(Math.max(1e-9, likely) * Math.max(1e-9, chance));
    if (score <= highest) return;
    highest = score;
    best = column;
  });
  return best;
}

import { type CalibrationReport, outcomeOf } from './calibration.js';
import type { InForce } from './calibration-store.js';
import type { SearchMode } from './confidence.js';
import { type LabelledQuestion, searchAll } from './labelled.js';
import { measure, type Outcome, type RetrievalMetrics } from './metrics.js';
import type { HybridRetriever } from './retriever.js';

/** Measures a search with a calibration that is given. */
export async function evaluateOn(
  retriever: HybridRetriever,
  questions: readonly LabelledQuestion[],
  calibration: InForce,
  mode: SearchMode = 'hybrid',
): Promise<RetrievalMetrics> {
  return measure(await outcomesOn(retriever, questions, calibration, mode));
}

/** Measures a search on the questions that were held out, all and by writer. */
export async function measureHeldOut(
  retriever: HybridRetriever,
  questions: readonly LabelledQuestion[],
  calibration: InForce,
): Promise<Pick<CalibrationReport, 'heldOut' | 'byHand'>> {
  const rest = questions.filter(({ heldOut }) => heldOut === true);
  const outcomes = await outcomesOn(retriever, rest, calibration, 'hybrid');
  const hands = [...new Set(rest.map(({ hand = 0 }) => hand))].sort((a, b) => a - b);
  const of = (one: number): RetrievalMetrics =>
    measure(outcomes.filter((_, i) => (rest[i]?.hand ?? 0) === one));
  return {
    heldOut: rest.length === 0 ? null : measure(outcomes),
    byHand: hands.length < 2 ? [] : hands.map((hand) => ({ hand, metrics: of(hand) })),
  };
}

async function outcomesOn(
  retriever: HybridRetriever,
  questions: readonly LabelledQuestion[],
  calibration: InForce,
  mode: SearchMode,
): Promise<readonly Outcome[]> {
  const searched = await searchAll(retriever, questions, {
    examples: (meant) => calibration.examples(meant),
    only: mode === 'keyword' ? 'keyword' : undefined,
  });
  return searched.map(({ question, search }) => outcomeOf(question, search, calibration, mode));
}

import { HubError } from '../core/errors.js';
import type { KnowledgeStore } from '../core/ports/knowledge-store.js';
import { type CalibrationReport, calibrateOn, evaluateOn, measureHeldOut } from './calibration.js';
import { type InForce, saveCalibration } from './calibration-store.js';
import { twinKey } from './candidates.js';
import type { Calibration } from './confidence.js';
import { type ExampleTools, teachFurther } from './examples.js';
import { type LabelledQuestion, type RetrievalMetrics, unitQuestions } from './labelled.js';
import type { HybridRetriever } from './retriever.js';
import { teachUnits } from './taught-units.js';

/** What learning further questions changed, measured on those of them that were held out; null where none were. */
export interface FurtherReport {
  readonly before: RetrievalMetrics | null;
  readonly after: RetrievalMetrics | null;
  /** All that was learned, as it is stored and shipped. */
  readonly stored: string;
}

/** Teaches and measures a knowledge base by labelled questions. */
export interface Calibrator {
  /** Fits the confidence on labelled questions and stores it. @throws HubError `input_invalid` where they are too few */
  calibrate(questions: readonly LabelledQuestion[]): Promise<CalibrationReport>;
  /**
   * Learns questions beside the calibration in force, and stores it.
   * @param known labelled questions that were learned before: of them as much as possible is said as it was
   * @throws HubError `input_invalid` where no labelled questions are known, or a question names a unit that its article has not
   */
  calibrateFurther(
    questions: readonly LabelledQuestion[],
    known: readonly LabelledQuestion[],
  ): Promise<FurtherReport>;
  /** Measures the search as it is, on labelled questions; changes nothing. */
  evaluate(questions: readonly LabelledQuestion[], mode?: 'hybrid' | 'keyword'): Promise<RetrievalMetrics>;
}

interface CalibratorDeps {
  readonly retriever: HybridRetriever;
  /** What is in force. */
  readonly calibration: () => Promise<InForce>;
  readonly store: KnowledgeStore;
  readonly embedderId: string;
  readonly tools: ExampleTools;
}

/** Makes the calibrator of a knowledge base. */
export function createCalibrator(deps: CalibratorDeps): Calibrator {
  const { retriever, calibration, store, embedderId } = deps;
  return {
    async calibrate(questions) {
      const tools = { ...deps.tools, articles: await store.list() };
      const { calibration: learned, ...done } = await calibrateOn(retriever, questions, embedderId, tools);
      const stored = await saveCalibration(store, embedderId, learned);
      const measured = await measureHeldOut(retriever, questions, await calibration());
      return { ...done, ...measured, models: learned.models, stored };
    },
    async calibrateFurther(questions, known) {
      const heldOut = questions.filter((one) => one.heldOut === true);
      const measured = async (): Promise<RetrievalMetrics | null> =>
        heldOut.length === 0 ? null : await evaluateOn(retriever, heldOut, await calibration());
      const before = await measured();
      const stored = await saveCalibration(store, embedderId, await further(deps, questions, known));
      return { before, after: await measured(), stored };
    },
    async evaluate(questions, mode = 'hybrid') {
      return await evaluateOn(retriever, questions, await calibration(), mode);
    },
  };
}

/**
 * Learning all questions anew would change answers to others: which article answers goes on from what was known, and which unit of an
 * article does is learned anew for the articles that the questions name.
 */
async function further(
  { retriever, calibration, store, tools: readers }: CalibratorDeps,
  questions: readonly LabelledQuestion[],
  known: readonly LabelledQuestion[],
): Promise<Calibration> {
  const { models, units, taught } = await calibration();
  if (!taught) {
    const message =
      'Nothing was taught yet that could be gone on from: calibrate on all questions first, without "--beside".';
    throw new HubError('input_invalid', message);
  }
  const tools = { ...readers, articles: await store.list() };
  const learned = questions.filter((one) => one.heldOut !== true);
  const meant = async ({ query, articleId }: LabelledQuestion) => ({
    text: await retriever.asMeant(query),
    article: articleId,
  });
  const examples = await teachFurther(
    tools,
    taught.examples,
    await Promise.all(learned.map(meant)),
    await Promise.all(known.map(({ query }) => retriever.asMeant(query))),
  );
  const articlesOf = ({ articleId, units: own }: LabelledQuestion): readonly string[] =>
    articleId !== null && own ? [twinKey(articleId)] : [];
  const named = new Set(learned.flatMap(articlesOf));
  const ofNamed = [...known, ...learned].filter(
    (one) => one.heldOut !== true && articlesOf(one).some((key) => named.has(key)),
  );
  const labelled = await unitQuestions(retriever, ofNamed, tools.articles);
  const { articles } = await teachUnits(tools, labelled, { measures: false });
  const ownUnits = taught.units && {
    units: { ...taught.units, articles: { ...taught.units.articles, ...articles } },
  };
  return { models, ...(units && { units }), taught: { ...taught, examples, ...ownUnits } };
}

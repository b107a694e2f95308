// Fits the calibration that ships with the hub (data/rag/calibration.local.json), for knowledge bases nobody has
// labelled questions for. Run after a change of the lexicon, the word vectors or the features:
//
//   npx tsx test/integration/rag/fit-default-calibration.ts
//
// It learns from the `fit` half of this project's questions and from two small knowledge bases of other trades, and
// prints how it does on the held-back half and on a third trade that nothing was tuned on.
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { createLocalEmbedder } from '../../../src/adapters/retrieval/local-embedder.js';
import { createAnalyzer } from '../../../src/rag/analyzer.js';
import { fitModel, outcomeOf } from '../../../src/rag/calibration.js';
import { printCalibration } from '../../../src/rag/calibration-store.js';
import { twinKey } from '../../../src/rag/candidates.js';
import type { ConfidenceModels, SearchMode } from '../../../src/rag/confidence.js';
import { measure, type Searched, searchAll, unitQuestions } from '../../../src/rag/labelled.js';
import { fitUnits } from '../../../src/rag/unit-weights.js';
import { openProbe, PROBES, type Probe } from './probes.js';

const TARGET = new URL('../../../data/rag/calibration.local.json', import.meta.url);
const MODES = ['hybrid', 'keyword'] as const;

async function searched(probe: Probe, mode: SearchMode): Promise<readonly Searched[]> {
  return await searchAll(probe.retriever, probe.questions, mode === 'keyword' ? { only: 'keyword' } : {});
}

const probes = await Promise.all(PROBES.map(openProbe));
try {
  // The small ones count as much as the large one, or it would drown them.
  const largest = Math.max(...probes.map(({ questions }) => questions.length));
  const pooled = async (mode: SearchMode): Promise<readonly Searched[]> =>
    (
      await Promise.all(
        probes
          .filter((probe) => probe.learnedFrom)
          .map(async (probe) => {
            const all = await searched(probe, mode);
            return Array.from(
              { length: Math.max(1, Math.round(largest / all.length / 2)) },
              () => all,
            ).flat();
          }),
      )
    ).flat();
  const models: ConfidenceModels = {
    hybrid: fitModel(await pooled('hybrid')),
    keyword: fitModel(await pooled('keyword')),
  };
  const questions = await Promise.all(
    probes
      .filter(({ learnedFrom }) => learnedFrom)
      .map((probe) => unitQuestions(probe.retriever, probe.questions, probe.articleList)),
  );
  const [own] = probes;
  const analyzer = createAnalyzer();
  const tools = { analyzer, local: createLocalEmbedder({ analyzer }), keyOf: twinKey };
  const units = own && (await fitUnits(own.retriever.units, questions.flat(), tools));
  writeFileSync(TARGET, printCalibration({ models, units: units?.weights, taught: null }));
  if (units)
    process.stdout.write(`sentences, on articles not seen: ${JSON.stringify(units.unseenArticles)}\n`);
  for (const probe of probes) {
    for (const mode of MODES) {
      const outcomes = (await searched(probe, mode)).map(({ question, search }) =>
        outcomeOf(question, search, { models, taught: null }, mode),
      );
      const figures = Object.entries(measure(outcomes)).map(
        ([name, value]) => `${name} ${Number(value.toFixed(3))}`,
      );
      process.stdout.write(`${probe.name} ${mode}: ${figures.join('  ')}\n`);
    }
  }
} finally {
  await Promise.all(probes.map((probe) => probe.close()));
}

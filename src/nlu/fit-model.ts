import type { IntentTable } from '../core/domain/intent.js';
import type { Language } from '../core/domain/taxonomy.js';
import {
  fitTemperature,
  logitsOf,
  softmax,
  type Trained,
  type TrainingExample,
  trainSoftmax,
} from '../core/softmax.js';
import { Analyzer, loadWordLists, loadWordVectors } from './analysis.js';
import { augment, readDressing } from './augment.js';
import { calibratedConfidence } from './confidence.js';
import { FEATURE_GROUPS, type FeatureGroup, type Features } from './features.js';
import { type GroupWeights, HashIndex, type SparseVector, vectorize } from './linear-model.js';
import { writeModel } from './model-file.js';
import { taughtNames } from './phrase-intents.js';
import { tokenize } from './text.js';
import { fitConfidence, quantize } from './train.js';
import type { headsFor, Utterance } from './utterances.js';
import { VECTOR_SIZE } from './word-vectors.js';

type Heads = ReturnType<typeof headsFor>;
type HeadName = keyof Heads;
const HEAD_NAMES: readonly HeadName[] = ['intent', 'issue_type', 'sentiment', 'language', 'scope'];

interface Sample {
  row: Utterance;
  features: Features;
  weight: number;
  /** Number of the utterance it was made from: copies never straddle a fold. */
  origin: number;
}

export const GROUP_WEIGHTS: GroupWeights = {
  word: 1,
  pair: 0.8,
  chars: 0.4,
  concept: 1.2,
  concepts: 1.2,
  shape: 0.7,
  meaning: 4,
};
/** Features seen in fewer utterances than this are noise. */
const MIN_COUNT: Record<FeatureGroup, number> = {
  word: 1,
  pair: 2,
  chars: 4,
  concept: 1,
  concepts: 2,
  shape: 2,
};
const FOLDS = 3;
export const SETTINGS = { epochs: 8, rate: 0.25, l2: 2e-5, seed: 7, balance: 0.3 };

/** Number of the class that a row teaches a head, null where it teaches it none. */
function label(heads: Heads, head: HeadName, row: Utterance): number | null {
  if (row.intent === null && head !== 'sentiment' && head !== 'language') return null;
  const value = head === 'scope' ? (row.foreign ? 'foreign' : 'own') : (row[head] ?? '');
  const index = heads[head].indexOf(value);
  if (index < 0) throw new Error(`unknown ${head} "${value}" in: ${row.text}`);
  return index;
}

/** The hashes of all features that enough sentences have. */
export function vocabulary(samples: readonly Pick<Sample, 'features' | 'origin'>[]): Uint32Array {
  const counts = new Map<number, Set<number>>();
  const groups = new Map<number, FeatureGroup>();
  for (const { features, origin } of samples) {
    for (const group of FEATURE_GROUPS) {
      for (const hash of features[group]) {
        const seen = counts.get(hash) ?? new Set<number>();
        if (seen.size < 4) seen.add(origin);
        counts.set(hash, seen);
        groups.set(hash, group);
      }
    }
  }
  return Uint32Array.from(
    [...counts]
      .filter(([hash, seen]) => seen.size >= MIN_COUNT[groups.get(hash) ?? 'word'])
      .map(([hash]) => hash)
      .sort((a, b) => a - b),
  );
}

/** Heads whose probabilities are calibrated. */
const FITTED: readonly HeadName[] = ['intent', 'issue_type', 'sentiment', 'scope'];

interface Fit {
  hashes: Uint32Array;
  vector: (features: Features) => SparseVector;
  heads: Record<HeadName, Trained>;
}

function learn(classes: Heads, samples: readonly Sample[], names: readonly HeadName[] = HEAD_NAMES): Fit {
  const hashes = vocabulary(samples);
  const index = new HashIndex(hashes);
  const vector = (features: Features) => vectorize(features, GROUP_WEIGHTS, index.get, hashes.length);
  const vectors = samples.map(({ features }) => vector(features));
  const heads: Partial<Record<HeadName, Trained>> = {};
  for (const name of names) {
    const examples: TrainingExample[] = samples.flatMap(({ row, weight }, at) => {
      const wanted = label(classes, name, row);
      const one = vectors[at];
      return wanted === null || !one ? [] : [{ vector: one, label: wanted, weight }];
    });
    heads[name] = trainSoftmax(examples, {
      ...SETTINGS,
      classes: classes[name].length,
      features: hashes.length + VECTOR_SIZE,
    });
  }
  return { hashes, vector, heads: heads as Record<HeadName, Trained> };
}

/** Out-of-fold logits of the original utterances, from which temperature and confidence are fitted. */
function crossValidate(classes: Heads, samples: readonly Sample[], say: FitOptions['say']) {
  const names = FITTED;
  const cases: Record<string, { logits: Float32Array; label: number }[]> = Object.fromEntries(
    HEAD_NAMES.map((name) => [name, []]),
  );
  const facts: { coverage: number; words: number }[] = [];
  for (let fold = 0; fold < FOLDS; fold += 1) {
    say(`learning, ${fold + 1} of ${FOLDS + 1}`);
    const fitted = learn(
      classes,
      samples.filter(({ origin }) => origin % FOLDS !== fold),
      names,
    );
    for (const sample of samples) {
      if (sample.origin % FOLDS !== fold || sample.weight < 1 || sample.row.source === 'grammar') continue;
      const vector = fitted.vector(sample.features);
      for (const name of names) {
        const wanted = label(classes, name, sample.row);
        if (wanted === null) continue;
        cases[name]?.push({
          logits: logitsOf(fitted.heads[name], vector, classes[name].length),
          label: wanted,
        });
      }
      if (sample.row.intent !== null)
        facts.push({ coverage: vector.coverage, words: sample.features.word.length });
    }
  }
  return { cases, facts };
}

/** Words that at least two sentences use: what one alone uses may be a slip of the pen. */
export function countWords(rows: readonly Utterance[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { text } of rows)
    for (const word of new Set(tokenize(text)))
      if (/^[a-z]{4,}$/.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).sort(([a], [b]) => (a < b ? -1 : 1));
}

function argmax(values: ArrayLike<number>): number {
  let best = 0;
  for (let index = 1; index < values.length; index += 1)
    if ((values[index] ?? 0) > (values[best] ?? 0)) best = index;
  return best;
}

function issueTable(
  rows: readonly Utterance[],
  intents: readonly string[],
  types: readonly string[],
): number[][] {
  const table = intents.map(() => types.map(() => 0));
  for (const row of rows) {
    const line = row.intent === null ? undefined : table[intents.indexOf(row.intent)];
    const column = types.indexOf(row.issue_type);
    if (line) line[column] = (line[column] ?? 0) + 1;
  }
  return table.map((line) => {
    const total = line.reduce((sum, count) => sum + count, 0);
    return line.map((count) => Math.round((1000 * count) / Math.max(1, total)) / 1000);
  });
}

/** What a model is fitted to. */
interface FitOptions {
  readonly company: { readonly name: string; readonly languages: readonly Language[] };
  readonly intents: IntentTable;
  readonly classes: Heads;
  /** The sentences that are learnt from. */
  readonly train: readonly Utterance[];
  /** Kept in the file, to tell a model that is stale. */
  readonly content?: string | undefined;
  /** Told the figures. */
  readonly say: (line: string) => void;
}

/** Fits the language model of a company: deterministic, the same bytes for the same sentences. */
export async function fitModel({
  company,
  intents,
  classes,
  train,
  content,
  say,
}: FitOptions): Promise<Buffer> {
  say(`${train.length} sentences of ${classes.intent.length} intents; thousands take minutes`);
  const words = countWords(train);
  const analyzer = new Analyzer(
    await loadWordLists(company.languages),
    await loadWordVectors(),
    new Map(words),
  );
  const dressing = readDressing();
  const samples: Sample[] = train.flatMap((row, origin) =>
    augment(row.text, origin, { language: row.language, company: company.name, dressing }).map(
      (text, copy) => ({
        row,
        origin,
        weight: copy === 0 ? 1 : 0.5,
        features: analyzer.analyze(text).features,
      }),
    ),
  );
  const { cases, facts } = crossValidate(classes, samples, say);
  const temperature: Record<string, number> = { language: 1 };
  for (const name of FITTED) temperature[name] = fitTemperature(cases[name] ?? []);
  const confidenceCases = (cases.intent ?? []).map(({ logits, label: wanted }, index) => {
    const sorted = [...softmax(Float32Array.from(logits), temperature.intent ?? 1)].sort((a, b) => b - a);
    return {
      facts: { first: sorted[0] ?? 0, second: sorted[1] ?? 0, coverage: 0, words: 0, ...facts[index] },
      right: argmax(logits) === wanted,
      weight: 1,
    };
  });
  const confidence = fitConfidence(confidenceCases);
  for (const name of FITTED) {
    const all = cases[name] ?? [];
    say(
      `cross-validated ${name}: ${((100 * all.filter(({ logits, label: wanted }) => argmax(logits) === wanted).length) / all.length).toFixed(1)} %`,
    );
  }
  let calibration = 0;
  for (const { facts: fact, right, weight } of confidenceCases)
    calibration += weight * (calibratedConfidence(confidence, fact) - Number(right)) ** 2;
  say(`Brier score of the confidence: ${(calibration / confidenceCases.length).toFixed(3)}`);

  say(`learning, ${FOLDS + 1} of ${FOLDS + 1}`);
  const fitted = learn(classes, samples);
  const file = writeModel(
    {
      format: 1,
      ...(content === undefined ? {} : { content }),
      heads: HEAD_NAMES.map((name) => ({
        name,
        classes: classes[name],
        temperature: temperature[name] ?? 1,
      })),
      groupWeights: GROUP_WEIGHTS,
      features: fitted.hashes.length,
      confidence,
      words,
      issueGivenIntent: issueTable(train, taughtNames(intents), classes.issue_type),
    },
    quantize(
      fitted.hashes,
      HEAD_NAMES.map((name) => fitted.heads[name]),
    ),
  );
  say(`${samples.length} samples, ${fitted.hashes.length} features, ${(file.length / 1e6).toFixed(2)} MB`);
  return file;
}

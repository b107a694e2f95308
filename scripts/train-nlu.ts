/**
 * Trains the offline language model of a company, from its intents/utterances.*.jsonl, and writes its intents/model.bin.
 * Deterministic. `--company NAME|PATH` is another company than HUB_COMPANY's, `--dry` measures without writing,
 * `--errors` and `--probe-errors` print the mistakes on what was held back and on intents/probe.jsonl.
 */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { loadCompany } from '../src/company/company.js';
import { parseConfig } from '../src/config/config.js';
import { issueTypeIds } from '../src/core/domain/company.js';
import { primaryOf } from '../src/core/domain/language.js';
import { Analyzer, loadWordLists, loadWordVectors } from '../src/nlu/analysis.js';
import { augment } from '../src/nlu/augment.js';
import { calibratedConfidence } from '../src/nlu/confidence.js';
import { evaluate, type LabelledText, readLabelled } from '../src/nlu/evaluate.js';
import { FEATURE_GROUPS, type FeatureGroup, type Features } from '../src/nlu/features.js';
import {
  type GroupWeights,
  HashIndex,
  type SparseVector,
  softmax,
  vectorize,
} from '../src/nlu/linear-model.js';
import { writeModel } from '../src/nlu/model-file.js';
import { createNlu } from '../src/nlu/nlu.js';
import { tokenize } from '../src/nlu/text.js';
import {
  type Example,
  fitConfidence,
  fitTemperature,
  logitsOf,
  quantize,
  type Trained,
  trainSoftmax,
} from '../src/nlu/train.js';
import { headsFor, readUtterances, type Utterance } from '../src/nlu/utterances.js';
import { VECTOR_SIZE } from '../src/nlu/word-vectors.js';

interface Sample {
  row: Utterance;
  features: Features;
  weight: number;
  /** Number of the utterance it was made from: copies never straddle a fold. */
  origin: number;
}

const GROUP_WEIGHTS: GroupWeights = {
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
const OPTIONS = new Command('train-nlu')
  .option('--company <name-or-path>', 'another company than that of HUB_COMPANY')
  .option('--dry', 'measure without writing')
  .option('--errors', 'print the mistakes on what was held back')
  .option('--probe-errors', 'print the mistakes on intents/probe.jsonl')
  .parse()
  .opts<{ company?: string; dry?: boolean; errors?: boolean; probeErrors?: boolean }>();
const COMPANY = loadCompany(
  parseConfig({ ...process.env, ...(OPTIONS.company ? { HUB_COMPANY: OPTIONS.company } : {}) }).company
    .folder,
);
const { intents: INTENTS, modelFile: MODEL_FILE } = COMPANY.nlu;
const ISSUE_TYPES = issueTypeIds(COMPANY.profile);
const SPOKEN = COMPANY.profile.languages.map(primaryOf);
const HEADS = headsFor(INTENTS, ISSUE_TYPES, SPOKEN);
const FOLDS = 3;
const SETTINGS = { epochs: 8, rate: 0.25, l2: 2e-5, seed: 7, balance: 0.3 };

function fileOf(name: string): string {
  return join(dirname(MODEL_FILE), name);
}

/** Number of the class that a row teaches a head, null where it teaches it none. */
function label(head: keyof typeof HEADS, row: Utterance): number | null {
  if (row.intent === null && head !== 'sentiment' && head !== 'language') return null;
  const value = head === 'scope' ? (row.foreign ? 'foreign' : 'own') : (row[head] ?? '');
  const index = HEADS[head].indexOf(value);
  if (index < 0) throw new Error(`unknown ${head} "${value}" in: ${row.text}`);
  return index;
}

function vocabulary(samples: readonly Sample[]): Uint32Array {
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

type HeadName = keyof typeof HEADS;
const HEAD_NAMES = Object.keys(HEADS) as HeadName[];
/** Heads whose probabilities are calibrated. */
const FITTED: readonly HeadName[] = ['intent', 'issue_type', 'sentiment', 'scope'];

interface Fit {
  hashes: Uint32Array;
  vector: (features: Features) => SparseVector;
  heads: Record<HeadName, Trained>;
}

function learn(samples: readonly Sample[], names: readonly HeadName[] = HEAD_NAMES): Fit {
  const hashes = vocabulary(samples);
  const index = new HashIndex(hashes);
  const vector = (features: Features) => vectorize(features, GROUP_WEIGHTS, index.get, hashes.length);
  const vectors = samples.map(({ features }) => vector(features));
  const heads: Partial<Record<HeadName, Trained>> = {};
  for (const name of names) {
    const examples: Example[] = samples.flatMap(({ row, weight }, at) => {
      const wanted = label(name, row);
      const one = vectors[at];
      return wanted === null || !one ? [] : [{ vector: one, label: wanted, weight }];
    });
    heads[name] = trainSoftmax(examples, {
      ...SETTINGS,
      classes: HEADS[name].length,
      features: hashes.length + VECTOR_SIZE,
    });
  }
  return { hashes, vector, heads: heads as Record<HeadName, Trained> };
}

/** Out-of-fold logits of the original utterances, from which temperature and confidence are fitted. */
function crossValidate(samples: readonly Sample[]) {
  const names = FITTED;
  const cases: Record<string, { logits: Float32Array; label: number }[]> = Object.fromEntries(
    HEAD_NAMES.map((name) => [name, []]),
  );
  const facts: { coverage: number; words: number }[] = [];
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const fitted = learn(
      samples.filter(({ origin }) => origin % FOLDS !== fold),
      names,
    );
    for (const sample of samples) {
      if (sample.origin % FOLDS !== fold || sample.weight < 1 || sample.row.source === 'grammar') continue;
      const vector = fitted.vector(sample.features);
      for (const name of names) {
        const wanted = label(name, sample.row);
        if (wanted === null) continue;
        cases[name]?.push({
          logits: logitsOf(fitted.heads[name], vector, HEADS[name].length),
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
function countWords(rows: readonly Utterance[]): [string, number][] {
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

function issueTable(rows: readonly Utterance[]): number[][] {
  const table = INTENTS.names.map(() => ISSUE_TYPES.map(() => 0));
  for (const row of rows) {
    const line = row.intent === null ? undefined : table[INTENTS.names.indexOf(row.intent)];
    const column = ISSUE_TYPES.findIndex((type) => type === row.issue_type);
    if (line) line[column] = (line[column] ?? 0) + 1;
  }
  return table.map((line) => {
    const total = line.reduce((sum, count) => sum + count, 0);
    return line.map((count) => Math.round((1000 * count) / Math.max(1, total)) / 1000);
  });
}

async function main(): Promise<void> {
  const rows = SPOKEN.flatMap((language) => readUtterances(language, COMPANY.nlu));
  const train = rows.filter(({ split }) => split === 'train');
  const words = countWords(train);
  const analyzer = new Analyzer(
    await loadWordLists(COMPANY.profile.languages),
    await loadWordVectors(),
    new Map(words),
  );
  const samples: Sample[] = train.flatMap((row, origin) =>
    augment(row.text, row.language, origin, COMPANY.profile.name).map((text, copy) => ({
      row,
      origin,
      weight: copy === 0 ? 1 : 0.5,
      features: analyzer.analyze(text).features,
    })),
  );
  const { cases, facts } = crossValidate(samples);
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
    console.log(
      `cross-validated ${name}: ${((100 * all.filter(({ logits, label: wanted }) => argmax(logits) === wanted).length) / all.length).toFixed(1)} %`,
    );
  }
  let calibration = 0;
  for (const { facts: fact, right, weight } of confidenceCases)
    calibration += weight * (calibratedConfidence(confidence, fact) - Number(right)) ** 2;
  console.log(`Brier score of the confidence: ${(calibration / confidenceCases.length).toFixed(3)}`);

  const fitted = learn(samples);
  const file = writeModel(
    {
      format: 1,
      heads: HEAD_NAMES.map((name) => ({ name, classes: HEADS[name], temperature: temperature[name] ?? 1 })),
      groupWeights: GROUP_WEIGHTS,
      features: fitted.hashes.length,
      confidence,
      words,
      issueGivenIntent: issueTable(train),
    },
    quantize(
      fitted.hashes,
      HEAD_NAMES.map((name) => fitted.heads[name]),
    ),
  );
  const target = OPTIONS.dry ? join(mkdtempSync(join(tmpdir(), 'nlu-')), 'model.bin') : MODEL_FILE;
  writeFileSync(target, file);
  console.log(
    `${samples.length} samples, ${fitted.hashes.length} features, ${(file.length / 1e6).toFixed(2)} MB`,
  );
  await report(
    rows.filter(({ split }) => split === 'heldout'),
    target,
    OPTIONS.errors ?? false,
  );
  for (const [name, errors] of [
    ['holdout', OPTIONS.errors],
    ['probe', OPTIONS.probeErrors],
  ] as const) {
    const aside = fileOf(`${name}.jsonl`);
    if (!existsSync(aside)) continue;
    console.log(`${name}.jsonl:`);
    await report(readLabelled(aside), target, errors ?? false);
  }
}

async function report(rows: readonly LabelledText[], model: string, errors: boolean): Promise<void> {
  const nlu = await createNlu({ ...COMPANY.nlu, modelFile: model });
  for (const language of SPOKEN) {
    const part = rows.filter((row) => row.language === language);
    const { right, mistakes } = evaluate(nlu, part);
    const share = (count: number) => `${((100 * count) / Math.max(1, part.length)).toFixed(1)} %`;
    const figures = Object.entries(right).map(([name, count]) => `${name} ${share(count)}`);
    console.log(`${language} ${part.length}: ${figures.join(' ')}`);
    if (errors) for (const mistake of mistakes) console.log(`  ${mistake}`);
  }
}

await main();

import { readFileSync, writeFileSync } from 'node:fs';
import { fitTemperature, logitsOf, seededRandom, softmax, trainSoftmax } from '../../core/softmax.js';
import { ACT_CONTEXTS, ACT_LANGUAGES, ACTS, type Act, type ActContext, ActFeatures } from '../acts.js';
import { loadWordLists, loadWordVectors } from '../analysis.js';
import { misspell } from '../augment.js';
import { FEATURE_GROUPS, type FeatureGroup, type Features } from '../features.js';
import { type GroupWeights, HashIndex, vectorize } from '../linear-model.js';
import { writeModel } from '../model-file.js';
import { tokenize } from '../text.js';
import { quantize, type TrainingOptions } from '../train.js';
import { VECTOR_SIZE } from '../word-vectors.js';

/** One labelled message. */
interface Row {
  readonly context: ActContext;
  readonly act: Act;
  readonly text: string;
  readonly language: (typeof ACT_LANGUAGES)[number];
  readonly heldBack: boolean;
  /** Null for what the intents teach. */
  readonly file: string | null;
}

interface Sample extends Row {
  readonly features: Features;
  readonly weight: number;
}

const DATA = new URL('../../../data/nlu/', import.meta.url);
const GROUP_WEIGHTS: GroupWeights = {
  ...{ word: 1, pair: 1, chars: 0.5, concept: 0.7, concepts: 1, shape: 1, meaning: 2 },
};
const MIN_COUNT: Partial<Record<FeatureGroup, number>> = { pair: 2, chars: 3, concepts: 2, shape: 2 };
const SETTINGS = { epochs: 10, rate: 0.25, l2: 3e-5, seed: 7, balance: 0.3 };
/** What a misspelt copy counts. */
const COPY = 0.4;
/** What a message counts after what it was not written for. */
const ELSEWHERE = 0.25;
/** Of so many lines of a file one is held back. */
const FILES = { acts: 4, 'acts/answers': 3, 'acts/corrections': 3, 'acts/other-matters': 3 } as const;

function rowsOf(language: Row['language'], name: string, heldBack: number): Row[] {
  const lines = readFileSync(new URL(`${name}.${language}.tsv`, DATA), 'utf8').split('\n');
  return lines.flatMap((line, at): Row[] => {
    const [context, act, text] = line.split('\t').map((cell) => cell.trim());
    if (!context || !act || !text) return [];
    const known = ACT_CONTEXTS.find((one) => one === context);
    const label = ACTS.find((one) => one === act);
    if (!known || !label) throw new Error(`${name}.${language}.tsv:${at + 1}: unknown ${context} ${act}`);
    return [
      { context: known, act: label, text, language, heldBack: at % heldBack === heldBack - 1, file: name },
    ];
  });
}

/** What the intents of any company teach as well, by the context in which it is said. */
const SHARED: Readonly<Record<string, readonly [ActContext, Act]>> = {
  affirm: ['confirm', 'affirm'],
  deny: ['confirm', 'deny'],
  thanks: ['answered', 'thanks'],
  goodbye: ['answered', 'goodbye'],
  greeting: ['start', 'greeting'],
  how_are_you: ['start', 'how_are_you'],
  presence: ['answered', 'presence'],
  praise: ['answered', 'praise'],
  talk_to_human: ['answered', 'human'],
};

function sharedRows(language: Row['language']): Row[] {
  const lines = readFileSync(new URL(`engine-utterances.${language}.jsonl`, DATA), 'utf8')
    .trim()
    .split('\n');
  return lines.flatMap((line): Row[] => {
    const { text, intent } = JSON.parse(line) as { text: string; intent: string };
    const [context, act] = SHARED[intent] ?? [];
    return context && act ? [{ context, act, text, language, heldBack: false, file: null }] : [];
  });
}

/** Words that at least two messages use: what one alone uses may be a slip of the pen. */
function wordsIn(rows: readonly Row[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { text } of rows)
    for (const word of new Set(tokenize(text)))
      if (/^[a-z]{4,}$/.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).sort(([a], [b]) => (a < b ? -1 : 1));
}

function learn(samples: readonly Sample[]) {
  const seen = new Map<number, { group: FeatureGroup; count: number }>();
  for (const { features } of samples.filter(({ weight }) => weight === 1))
    for (const group of FEATURE_GROUPS)
      for (const hash of new Set(features[group]))
        seen.set(hash, { group, count: (seen.get(hash)?.count ?? 0) + 1 });
  const hashes = Uint32Array.from(
    [...seen].filter(([, { group, count }]) => count >= (MIN_COUNT[group] ?? 1)).map(([hash]) => hash),
  ).sort();
  const index = new HashIndex(hashes);
  const vector = (features: Features) => vectorize(features, GROUP_WEIGHTS, index.get, hashes.length);
  const examples = samples.map(({ features, act, weight }) => {
    return { vector: vector(features), label: ACTS.indexOf(act), weight };
  });
  const size = { classes: ACTS.length, features: hashes.length + VECTOR_SIZE };
  return { hashes, vector, trained: trainSoftmax(examples, { ...SETTINGS, ...size }) };
}

/** What the model makes of messages that it was not taught. */
function measure(
  fitted: ReturnType<typeof learn>,
  held: readonly Sample[],
  { errors, say }: TrainingOptions,
): number {
  const cases = held.map(({ features, act }) => {
    const logits = logitsOf(fitted.trained, fitted.vector(features), ACTS.length);
    return { logits, label: ACTS.indexOf(act) };
  });
  const temperature = fitTemperature(cases);
  const of = new Map<Act, { all: number; right: number; taken: number }>();
  const count = (act: Act) => of.get(act) ?? { all: 0, right: 0, taken: 0 };
  const hits: { readonly row: Sample; readonly isRight: boolean }[] = [];
  let right = 0;
  let sure = 0;
  let surelyRight = 0;
  held.forEach((row, at) => {
    const chances = softmax(Float32Array.from(cases[at]?.logits ?? []), temperature);
    const confidence = Math.max(...chances);
    const guess = ACTS[chances.indexOf(confidence)] ?? 'new_matter';
    of.set(row.act, { ...count(row.act), all: count(row.act).all + 1 });
    of.set(guess, { ...count(guess), taken: count(guess).taken + 1 });
    if (guess === row.act) of.set(guess, { ...count(guess), right: count(guess).right + 1 });
    hits.push({ row, isRight: guess === row.act });
    right += Number(guess === row.act);
    sure += Number(confidence >= 0.8);
    surelyRight += Number(confidence >= 0.8 && guess === row.act);
    if (errors && guess !== row.act)
      say(`${row.context} ${row.act} read as ${guess} ${confidence.toFixed(2)}: ${row.text}`);
  });
  for (const [act, { all, right: hit, taken }] of [...of].sort(([a], [b]) => (a < b ? -1 : 1)))
    say(`${act.padEnd(16)} ${String(hit).padStart(4)} of ${all}, ${taken} taken for it`);
  for (const language of ACT_LANGUAGES) {
    for (const name of Object.keys(FILES)) {
      const own = hits.filter(({ row }) => row.language === language && row.file === name);
      const share = (100 * own.filter(({ isRight }) => isRight).length) / own.length;
      say(`${name}.${language}: right ${share.toFixed(1)} % of ${own.length} held back`);
    }
  }
  say(`right ${((100 * right) / held.length).toFixed(1)} % of ${held.length}`);
  say(`from 0.8 on ${sure}, of which right ${((100 * surelyRight) / sure).toFixed(1)} %`);
  return temperature;
}

/**
 * Trains the model that tells what a short message does in a conversation, from data/nlu/acts.*.tsv and data/nlu/acts/
 * (context, act, message) and the small talk of the engine's intents, and writes data/nlu/acts.bin. Deterministic. Every
 * fourth line of the first, every third of the others is held back and measured before.
 */
export async function trainActs(options: TrainingOptions): Promise<void> {
  const rows = ACT_LANGUAGES.flatMap((language) => [
    ...Object.entries(FILES).flatMap(([name, heldBack]) => rowsOf(language, name, heldBack)),
    ...sharedRows(language),
  ]);
  const words = wordsIn(rows.filter(({ heldBack }) => !heldBack));
  const extractor = new ActFeatures(await loadWordLists(), await loadWordVectors(), new Map(words));
  const random = seededRandom(11);
  const sampled = (row: Row, text: string, weight: number): Sample => {
    return { ...row, weight, features: extractor.extract(text, row.context) };
  };
  /** What is wanted beside a question is as well wanted without one: "how do I change my email". */
  const elsewhere = rows.flatMap((row, at): Row[] =>
    row.act === 'new_matter' && row.context === 'confirm' && row.file === 'acts/other-matters'
      ? [{ ...row, context: at % 2 === 0 ? 'start' : 'answered' }]
      : [],
  );
  const taught = (all: readonly Row[]) => all.filter(({ heldBack }) => !heldBack);
  const samples = [
    ...taught(rows).flatMap((row) => [
      sampled(row, row.text, 1),
      sampled(row, misspell(row.text, random), COPY),
    ]),
    ...taught(elsewhere).map((row) => sampled(row, row.text, ELSEWHERE)),
  ];
  const held = rows.filter(({ heldBack }) => heldBack).map((row) => sampled(row, row.text, 1));
  const fitted = learn(samples);
  const temperature = measure(fitted, held, options);
  if (!options.dry) {
    const file = writeModel(
      {
        ...{ format: 1, groupWeights: GROUP_WEIGHTS, features: fitted.hashes.length, words },
        ...{ heads: [{ name: 'act', classes: ACTS, temperature }], confidence: [], issueGivenIntent: [] },
      },
      quantize(fitted.hashes, [fitted.trained]),
    );
    writeFileSync(new URL('acts.bin', DATA), file);
    options.say(
      `${samples.length} samples, ${fitted.hashes.length} features, ${(file.length / 1e6).toFixed(2)} MB`,
    );
  }
}

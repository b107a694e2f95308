import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Trained, trainSoftmax } from '../../core/softmax.js';
import { Analyzer, loadWordLists, loadWordVectors } from '../analysis.js';
import { augment, readDressing } from '../augment.js';
import { createDangerReader, INTENT_OF } from '../danger.js';
import { FEATURE_GROUPS, type Features } from '../features.js';
import { type GroupWeights, HashIndex, vectorize } from '../linear-model.js';
import { contentOfModel, writeModel } from '../model-file.js';
import { quantize, type TrainingOptions } from '../train.js';
import { DANGER_KINDS, HEARD } from '../triage-rules.js';
import { VECTOR_SIZE } from '../word-vectors.js';

/** One sentence that teaches, or measures, what is heard as danger. */
interface Sentence {
  readonly text: string;
  readonly kind: string;
  /** ISO 639-1. */
  readonly language: string;
  /** True where it was written for this: copies of it are taught too. */
  readonly isOwn: boolean;
  /** True where somebody wrote it as what a customer says: it is shown beside all danger. */
  readonly isSaid: boolean;
  readonly isHeldBack: boolean;
}

/** Where the sentences of a company stand. */
interface Taught {
  readonly folder: string;
  /** Sentences that follow from what it declares; `language` is a tag. */
  readonly sentences: readonly {
    readonly text: string;
    readonly intent: string;
    readonly language: string;
  }[];
}

const DATA = new URL('../../../data/', import.meta.url);
const FILE = new URL('nlu/dangers.bin', DATA);
const LANGUAGES = ['en', 'pt', 'es'] as const;
const GROUP_WEIGHTS: GroupWeights = {
  ...{ word: 1, pair: 0.8, chars: 0.4, concept: 1.2, concepts: 1, shape: 0.5, meaning: 4 },
};
/** Features that fewer sentences have are noise. */
const MIN_COUNT = 2;
const SETTINGS = { epochs: 6, rate: 0.25, l2: 2e-5, seed: 7, balance: 0.2 };
/** What tells of danger is learnt together with this part of the rest, once for each: with all of it danger would drown. */
const PARTS = 4;
/** Of so many questions one is taken: they are many, and all calm. */
const EVERY = 2;
/** Articles whose questions may tell of danger. */
const NEAR_DANGER = /safety|discrimination|complaint|data-/;
/** What a misspelt and dressed copy counts. */
const COPY = 0.5;

const KIND_OF: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(INTENT_OF).map(([kind, intent]) => [intent, kind])),
  // It may be either; what is written for this says which.
  safety_incident: 'harm',
  // Who wants a person may be as calm as can be.
  talk_to_human: 'calm',
};

type Row = Readonly<
  Record<'text' | 'query' | 'article_id' | 'language' | 'intent' | 'source' | 'split', string | undefined>
>;

function rowsOf(file: string): readonly Row[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}

function sentencesOf(file: string, language?: string): readonly Sentence[] {
  return rowsOf(file).flatMap((row): Sentence[] => {
    const { text } = row;
    // What teaches its mood alone has no intent: it may be about anything.
    if (text === undefined || !row.intent) return [];
    return [
      {
        text,
        kind: KIND_OF[row.intent ?? ''] ?? 'calm',
        language: language ?? row.language ?? 'en',
        isOwn: false,
        isSaid: row.source !== 'grammar',
        isHeldBack: row.split === 'heldout',
      },
    ];
  });
}

/** What was written for this: a kind and a sentence a line. */
function ownSentences(language: string): readonly Sentence[] {
  const lines = readFileSync(new URL(`nlu/dangers.${language}.tsv`, DATA), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line, at) => {
    const [kind = '', text = ''] = line.split('\t');
    if (!(DANGER_KINDS as readonly string[]).includes(kind) || !text)
      throw new Error(`dangers.${language}.tsv:${at + 1}: a kind and a sentence are expected`);
    return { text, kind, language, isOwn: true, isSaid: true, isHeldBack: false };
  });
}

/** Questions to articles, which are calm; of those on danger itself nobody has said which are. */
function questionsOf(file: string): readonly Sentence[] {
  const rows = rowsOf(file).filter(({ article_id: article }) => !NEAR_DANGER.test(article ?? ''));
  return rows.flatMap(({ query: text, language = 'en', split }, at) =>
    text === undefined || at % EVERY !== 0
      ? []
      : [{ text, kind: 'calm', language, isOwn: false, isSaid: false, isHeldBack: split === 'heldout' }],
  );
}

/** What is said in the middle of a conversation, and is about no danger. */
function messagesOf(language: string): readonly Sentence[] {
  const file = new URL(`nlu/acts.${language}.tsv`, DATA);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return lines.flatMap((line) => {
    const [, act, text] = line.split('\t');
    const isCalm = text && act !== 'new_matter';
    return isCalm ? [{ text, kind: 'calm', language, isOwn: false, isSaid: false, isHeldBack: false }] : [];
  });
}

/** What was written for this, and all that the companies' customers say and ask; each text once. */
function allSentences(companies: readonly Taught[]): readonly Sentence[] {
  const file = (path: string) => fileURLToPath(new URL(path, DATA));
  const all = [
    ...LANGUAGES.flatMap(ownSentences),
    ...LANGUAGES.flatMap((language) =>
      sentencesOf(file(`nlu/engine-utterances.${language}.jsonl`), language),
    ),
    ...companies.flatMap(({ folder, sentences }) => [
      ...LANGUAGES.flatMap((language) =>
        sentencesOf(join(folder, `intents/utterances.${language}.jsonl`), language),
      ),
      ...questionsOf(join(folder, 'articles/kb-questions.jsonl')),
      ...sentences.map(({ text, intent, language }) => ({
        ...{ text, kind: KIND_OF[intent] ?? 'calm', language: language.slice(0, 2) },
        ...{ isOwn: false, isSaid: false, isHeldBack: false },
      })),
    ]),
    ...readdirSync(new URL('rag/', DATA))
      .filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) => questionsOf(file(`rag/${name}`))),
    ...LANGUAGES.flatMap((language) => messagesOf(language)),
  ];
  const seen = new Set<string>();
  return all.filter(({ text }) => {
    const isNew = !seen.has(text.toLowerCase());
    seen.add(text.toLowerCase());
    return isNew;
  });
}

interface Sample {
  readonly features: Features;
  readonly label: number;
  readonly weight: number;
  readonly isSaid: boolean;
}

function samplesOf(sentences: readonly Sentence[], analyzer: Analyzer): readonly Sample[] {
  const dressing = readDressing();
  return sentences.flatMap(({ text, kind, language, isOwn, isSaid }, at) => {
    const isCopied = isOwn || kind !== 'calm';
    const texts = isCopied ? augment(text, at, { language, company: 'we', dressing }) : [text];
    return texts.map((one, copy) => ({
      features: analyzer.analyze(one).features,
      label: (DANGER_KINDS as readonly string[]).indexOf(kind),
      weight: copy === 0 ? 1 : COPY,
      isSaid,
    }));
  });
}

function learn(samples: readonly Sample[]): { readonly hashes: Uint32Array; readonly head: Trained } {
  const counts = new Map<number, number>();
  for (const { features } of samples)
    for (const group of FEATURE_GROUPS)
      for (const hash of new Set(features[group])) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  const kept = [...counts].filter(([, count]) => count >= MIN_COUNT).map(([hash]) => hash);
  const hashes = Uint32Array.from(kept).sort();
  const index = new HashIndex(hashes);
  const examples = samples.map(({ features, label, weight }) => ({
    ...{ vector: vectorize(features, GROUP_WEIGHTS, index.get, hashes.length), label, weight },
  }));
  const size = { classes: DANGER_KINDS.length, features: hashes.length + VECTOR_SIZE };
  const calm = DANGER_KINDS.indexOf('calm');
  const heads = Array.from({ length: PARTS }, (_, part) => {
    const shown = examples.filter(
      ({ label }, at) => label !== calm || samples[at]?.isSaid || at % PARTS === part,
    );
    return trainSoftmax(shown, { ...SETTINGS, ...size });
  });
  return { hashes, head: meanOf(heads) };
}

/** Regressions are linear, so that their mean is one. */
function meanOf(heads: readonly Trained[]): Trained {
  const mean = (arrays: readonly Float32Array[]) =>
    (arrays[0] ?? new Float32Array()).map(
      (_, at) => arrays.reduce((sum, array) => sum + (array[at] ?? 0), 0) / arrays.length,
    );
  return { weights: mean(heads.map(({ weights }) => weights)), bias: mean(heads.map(({ bias }) => bias)) };
}

/**
 * Trains the reader of danger from data/nlu/dangers.*.tsv and from what the customers of all companies say and ask, which is calm
 * but where its intent says otherwise; writes data/nlu/dangers.bin where what it learns from has changed. Deterministic, a minute of
 * one core. What was held back measures it.
 */
export async function trainDangers(companies: readonly Taught[], { dry, errors, say }: TrainingOptions) {
  const sentences = allSentences(companies);
  const digest = createHash('sha256').update(
    JSON.stringify([SETTINGS, GROUP_WEIGHTS, MIN_COUNT, PARTS, sentences]),
  );
  const content = digest.digest('hex');
  const analyzer = new Analyzer(
    await loadWordLists(['en', 'pt-BR', 'es']),
    await loadWordVectors(),
    new Map(),
  );
  if (!dry && (!existsSync(FILE) || contentOfModel(readFileSync(FILE)) !== content)) {
    const samples = samplesOf(
      sentences.filter(({ isHeldBack }) => !isHeldBack),
      analyzer,
    );
    const { hashes, head } = learn(samples);
    const heads = [{ name: 'danger', classes: DANGER_KINDS, temperature: 1 }];
    const file = writeModel(
      {
        ...{ format: 1, content, heads, groupWeights: GROUP_WEIGHTS, features: hashes.length },
        ...{ confidence: [], words: [], issueGivenIntent: [] },
      },
      quantize(hashes, [head]),
    );
    writeFileSync(FILE, file);
    say(
      `dangers: ${samples.length} samples, ${hashes.length} features, ${(file.length / 1e6).toFixed(2)} MB`,
    );
  }
  const reader = await createDangerReader(['en', 'pt-BR', 'es']);
  const heldBack = sentences.filter(({ isHeldBack }) => isHeldBack);
  const isHeard = ({ text }: Sentence) => reader.read(analyzer.analyze(text), analyzer).chance >= HEARD;
  for (const isDanger of [true, false]) {
    const part = heldBack.filter(({ kind }) => (kind !== 'calm') === isDanger);
    const heard = part.filter(isHeard);
    say(
      `dangers, held back: heard in ${heard.length} of ${part.length} ${isDanger ? 'that tell of it' : 'that are calm'}`,
    );
    if (errors)
      for (const { text } of isDanger ? part.filter((one) => !isHeard(one)) : heard) say(`  ${text}`);
  }
}

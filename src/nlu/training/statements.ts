import { readFileSync, writeFileSync } from 'node:fs';
import { logitsOf, type Trained, trainSoftmax } from '../../core/softmax.js';
import { loadWordLists, loadWordVectors } from '../analysis.js';
import { FEATURE_GROUPS, type Features } from '../features.js';
import { type GroupWeights, HashIndex, vectorize } from '../linear-model.js';
import { writeModel } from '../model-file.js';
import { STATEMENT_HEADS, StatementFeatures } from '../statements.js';
import { quantize, type TrainingOptions } from '../train.js';
import { VECTOR_SIZE } from '../word-vectors.js';

interface Sample {
  readonly text: string;
  readonly act: string;
  readonly deed: string;
  readonly weight: number;
  /** Copies of one sentence share it, so that none is measured by another. */
  readonly origin: number;
  readonly features: Features;
}

const DATA = new URL('../../../data/nlu/', import.meta.url);
const GROUP_WEIGHTS: GroupWeights = {
  ...{ word: 1, pair: 0.8, chars: 0, concept: 1, concepts: 1, shape: 1.2, meaning: 1.5 },
};
const SETTINGS = { epochs: 14, rate: 0.25, l2: 3e-5, balance: 0.2 };
const SEEDS = [7, 17, 27, 37];
const COPY = 0.4;
const ARTICLE = 0.5;
const FOLDS = 5;
/** How people begin and end a sentence that says the same. */
const OPENINGS = {
  en: ['Yes, ', 'Hi Ana, ', 'Good news: ', 'Okay, ', 'No, ', 'As you asked, ', 'Since you seemed unsure, '],
  pt: ['Sim, ', 'Oi, Ana, ', 'Boa notícia: ', 'Certo, ', 'Não, ', 'Como você pediu, ', 'Mesmo assim, '],
} as const;
const CLOSINGS = {
  en: [', Ana.', ' 🙂', '!', ' for you.', ', no worries.'],
  pt: [', Ana.', ' 🙂', '!', ', viu?', ', tranquilo.'],
} as const;

/** A title is often followed by when and where. */
const WHEN = {
  en: ['<x>, on Sunday 22 March at Teatro do Parque,', '<x>, tonight at 8 pm in Rio,', '<x> (27 March)'],
  pt: ['<x>, no domingo, 22/03, no Teatro do Parque,', '<x>, hoje às 20h, no Rio,', '<x> (27 de março)'],
} as const;

type Extract = StatementFeatures['extract'];

function written(language: 'en' | 'pt', first: number, extract: Extract): Sample[] {
  let act = 'none';
  let deed = '';
  return readFileSync(new URL(`statements.${language}.txt`, DATA), 'utf8')
    .split('\n')
    .flatMap((line, at): Sample[] => {
      if (line.startsWith('# ')) [act = '', deed = ''] = line.slice(2).split(' ');
      if (line.startsWith('# ') || line.trim() === '') return [];
      const origin = first + at;
      const bare = line.replace(/[.!]$/, '');
      const low = /^I\b/.test(bare) ? bare : bare.charAt(0).toLowerCase() + bare.slice(1);
      const openings = OPENINGS[language];
      // "I've checked it and moved you": the second verb stands alone.
      const verb = bare.replace(
        /^(?:I|We|I've|We've|I have|We have) (?:just |already |also )?(?=\w+ed\b)/,
        'and ',
      );
      const copies = [
        `${openings[origin % openings.length]}${low}.`,
        `${bare}${CLOSINGS[language][origin % CLOSINGS[language].length]}`,
        ...(verb === bare ? [] : [`${verb}.`]),
        ...(/<x> \p{L}/u.test(bare) ? [`${bare.replace('<x>', WHEN[language][origin % 3] ?? '')}.`] : []),
      ];
      return [line, ...copies].map((text, copy) => ({
        ...{ text, act, deed, origin, weight: copy === 0 ? 1 : COPY, features: extract(text) },
      }));
    });
}

const JOINS = { en: [', and ', ', so ', '; ', ', but '], pt: [', e ', ', então ', '; ', ', mas '] } as const;

/** Sentences of two clauses, of which one states something and the other explains; and of two that explain or are kind. */
function joined(language: 'en' | 'pt', samples: readonly Sample[], extract: Extract): Sample[] {
  const plain = samples.filter(({ weight }) => weight === 1);
  const rules = plain.filter(({ act, text }) => act === 'none' && !text.endsWith('?'));
  return plain
    .filter(({ act, text }) => act !== 'none' || !text.endsWith('?'))
    .map((sample, at) => {
      const other = rules[(at * 7) % rules.length] ?? sample;
      const [first, second] = at % 2 === 0 ? [sample.text, other.text] : [other.text, sample.text];
      const low = /^I\b/.test(second) ? second : second.charAt(0).toLowerCase() + second.slice(1);
      const text = `${first.replace(/[.!:]$/, '')}${JOINS[language][at % 4]}${low}`;
      const act = sample.act === 'courtesy' ? 'none' : sample.act;
      return { ...sample, act, text, weight: COPY, features: extract(text) };
    });
}

function ofArticles(contents: readonly string[], first: number, extract: Extract): Sample[] {
  const sentences = contents
    .flatMap((content) => content.split(/(?<=[.!?])\s+|\n+/))
    .map((text) => text.replace(/^(?:\d+\.|-)\s+/, '').trim())
    .filter((text) => text.split(/\s+/).length > 3);
  return sentences.map((text, at) => ({
    ...{ text, act: 'none', deed: '', origin: first + at, weight: ARTICLE, features: extract(text) },
  }));
}

function learn(samples: readonly Sample[]) {
  const seen = new Map<number, Set<number>>();
  for (const { features, origin } of samples) {
    for (const group of FEATURE_GROUPS)
      for (const hash of features[group]) seen.set(hash, (seen.get(hash) ?? new Set()).add(origin));
  }
  const single = new Set(samples.flatMap(({ features }) => [...features.word, ...features.pair]));
  const hashes = Uint32Array.from(
    [...seen]
      .filter(([hash, origins]) => origins.size > 1 || single.has(hash))
      .map(([hash]) => hash)
      .sort((a, b) => a - b),
  );
  const index = new HashIndex(hashes);
  const vector = (features: Features) => vectorize(features, GROUP_WEIGHTS, index.get, hashes.length);
  const head = (name: 'act' | 'deed'): Trained => {
    const classes: readonly string[] = STATEMENT_HEADS[name];
    const examples = samples
      .filter((sample) => sample[name] !== '')
      .map((sample) => {
        const label = classes.indexOf(sample[name]);
        if (label < 0) throw new Error(`unknown ${name} "${sample[name]}" of: ${sample.text}`);
        return { vector: vector(sample.features), label, weight: sample.weight };
      });
    // In another order they are learned a little differently: the mean depends less on it.
    return meanOf(
      SEEDS.map((seed) =>
        trainSoftmax(examples, {
          ...{ ...SETTINGS, seed, classes: classes.length, features: hashes.length + VECTOR_SIZE },
        }),
      ),
    );
  };
  return { hashes, vector, act: head('act'), deed: head('deed') };
}

function meanOf(models: readonly Trained[]): Trained {
  const mean = (of: (one: Trained) => Float32Array): Float32Array =>
    of(models[0] as Trained).map(
      (_, at) => models.reduce((sum, one) => sum + (of(one)[at] ?? 0), 0) / models.length,
    );
  return { weights: mean(({ weights }) => weights), bias: mean(({ bias }) => bias) };
}

function likeliest(logits: Float32Array): number {
  return logits.indexOf(Math.max(...logits));
}

function crossValidate(samples: readonly Sample[], { errors, say }: TrainingOptions): void {
  const counts = { none: 0, wronglyStated: 0, stated: 0, overlooked: 0, rightDeed: 0 };
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const fitted = learn(samples.filter(({ origin }) => origin % FOLDS !== fold));
    for (const { text, act, deed, origin, weight, features } of samples) {
      if (origin % FOLDS !== fold || weight !== 1) continue;
      const vector = fitted.vector(features);
      const guess = STATEMENT_HEADS.act[likeliest(logitsOf(fitted.act, vector, STATEMENT_HEADS.act.length))];
      const what =
        STATEMENT_HEADS.deed[likeliest(logitsOf(fitted.deed, vector, STATEMENT_HEADS.deed.length))];
      const [states, read] = [act, guess].map((one) => one !== 'none' && one !== 'courtesy');
      if (states) counts.stated += 1;
      else counts.none += 1;
      if (!states && read) counts.wronglyStated += 1;
      if (states && !read) counts.overlooked += 1;
      if (states && what === deed) counts.rightDeed += 1;
      if (errors && (guess !== act || (states && what !== deed)))
        say(`${act} ${deed} read as ${guess} ${what}: ${text}`);
    }
  }
  say(JSON.stringify(counts));
}

/**
 * Trains the model that tells what a sentence of an answer states, from data/nlu/statements.*.txt and the sentences of
 * articles (which state rules), and writes data/nlu/statements.bin. Deterministic, some ten seconds; dry, it is measured
 * by cross-validation.
 * @param articles their contents
 */
export async function trainStatements(articles: readonly string[], options: TrainingOptions): Promise<void> {
  const features = new StatementFeatures(await loadWordLists(), await loadWordVectors());
  const extract: Extract = (text) => features.extract(text);
  const english = written('en', 0, extract);
  const portuguese = written('pt', 10_000, extract);
  const samples = [
    ...english,
    ...portuguese,
    ...joined('en', english, extract),
    ...joined('pt', portuguese, extract),
    ...ofArticles(articles, 20_000, extract),
  ];
  if (options.dry) return crossValidate(samples, options);
  const { hashes, act, deed } = learn(samples);
  const heads = (['act', 'deed'] as const).map((name) => ({
    ...{ name, classes: STATEMENT_HEADS[name], temperature: 1 },
  }));
  const file = writeModel(
    {
      ...{ format: 1, heads, groupWeights: GROUP_WEIGHTS, features: hashes.length },
      ...{ confidence: [], words: [], issueGivenIntent: [] },
    },
    quantize(hashes, [act, deed]),
  );
  writeFileSync(new URL('statements.bin', DATA), file);
  options.say(`${samples.length} samples, ${hashes.length} features, ${(file.length / 1e6).toFixed(2)} MB`);
}

import { readFileSync, writeFileSync } from 'node:fs';
import type { StatementReader } from '../../core/ports/language-layer.js';
import { Grounding } from './grounding.js';
import { type Sentence, sentencesOf } from './sentences.js';

interface Line {
  readonly true: boolean;
  readonly language: string;
  readonly question: string;
  readonly answer: string;
  readonly articles: readonly string[];
}

type Signs = Readonly<Record<string, number>>;

/** The sentences of one answer, and what small changes made of them. */
interface Sample {
  readonly true: boolean;
  readonly signs: readonly Signs[];
  readonly changed: readonly Signs[];
}

const DATA = new URL('../../../data/nlu/', import.meta.url);
const SETTINGS = { looks: 6, steps: 400, rate: 0.8, l2: 0.003, seed: 7 };
const FOLDS = 5;
/** Where the line is drawn: at this chance of being unsupported, of which the false ones of the training rarely have less. */
const DRAWN = -0.49;

const FIGURE = /\d+(?:[.,]\d+)*/g;

/** What makes a sentence say something else. */
const CHANGES: readonly (readonly [RegExp, string])[] = [
  [/\bcan't\b|\bcannot\b/i, 'can'],
  [/\bcan\b(?!')/i, 'cannot'],
  [/\b(is|are|will|has|have|was|may|does|do)n't\b/i, '$1'],
  [/\b(is|are|will|may|was) not\b/i, '$1'],
  [/\b(is|are|will|was|may)\b/i, '$1 not'],
  [/\b(?:does|do) not /i, ''],
  [/\bnever\b/i, 'always'],
  [/\bwithout\b/i, 'with'],
  [/\bonly\b/i, ''],
  [/\bnão /i, ''],
  [
    /(?<= )(é|são|pode|podem|vale|valem|volta|voltam|fica|ficam|tem|usa|conta|precisa|perde|paga|recebe)(?= )/i,
    'não $1',
  ],
  [/\bsem\b/i, 'com'],
  [/\bnunca\b/i, 'sempre'],
  [/\bsó\b|\bapenas\b/i, ''],
  [/\bbefore\b/i, 'after'],
  [/\bafter\b/i, 'before'],
  [/\bantes\b/i, 'depois'],
  [/\bdepois\b/i, 'antes'],
  [/\babove\b|\bover\b/i, 'below'],
  [/\bacima\b/i, 'abaixo'],
  [/\bmore than\b/i, 'less than'],
  [/\bmais de\b/i, 'menos de'],
  [/\bfree\b/i, 'paid'],
  [/\bgrátis\b|\bde graça\b/i, 'pago'],
  [/\bup to\b|\bat most\b/i, 'at least'],
  [/\baté\b/i, 'a partir de'],
  [/\bsame\b/i, 'different'],
  [/\bmesm[ao]\b/i, 'outra'],
  [/\bmust\b|\bhave to\b/i, 'may'],
  [/\bBasic\b/, 'Premium'],
  [/\bPremium\b/, 'Basic'],
  [/\bfirst\b/i, 'last'],
  [/\bcomes? back\b|\breturns?\b/i, 'is lost'],
  [/\bvolta\b|\bretorna\b/i, 'é perdida'],
  [/\b(?:unless|except|as long as|desde que|exceto|a menos que)\b[^.;,]*/i, ''],
  [/\bvalid\b/i, 'cancelled'],
  [/\bválidas?\b|\bvalendo\b/i, 'canceladas'],
  [/\bteam\b|\bperson\b/i, 'system'],
  [/\bequipe\b|\bpessoa\b/i, 'sistema'],
];

/** What the samples are made with. */
interface Making {
  /** Contents of articles, by id. */
  readonly articles: ReadonlyMap<string, string>;
  readonly reader: StatementReader;
  /** A number from 0 to 1, the same ones in each training. */
  readonly random: () => number;
}

function createRandom(): () => number {
  let state = SETTINGS.seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

function changedCopies(
  { text }: Sentence,
  own: readonly string[],
  { articles, random }: Making,
): readonly string[] {
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const fitting = CHANGES.filter(([what]) => what.test(text));
  const copies = [pick(fitting), pick(fitting)].flatMap((one) => (one ? [text.replace(...one)] : []));
  const numbers = text.match(/\b\d+\b/g) ?? [];
  const [one, other] = [pick(numbers), pick(own.join(' ').match(/\b\d+\b/g) ?? [])];
  if (one !== undefined && other !== undefined) copies.push(text.replace(new RegExp(`\\b${one}\\b`), other));
  if (numbers.length > 1) copies.push(text.replace(/\b(\d+)\b(.*?)\b(\d+)\b/, '$3$2$1'));
  const elsewhere = random() < 0.4 ? pick([...articles.values()]) : undefined;
  if (elsewhere !== undefined && !own.includes(elsewhere))
    copies.push(pick(sentencesOf(elsewhere))?.text ?? '');
  return copies.filter((copy) => copy.trim() !== text.trim() && copy.split(/\s+/).length > 3);
}

function sampleOf({ true: isTrue, language, question, answer, articles: ids }: Line, making: Making): Sample {
  const texts = ids.map((id) => making.articles.get(id) ?? '');
  const grounding = new Grounding(
    texts.map((text) => ({ article: null, text })),
    question,
    language,
    making.reader,
  );
  const told = sentencesOf(answer.normalize('NFC')).filter(
    ({ question: asks, text }) => !asks && /\p{L}/u.test(text),
  );
  const changed = isTrue
    ? told.filter(({ words }) => words.size > 4).flatMap((sentence) => changedCopies(sentence, texts, making))
    : [];
  // A figure that stands in no article is another check's: what it finds teaches nothing here.
  const known = new Set(texts.concat(question).flatMap((text) => text.match(FIGURE) ?? []));
  const isReadHere = ({ text }: Sentence) => (text.match(FIGURE) ?? []).every((one) => known.has(one));
  return {
    true: isTrue,
    signs: told
      .filter((one) => isTrue || isReadHere(one))
      .map((sentence) => grounding.compare(sentence).signs),
    changed: changed
      .flatMap(sentencesOf)
      .filter(isReadHere)
      .map((sentence) => grounding.compare(sentence).signs),
  };
}

function chanceOf(weights: Readonly<Record<string, number>>, signs: Signs): number {
  let sum = weights.bias ?? 0;
  for (const [name, value] of Object.entries(signs)) sum += (weights[name] ?? 0) * value;
  return sum;
}

/** Of a false answer its likeliest sentence counts, of a true one each, of the changed copies all a little. */
function examplesOf(samples: readonly Sample[], weights: Readonly<Record<string, number>>) {
  const wrong = samples.flatMap(({ true: isTrue, signs }) =>
    isTrue ? [] : signs.toSorted((a, b) => chanceOf(weights, b) - chanceOf(weights, a)).slice(0, 1),
  );
  const right = samples.flatMap(({ true: isTrue, signs }) =>
    isTrue ? signs.map((one) => ({ signs: one, label: 0, weight: 1 / Math.sqrt(signs.length) })) : [],
  );
  const copies = samples.flatMap(({ changed }) => changed);
  const share = right.reduce((sum, { weight }) => sum + weight, 0) / 2;
  return [
    ...right,
    ...wrong.map((signs) => ({ signs, label: 1, weight: share / wrong.length })),
    ...copies.map((signs) => ({ signs, label: 1, weight: share / copies.length })),
  ];
}

function learn(samples: readonly Sample[]): Readonly<Record<string, number>> {
  const weights: Record<string, number> = { bias: -1, apart: 2, flips: 1 };
  for (let look = 0; look < SETTINGS.looks; look += 1) {
    const examples = examplesOf(samples, weights);
    const total = examples.reduce((sum, { weight }) => sum + weight, 0);
    for (let step = 0; step < SETTINGS.steps; step += 1) {
      const slope: Record<string, number> = { bias: 0 };
      for (const { signs, label, weight } of examples) {
        const error = (1 / (1 + Math.exp(-chanceOf(weights, signs))) - label) * weight;
        slope.bias = (slope.bias ?? 0) + error;
        for (const [name, value] of Object.entries(signs)) slope[name] = (slope[name] ?? 0) + error * value;
      }
      for (const [name, value] of Object.entries(slope)) {
        const held = name === 'bias' ? 0 : SETTINGS.l2 * (weights[name] ?? 0);
        weights[name] = (weights[name] ?? 0) - SETTINGS.rate * (value / total + held);
      }
    }
  }
  return Object.fromEntries(
    Object.entries({ ...weights, bias: (weights.bias ?? 0) - DRAWN })
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, weight]) => [name, Math.round(weight * 1000) / 1000]),
  );
}

function measure(samples: readonly Sample[], weights: Readonly<Record<string, number>>) {
  const doubted = (sample: Sample) => sample.signs.some((signs) => chanceOf(weights, signs) > 0);
  const [right, wrong] = [true, false].map((is) => samples.filter((sample) => sample.true === is));
  const sentences = (right ?? []).flatMap(({ signs }) => signs);
  return {
    falseAnswers: wrong?.length ?? 0,
    stopped: wrong?.filter(doubted).length ?? 0,
    trueAnswers: right?.length ?? 0,
    whole: right?.filter((sample) => !doubted(sample)).length ?? 0,
    sentences: sentences.length,
    kept: sentences.filter((signs) => chanceOf(weights, signs) <= 0).length,
  };
}

/**
 * Learns how much each sign counts that nothing in the articles supports a sentence: from the answers of
 * data/nlu/grounding.jsonl, of which it is known whether their articles say them, and from copies of the true ones that a
 * small change makes wrong (a denial, a figure, a bound, a sentence of another article). Writes data/nlu/grounding.json.
 * Deterministic, some ten seconds.
 * @param options dry, it is measured by cross-validation
 */
export function trainGrounding(
  { articles, reader }: Pick<Making, 'articles' | 'reader'>,
  { dry, say }: { readonly dry?: boolean; readonly say: (line: string) => void },
): void {
  const making = { articles, reader, random: createRandom() };
  const samples = readFileSync(new URL('grounding.jsonl', DATA), 'utf8')
    .trim()
    .split('\n')
    .map((line) => sampleOf(JSON.parse(line) as Line, making))
    .filter(({ signs }) => signs.length > 0);
  const tell = (of: readonly Sample[], weights: Readonly<Record<string, number>>): void =>
    say(JSON.stringify(measure(of, weights)));
  if (dry) {
    for (let fold = 0; fold < FOLDS; fold += 1) {
      const [held, rest] = [0, 1].map((other) =>
        samples.filter((_one, at) => Number(at % FOLDS !== fold) === other),
      );
      tell(held ?? [], learn(rest ?? []));
    }
    return;
  }
  const weights = learn(samples);
  writeFileSync(new URL('grounding.json', DATA), `${JSON.stringify(weights, null, 2)}\n`);
  tell(samples, weights);
}

import type { Buffer } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EntityWords } from '../core/domain/entity.js';
import type { IntentTable } from '../core/domain/intent.js';
import { HubError } from '../core/errors.js';
import { fitTemperature, logitsOf, trainSoftmax } from '../core/softmax.js';
import { Analyzer, loadWordLists, loadWordVectors } from './analysis.js';
import { augment, readDressing } from './augment.js';
import type { Features } from './features.js';
import { countWords, GROUP_WEIGHTS, SETTINGS, vocabulary } from './fit-model.js';
import { HashIndex, vectorize } from './linear-model.js';
import { writeModel } from './model-file.js';
import { DETAIL, OTHER_KINDS } from './taught-questions.js';
import { quantize } from './train.js';
import type { Utterance } from './utterances.js';
import { VECTOR_SIZE } from './word-vectors.js';

/** A sentence that teaches what is asked of the customer's own records, or what only sounds so. */
export interface QuestionSentence {
  readonly text: string;
  /** The name of a declared question, `its.` and the id of an attribute, or one of {@link OTHER_KINDS}. */
  readonly question: string;
  /** ISO 639-1. */
  readonly language: string;
  /** True where it is not learnt from, and measures what was. */
  readonly isHeldBack: boolean;
  /** True where it was asked of the help centre; nobody has looked whether it may mean the customer's own. */
  readonly isOfArticle: boolean;
}

/** Of so many sentences one is held back. */
const HELD_BACK = 5;
/** Of so many questions to articles one is learnt from: they are many, and all of one kind. */
const EVERY = 5;
/** What a sentence of an intent, and one that articles are asked, counts beside those that were written for this. */
const [OF_INTENTS, OF_ARTICLES] = [0.2, 0.4];
/** What a misspelt and dressed copy counts. */
const COPY = 0.5;

type Asked = Readonly<Record<'query' | 'article_id' | 'language' | 'split', string | null | undefined>>;

/**
 * Reads `questions.LANGUAGE.tsv` beside a model of intents, a name and a sentence a line, and where there is such a file some of the
 * questions that the articles of the company are asked.
 * @param language ISO 639-1
 * @throws HubError `config_invalid` where a line is none of that
 */
export function readQuestions(modelFile: string, language: string): readonly QuestionSentence[] {
  const file = join(dirname(modelFile), `questions.${language}.tsv`);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const written = lines.map((line, at): QuestionSentence => {
    const [question, text] = line.split('\t');
    if (!question || !text) {
      const message = `${file}:${at + 1}: a name, a tab and a sentence are expected`;
      throw new HubError('config_invalid', message, { file });
    }
    return { text, question, language, isHeldBack: at % HELD_BACK === HELD_BACK - 1, isOfArticle: false };
  });
  const asked = ['kb-questions.jsonl', 'kb-questions-more.jsonl']
    .map((name) => join(dirname(modelFile), '../articles', name))
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as Asked)
    .filter(({ article_id: article, split }) => article && split !== 'heldout')
    .filter((one) => (one.language ?? 'en') === language)
    .filter((_, at) => at % EVERY === 0)
    .map(({ query }) => ({
      text: query ?? '',
      question: 'general',
      language,
      isHeldBack: false,
      isOfArticle: true,
    }));
  return [...written, ...asked];
}

/** What the sentences are told apart as: the questions and the attributes that entities declare, and the other kinds. */
export function questionClasses(entities: readonly EntityWords[]): readonly string[] {
  return [
    ...entities.flatMap(({ asks = {} }) => Object.keys(asks)),
    ...new Set(entities.flatMap(({ attributes }) => attributes.map(({ id }) => `${DETAIL}${id}`))),
    ...OTHER_KINDS,
  ];
}

interface Options {
  readonly company: { readonly name: string; readonly languages: readonly string[] };
  readonly intents: IntentTable;
  readonly entities: readonly EntityWords[];
  readonly sentences: readonly QuestionSentence[];
  /** What customers want otherwise: an order or small talk is no such question. */
  readonly utterances: readonly Utterance[];
}

interface Sample {
  readonly features: Features;
  readonly origin: number;
  readonly label: number;
  readonly weight: number;
}

/** What a sentence of an intent is instead of a question about the customer's own records; null where it may be one. */
function otherKind({ intent, split, source }: Utterance, intents: IntentTable): string | null {
  if (intent === null || !intents.has(intent) || split !== 'train' || source === 'grammar') return null;
  const { route, group } = intents.of(intent);
  if (route === 'action') return 'order';
  return group === 'smalltalk' || group === 'out_of_scope' ? 'talk' : null;
}

/**
 * Fits the model that tells what a message asks of the customer's own records. Deterministic. What is held back sets how far its
 * chances are believed.
 * @throws HubError `config_invalid` where a sentence names no question that there is
 */
export async function fitQuestions(options: Options): Promise<Buffer> {
  const { company, intents, entities, sentences, utterances } = options;
  const classes = questionClasses(entities);
  const dressing = readDressing();
  const learnt = utterances.filter(({ split }) => split === 'train');
  const words = new Map(countWords(learnt));
  const analyzer = new Analyzer(await loadWordLists(company.languages), await loadWordVectors(), words);
  const label = (name: string, text: string): number => {
    const at = classes.indexOf(name);
    if (at < 0) {
      const message = `questions: no entity asks "${name}", and none has it as an attribute; it stands before: ${text}`;
      throw new HubError('config_invalid', message, { name });
    }
    return at;
  };
  const samples: Sample[] = sentences.flatMap((sentence, origin): Sample[] => {
    const { text, question, language, isOfArticle, isHeldBack } = sentence;
    if (isHeldBack) return [];
    const copies = { language, company: company.name, dressing };
    return (isOfArticle ? [text] : augment(text, origin, copies)).map((one, copy) => ({
      ...{ origin, label: label(question, text), features: analyzer.analyze(one).features },
      weight: (isOfArticle ? OF_ARTICLES : 1) * (copy === 0 ? 1 : COPY),
    }));
  });
  for (const [at, row] of utterances.entries()) {
    const kind = otherKind(row, intents);
    if (kind === null) continue;
    const features = analyzer.analyze(row.text).features;
    const origin = sentences.length + at;
    samples.push({ features, origin, label: label(kind, row.text), weight: OF_INTENTS });
  }
  const hashes = vocabulary(samples);
  const index = new HashIndex(hashes);
  const vector = (features: Features) => vectorize(features, GROUP_WEIGHTS, index.get, hashes.length);
  const examples = samples.map(({ features, ...sample }) => ({ ...sample, vector: vector(features) }));
  const size = { classes: classes.length, features: hashes.length + VECTOR_SIZE };
  const head = trainSoftmax(examples, { ...SETTINGS, ...size });
  const temperature = fitTemperature(
    sentences
      .filter(({ isHeldBack }) => isHeldBack)
      .map(({ text, question }) => ({
        logits: logitsOf(head, vector(analyzer.analyze(text).features), classes.length),
        label: label(question, text),
      })),
  );
  return writeModel(
    {
      ...{ format: 1, heads: [{ name: 'question', classes, temperature }], groupWeights: GROUP_WEIGHTS },
      ...{ features: hashes.length, confidence: [], words: [], issueGivenIntent: [] },
    },
    quantize(hashes, [head]),
  );
}

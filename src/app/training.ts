import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Company, loadCompany } from '../company/company.js';
import type { Config } from '../config/config.js';
import { issueTypeIds } from '../core/domain/company.js';
import { primaryOf } from '../core/domain/language.js';
import { evaluate, evaluateQuestions, type LabelledText, readLabelled } from '../nlu/evaluate.js';
import { fitModel } from '../nlu/fit-model.js';
import { fitQuestions, readQuestions } from '../nlu/fit-questions.js';
import { questionsFile } from '../nlu/model-file.js';
import { createNlu } from '../nlu/nlu.js';
import type { TrainingOptions } from '../nlu/train.js';
import { trainActs } from '../nlu/training/acts.js';
import { trainClauses } from '../nlu/training/clauses.js';
import { trainDangers } from '../nlu/training/dangers.js';
import { trainMentions } from '../nlu/training/mentions.js';
import { trainStatements } from '../nlu/training/statements.js';
import { distilVectors } from '../nlu/training/vectors.js';
import { headsFor, readUtterances } from '../nlu/utterances.js';
import { trainMessages, writeMessageWeights } from './train-messages.js';

interface Options extends TrainingOptions {
  /** Print the mistakes on the company's probe.jsonl. */
  readonly probeErrors?: boolean;
  /** What new vectors of words are taken from, see {@link distilVectors}. */
  readonly embeddings?: string | undefined;
}

/** What can be trained. Each writes its model, and with `dry` measures only. */
export const TRAININGS: Readonly<Record<string, (config: Config, options: Options) => Promise<void>>> = {
  nlu: async (config, options) => {
    await trainIntents(loadCompany(config.company.folder), options);
    await trainDangers(allCompanies(), options);
  },
  dangers: (_config, options) => trainDangers(allCompanies(), options),
  acts: (_config, options) => trainActs(options),
  statements: async (config, options) =>
    trainStatements([...articlesOf(config.company.folder).values()], options),
  mentions: async (_config, options) => trainMentions(options),
  clauses: async (_config, options) => trainClauses(options),
  messages: async (config, { dry, say }) => {
    const weights = await trainMessages(config, say);
    if (!dry) writeMessageWeights(weights);
  },
  vectors: async (config, options) => {
    const file = join(config.company.folder, 'intents/utterances.en.jsonl');
    distilVectors({ ...options, utterances: readFileSync(file, 'utf8') }, options);
  },
};

/** The companies that stand in this repository: danger sounds the same at each, and what their customers ask is none. */
function allCompanies() {
  const root = fileURLToPath(new URL('../../companies/', import.meta.url));
  const folders = readdirSync(root)
    .sort()
    .map((name) => join(root, name))
    .filter((folder) => existsSync(join(folder, 'company.yaml')));
  return folders.map((folder) => ({ folder, sentences: loadCompany(folder).nlu.sentences }));
}

/** What the articles of a company say, by id. */
function articlesOf(folder: string): ReadonlyMap<string, string> {
  const lines = readFileSync(join(folder, 'articles/knowledge.jsonl'), 'utf8').trim().split('\n');
  return new Map(
    lines.map((line) => {
      const { article_id: id, content } = JSON.parse(line) as { article_id: string; content: string };
      return [id, content];
    }),
  );
}

/** Trains the intents of a company from its intents/utterances.*.jsonl, and writes its intents/model.bin. Deterministic. */
async function trainIntents(company: Company, { dry, errors, probeErrors, say }: Options): Promise<void> {
  const { intents, modelFile } = company.nlu;
  const spoken = company.profile.languages.map(primaryOf);
  const rows = spoken.flatMap((language) => readUtterances(language, company.nlu));
  const file = await fitModel({
    company: company.profile,
    intents,
    classes: headsFor(intents, issueTypeIds(company.profile), spoken),
    train: rows.filter(({ split }) => split === 'train'),
    say,
  });
  const target = dry ? join(mkdtempSync(join(tmpdir(), 'nlu-')), 'model.bin') : modelFile;
  writeFileSync(target, file);
  const sentences = spoken.flatMap((language) => readQuestions(modelFile, language));
  const { entities, company: profile } = company.nlu;
  if (sentences.length > 0)
    writeFileSync(
      questionsFile(target),
      await fitQuestions({ company: profile, intents, entities, sentences, utterances: rows }),
    );
  const nlu = await createNlu({ ...company.nlu, modelFile: target });
  const report = (labelled: readonly LabelledText[], withErrors = false): void => {
    for (const language of spoken) {
      const part = labelled.filter((row) => row.language === language);
      const { right, mistakes } = evaluate(nlu, part);
      const share = (count: number) => `${((100 * count) / Math.max(1, part.length)).toFixed(1)} %`;
      const figures = Object.entries(right).map(([name, count]) => `${name} ${share(count)}`);
      say(`${language} ${part.length}: ${figures.join(' ')}`);
      if (withErrors) for (const mistake of mistakes) say(`  ${mistake}`);
    }
  };
  report(
    rows.filter(({ split }) => split === 'heldout'),
    errors,
  );
  for (const line of evaluateQuestions(
    nlu,
    sentences.filter(({ isHeldBack }) => isHeldBack),
  ))
    say(line);
  for (const [name, withErrors] of [['holdout', errors] as const, ['probe', probeErrors] as const]) {
    const aside = join(dirname(modelFile), `${name}.jsonl`);
    if (!existsSync(aside)) continue;
    say(`${name}.jsonl:`);
    report(readLabelled(aside), withErrors);
  }
}

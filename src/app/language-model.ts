import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Company } from '../company/company.js';
import { isDeclared } from '../company/yaml-file.js';
import { issueTypeIds } from '../core/domain/company.js';
import { primaryOf } from '../core/domain/language.js';
import { fitModel } from '../nlu/fit-model.js';
import { fitQuestions, readQuestions } from '../nlu/fit-questions.js';
import { contentOfModel, questionsFile } from '../nlu/model-file.js';
import { contentOf, headsFor, readUtterances } from '../nlu/utterances.js';

interface FitSettings {
  /** Where the model is stored if the company's folder cannot be written. */
  readonly dataDir: string;
  /** Called when the model is trained anew, with the reason. */
  readonly say?: ((line: string) => void) | undefined;
  /** True where it is trained even though it is up to date. */
  readonly anew?: boolean;
}

/** True where the company's model was trained on its present files; a company in TypeScript ships its own model. */
export function hasFreshModel({ nlu, profile, folder, id }: Company, dataDir: string): boolean {
  if (!isDeclared(folder)) return true;
  const content = contentOf(nlu, profile.languages.map(primaryOf));
  return [nlu.modelFile, keptIn(dataDir, id)].some((file) => isOf(file, content));
}

function keptIn(dataDir: string, id: string): string {
  return join(dataDir, 'language', `${id}.bin`);
}

function isOf(file: string, content: string): boolean {
  return existsSync(file) && contentOfModel(readFileSync(file)) === content;
}

/**
 * The company with a model that knows what its files say now. That of a company in YAML is made where there is none or where
 * it is stale, from its own sentences and those that follow from its entities, tools and articles; one that a company in
 * TypeScript ships is its own to train.
 * @returns the company, whose model may lie in the data directory
 */
export async function withFreshModel<One extends Company>(company: One, settings: FitSettings): Promise<One> {
  const { nlu, profile, folder } = company;
  if (!isDeclared(folder)) return company;
  const spoken = profile.languages.map(primaryOf);
  const content = contentOf(nlu, spoken);
  const kept = keptIn(settings.dataDir, company.id);
  const at = (modelFile: string): One => ({ ...company, nlu: { ...nlu, modelFile } });
  if (settings.anew !== true) {
    if (isOf(nlu.modelFile, content)) return company;
    if (isOf(kept, content)) return at(kept);
    const why = existsSync(nlu.modelFile) ? 'its files have changed' : 'there is none yet';
    settings.say?.(`Fitting the language layer of ${profile.name}: ${why}.`);
  }
  const { intents, entities } = nlu;
  const sentences = spoken.flatMap((language) => readQuestions(nlu.modelFile, language));
  const utterances = spoken.flatMap((language) => readUtterances(language, nlu));
  // Checked first because it is quick: an unknown name is reported before the long training.
  const questions =
    sentences.length === 0
      ? null
      : await fitQuestions({ company: profile, intents, entities, sentences, utterances });
  const file = await fitModel({
    company: profile,
    intents,
    classes: headsFor(intents, issueTypeIds(profile), spoken),
    train: utterances.filter(({ split }) => split === 'train'),
    content,
    say: settings.anew === true ? (settings.say ?? ignored) : ignored,
  });
  // Both files or none: the digest in the first says whether they are up to date.
  const place = stored(file, [nlu.modelFile, kept]);
  if (questions === null) rmSync(questionsFile(place), { force: true });
  else stored(questions, [questionsFile(place)]);
  return at(place);
}

function ignored(): void {
  // No figures were asked for.
}

/** Writes it whole to the first place that takes it. */
function stored(file: Buffer, places: readonly string[]): string {
  let refused: unknown;
  for (const place of places) {
    const whole = `${place}.${process.pid}.new`;
    try {
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(whole, file);
      renameSync(whole, place);
      return place;
    } catch (error) {
      rmSync(whole, { force: true });
      refused = error;
    }
  }
  throw refused;
}

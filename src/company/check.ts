import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { LANGUAGE_TAG, languageAmong, primaryOf } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import { HubError } from '../core/errors.js';
import { checkUtterances, understoodIn } from './check-utterances.js';
import { profileSchema } from './company.js';
import { actionSchema, customersSchema, lookupSchema, sourcesSchema } from './declared/schemas.js';
import { entitySchema } from './entities.js';
import { companyIntentsSchema, intentProblems } from './intents.js';
import { readLines } from './jsonl.js';
import { checkTexts, engineLanguages, hasEngineTexts, isEngineText, type TextProblem } from './texts.js';
import {
  type CheckedYaml,
  type Finding,
  faultIn,
  isDeclared,
  lineAt,
  readChecked,
  warningIn,
} from './yaml-file.js';

/** What of a company could be read, for checks that go on from there. */
interface CheckedCompany {
  readonly languages: readonly Language[];
  readonly findings: readonly Finding[];
}

/**
 * Reads all files of a company that are no code, and says of each what is wrong or missing; nothing is thrown for it.
 * @param folder absolute path
 */
export function checkCompanyFiles(folder: string): CheckedCompany {
  const findings: Finding[] = [];
  const read = <Value>(name: string, schema: z.ZodType<Value>, fallback: Value): CheckedYaml<Value> => {
    const checked = readChecked(join(folder, name), schema);
    findings.push(...checked.findings);
    return { ...checked, value: checked.value ?? fallback };
  };
  const profile = readChecked(join(folder, 'company.yaml'), profileSchema);
  findings.push(...profile.findings);
  const logo = profile.value?.brand.logo;
  if (logo !== undefined && !existsSync(join(folder, logo)))
    findings.push(
      profile.fault(['brand', 'logo'], 'is no file of the folder', `Put ${logo} beside company.yaml.`),
    );
  const languages = profile.value?.languages ?? languagesIn(profile.raw);
  const entities = checkEntities(folder, languages);
  findings.push(...entities.findings);
  const declared = isDeclared(folder);
  const none = { engine_issue_types: {}, intents: [] };
  // What customers want of a company in YAML follows from its tools.
  const needed = !declared || existsSync(join(folder, 'intents', 'intents.yaml'));
  const intents = needed
    ? read('intents/intents.yaml', companyIntentsSchema, none)
    : unwritten(join(folder, 'intents'), none);
  if (profile.value !== null) {
    const known = profile.value.issue_types.map(({ id }) => id);
    for (const { path, message } of intentProblems(intents.value, known, entities.ids, languages))
      findings.push(intents.fault(path, message, remedyForIntent(message)));
  }
  findings.push(
    ...checkUtterances(folder, languages, intents.value.intents, understoodIn(folder)),
    ...(declared ? checkDeclared(folder) : []),
    ...checkArticles(folder, languages),
    ...checkSentences(folder, languages),
  );
  return { languages, findings };
}

/** What stands for a file that need not be there. */
function unwritten<Value>(file: string, value: Value): CheckedYaml<Value> {
  return {
    value,
    findings: [],
    raw: null,
    fault: (_path, problem, remedy) => faultIn(file, null, problem, remedy),
  };
}

/** The languages of a profile that is wrong elsewhere. */
function languagesIn(raw: unknown): readonly Language[] {
  const listed = z.object({ languages: z.array(z.string().regex(LANGUAGE_TAG)) }).safeParse(raw);
  return listed.success ? listed.data.languages : [];
}

function checkEntities(folder: string, languages: readonly Language[]) {
  const path = join(folder, 'entities');
  const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.yaml')) : [];
  const findings: Finding[] = [];
  const ids = names.sort().flatMap((name) => {
    const file = join(path, name);
    const { value, findings: faults, fault } = readChecked(file, entitySchema);
    findings.push(...faults);
    if (value === null) return [basename(name, '.yaml')];
    if (`${value.id}.yaml` !== name)
      findings.push(fault(['id'], 'is not the name of the file', `Call the file ${value.id}.yaml.`));
    for (const language of languages)
      if ((value.nouns[language] ?? []).length === 0)
        findings.push({
          ...fault(
            ['nouns'],
            `has no word in ${language}, so that its customers cannot name one`,
            `Add nouns.${language}.`,
          ),
          severity: 'warning',
        });
    return [value.id];
  });
  return { ids, findings };
}

function remedyForIntent(message: string): string {
  if (message.includes('issue type')) return 'Use an id of issue_types in company.yaml, or add it there.';
  if (message.includes('entity')) return 'Use the name of a file in entities/, or write that file.';
  if (message.includes('twice')) return 'Keep one of the two.';
  return 'Use the name of an intent that there is.';
}

const article = z.object({
  article_id: z.string().min(1),
  title: z.string().min(1),
  content: z.string().min(1),
  language: z.string().optional(),
});

function checkArticles(folder: string, languages: readonly Language[]): readonly Finding[] {
  const file = join(folder, 'articles', 'knowledge.jsonl');
  const { rows, findings } = readLines(file, article);
  const groups = new Map<string, { readonly line: number; readonly spoken: Set<Language> }>();
  const strange: Finding[] = [];
  for (const { line, value } of rows) {
    const language = languageAmong(value.language, languages);
    if (value.language !== undefined && language === undefined)
      strange.push(
        warningIn(
          file,
          line,
          `"${value.article_id}" is in ${value.language}, which the company does not speak.`,
          `Write it in one of ${languages.join(', ')}, or list the language in company.yaml.`,
        ),
      );
    const key = value.article_id.replace(/[-_.][a-z]{2}(?:[-_]br)?$/iu, '');
    const group = groups.get(key) ?? { line, spoken: new Set<Language>() };
    if (language !== undefined) group.spoken.add(language);
    groups.set(key, group);
  }
  const all = [...groups.values()];
  const silent = languages.filter((language) => !all.some(({ spoken }) => spoken.has(language)));
  const none = (all.length === 0 ? [] : silent).map((language) =>
    warningIn(
      file,
      null,
      `None of the ${all.length} articles is there in ${language}.`,
      `Add a line for each, with an id that ends in -${primaryOf(language)} and its language.`,
    ),
  );
  const gaps = [...groups].flatMap(([key, { line, spoken }]) => {
    const missing = languages.filter((language) => !spoken.has(language) && !silent.includes(language));
    if (spoken.size === 0 || missing.length === 0) return [];
    const ids = missing.map((language) => `${key}-${primaryOf(language)}`).join(', ');
    return [
      warningIn(
        file,
        line,
        `"${key}" is not there in ${missing.join(', ')}.`,
        `Add a line ${ids} with its language.`,
      ),
    ];
  });
  return [...findings, ...strange, ...none, ...gaps];
}

/** Sentences of the engine and of the company, in each language. */
function checkSentences(folder: string, languages: readonly Language[]): readonly Finding[] {
  const silent = languages.filter((language) => !hasEngineTexts(language));
  const file = join(folder, 'company.yaml');
  const spoken = engineLanguages();
  const findings = silent.map((language) => {
    const near = languageAmong(language, spoken);
    const instead = near === undefined ? '' : `Write ${near} in \`languages\`, or translate`;
    return faultIn(
      file,
      lineAt(file, ['languages']),
      `The engine has no sentences in ${language}: it speaks ${spoken.join(', ')}.`,
      `${instead || 'Translate'} src/company/texts/en into src/company/texts/${language}, with the same keys.`,
    );
  });
  try {
    return [...findings, ...checkTextFiles(folder, languages, silent)];
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    const file = String(error.fields.file ?? join(folder, 'texts'));
    return [
      ...findings,
      faultIn(file, null, error.message, 'Mend the file; the rest is checked after that.'),
    ];
  }
}

/**
 * Sentence by sentence, but in one line where a language has no file yet.
 * @param silent the languages that the engine has no sentences in, of which those are not named one by one
 */
function checkTextFiles(
  folder: string,
  languages: readonly Language[],
  silent: readonly Language[],
): readonly Finding[] {
  const home = (language: Language): string => join(folder, 'texts', language);
  const written = languages.find((language) => existsSync(home(language)));
  const isGap = ({ file, key, language, problem }: TextProblem): boolean =>
    written !== undefined &&
    problem === 'is missing' &&
    !isEngineText(key) &&
    file === home(language) &&
    !existsSync(file);
  const problems = checkTexts({ folder, languages });
  const gaps = new Map(problems.filter(isGap).map(({ file, language }) => [language, file]));
  return [
    ...[...gaps].map(([language, file]) =>
      faultIn(
        file,
        null,
        `No sentence of the company is there in ${language}.`,
        `Translate texts/${written} into texts/${language}, with the same keys.`,
      ),
    ),
    ...problems
      .filter((one) => !isGap(one) && !(silent.includes(one.language) && isEngineText(one.key)))
      .map(findingOf),
  ];
}

function findingOf({ file, key, language, problem }: TextProblem): Finding {
  if (isEngineText(key) && problem === 'is missing')
    return warningIn(
      file,
      null,
      `${key} is missing, so that the hub says it in English.`,
      `Translate it in src/company/texts/${language}/, or in texts/${language}/ of the company.`,
    );
  const line = lineOfSentence(file, key, language);
  return faultIn(file, line, `${key} ${problem}.`, remedyForText(file, key, language, problem));
}

/** Of a sentence that stands with its tool. */
function lineOfSentence(file: string, key: string, language: Language): number | null {
  const [tool, part = ''] = key.split('.');
  return basename(file) === `${tool}.yaml` ? lineAt(file, ['says', part, language]) : null;
}

function remedyForText(file: string, key: string, language: Language, problem: string): string {
  if (problem === 'is missing' && lineOfSentence(file, key, language) !== null)
    return `Add ${language} there.`;
  if (problem === 'is missing') return `Add ${key} to a file in texts/${language}/.`;
  return problem.includes('another language')
    ? 'Use the same names in every language.'
    : 'Correct the message; docs/extending.md says what it may hold.';
}

/**
 * Says of each file of a company in YAML what does not fit its shape, by line. What only shows where the files meet, such as a
 * source that there is not, is found when the company is loaded.
 */
function checkDeclared(folder: string): readonly Finding[] {
  const of = (name: string, schema: z.ZodType): readonly Finding[] =>
    readChecked(join(folder, name), schema).findings;
  const all = (room: string, schema: z.ZodType): readonly Finding[] => {
    const path = join(folder, room);
    const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.yaml')) : [];
    return names.sort().flatMap((name) => of(join(room, name), schema));
  };
  return [
    ...of('customers.yaml', customersSchema),
    ...(existsSync(join(folder, 'sources.yaml')) ? of('sources.yaml', sourcesSchema) : []),
    ...all('reads', lookupSchema),
    ...all('actions', actionSchema),
  ];
}

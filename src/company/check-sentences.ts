import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { languageAmong } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import { HubError } from '../core/errors.js';
import { didYouMean } from '../core/spelling.js';
import {
  checkTexts,
  engineLanguages,
  hasEngineTexts,
  isEngineText,
  type TextProblem,
  unsaidTexts,
} from './texts.js';
import { type Finding, faultIn, isDeclared, lineAt, readChecked, warningIn } from './yaml-file.js';

/** Sentences of the engine and of the company, in each language. */
export function checkSentences(folder: string, languages: readonly Language[]): readonly Finding[] {
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
    // What the code of a company says is known to the code alone.
    const { unsaid, said } = isDeclared(folder)
      ? unsaidTexts({ folder, languages })
      : { unsaid: [], said: [] };
    const strange = unsaid.map(({ file, key }) =>
      faultIn(
        file,
        lineOfKey(file, key),
        `Nothing says ${key}.`,
        `Correct the key, or delete it.${didYouMean(key, said)}`,
      ),
    );
    const keys = new Set(unsaid.map(({ key }) => key));
    return [...findings, ...strange, ...checkTextFiles(folder, languages, silent, keys)];
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    const file = String(error.fields.file ?? join(folder, 'texts'));
    const { key } = error.fields;
    const [broken] = readChecked(file, z.unknown()).findings;
    const line = typeof key === 'string' ? lineOfKey(file, key) : null;
    return [
      ...findings,
      broken ?? faultIn(file, line, error.message, 'Mend the file; the rest is checked after that.'),
    ];
  }
}

/**
 * Sentence by sentence, but in one line where a language has no file yet.
 * @param silent the languages that the engine has no sentences in, of which those are not named one by one
 * @param unsaid the sentences that nothing says, and that no language lacks
 */
function checkTextFiles(
  folder: string,
  languages: readonly Language[],
  silent: readonly Language[],
  unsaid: ReadonlySet<string>,
): readonly Finding[] {
  const home = (language: Language): string => join(folder, 'texts', language);
  const written = languages.find((language) => existsSync(home(language)));
  const isGap = ({ file, key, language, problem }: TextProblem): boolean =>
    written !== undefined &&
    problem === 'is missing' &&
    !isEngineText(key) &&
    file === home(language) &&
    !existsSync(file);
  const problems = checkTexts({ folder, languages }).filter(({ key }) => !unsaid.has(key));
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

/** Of a sentence that stands with its tool or in a text file. */
function lineOfSentence(file: string, key: string, language: Language): number | null {
  const [tool, part = '', status = ''] = key.split('.');
  if (tool === 'status' && basename(file) === `${part}.yaml`)
    return lineAt(file, ['records', 'statuses', status, 'label', language]);
  if (basename(file) === `${tool}.yaml` && !file.includes('/texts/'))
    return lineAt(file, ['says', part, language]);
  return file.endsWith('.yaml') && existsSync(file) ? lineOfKey(file, key) : null;
}

/** A key is written in sections or whole. */
function lineOfKey(file: string, key: string): number {
  return Math.max(lineAt(file, key.split('.')), lineAt(file, [key]));
}

function remedyForText(file: string, key: string, language: Language, problem: string): string {
  if (problem === 'is missing' && basename(file) === `${key.split('.')[0]}.yaml`)
    return `Add ${language} there.`;
  if (problem === 'is missing') return `Add ${key} to a file in texts/${language}/.`;
  return problem.includes('another language')
    ? 'Use the same names in every language.'
    : 'Correct the message; docs/extending.md says what it may hold.';
}

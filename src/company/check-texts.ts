import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { markdownArticle } from '../core/article-markdown.js';
import { languageAmong, primaryOf } from '../core/domain/language.js';
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
import { type Finding, faultIn, isDeclared, lineAt, readChecked, readLines, warningIn } from './yaml-file.js';

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

const article = z.object({
  article_id: z.string().min(1),
  title: z.string().min(1),
  content: z.string().min(1),
  language: z.string().optional(),
});

/** An article, and where it stands. */
interface Placed {
  readonly file: string;
  /** Null of a file of its own. */
  readonly line: number | null;
  readonly id: string;
  readonly language: string | undefined;
}

/** Says of the articles of a company which cannot be read, and which are not there in one of its languages. */
export function checkArticles(folder: string, languages: readonly Language[]): readonly Finding[] {
  const lines = join(folder, 'articles', 'knowledge.jsonl');
  const { rows, findings } = readLines(lines, article);
  const markdown = readMarkdown(join(folder, 'articles'));
  const all: readonly Placed[] = [
    ...rows.map(({ line, value }) => ({
      ...{ file: lines, line },
      ...{ id: value.article_id, language: value.language },
    })),
    ...markdown.articles,
  ];
  return [...findings, ...markdown.findings, ...doubles(all), ...gaps(all, languages)];
}

/** Articles in files of their own, and a fault for each that is none. */
function readMarkdown(room: string) {
  const articles: Placed[] = [];
  const findings: Finding[] = [];
  const names = existsSync(room) ? readdirSync(room).filter((name) => name.endsWith('.md')) : [];
  for (const name of names.sort()) {
    const file = join(room, name);
    try {
      const { article_id: id, language } = markdownArticle(readFileSync(file, 'utf8'), name);
      articles.push({ file, line: null, id, language });
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      findings.push(
        faultIn(
          file,
          1,
          `It is no article: ${error.message}`,
          'Begin it with # and its title, and write the text below.',
        ),
      );
    }
  }
  return { articles, findings };
}

/** An id that two articles have leaves only one of them. */
function doubles(articles: readonly Placed[]): readonly Finding[] {
  const first = new Map<string, Placed>();
  return articles.flatMap((one): readonly Finding[] => {
    const other = first.get(one.id);
    first.set(one.id, other ?? one);
    if (other === undefined) return [];
    const where = `${basename(other.file)}${other.line === null ? '' : `:${other.line}`}`;
    return [faultIn(one.file, one.line, `It has the id "${one.id}" of ${where}.`, 'Give it another id.')];
  });
}

function gaps(articles: readonly Placed[], languages: readonly Language[]): readonly Finding[] {
  const groups = new Map<string, Placed & { readonly spoken: Set<Language> }>();
  const strange: Finding[] = [];
  for (const one of articles) {
    const language = languageAmong(one.language, languages);
    if (one.language !== undefined && language === undefined)
      strange.push(
        warningIn(
          one.file,
          one.line,
          `"${one.id}" is in ${one.language}, which the company does not speak.`,
          `Write it in one of ${languages.join(', ')}, or list the language in company.yaml.`,
        ),
      );
    const key = one.id.replace(/[-_.][a-z]{2}(?:[-_][a-z]{2})?$/iu, '');
    const group = groups.get(key) ?? { ...one, spoken: new Set<Language>() };
    if (language !== undefined) group.spoken.add(language);
    groups.set(key, group);
  }
  const all = [...groups];
  const silent = languages.filter((language) => !all.some(([, { spoken }]) => spoken.has(language)));
  const [[, first] = [undefined, undefined]] = all;
  const none = silent.flatMap((language): readonly Finding[] =>
    first === undefined
      ? []
      : [
          warningIn(
            first.file,
            null,
            `None of the ${all.length} articles is there in ${language}.`,
            first.line === null
              ? `Write a file for each whose name ends in .${language}.md.`
              : `Add a line for each, with an id that ends in -${primaryOf(language)} and its language.`,
          ),
        ],
  );
  const missing = all.flatMap(([key, { file, line, spoken }]): readonly Finding[] => {
    const lacks = languages.filter((language) => !spoken.has(language) && !silent.includes(language));
    if (spoken.size === 0 || lacks.length === 0) return [];
    const names = lacks.map((language) =>
      line === null ? `${key}.${language}.md` : `${key}-${primaryOf(language)}`,
    );
    const remedy =
      line === null ? `Write ${names.join(', ')}.` : `Add a line ${names.join(', ')} with its language.`;
    return [warningIn(file, line, `"${key}" is not there in ${lacks.join(', ')}.`, remedy)];
  });
  return [...strange, ...none, ...missing];
}

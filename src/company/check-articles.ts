import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { markdownArticle } from '../core/article-markdown.js';
import { languageAmong, primaryOf } from '../core/domain/language.js';
import type { Language } from '../core/domain/taxonomy.js';
import { HubError } from '../core/errors.js';
import { type Finding, faultIn, readLines, warningIn } from './yaml-file.js';

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

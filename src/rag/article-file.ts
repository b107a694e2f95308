import { createHash } from 'node:crypto';
import { HubError, messageOf } from '../core/errors.js';
import { fold } from './analyzer.js';
import type { LabelledQuestion } from './labelled.js';

/** An article as a file gives it. */
export interface ArticleDraft {
  readonly articleId: string;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
  /** As the file says it; null where it does not. */
  readonly language: string | null;
}

/** What is wrong with one line of a file; lines count from 1. */
interface LineProblem {
  readonly line: number;
  readonly reason: string;
}

const MAX_ID = 200;
const MAX_TITLE = 500;
const MAX_CONTENT = 200_000;
const MAX_QUERY = 2000;
const SHOWN_PROBLEMS = 5;

/**
 * Reads articles from JSON lines: `{article_id?, title, content, tags?, language?}`. Tolerates a byte order mark,
 * CRLF and blank lines. A missing id is made from title and content, so the same article always gets the same one.
 * @throws HubError `input_invalid` naming every bad line (field `problems`); nothing is returned unless all are good
 */
export function parseArticleFile(bytes: Uint8Array): readonly ArticleDraft[] {
  const problems: LineProblem[] = [];
  const lineOf = new Map<string, number>();
  const articles: ArticleDraft[] = [];
  for (const { line, value, problem } of parseLines(bytes)) {
    const read = problem === null ? readArticle(value) : { ok: false as const, reason: problem };
    if (!read.ok) {
      problems.push({ line, reason: read.reason });
      continue;
    }
    const before = lineOf.get(read.value.articleId);
    if (before !== undefined) {
      problems.push({
        line,
        reason: `the article_id "${read.value.articleId}" is the one of line ${before}`,
      });
      continue;
    }
    lineOf.set(read.value.articleId, line);
    articles.push(read.value);
  }
  return checked('article', articles, problems);
}

/**
 * Reads labelled questions from JSON lines: `{query, article_id|null, answer?, units?, split?, hand?}`. `answer` lists what the
 * passage must hold, each a text or several of which one is enough; `units` the numbers of the sentences and items that answer; `split: "heldout"` is measured only; `hand` is the
 * number of the writer.
 * @throws HubError `input_invalid` as for articles
 */
export function parseQuestionFile(bytes: Uint8Array): readonly LabelledQuestion[] {
  const problems: LineProblem[] = [];
  const questions: LabelledQuestion[] = [];
  for (const { line, value, problem } of parseLines(bytes)) {
    const read = problem === null ? readQuestion(value) : { ok: false as const, reason: problem };
    if (read.ok) questions.push(read.value);
    else problems.push({ line, reason: read.reason });
  }
  return checked('question', questions, problems);
}

/** A stable id for an article that has none: readable, and different for different texts. */
export function articleIdFor(title: string, content: string): string {
  const slug = fold(title)
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-|-$/gu, '')
    .slice(0, 40)
    .replace(/-$/u, '');
  const digest = createHash('sha256').update(`${title}\n${content}`).digest('hex').slice(0, 8);
  return slug === '' ? `kb-${digest}` : `kb-${slug}-${digest}`;
}

type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

function readArticle(value: Readonly<Record<string, unknown>>): Read<ArticleDraft> {
  const title = textOf(value.title);
  const content = textOf(value.content);
  if (title === null) return bad('"title" must be a text that is not empty');
  if (content === null) return bad('"content" must be a text that is not empty');
  if (title.length > MAX_TITLE) return bad(`"title" is longer than ${MAX_TITLE} characters`);
  if (content.length > MAX_CONTENT) return bad(`"content" is longer than ${MAX_CONTENT} characters`);
  const tags = tagsOf(value.tags);
  if (tags === null) return bad('"tags" must be a list of texts');
  const given = value.article_id;
  const articleId =
    given === undefined || given === null || given === '' ? articleIdFor(title, content) : idOf(given);
  if (articleId === null)
    return bad(`"article_id" must be a text of at most ${MAX_ID} characters without control characters`);
  return { ok: true, value: { articleId, title, content, tags, language: textOf(value.language) } };
}

function readQuestion(value: Readonly<Record<string, unknown>>): Read<LabelledQuestion> {
  const query = textOf(value.query);
  if (query === null || query.length > MAX_QUERY)
    return bad(`"query" must be a text of 1 to ${MAX_QUERY} characters`);
  if (!('article_id' in value)) return bad('"article_id" is missing (null where no article answers)');
  const given = value.article_id;
  const { hand } = value;
  if (hand !== undefined && (typeof hand !== 'number' || !Number.isInteger(hand) || hand < 0))
    return bad('"hand" must be a whole number: that of the writer');
  const kept = { ...(value.split === 'heldout' && { heldOut: true }), ...(hand !== undefined && { hand }) };
  if (given === null) return { ok: true, value: { query, articleId: null, ...kept } };
  const answer = answerOf(value.answer);
  if (answer === null) return bad('"answer" must be a list of texts, or of lists of texts');
  const articleId = idOf(given);
  if (articleId === null) return bad('"article_id" must be a text or null');
  const units = unitsOf(value.units);
  if (units === null) return bad('"units" must be a list of numbers of sentences, from 1');
  return {
    ok: true,
    value: { query, articleId, ...kept, ...(answer && { answer }), ...(units && { units }) },
  };
}

/** Undefined where there are none, null where they cannot be read. */
function unitsOf(value: unknown): readonly number[] | null | undefined {
  if (value === undefined || value === null) return undefined;
  const isNumber = (one: unknown): one is number =>
    typeof one === 'number' && Number.isInteger(one) && one > 0;
  return Array.isArray(value) && value.length > 0 && value.every(isNumber) ? value : null;
}

/** Undefined where there is none, null where it cannot be read. */
function answerOf(value: unknown): LabelledQuestion['answer'] | null {
  if (value === undefined || value === null) return undefined;
  const entries: readonly unknown[] | null = Array.isArray(value) && value.length > 0 ? value : null;
  const texts = entries?.map((entry) => {
    const list: readonly unknown[] = Array.isArray(entry) ? entry : [entry];
    return list.map(textOf).filter((text) => text !== null);
  });
  return texts?.every((list) => list.length > 0) ? texts : null;
}

function bad(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function idOf(value: unknown): string | null {
  const id = typeof value === 'number' ? String(value) : textOf(value);
  return id !== null && id.length <= MAX_ID && !/\p{Cc}/u.test(id) ? id : null;
}

function tagsOf(value: unknown): readonly string[] | null {
  if (value === undefined || value === null) return [];
  const list: unknown = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(list) || !list.every((tag) => typeof tag === 'string')) return null;
  return list.map((tag) => tag.trim()).filter((tag) => tag !== '');
}

interface Line {
  readonly line: number;
  readonly value: Readonly<Record<string, unknown>>;
  readonly problem: string | null;
}

function parseLines(bytes: Uint8Array): readonly Line[] {
  const lines: Line[] = [];
  for (const [i, text] of decode(bytes)
    .split(/\r\n|\n|\r/u)
    .entries()) {
    if (text.trim() === '') continue;
    lines.push({ line: i + 1, ...parseObject(text) });
  }
  return lines;
}

function parseObject(text: string): {
  readonly value: Readonly<Record<string, unknown>>;
  readonly problem: string | null;
} {
  if (text.includes('\uFFFD')) return { value: {}, problem: 'it is not valid UTF-8' };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { value: { ...value }, problem: null };
    return { value: {}, problem: 'it is not a JSON object' };
  } catch (error) {
    return { value: {}, problem: `it is not JSON: ${messageOf(error)}` };
  }
}

/** UTF-8, or UTF-16 where a byte order mark says so; invalid bytes become U+FFFD and are reported by line. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder('utf-8').decode(bytes);
}

function checked<T>(noun: string, items: readonly T[], problems: readonly LineProblem[]): readonly T[] {
  if (problems.length > 0) {
    const shown = problems.slice(0, SHOWN_PROBLEMS).map(({ line, reason }) => `line ${line}: ${reason}`);
    const more = problems.length > SHOWN_PROBLEMS ? `; and ${problems.length - SHOWN_PROBLEMS} more` : '';
    throw new HubError('input_invalid', `Nothing was changed. ${shown.join('; ')}${more}`, {
      problems: [...problems],
    });
  }
  if (items.length === 0) throw new HubError('input_invalid', `There is no ${noun} in the file.`);
  return items;
}

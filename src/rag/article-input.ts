import type { ArticleInput } from '../core/article-desk.js';
import { cleanText } from '../core/clean-text.js';
import { LANGUAGES, type Language } from '../core/domain/taxonomy.js';
import { HubError } from '../core/errors.js';

const MAX_TITLE = 200;
const MAX_CONTENT = 20_000;
const MAX_TAGS = 20;
const MAX_TAG = 60;
/** Answers cite an article as `[id]`, and only what holds a digit or a mark is read as one. */
const ID = /^(?=.*[\d_-])[a-z\d][a-z\d_.-]{0,99}$/u;

interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** What is left of an input once it is checked. */
export interface CheckedArticle {
  readonly articleId: string | null;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[] | null;
  readonly language: Language | null;
}

/** @throws HubError `input_invalid`, with every wrong field in `errors` */
export function checkArticle(input: ArticleInput): CheckedArticle {
  const errors: FieldError[] = [];
  const wrong = (field: string, message: string): void => void errors.push({ field, message });
  const text = (field: 'title' | 'content', max: number): string => {
    const cleaned = cleanText(input[field]);
    if (cleaned === '') wrong(field, 'must not be empty');
    if (cleaned.length > max) wrong(field, `must have at most ${max} characters`);
    return cleaned;
  };
  // A title is one line wherever it is shown.
  const title = text('title', MAX_TITLE).replace(/\s+/gu, ' ');
  const content = text('content', MAX_CONTENT);
  const articleId = input.articleId ?? null;
  if (articleId !== null && !ID.test(articleId))
    wrong(
      'article_id',
      'must be 1 to 100 lower-case letters, digits, ".", "-" and "_", with a digit, "-" or "_" among them',
    );
  const tags = input.tags?.map(cleanText).filter((tag) => tag !== '') ?? null;
  if ((tags?.length ?? 0) > MAX_TAGS) wrong('tags', `must be at most ${MAX_TAGS}`);
  if (tags?.some((tag) => tag.length > MAX_TAG))
    wrong('tags', `must have at most ${MAX_TAG} characters each`);
  const language = LANGUAGES.find((known) => known === input.language) ?? null;
  if (input.language !== undefined && language === null)
    wrong('language', `must be one of ${LANGUAGES.join(', ')}`);
  const [first] = errors;
  if (first)
    throw new HubError('input_invalid', `The article cannot be kept: ${first.field} ${first.message}.`, {
      errors,
    });
  return { articleId, title, content, tags: tags === null ? null : [...new Set(tags)], language };
}

import { parse } from 'yaml';
import { HubError } from './errors.js';

/** An article as a Markdown file gives it, in the words of a line of `knowledge.jsonl`. */
interface MarkdownArticle {
  readonly article_id: string;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly language?: string;
}

const FRONT = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?\n?/;
const HEADING = /^#\s+(.+?)\s*$/m;
/** `returns.pt-BR.md`, `returns.es.md`. */
const TAGGED = /\.([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)$/;

/**
 * Reads an article with or without front matter (`id`, `title`, `language`, `tags`). What front matter does not say is taken
 * from the name of the file (`returns.pt-BR.md`) and its first heading.
 * @throws HubError `input_invalid` naming the file
 */
export function markdownArticle(text: string, fileName: string): MarkdownArticle {
  const wrong = (why: string) => new HubError('input_invalid', `${fileName} ${why}.`, { file: fileName });
  const [front = '', given = ''] = FRONT.exec(text) ?? [];
  let about: Readonly<Record<string, unknown>>;
  try {
    about = (parse(given) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    throw wrong('has front matter that is no YAML');
  }
  const stem = fileName.replace(/\.md$/, '');
  const [, tag] = TAGGED.exec(stem) ?? [];
  const language = about.language ?? tag;
  const body = text.slice(front.length);
  const title = about.title ?? HEADING.exec(body)?.[1];
  const content = body.replace(about.title === undefined ? HEADING : /^$/, '').trim();
  if (typeof title !== 'string' || content === '') throw wrong('needs a title and a text');
  return {
    article_id: String(about.id ?? stem.replaceAll('.', '-').toLowerCase()),
    title,
    content,
    tags: Array.isArray(about.tags) ? about.tags.map(String) : [],
    ...(language === undefined ? {} : { language: String(language) }),
  };
}

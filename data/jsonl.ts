import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { markdownArticle } from '../src/core/article-markdown.js';
import { HubError } from '../src/core/errors.js';

/** The articles in Markdown of the folder that a file stands in, in the order of their names, as lines of that file. */
export function readMarkdown<T>(url: URL, schema: z.ZodType<T>): readonly T[] {
  const folder = dirname(fileURLToPath(url));
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md')) : [];
  return names.sort().map((name) => {
    const path = join(folder, name);
    const article = markdownArticle(readFileSync(path, 'utf8'), name);
    return parseLine(JSON.stringify(article), schema, path);
  });
}

/**
 * Reads a JSONL file that ships with the code and checks every line.
 * @param url the file, relative to the module that asks (`new URL('./seed/users.jsonl', import.meta.url)`)
 * @returns null where there is no such file
 * @throws HubError `input_invalid` naming file and line
 */
export function readJsonl<T>(url: URL, schema: z.ZodType<T>): readonly T[] | null {
  const path = fileURLToPath(url);
  if (!existsSync(path)) return null;
  const rows: T[] = [];
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    rows.push(parseLine(line, schema, `${path}:${index + 1}`));
  }
  return rows;
}

function parseLine<T>(line: string, schema: z.ZodType<T>, where: string): T {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new HubError('input_invalid', `${where} is not JSON.`, { where }, { cause: error });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problem = parsed.error.issues[0];
  throw new HubError(
    'input_invalid',
    `${where}: ${problem?.path.join('.') ?? ''} ${problem?.message ?? 'invalid'}.`,
    { where },
  );
}

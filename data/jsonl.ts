import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import { markdownArticle } from '../src/core/article-markdown.js';
import { HubError } from '../src/core/errors.js';

/** The articles in Markdown of the folder that a file stands in, in the order of their names, as lines of that file. */
export function readMarkdown<T>(url: URL, schema: z.ZodType<T>): readonly T[] {
  return markdownBeside(url).map((path) => {
    const article = markdownArticle(readFileSync(path, 'utf8'), basename(path));
    return parseLine(JSON.stringify(article), schema, path);
  });
}

function markdownBeside(url: URL): readonly string[] {
  const folder = dirname(fileURLToPath(url));
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md')) : [];
  return names.sort().map((name) => join(folder, name));
}

/** Changes with any of the bytes that {@link readJsonl} and {@link readMarkdown} would read of a file and its folder. */
export function articleFilesDigest(url: URL): string {
  const hash = createHash('sha256');
  for (const path of [fileURLToPath(url), ...markdownBeside(url)])
    if (existsSync(path))
      hash
        .update(`${basename(path)}\n`)
        .update(readFileSync(path))
        .update('\n');
  return hash.digest('base64');
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

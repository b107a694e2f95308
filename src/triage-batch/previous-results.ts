import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { parseJson } from '../core/domain/json.js';
import { HubError, hasCode } from '../core/errors.js';
import { headerOf, type OutputFormat, RESULT_COLUMNS, readCell } from './result-files.js';
import { readLines, type TextLine } from './text-lines.js';
import type { InputItem } from './ticket-input.js';

/** A finished row as it is in the file; in CSV every value is a text. */
export type FinishedRow = Readonly<Record<string, unknown>>;

/** What an earlier run did with an item: its row, an error row, or nothing yet. */
type Finished = { readonly row: FinishedRow } | 'error' | null;

/**
 * The result files of an interrupted run, read alongside the input. They are only read here: a file that turns out
 * to belong to another input is left as it is.
 */
export class PreviousResults {
  private constructor(
    /** Length of the finished lines of each file; what follows is a line cut off in the middle. */
    readonly keep: { readonly rows: number; readonly errors: number },
    private readonly rows: Lookahead<FinishedRow>,
    private readonly errors: Lookahead<FinishedRow>,
    private readonly path: string,
  ) {}

  /** Files that do not exist count as empty. @throws HubError `usage` where they are not results of this command */
  static async read(path: string, errorsPath: string, format: OutputFormat): Promise<PreviousResults> {
    const rows = await wholeLines(path, format === 'csv' ? headerOf('csv') : '{"id":');
    const errors = await wholeLines(errorsPath, '{"line":');
    const body = (file: string, end: number) => (end === 0 ? none() : fileLines(file, end));
    return new PreviousResults(
      { rows, errors },
      new Lookahead(format === 'csv' ? csvRows(path, body(path, rows)) : jsonRows(path, body(path, rows))),
      new Lookahead(jsonRows(errorsPath, body(errorsPath, errors))),
      path,
    );
  }

  /** What became of the next item of the input. @throws HubError `usage` where the files belong to another input */
  async claim(item: InputItem): Promise<Finished> {
    const error = await this.errors.peek();
    if (error !== null && Number(error.line) === item.line) {
      this.errors.drop();
      return 'error';
    }
    if (error !== null && Number(error.line) < item.line) throw this.foreign(item);
    if (item.kind === 'broken') return null;
    const row = await this.rows.peek();
    if (row === null) return null;
    if (String(row.id) !== String(item.id)) throw this.foreign(item);
    this.rows.drop();
    return { row };
  }

  /** To be called at the end of the input. @throws HubError `usage` where the files hold more than the input */
  async finish(): Promise<void> {
    if ((await this.rows.peek()) === null && (await this.errors.peek()) === null) return;
    throw new HubError(
      'usage',
      `${this.path} holds more tickets than the input; was it made from another one?`,
    );
  }

  private foreign(item: InputItem): HubError {
    return new HubError(
      'usage',
      `${this.path} was made from another input: they differ at line ${item.line}. Without --resume it is written anew`,
    );
  }
}

class Lookahead<T> {
  private block: readonly T[] = [];
  private at = 0;
  private ended = false;

  constructor(private readonly blocks: AsyncIterator<readonly T[]>) {}

  async peek(): Promise<T | null> {
    while (this.at >= this.block.length && !this.ended) {
      const next = await this.blocks.next();
      this.ended = next.done === true;
      this.block = next.done ? [] : next.value;
      this.at = 0;
    }
    return this.block[this.at] ?? null;
  }

  drop(): void {
    this.at += 1;
  }
}

async function* none(): AsyncGenerator<readonly TextLine[]> {}

function fileLines(path: string, end: number): AsyncGenerator<readonly TextLine[]> {
  return readLines(createReadStream(path, { end: end - 1 }), { maxBytes: 1 << 20 });
}

async function* jsonRows(
  path: string,
  lines: AsyncGenerator<readonly TextLine[]>,
): AsyncGenerator<readonly FinishedRow[]> {
  for await (const block of lines) {
    yield block.flatMap((line) => (line.text === '' ? [] : [parseObject(path, line)]));
  }
}

function parseObject(path: string, { line, text }: TextLine): FinishedRow {
  const value = parseJson(text, null);
  if (typeof value === 'object' && value !== null) return value as FinishedRow;
  throw notOurs(path, `line ${line}`);
}

async function* csvRows(
  path: string,
  lines: AsyncGenerator<readonly TextLine[]>,
): AsyncGenerator<readonly FinishedRow[]> {
  for await (const block of lines) {
    const rows = block.filter((line) => line.line > 1 && line.text !== '');
    if (rows.length === 0) continue;
    const text = rows.map((line) => line.text).join('\n');
    try {
      yield parse(text, { columns: [...RESULT_COLUMNS], cast: readCell }) as FinishedRow[];
    } catch {
      throw notOurs(path, `lines ${rows[0]?.line} to ${rows.at(-1)?.line}`);
    }
  }
}

/** Bytes of the file up to and with its last line end. */
async function wholeLines(path: string, start: string): Promise<number> {
  const file = await openExisting(path);
  if (file === null) return 0;
  try {
    const { size } = await file.stat();
    const head = await readAt(file, 0, Math.min(size, start.length));
    // Cut off within its first line, a file is shorter than what it must start with.
    if (!start.startsWith(head)) throw notOurs(path, 'its beginning');
    for (let end = size; end > 0; ) {
      const from = Math.max(0, end - 65_536);
      const at = Buffer.from(await readAt(file, from, end - from), 'latin1').lastIndexOf(0x0a);
      if (at !== -1) return from + at + 1;
      end = from;
    }
    return 0;
  } finally {
    await file.close();
  }
}

async function openExisting(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw new HubError('usage', `Cannot read ${path} to resume it`, { path }, { cause: error });
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.toString('latin1', 0, bytesRead);
}

function notOurs(path: string, where: string): HubError {
  return new HubError(
    'usage',
    `${path} is no result of this command (${where}); without --resume it is overwritten`,
  );
}

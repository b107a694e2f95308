import { hash } from 'node:crypto';
import { HubError } from '../core/errors.js';
import { csvRows } from './csv-rows.js';
import { jsonlRows, readLines, type TextLine } from './text-lines.js';
import { type InputItem, MAX_ROW_BYTES, type RawRow, toTicket } from './ticket-input.js';

/**
 * A set of texts that answers only "was it there before", in 16 to 32 bytes each: 64 bits of a SHA-1 in an open
 * table. Two different texts among ten million are taken for the same with a probability of about 1 in 400,000.
 */
export class SeenIds {
  private table = new BigUint64Array(1024);
  private used = 0;

  get size(): number {
    return this.used;
  }

  /** @returns false where the text was added before */
  add(text: string): boolean {
    if (this.used * 2 >= this.table.length) this.grow();
    // Zero marks a free place.
    const key = hash('sha1', text, 'buffer').readBigUInt64LE() || 1n;
    const added = insert(this.table, key);
    if (added) this.used += 1;
    return added;
  }

  private grow(): void {
    const wider = new BigUint64Array(this.table.length * 2);
    for (const key of this.table) if (key !== 0n) insert(wider, key);
    this.table = wider;
  }
}

function insert(table: BigUint64Array, key: bigint): boolean {
  const mask = table.length - 1;
  let at = Number(key & 0xffffffffn) & mask;
  while (table[at] !== 0n) {
    if (table[at] === key) return false;
    at = (at + 1) & mask;
  }
  table[at] = key;
  return true;
}

export type InputFormat = 'jsonl' | 'csv';

export interface ReadOptions {
  /** Undefined: told from the first lines. */
  readonly format?: InputFormat;
  /** Rows to read, broken ones included; undefined: all. */
  readonly limit?: number;
  /** A remark for the person, such as an unexpected encoding. */
  readonly onNote?: (note: string) => void;
}

/** The format a file name stands for. @throws HubError `usage` for an unknown ending */
export function formatOfFile(path: string): InputFormat {
  if (/\.(jsonl|ndjson)$/i.test(path)) return 'jsonl';
  if (/\.csv$/i.test(path)) return 'csv';
  throw new HubError(
    'usage',
    `INPUT must end in .jsonl, .ndjson or .csv, or be - for standard input; it is ${path}`,
  );
}

/**
 * The rows of a batch in order, as they arrive: tickets, and what is wrong with the rows that are none. The second
 * row with an id is an error row. Memory does not grow with the input, but for 16 to 32 bytes an id.
 */
export async function* readTickets(
  bytes: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): AsyncGenerator<readonly InputItem[]> {
  const lines = readLines(bytes, {
    maxBytes: MAX_ROW_BYTES,
    onFallback: (line) => options.onNote?.(`line ${line} is not UTF-8; such lines are read as Windows-1252`),
  });
  const seen = new SeenIds();
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  for await (const rows of parseRows(lines, options.format)) {
    const items = rows.slice(0, left).map((row) => refuseDuplicate(toTicket(row), seen));
    left -= items.length;
    if (items.length > 0) yield items;
    if (left <= 0) return;
  }
}

function refuseDuplicate(item: InputItem, seen: SeenIds): InputItem {
  if (item.kind === 'broken' || seen.add(String(item.id))) return item;
  return { kind: 'broken', line: item.line, id: item.id, reason: 'duplicate id', code: 'input_invalid' };
}

async function* parseRows(
  lines: AsyncGenerator<readonly TextLine[]>,
  format: InputFormat | undefined,
): AsyncGenerator<readonly RawRow[]> {
  if (format === 'csv') yield* csvRows(lines);
  else if (format === 'jsonl') yield* jsonlRows(lines);
  else {
    const begun = await firstLines(lines);
    const blocks = prepend(begun, lines);
    yield* sniff(begun) === 'csv' ? csvRows(blocks) : jsonlRows(blocks);
  }
}

/** Everything up to the block with the first line that is not blank. */
async function firstLines(lines: AsyncGenerator<readonly TextLine[]>): Promise<readonly TextLine[]> {
  const begun: TextLine[] = [];
  while (begun.every((line) => line.text.trim() === '' && !line.tooLong)) {
    const next = await lines.next();
    if (next.done) break;
    begun.push(...next.value);
  }
  return begun;
}

function sniff(lines: readonly TextLine[]): InputFormat {
  const begun = lines.filter((line) => line.text.trim() !== '').slice(0, 10);
  return begun.some((line) => /^\s*[{[]/.test(line.text)) ? 'jsonl' : 'csv';
}

async function* prepend<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

import { hash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { HubError } from '../core/errors.js';
import { jsonlRows, readLines, type TextLine, tooLong } from './text-lines.js';
import { hasTextColumn, type InputItem, MAX_ROW_BYTES, type RawRow, toTicket } from './ticket-input.js';

/** The lines that make up one CSV record; more than one where a quoted field has line breaks. */
interface RecordLines {
  readonly lines: readonly [TextLine, ...TextLine[]];
  /** The record is a line with a quote that nothing closes. */
  readonly unclosed: boolean;
}

/** Records found so far, and the lines of one that may continue. */
interface Assembled {
  readonly records: readonly RecordLines[];
  readonly open: readonly TextLine[];
}

/**
 * Groups lines into records: a record ends where the number of quotes is even. A quote that is never closed would
 * swallow all rows after it, so after `MAX_ROW_BYTES` (or at the end of the file) only its own line is given up.
 */
function assembleRecords(lines: readonly TextLine[], atEnd: boolean): Assembled {
  const records: RecordLines[] = [];
  let first = 0;
  while (first < lines.length) {
    const line = lines[first] as TextLine;
    if (line.tooLong || !isOdd(line.text)) {
      if (line.tooLong || line.text.trim() !== '') records.push({ lines: [line], unclosed: false });
      first += 1;
      continue;
    }
    const last = findEnd(lines, first);
    if (last === 'open' && !atEnd) return { records, open: lines.slice(first) };
    const whole = typeof last === 'number';
    const rest = whole ? lines.slice(first + 1, last + 1) : [];
    records.push({ lines: [line, ...rest], unclosed: !whole });
    first = whole ? last + 1 : first + 1;
  }
  return { records, open: [] };
}

function findEnd(lines: readonly TextLine[], first: number): number | 'open' | 'never' {
  let size = lines[first]?.text.length ?? 0;
  for (let at = first + 1; at < lines.length; at += 1) {
    const line = lines[at] as TextLine;
    size += line.text.length + 1;
    if (line.tooLong || size > MAX_ROW_BYTES) return 'never';
    if (isOdd(line.text)) return at;
  }
  return 'open';
}

function isOdd(text: string): boolean {
  let odd = false;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) odd = !odd;
  return odd;
}

const DELIMITERS = [',', ';', '\t'] as const;

/**
 * CSV with a header line; comma, semicolon or tab, whichever the header uses. A broken record costs one row: reading
 * continues with the next line.
 * @throws HubError `input_invalid` where the header has no column for the text
 */
async function* csvRows(blocks: AsyncIterable<readonly TextLine[]>): AsyncGenerator<readonly RawRow[]> {
  const reader = new CsvReader();
  for await (const block of blocks) yield reader.read(block, false);
  yield reader.read([], true);
}

class CsvReader {
  private open: readonly TextLine[] = [];
  private columns: readonly string[] | null = null;
  private delimiter = ',';

  read(block: readonly TextLine[], atEnd: boolean): readonly RawRow[] {
    const rows: RawRow[] = [];
    let lines: readonly TextLine[] = [...this.open, ...block];
    while (lines.length > 0) {
      const { records, open } = assembleRecords(lines, atEnd);
      this.open = open;
      const [header] = records;
      const begun = this.columns !== null || header === undefined;
      if (!begun) this.columns = this.readHeader(header);
      lines = this.readRecords(begun ? records : records.slice(1), rows);
    }
    return rows;
  }

  private readHeader(record: RecordLines): readonly string[] {
    const text = textOf(record);
    const counts = DELIMITERS.map((delimiter) => text.split(delimiter).length);
    this.delimiter = DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
    const columns = (this.parseOne(text) ?? []).map((name) => name.trim().toLowerCase());
    if (hasTextColumn(columns)) return columns;
    throw new HubError(
      'input_invalid',
      `The first line of a CSV must name the columns, one of them message, text, body or description; it has ${JSON.stringify(text.slice(0, 100))}`,
    );
  }

  /** @returns lines that must be grouped anew, because a record turned out to be several */
  private readRecords(records: readonly RecordLines[], rows: RawRow[]): readonly TextLine[] {
    const together = this.parseTogether(records);
    for (const [at, record] of records.entries()) {
      const [first, ...rest] = record.lines;
      if (first.tooLong) {
        rows.push(tooLong(first.line));
        continue;
      }
      const strict = together?.[at] ?? this.parseOne(textOf(record));
      const cells = strict ?? this.parseLoose(first);
      if (cells !== null) this.pushRow(first.line, cells, rows);
      else rows.push({ line: first.line, broken: 'the quotes of this row do not match' });
      if (strict === null && rest.length > 0) {
        const after = records.slice(at + 1).flatMap((later) => later.lines);
        const tail = this.open;
        this.open = [];
        return [...rest, ...after, ...tail];
      }
    }
    return [];
  }

  private pushRow(line: number, cells: readonly string[], rows: RawRow[]): void {
    const columns = this.columns ?? [];
    if (cells.every((cell) => cell.trim() === '')) return;
    // A comma in an unquoted text: whatever is read from such a row is a part of it.
    if (cells.length > columns.length) {
      rows.push({ line, broken: `the row has ${cells.length} fields, the header ${columns.length}` });
      return;
    }
    const fields: Record<string, unknown> = {};
    for (const [at, cell] of cells.entries()) fields[columns[at] ?? ''] = cell;
    rows.push({ line, fields });
  }

  /** All at once, which is many times faster than one by one; null where one of them is broken. */
  private parseTogether(records: readonly RecordLines[]): readonly (readonly string[])[] | null {
    if (records.some((record) => record.unclosed || record.lines[0].tooLong)) return null;
    const found = this.tryParse(records.map(textOf).join('\n'), false);
    return found?.length === records.length ? found : null;
  }

  private parseOne(text: string): readonly string[] | null {
    const found = this.tryParse(text, false);
    return found?.length === 1 ? (found[0] ?? null) : null;
  }

  /** A row such as `5,a 5" screen`, whose quote is no quote. */
  private parseLoose(line: TextLine): readonly string[] | null {
    const cells = this.tryParse(line.text, true)?.[0] ?? null;
    return cells !== null && cells.length <= (this.columns?.length ?? 0) ? cells : null;
  }

  private tryParse(text: string, relaxQuotes: boolean): readonly (readonly string[])[] | null {
    try {
      return parse(text, {
        delimiter: this.delimiter,
        record_delimiter: '\n',
        relax_column_count: true,
        relax_quotes: relaxQuotes,
      });
    } catch {
      return null;
    }
  }
}

function textOf(record: RecordLines): string {
  return record.lines.length === 1 ? record.lines[0].text : record.lines.map((line) => line.text).join('\n');
}

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

import { parse } from 'csv-parse/sync';
import { HubError } from '../core/errors.js';
import { type TextLine, tooLong } from './text-lines.js';
import { hasTextColumn, MAX_ROW_BYTES, type RawRow } from './ticket-input.js';

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
export async function* csvRows(
  blocks: AsyncIterable<readonly TextLine[]>,
): AsyncGenerator<readonly RawRow[]> {
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

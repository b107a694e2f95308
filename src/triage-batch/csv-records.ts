import type { TextLine } from './text-lines.js';
import { MAX_ROW_BYTES } from './ticket-input.js';

/** The lines that make up one CSV record; more than one where a quoted field has line breaks. */
export interface RecordLines {
  readonly lines: readonly [TextLine, ...TextLine[]];
  /** The record is a line with a quote that nothing closes. */
  readonly unclosed: boolean;
}

/** Records found so far, and the lines of one that may go on. */
export interface Assembled {
  readonly records: readonly RecordLines[];
  readonly open: readonly TextLine[];
}

/**
 * Groups lines into records: a record ends where the number of quotes is even. A quote that is never closed would
 * swallow all rows after it, so after `MAX_ROW_BYTES` (or at the end of the file) only its own line is given up.
 */
export function assembleRecords(lines: readonly TextLine[], atEnd: boolean): Assembled {
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

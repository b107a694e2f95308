import type { TextLine } from './text-lines.js';
import { MAX_ROW_BYTES, type RawRow } from './ticket-input.js';

/** JSON Lines: each line that is not blank is one object. */
export async function* jsonlRows(
  blocks: AsyncIterable<readonly TextLine[]>,
): AsyncGenerator<readonly RawRow[]> {
  for await (const block of blocks) {
    const rows: RawRow[] = [];
    for (const line of block) {
      if (line.tooLong) rows.push(tooLong(line.line));
      else if (line.text.trim() !== '') rows.push(parseRow(line));
    }
    yield rows;
  }
}

/** The row that stands for one nobody could hold in memory. */
export function tooLong(line: number): RawRow {
  return { line, broken: `the row is longer than ${MAX_ROW_BYTES} bytes`, code: 'input_too_large' };
}

function parseRow({ line, text }: TextLine): RawRow {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { line, fields: value as Record<string, unknown> };
    }
    return { line, broken: 'the line is not a JSON object' };
  } catch {
    return { line, broken: 'the line is not valid JSON' };
  }
}

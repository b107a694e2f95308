import { displayWidth, oneLine, shorten } from './printable.js';

export interface TableOptions {
  /** Columns to set to the right: numbers. */
  readonly right?: readonly number[];
  /** Columns of the terminal; the last column of the table gives way. Undefined: as wide as it is. */
  readonly width?: number;
  readonly indent?: string;
}

/** A plain table with aligned columns, made for reading and for `grep`: one row is one line. */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  options: TableOptions = {},
): string {
  const { right = [], width = Number.POSITIVE_INFINITY, indent = '' } = options;
  const clean = [head, ...rows].map((row) => row.map(oneLine));
  const widths = head.map((_, at) => Math.max(...clean.map((row) => displayWidth(row[at] ?? ''))));
  const last = head.length - 1;
  const before = indent.length + widths.slice(0, last).reduce((sum, column) => sum + column + 2, 0);
  widths[last] = Math.min(widths[last] ?? 0, Math.max(8, width - before));
  const line = (row: readonly string[]) =>
    (indent + row.map((cell, at) => pad(cell, widths[at] ?? 0, right.includes(at))).join('  ')).trimEnd();
  return [line(clean[0] ?? []), indent + widths.map((column) => '-'.repeat(column)).join('  ')]
    .concat(clean.slice(1).map(line))
    .join('\n');
}

function pad(text: string, width: number, right: boolean): string {
  const shown = shorten(text, width);
  const space = ' '.repeat(Math.max(0, width - displayWidth(shown)));
  return right ? space + shown : shown + space;
}

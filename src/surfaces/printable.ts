import type { Writable } from 'node:stream';

/**
 * Text that is safe on a terminal: control characters, escape sequences and bidirectional overrides, which a
 * customer's words may carry, are dropped; line breaks and tabs stay.
 */
export function printable(text: string): string {
  return text
    .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)?/g, '')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, '');
}

/** The same on one line. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}

/** Columns a text takes on a terminal: emoji and East Asian letters take two, combining marks none. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const char of text) width += /\p{Mn}|\u200d|\ufe0f/u.test(char) ? 0 : isWide(char) ? 2 : 1;
  return width;
}

/** Shortens a text to a number of columns, with an ellipsis where something was cut off. */
export function shorten(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = '';
  let width = 1;
  for (const char of text) {
    width += displayWidth(char);
    if (width > columns) break;
    kept += char;
  }
  return `${kept.trimEnd()}…`;
}

function isWide(char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff)
  );
}

/** Writes a result, as JSON for programs or as text for people. */
export function print(
  { out }: { readonly out: Writable },
  { json }: { readonly json?: boolean },
  value: unknown,
  text: string,
): void {
  out.write(json ? `${JSON.stringify(value, null, 2)}\n` : text);
}

interface TableOptions {
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

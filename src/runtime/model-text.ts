import type { TimeFormat } from '../core/i18n/index.js';
import type { ToolEnvelope } from './envelope.js';

/** How times and amounts are written. */
interface Notation {
  readonly time: TimeFormat;
  /** @param minorUnits of the company's currency */
  money(minorUnits: number): string;
}

type Row = Readonly<Record<string, unknown>>;

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
const CENTS = /_cents$/;

/**
 * A tool's result as a model reads it best and cheapest: lists as tables, times in the customers' zone with their
 * weekday, amounts in the company's currency, nothing that is empty. Refusals stay JSON with their code.
 */
export function modelText(envelope: ToolEnvelope, notation: Notation): string {
  if (!envelope.ok) return JSON.stringify(envelope);
  const { data } = envelope;
  if (!isRow(data)) return cell(data, notation);
  const parts = Object.entries(data).flatMap(([name, value]) => section(name, value, notation));
  return parts.length === 0 ? 'ok' : parts.join('\n');
}

function section(name: string, value: unknown, notation: Notation): readonly string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${label(name)}: none`];
    return value.every(isRow)
      ? table(name, value, notation)
      : [`${label(name)}: ${value.map((item) => cell(item, notation)).join(', ')}`];
  }
  if (isRow(value)) return [`${label(name)}: ${fields(value, notation)}`];
  return value === null || value === undefined ? [] : [`${label(name)}: ${field(name, value, notation)}`];
}

/** One line a row under the names of the columns; columns that are empty throughout are left out. */
function table(name: string, rows: readonly Row[], notation: Notation): readonly string[] {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((column) =>
    rows.some((row) => row[column] !== null && row[column] !== undefined && row[column] !== false),
  );
  const lines = rows.map((row) =>
    columns
      .map((column) => field(column, row[column], notation))
      .join(' | ')
      .replace(/(?: \| )+$/, ''),
  );
  return [`${label(name)} (${columns.map(label).join(' | ')}):`, ...lines];
}

function fields(row: Row, notation: Notation): string {
  return Object.entries(row)
    .filter(([, value]) => value !== null && value !== undefined && value !== false)
    .map(([name, value]) => `${label(name)} ${field(name, value, notation)}`)
    .join(', ');
}

/** Column names as words. */
function label(name: string): string {
  return name.replace(CENTS, '').replaceAll('_', ' ');
}

function field(name: string, value: unknown, notation: Notation): string {
  if (CENTS.test(name) && typeof value === 'number') return notation.money(value);
  return isRow(value) ? fields(value, notation) : cell(value, notation);
}

function cell(value: unknown, notation: Notation): string {
  if (value === null || value === undefined || value === false) return '';
  if (value === true) return 'yes';
  if (typeof value !== 'string') return typeof value === 'object' ? JSON.stringify(value) : String(value);
  return ISO_TIME.test(value) ? notation.time.short(value) : value.replaceAll('\n\n', '\n').trim();
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

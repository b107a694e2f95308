import type { ErrorCode } from '../core/errors.js';

/** What the labels of the input say triage should find; only those that were given. */
export type ExpectedLabels = Readonly<Partial<Record<LabelName, string>>>;

export const LABEL_NAMES = ['issue_type', 'priority', 'sentiment', 'route', 'escalate'] as const;
export type LabelName = (typeof LABEL_NAMES)[number];

/** A ticket that can be classified. */
export interface TicketInput {
  readonly kind: 'ticket';
  /** Line of the input where it begins, 1-based. */
  readonly line: number;
  /** As given, a number stays a number; `line-N` where the input has none. */
  readonly id: string | number;
  readonly text: string;
  readonly email: string | null;
  readonly channel: string | null;
  /** ISO 8601; null where absent or not a time. */
  readonly createdAt: string | null;
  readonly expected: ExpectedLabels;
}

/** A row of the errors file: what could not be triaged and why. */
export interface BrokenInput {
  readonly kind: 'broken';
  readonly line: number;
  readonly id?: string | number;
  readonly reason: string;
  readonly code: ErrorCode;
}

export type InputItem = TicketInput | BrokenInput;

/** A row of the input as its format gave it, before anybody looked at its fields. */
export type RawRow =
  | { readonly line: number; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly broken: string; readonly code?: ErrorCode };

/** Longest row that is read, in bytes; a longer one becomes an error row. */
export const MAX_ROW_BYTES = 102_400;

const TEXT_FIELDS = ['message', 'text', 'body', 'description'] as const;
const TITLE_FIELDS = ['subject', 'title'] as const;

/** True where a header has a column that can hold the customer's words. */
export function hasTextColumn(columns: readonly string[]): boolean {
  return [...TEXT_FIELDS, ...TITLE_FIELDS].some((name) => columns.includes(name));
}

/** Reads a ticket out of a row, or says what is wrong with it. */
export function toTicket(row: RawRow): InputItem {
  const { line } = row;
  if ('broken' in row) return { kind: 'broken', line, reason: row.broken, code: row.code ?? 'input_invalid' };
  const { fields } = row;
  const id = readId(fields.id ?? fields.ticket_id, line);
  if (id === null) {
    return broken(
      line,
      undefined,
      'id must be a text or a whole number, at most 200 characters, on one line',
    );
  }
  const text = readText(fields);
  if (text === null) {
    return broken(line, id, `no text: one of ${TEXT_FIELDS.join(', ')} must hold the customer's words`);
  }
  if (isBinary(text)) return broken(line, id, 'the text is binary data');
  return {
    kind: 'ticket',
    line,
    id,
    text: text.replace(CONTROL, ''),
    email: plain(fields.email),
    channel: plain(fields.channel),
    createdAt: readTime(fields.created_at),
    expected: readLabels(fields),
  };
}

function broken(line: number, id: string | number | undefined, reason: string): BrokenInput {
  return { kind: 'broken', line, ...(id === undefined ? {} : { id }), reason, code: 'input_invalid' };
}

function readId(value: unknown, line: number): string | number | null {
  if (value === undefined || value === null || value === '') return `line-${line}`;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : null;
  // One result is one line, so that a result file cut off in the middle of a row can be mended.
  if (typeof value !== 'string' || value.length > 200 || /[\u0000-\u001f\u007f]/.test(value)) return null;
  return value;
}

function readText(fields: Readonly<Record<string, unknown>>): string | null {
  const parts = [firstText(fields, TITLE_FIELDS), firstText(fields, TEXT_FIELDS)].filter(
    (part) => part !== null,
  );
  return parts.length === 0 ? null : parts.join('\n');
}

function firstText(fields: Readonly<Record<string, unknown>>, names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && /[^\s\u0000]/.test(value)) return value;
  }
  return null;
}

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** A stray control character is dropped; a tenth of them is no text. */
function isBinary(text: string): boolean {
  const strange = text.match(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd]/g)?.length ?? 0;
  return strange * 10 > text.length;
}

function plain(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function readTime(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

function readLabels(fields: Readonly<Record<string, unknown>>): ExpectedLabels {
  const found: Partial<Record<LabelName, string>> = {};
  for (const name of LABEL_NAMES) {
    const value = fields[`expected_${name}`] ?? fields[name];
    const label = name === 'escalate' ? readFlag(value) : plain(value);
    if (label !== null) found[name] = label;
  }
  return found;
}

function readFlag(value: unknown): string | null {
  const text = String(value ?? '')
    .trim()
    .toLowerCase();
  if (['true', '1', 'yes', 'sim'].includes(text)) return 'true';
  return ['false', '0', 'no', 'não', 'nao'].includes(text) ? 'false' : null;
}

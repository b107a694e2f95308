import { stringify } from 'csv-stringify/sync';
import type { TriageResult } from '../core/ports/ticket-classifier.js';
import type { TicketInput } from './ticket-input.js';

export type OutputFormat = 'jsonl' | 'csv';

/** The names and the order are a public contract; new ones go to the end. */
export const RESULT_COLUMNS = [
  'id',
  'issue_type',
  'priority',
  'sentiment',
  'requires_human',
  'summary',
  'language',
  'route',
  'escalate',
  'escalation_reason',
  'confidence',
  'provider',
  'llm_calls',
] as const;

export type ResultRow = Readonly<Record<(typeof RESULT_COLUMNS)[number], string | number | boolean | null>>;

/** The row of a ticket; the same whenever the classification is the same. */
export function toResultRow(
  ticket: TicketInput,
  { classification, provider, usage }: TriageResult,
): ResultRow {
  return {
    id: ticket.id,
    issue_type: classification.issueType,
    priority: classification.priority,
    sentiment: classification.sentiment,
    requires_human: classification.requiresHuman,
    // One row is one line in both formats.
    summary: classification.summary.replace(/[\s\u0085\u2028\u2029]+/g, ' ').trim(),
    language: classification.language,
    route: classification.route,
    escalate: classification.route === 'escalation' || classification.requiresHuman,
    escalation_reason: classification.humanReason,
    confidence: Math.round(classification.confidence * 10_000) / 10_000,
    provider,
    llm_calls: usage.llmCalls,
  };
}

/** First line of a result file, line end included; empty for JSON Lines. */
export function headerOf(format: OutputFormat): string {
  return format === 'csv' ? `${RESULT_COLUMNS.join(',')}\n` : '';
}

/**
 * One line, line end included. In CSV an apostrophe stands before every text that a spreadsheet would take for a formula,
 * ids included; {@link readCell} takes it off again. Numbers stay numbers.
 */
export function formatRow(row: ResultRow, format: OutputFormat): string {
  if (format === 'jsonl') return `${JSON.stringify(row)}\n`;
  return stringify([RESULT_COLUMNS.map((name) => row[name])], CSV);
}

/** What opens a formula, also in full width, and behind blanks and quotes that an import may take off. */
const FORMULA = /^[\s"'\u00a0\ufeff]*[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/u;

/** A text that no spreadsheet takes for a formula (OWASP, CSV injection). */
function inert(text: string): string {
  return opensFormula(text) ? `'${text}` : text;
}

/** Apostrophes in front change nothing, so that one more can always be told from those that were there. */
function opensFormula(text: string): boolean {
  return FORMULA.test(text.replace(/^'+/, ''));
}

/** A text as it was before {@link formatRow} wrote it as CSV. Every text comes back the same. */
export function readCell(cell: string): string {
  return cell.startsWith("'") && opensFormula(cell.slice(1)) ? cell.slice(1) : cell;
}

const CSV = {
  quoted_string: true,
  cast: { boolean: (value: boolean) => String(value), string: inert },
};

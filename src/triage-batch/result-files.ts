import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { stringify } from 'csv-stringify/sync';
import { HubError } from '../core/errors.js';
import type { TriageResult } from '../core/ports/chat-models.js';
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

const CSV = { quoted_string: true, cast: { boolean: (value: boolean) => String(value), string: inert } };

/** Where results go. Texts are whole lines; `append` only buffers, and `flush` follows at the next turn of the event loop. */
export interface ResultSink {
  append(rows: string, errors: string): void;
  /** Resolves when it is reasonable to produce more. */
  ready(): Promise<void>;
  /** Writes what is buffered. Without it (a crash) everything up to the last flush is whole on disk. */
  close(): Promise<void>;
}

const FLUSH_AT = 1 << 16;

interface TargetFile {
  readonly path: string;
  /** What stays of the file: the finished lines of an earlier run. */
  readonly keepBytes: number;
  /** What a new file begins with. */
  readonly header: string;
}

/**
 * Results and errors into two files. The errors of a flush are written before its rows, so that a row on disk means
 * that nothing before it is missing: that is what a resumed run relies on.
 * @throws HubError `usage` where a file cannot be opened, `disk_full`
 */
export class FileSink implements ResultSink {
  private readonly rows: AppendFile;
  private readonly errors: AppendFile | null;
  private heldRows = '';
  private heldErrors = '';
  private scheduled: NodeJS.Immediate | null = null;
  private fault: unknown = null;

  /** @param errors null where there is no place for them */
  constructor(rows: TargetFile, errors: TargetFile | null) {
    this.rows = new AppendFile(rows);
    this.rows.open();
    this.errors = errors === null ? null : new AppendFile(errors);
  }

  append(rows: string, errors: string): void {
    if (this.fault !== null) throw this.fault;
    this.heldRows += rows;
    this.heldErrors += errors;
    if (this.heldRows.length > FLUSH_AT) this.flush();
    else this.scheduled ??= setImmediate(() => this.flushLater());
  }

  async ready(): Promise<void> {
    if (this.fault !== null) throw this.fault;
  }

  async close(): Promise<void> {
    try {
      if (this.fault === null) this.flush();
    } finally {
      this.rows.close();
      this.errors?.close();
    }
  }

  private flushLater(): void {
    try {
      this.flush();
    } catch (error) {
      this.fault = error;
    }
  }

  private flush(): void {
    if (this.scheduled !== null) clearImmediate(this.scheduled);
    this.scheduled = null;
    const [rows, errors] = [this.heldRows, this.heldErrors];
    this.heldRows = '';
    this.heldErrors = '';
    if (errors !== '') this.errors?.write(errors);
    if (rows !== '') this.rows.write(rows);
  }
}

/** A file that is written at its end. Nothing is cut off or overwritten before the first write or the close. */
export class AppendFile {
  private fd: number | null = null;
  private position: number | null = null;
  private begun = false;
  private closed = false;

  constructor(private readonly target: TargetFile) {}

  /** @throws HubError `usage` */
  open(): void {
    const { path, keepBytes } = this.target;
    try {
      this.fd = openSync(path, keepBytes > 0 ? 'r+' : 'w');
    } catch (error) {
      throw new HubError('usage', `Cannot write ${path}: ${codeOf(error)}`, { path }, { cause: error });
    }
    if (fstatSync(this.fd).isFile()) this.position = keepBytes;
  }

  /** @throws HubError `disk_full` */
  write(text: string): void {
    if (this.fd === null) this.open();
    this.begin();
    this.put(text);
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    const { path, keepBytes } = this.target;
    if (this.fd === null && keepBytes > 0) this.open();
    if (this.fd === null) {
      // Errors of an earlier run, which this one did not have. Never a device.
      if (statSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path);
      return;
    }
    try {
      this.begin();
    } finally {
      closeSync(this.fd);
      this.fd = null;
    }
  }

  private begin(): void {
    if (this.begun || this.fd === null) return;
    this.begun = true;
    if (this.position !== null) ftruncateSync(this.fd, this.target.keepBytes);
    if (this.target.keepBytes === 0 && this.target.header !== '') this.put(this.target.header);
  }

  private put(text: string): void {
    const bytes = Buffer.from(text);
    let done = 0;
    try {
      while (done < bytes.length) {
        const written = writeSync(this.fd ?? -1, bytes, done, bytes.length - done, this.position);
        done += written;
        if (this.position !== null) this.position += written;
      }
    } catch (error) {
      const { path } = this.target;
      const full = codeOf(error) === 'ENOSPC';
      throw new HubError(
        full ? 'disk_full' : 'internal',
        full
          ? `The disk is full: ${path} could not be written`
          : `${path} could not be written: ${codeOf(error)}`,
        { path },
        { cause: error },
      );
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

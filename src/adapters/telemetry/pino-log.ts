import { writeSync } from 'node:fs';
import { pino } from 'pino';
import type { Clock, Log, LogEntry, LogLevel } from '../../core/ports/system.js';
import { findSecrets, type SecretKind } from '../../core/secrets.js';
import { RotatingFile, type Rotation } from '../rotating-file.js';
import { createSystemClock } from '../system.js';

/**
 * Takes personal data and secrets out of what goes to the log. Every pattern runs in time linear to the text: runs are
 * entered only at their start (look-behind) or bounded in length, because the text is often written by strangers.
 */
const LOCAL_PART = String.raw`[^\s@<>()[\]{},;:"'\\/|=]`;
const EMAIL = new RegExp(String.raw`(?<!${LOCAL_PART})${LOCAL_PART}+@[\p{L}\p{N}][\p{L}\p{N}.-]*`, 'gu');
const BEARER = /\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi;
const NAMED_SECRET =
  /\b(api[_-]?key|(?:access|refresh|session|auth)?[_-]?token|secret|password|senha)(["']?\s{0,3}[=:]\s{0,3}["']?)[^\s"'&,;]+/gi;
const KEY = /\b(?:sk|pk|rk)-[\w-]{8,}|\b(?:lsv2|ghp|gho|xox[abp])[_-][\w-]{12,}/g;
const JWT = /(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const CPF = /(?<![\d.])\d{3}\.\d{3}\.\d{3}[-/]\d{2}(?!\d)|(?<![\w.])\d{11}(?![\w.]\d|\w)/g;
// With a country, an area in brackets, or as a mobile number: other groups of digits are years and amounts.
const PHONE =
  /(?<![\w.+-])(?:\+\d{1,3}[ .-]?(?:\(\d{1,4}\)|\d{1,4})(?:[ .-]?\d{2,5}){2,4}|\(\d{2}\) ?\d{4,5}[ .-]?\d{4}|\d{2} 9\d{4}[ .-]?\d{4}|9\d{4}-\d{4})(?![\w-]|\.\d)/g;
const SECRET_NAMES =
  /^(?:authorization|cookie|password|senha|secret|(?:\w+_?)?(?:api_?key|secret_?key|auth_?secret)|(?:access|refresh|session|auth|bearer)?_?token)$/i;

const SECRET_LABELS: Readonly<Record<Exclude<SecretKind, 'key'>, string>> = {
  card: '[card]',
  CPF: '[cpf]',
  CNPJ: '[cnpj]',
  password: '[secret]',
  code: '[code]',
};

/** Longest string kept in a log line; the rest is counted, not shown. */
const MAX_TEXT = 8_000;
const MAX_ITEMS = 200;
const MAX_DEPTH = 8;

/** The text without e-mail addresses, tokens, keys, CPF, card and phone numbers. */
export function maskText(text: string): string {
  let out = withoutSecrets(
    text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length - MAX_TEXT} more)` : text,
  );
  if (out.includes('@')) out = out.replace(EMAIL, '[email]');
  if (/\d{3}/.test(out)) out = out.replace(CPF, '[cpf]').replace(PHONE, '[phone]');
  if (/[-_.:=]|bearer|basic/i.test(out)) {
    out = out
      .replace(JWT, '[token]')
      .replace(BEARER, '$1 [token]')
      .replace(KEY, '[key]')
      .replace(NAMED_SECRET, '$1$2[secret]');
  }
  return out;
}

/** Without what goes to no provider either; the rest of this file is stricter still. */
function withoutSecrets(text: string): string {
  let out = '';
  let at = 0;
  for (const { kind, start, end } of findSecrets(text)) {
    // Told apart below.
    if (kind === 'key') continue;
    out += `${text.slice(at, start)}${SECRET_LABELS[kind]}`;
    at = end;
  }
  return out + text.slice(at);
}

/** A copy that is safe to log: masked, finite, no cycles, errors as plain objects. */
export function maskValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function')
    return `(${typeof value})`;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return maskError(value, depth);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (depth >= MAX_DEPTH) return '(deep)';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => maskValue(item, depth + 1));
  if (value instanceof Map || value instanceof Set) return maskValue([...value], depth + 1);
  if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ITEMS)
      .map(([key, item]) => [
        maskText(key),
        SECRET_NAMES.test(key) && hasText(item) ? '[secret]' : maskValue(item, depth + 1),
      ]),
  );
}

/** An error as `{message, code, stack}`, with its fields and cause where it has them. */
function maskError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { message: maskText(String(error)) };
  const { code, fields } = error as { readonly code?: unknown; readonly fields?: unknown };
  return {
    message: maskText(error.message),
    code: typeof code === 'string' || typeof code === 'number' ? code : error.name,
    stack: maskText(error.stack ?? ''),
    ...(fields !== undefined && { fields: maskValue(fields, depth + 1) }),
    ...(error.cause !== undefined && depth < 4 && { cause: maskError(error.cause, depth + 1) }),
  };
}

function hasText(value: unknown): boolean {
  return typeof value === 'string' ? value !== '' : typeof value === 'object' && value !== null;
}

export interface LogOptions {
  /** Less important lines are dropped before they cost anything. */
  readonly level: LogLevel;
  /** Appended to; made on the first line, with its directory, readable by the owner only. */
  readonly file: string;
  /** The file grows without end where absent. */
  readonly rotation?: Rotation;
  readonly clock?: Clock;
}

/** A log that owns a file. */
export interface FileLog extends Log {
  /** Resolves when every line written so far has reached the disk. */
  flush(): Promise<void>;
  /** Gives the file back; later lines open it again. */
  close(): void;
}

/**
 * The operations log: one JSON object a line with `timestamp`, `level`, `agent`, `action`, `ticket_id`, `details`.
 * Lines are written synchronously (a few microseconds), so the last ones survive any exit. Where the file cannot be
 * written, lines go to stderr after one warning; nothing here throws, and nothing goes to stdout.
 */
export function createLog(options: LogOptions): FileLog {
  const clock = options.clock ?? createSystemClock();
  const file = new LineFile(options.file, clock, options.rotation ?? null);
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"timestamp":"${clock.now().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    file,
  );
  const write = (level: LogLevel, entry: LogEntry, error?: unknown): void => {
    if (!logger.isLevelEnabled(level)) return;
    try {
      logger[level](lineOf(entry, error));
    } catch (fault) {
      // Something in the details objects to being read; that it happened is still worth a line.
      const unloggable = fault instanceof Error ? maskText(fault.message) : 'unknown fault';
      logger[level]({ ...lineOf({ ...entry, details: {} }, undefined), details: { unloggable } });
    }
  };
  return {
    debug: (entry) => write('debug', entry),
    info: (entry) => write('info', entry),
    warn: (entry) => write('warn', entry),
    error: (entry, error) => write('error', entry, error),
    flush: async () => file.sync(),
    close: () => file.close(),
  };
}

function lineOf(entry: LogEntry, error: unknown): Record<string, unknown> {
  const details = maskValue(entry.details ?? {}) as Record<string, unknown>;
  return {
    agent: maskText(entry.agent),
    action: maskText(entry.action),
    ticket_id: entry.ticketId == null ? null : maskText(entry.ticketId),
    details: error === undefined ? details : { ...details, error: maskError(error) },
  };
}

/** Appends lines to a file that is opened when there is something to write. */
class LineFile {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #file: RotatingFile;
  #unusable = false;
  #complained = false;

  constructor(path: string, clock: Clock, rotation: Rotation | null) {
    this.#path = path;
    this.#clock = clock;
    this.#file = new RotatingFile(path, clock, rotation);
  }

  write(line: string): void {
    if (this.#unusable) {
      toStderr(line);
      return;
    }
    try {
      this.#file.write(line);
    } catch (fault) {
      // A full disk may have room again for the next line; a file that cannot be opened stays so.
      this.#unusable = !this.#file.isOpen;
      this.#complain(`the log file ${this.#path} cannot be written (${codeOf(fault)}); logging to stderr`);
      toStderr(line);
    }
  }

  #complain(message: string): void {
    if (this.#complained) return;
    this.#complained = true;
    const line = {
      level: 'warn',
      timestamp: this.#clock.now().toISOString(),
      agent: 'log',
      action: 'log_file_unusable',
      ticket_id: null,
      details: { message },
    };
    toStderr(`${JSON.stringify(line)}\n`);
  }

  sync(): void {
    try {
      this.#file.sync();
    } catch {
      // Not every file can be synced (a pipe, /dev/null); the lines were handed over all the same.
    }
  }

  close(): void {
    this.#file.close();
  }
}

function toStderr(line: string): void {
  try {
    writeSync(2, line);
  } catch {
    // A closed or full stderr leaves nowhere to say it.
  }
}

function codeOf(fault: unknown): string {
  return fault instanceof Error && 'code' in fault ? String(fault.code) : 'unknown fault';
}

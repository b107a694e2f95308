import { writeSync } from 'node:fs';
import { pino } from 'pino';
import type { Clock } from '../../core/ports/clock.js';
import type { Log, LogEntry, LogLevel } from '../../core/ports/log.js';
import { RotatingFile, type Rotation } from '../rotating-file.js';
import { createSystemClock } from '../system.js';
import { maskError, maskText, maskValue } from './pino-log-mask.js';

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

import type { Log, LogEntry } from '../../src/core/ports/system.js';

/** A log that keeps what it was told, for tests that look at it. */
export interface RecordingLog extends Log {
  readonly entries: readonly (LogEntry & { readonly level: string })[];
}

export function createRecordingLog(): RecordingLog {
  const entries: (LogEntry & { readonly level: string })[] = [];
  const keep =
    (level: string) =>
    (entry: LogEntry): void =>
      void entries.push({ ...entry, level });
  return { entries, debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** One line of the operations log, always about an agent or component doing something. */
export interface LogEntry {
  /** Agent or component, e.g. `knowledge`, `chroma`. */
  readonly agent: string;
  /** What it did, snake_case, e.g. `tool_called`. */
  readonly action: string;
  readonly ticketId?: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Structured log. Implementations mask e-mail addresses and secrets. Never throws. */
export interface Log {
  debug(entry: LogEntry): void;
  info(entry: LogEntry): void;
  warn(entry: LogEntry): void;
  error(entry: LogEntry, error?: unknown): void;
}

/** The only source of time. Tests give a fixed one. */
export interface Clock {
  now(): Date;
}

/** The only source of new identifiers. */
export interface Ids {
  /** @param prefix short word for the kind, e.g. `tkt`; the id reads `tkt_…` */
  next(prefix: string): string;
  /** The same with at least 128 random bits, for what its holder proves something by: a visitor's task, a conversation. */
  unguessable(prefix: string): string;
}

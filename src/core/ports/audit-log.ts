/** One thing that changed data, or was refused. */
export interface AuditEntry {
  /** Unique: writing the same key again changes nothing. */
  readonly auditKey: string;
  readonly ticketId: string | null;
  readonly customerId: string | null;
  /** `customer:<id>`, `operator:<id>` or `hub`. */
  readonly actor: string;
  readonly action: string;
  readonly outcome: 'done' | 'refused' | 'failed';
  readonly details: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
}

/** Append-only. */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
  /** True where this key was written. */
  has(auditKey: string): Promise<boolean>;
  /** Oldest first. */
  list(filter: {
    readonly ticketId?: string;
    readonly customerId?: string;
    readonly limit: number;
  }): Promise<readonly AuditEntry[]>;
}

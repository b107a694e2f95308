/** How the record of what was agreed to and the ledger of what was done differ when the databases are opened. */
export interface Disagreements {
  /** What the ledger holds and nobody agreed to, as the record will say it once a person was told. */
  readonly unknownEffects: readonly AuditEntry[];
  /** Ids of questions whose yes was used up, and of whose effect the ledger knows nothing. */
  readonly lostEffects: readonly string[];
}

/** What every effect on a customer's records carries. */
export interface WriteContext {
  /** The verified owner; the statement itself is limited to rows of this customer. */
  readonly customerId: string;
  /** The same key never has a second effect: the first outcome is returned again. */
  readonly idempotencyKey: string;
  /** SHA-256 of tool and arguments; the same key with another hash is refused (`pending_mismatch`). */
  readonly argsHash: string;
  readonly ticketId: string;
  /** Who released it, e.g. `customer:u_01` or `operator:op_1`. */
  readonly releasedBy: string;
  /** Time of the effect, from the Clock. */
  readonly at: Date;
  /** When the customer asked for it, where operators decided it later: deadlines are read then. ISO 8601. */
  readonly askedAt?: string;
}

/** A committed effect, as the company's database keeps it in the same transaction. */
export interface LedgerEntry {
  readonly idempotencyKey: string;
  readonly customerId: string;
  readonly ticketId: string;
  readonly tool: string;
  readonly argsHash: string;
  readonly releasedBy: string;
  readonly outcome: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
}

/** What was done to the customers' records. Throws HubError `database_failed` on a fault. */
export interface EffectLedger {
  /** The stored effect of a key, or null where it never took effect. */
  findOutcome(idempotencyKey: string): Promise<LedgerEntry | null>;
  /** Effects committed at or after the time, oldest first. */
  listEffects(since: Date): Promise<readonly LedgerEntry[]>;
}

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

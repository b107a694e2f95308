import type { AuditEntry } from './ports/audit-log.js';

/** How the record of what was agreed to and the ledger of what was done differ when the databases are opened. */
export interface Disagreements {
  /** What the ledger holds and nobody agreed to, as the record will say it once a person was told. */
  readonly unknownEffects: readonly AuditEntry[];
  /** Ids of questions whose yes was used up, and of whose effect the ledger knows nothing. */
  readonly lostEffects: readonly string[];
}

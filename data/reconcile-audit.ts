import type { AuditLog } from '../src/core/ports/audit-log.js';
import type { CustomerWriter, LedgerEntry } from '../src/core/ports/customer-writer.js';
import type { DatabaseHandle } from './open-database.js';
import { auditEntryOf } from './udahub/audit-log.js';

/**
 * Completes the audit log. An effect is committed in cultpass.db and audited in udahub.db; a process killed
 * between the two leaves an effect without a record, which is written here from the ledger.
 * @returns the effects that had no record
 */
export async function reconcileAudit(
  writer: CustomerWriter,
  audit: AuditLog,
  udahub: DatabaseHandle,
): Promise<readonly LedgerEntry[]> {
  const known = udahub.sqlite
    .prepare<[string], number>('SELECT 1 FROM audit_log WHERE audit_key = ?')
    .pluck();
  const effects = await writer.listLedger(new Date(0));
  const missing = effects.filter((effect) => known.get(effect.idempotencyKey) === undefined);
  for (const effect of missing) await audit.append(auditEntryOf(effect));
  return missing;
}

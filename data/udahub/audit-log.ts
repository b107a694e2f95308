import { asc, getTableColumns, sql } from 'drizzle-orm';
import type { AuditEntry, AuditLog, LedgerEntry } from '../../src/core/ports/effect-ledger.js';
import type { DatabaseHandle } from '../open-database.js';
import { prepareInsert } from '../statements.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { auditLog } from './schema.js';

/** The audit row of a committed effect. Its key is the effect's idempotency key, so writing it twice changes nothing. */
export function auditEntryOf(effect: LedgerEntry): AuditEntry {
  return {
    auditKey: effect.idempotencyKey,
    ticketId: effect.ticketId,
    customerId: effect.customerId,
    actor: effect.releasedBy,
    action: effect.tool,
    outcome: 'done',
    details: { args_hash: effect.argsHash, outcome: effect.outcome },
    createdAt: effect.createdAt,
  };
}

/** The append-only table `audit_log` of udahub.db. */
export function createAuditLog({ path, orm, sqlite }: DatabaseHandle): AuditLog {
  const { seq: _seq, ...columns } = getTableColumns(auditLog);
  const insert = prepareInsert(orm, auditLog, { omit: ['seq'], onConflict: 'ignore' });
  const known = sqlite.prepare<[string], number>('SELECT 1 FROM audit_log WHERE audit_key = ?').pluck();
  const ticket = sql.placeholder('ticketId');
  const customer = sql.placeholder('customerId');
  const select = orm
    .select(columns)
    .from(auditLog)
    .where(
      sql`(${ticket} IS NULL OR ${auditLog.ticketId} = ${ticket}) AND (${customer} IS NULL OR ${auditLog.customerId} = ${customer})`,
    )
    .orderBy(asc(auditLog.seq))
    .limit(sql.placeholder('limit'))
    .prepare();
  return withTranslatedErrors<AuditLog>(
    { path },
    {
      append: async (entry) => void insert(entry),
      has: async (auditKey) => known.get(auditKey) !== undefined,
      list: async ({ ticketId, customerId, limit }) =>
        select.all({
          ticketId: ticketId ?? null,
          customerId: customerId ?? null,
          limit: Math.max(0, Math.trunc(limit)),
        }),
    },
  );
}

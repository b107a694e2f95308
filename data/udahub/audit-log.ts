import { and, asc, getTableColumns, sql } from 'drizzle-orm';
import type {
  AuditEntry,
  AuditLog,
  Disagreements,
  EffectLedger,
  LedgerEntry,
} from '../../src/core/ports/effect-ledger.js';
import { type Database, storeOf } from '../database.js';
import { insertInto, whereGiven } from '../statements.js';
import { auditLog } from './schema.js';

/* The audit log, and what of the ledger of effects is missing in it. */

/** The audit row of a committed effect. Its key is the effect's idempotency key, so writing it twice changes nothing. */
function auditEntryOf(effect: LedgerEntry): AuditEntry {
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

/** The append-only table `audit_log`. */
export function createAuditLog(database: Database): AuditLog {
  const { seq: _seq, ...columns } = getTableColumns(auditLog);
  const insert = insertInto(database, auditLog, { omit: ['seq'], onConflict: 'ignore' });
  const known = database.prepare<[string], number>('SELECT 1 FROM audit_log WHERE audit_key = ?').pluck();
  const select = database.query((orm) =>
    orm
      .select(columns)
      .from(auditLog)
      .where(and(whereGiven(auditLog.ticketId, 'ticketId'), whereGiven(auditLog.customerId, 'customerId')))
      .orderBy(asc(auditLog.seq))
      .limit(sql.placeholder('limit')),
  );
  return storeOf<AuditLog>(database, {
    *append(entry) {
      yield* insert(entry);
    },
    *has(auditKey) {
      return (yield* known.get(auditKey)) !== undefined;
    },
    *list({ ticketId, customerId, limit }) {
      return yield* select.all({
        ticketId: ticketId ?? null,
        customerId: customerId ?? null,
        limit: Math.max(0, Math.trunc(limit)),
      });
    },
  });
}

/** How the two databases differ: see {@link compareLedger}. */
interface Comparison extends Disagreements {
  /** Effects whose record was written now. */
  readonly recorded: readonly LedgerEntry[];
}

/**
 * Compares what was agreed to (udahub.db) with what was done (the company's database), both ways. An effect is committed in one and
 * audited in the other: a process that is killed between the two leaves an agreed effect without a record, which is
 * written here. All else is left by a power cut or by a copy of another age, and is for the App to make good.
 */
export async function compareLedger(
  effects: EffectLedger,
  audit: AuditLog,
  { company, udahub }: { readonly company: Database; readonly udahub: Database },
): Promise<Comparison> {
  // Before the ledger: a process that works on meanwhile commits the effect first and uses the question up last.
  const usedUp = await udahub.run(() => udahub.prepare<[], string>(USED_UP).pluck().all());
  const ledger = await company.run(() =>
    company.prepare<[], string>('SELECT idempotency_key FROM action_ledger ORDER BY seq').pluck().all(),
  );
  const done = new Set(ledger);
  const recorded: LedgerEntry[] = [];
  const unknownEffects: AuditEntry[] = [];
  const unrecorded = await udahub.run(() =>
    udahub
      .prepare<[string], string>(
        `SELECT k.value FROM json_each(?) k
         WHERE NOT EXISTS (SELECT 1 FROM audit_log l WHERE l.audit_key = k.value) ORDER BY CAST(k.key AS BIGINT)`,
      )
      .pluck()
      .all(JSON.stringify(ledger)),
  );
  const agreed = udahub
    .prepare<[string], number>(
      `SELECT 1 FROM approvals WHERE pending_id = ? AND status IN ('approved', 'released')`,
    )
    .pluck();
  for (const key of unrecorded) {
    const effect = await effects.findOutcome(key);
    if (effect === null) continue;
    if ((await udahub.run(() => agreed.get(key))) === undefined) {
      unknownEffects.push(auditEntryOf(effect));
      continue;
    }
    await audit.append(auditEntryOf(effect));
    recorded.push(effect);
  }
  return { recorded, unknownEffects, lostEffects: usedUp.filter((key) => !done.has(key)) };
}

const recordOf = (suffix: string): string =>
  `EXISTS (SELECT 1 FROM audit_log a WHERE a.audit_key = p.pending_id || '${suffix}')`;
/**
 * Questions whose yes was used up with an effect: the record says that it was done, or (of an operator's yes) nothing says
 * that it was not. Without those that a person was told of.
 */
const USED_UP = `SELECT p.pending_id FROM approvals p
  WHERE p.status = 'released' AND NOT ${recordOf(':broken')}
    AND (${recordOf('')} OR (p.kind = 'approval' AND NOT ${recordOf(':refused')})) ORDER BY p.seq`;

import type { PendingAction } from '../core/domain/pending.js';
import type { Session } from '../core/domain/session.js';
import type { ErrorCode } from '../core/errors.js';
import type { ActionPlan, ToolContext, ToolDeps } from './define-tool.js';
import { wordsOf } from './envelope.js';

type AuditDeps = Pick<ToolDeps, 'audit' | 'clock'>;

const REFUSED_BY_PERSON: ReadonlySet<PendingAction['status']> = new Set(['rejected', 'withdrawn']);
const STORAGE_FAULTS: ReadonlySet<ErrorCode> = new Set([
  'disk_full',
  'database_failed',
  'database_busy',
  'data_dir_unusable',
  // What became of a call to another system is looked up later; until then nothing may be claimed.
  'outcome_unknown',
]);

/** True for faults that pass: the same action may well succeed later. */
export function isStorageFault(code: ErrorCode): boolean {
  return STORAGE_FAULTS.has(code);
}

/** A call as its record names it; one from another program belongs to no ticket yet. */
interface DeniedCall extends Pick<ToolContext, 'callId'> {
  readonly session: Pick<Session, 'turnId' | 'identity'> & { readonly ticketId: string | null };
}

/** Records an action that the rules refused before anybody was asked. Once a call, however often it runs again. */
export async function auditDenied(
  deps: AuditDeps,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  { session, callId }: DeniedCall,
  denied: Extract<ActionPlan, { kind: 'denied' }>,
): Promise<void> {
  const { identity } = session;
  await deps.audit.append({
    auditKey: `${session.turnId}:${callId}:refused`,
    ticketId: session.ticketId,
    customerId: identity.kind === 'customer' ? identity.customerId : null,
    actor: 'hub',
    action: tool,
    outcome: 'refused',
    details: { args: input, code: denied.code, ...wordsOf(denied) },
    createdAt: deps.clock.now().toISOString(),
  });
}

/**
 * Records an action that somebody was asked about and that was not carried out: a no, or an agreement that the rules
 * or a fault stopped. Once a question.
 * @param words what the company says of it (`said`, `rule`), as an error carries it
 */
export async function auditRefused(
  deps: AuditDeps,
  pending: PendingAction,
  code: ErrorCode,
  words: object = {},
): Promise<void> {
  await deps.audit.append({
    auditKey: `${pending.pendingId}:refused`,
    ticketId: pending.ticketId,
    customerId: pending.customerId,
    actor: REFUSED_BY_PERSON.has(pending.status) ? (pending.decidedBy ?? 'hub') : 'hub',
    action: pending.tool,
    outcome: isStorageFault(code) || code === 'internal' ? 'failed' : 'refused',
    details: {
      args: pending.args,
      code,
      ...wordsOf(words),
      ...(pending.reason === null ? {} : { reason: pending.reason }),
    },
    createdAt: deps.clock.now().toISOString(),
  });
}

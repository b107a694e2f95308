import { deskNotes } from '../core/desk-notes.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { Ticket } from '../core/domain/ticket.js';
import { HubError, toHubError } from '../core/errors.js';
import type { Disagreements } from '../core/ports/effect-ledger.js';
import type { AuditEntry, AuditLog, PendingStore, ThreadLock, ThreadStore } from '../core/ports/index.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { isStorageFault } from '../runtime/envelope.js';
import { approvalPlace } from '../runtime/plan-action.js';
import { releaseAction } from '../runtime/release-action.js';

interface ReconcileDeps {
  readonly graph: GraphDeps;
  readonly pending: PendingStore;
  readonly audit: AuditLog;
  readonly threads: Pick<ThreadStore, 'put'>;
  readonly locks: ThreadLock;
  /** How long to wait for another process that reconciles. */
  readonly waitMs: number;
}

/** The lock of the processes that reconcile; no thread has this id. */
const LOCK = 'reconciliation';

/**
 * Reconciles confirmed actions with their effects after a power cut, or where a database was restored from a backup. An effect
 * that a customer was told of and that is missing is performed again where the rules still allow exactly that; else an operator
 * is notified. An effect without a known confirmation is recorded, and an operator is notified. Idempotent. Never throws: what
 * fails is left for the next start.
 */
export async function reconcileEffects(
  deps: ReconcileDeps,
  { lostEffects, unknownEffects }: Disagreements,
): Promise<void> {
  if (lostEffects.length + unknownEffects.length === 0) return;
  const { log } = deps.graph.tools;
  const each = async (pendingId: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.error({ agent: 'hub', action: 'reconciliation_failed', details: { pendingId } }, error);
    }
  };
  try {
    await deps.locks.withThread(LOCK, deps.waitMs, async () => {
      for (const entry of unknownEffects) await each(entry.auditKey, () => recordUnknown(deps, entry));
      for (const pendingId of lostEffects) await each(pendingId, () => restoreEffect(deps, pendingId));
    });
  } catch (error) {
    log.error({ agent: 'hub', action: 'reconciliation_failed' }, error);
  }
}

/** Records an effect. A question about it that is open again must not be answered as if nothing had happened. */
async function recordUnknown(deps: ReconcileDeps, entry: AuditEntry): Promise<void> {
  const { audit, graph } = deps;
  const { auditKey: pendingId, ticketId, customerId, action: tool, actor, createdAt } = entry;
  if (await audit.has(pendingId)) return;
  const ticket = await ticketFor(deps, pendingId, ticketId, customerId);
  await closeQuestions(deps, entry, ticket);
  const outcome = JSON.stringify(entry.details.outcome);
  await escalateLoss(graph, ticket, {
    summary: `Done for customer ${customerId}, but the record of who agreed to it is lost (${pendingId}).`,
    found: [`${createdAt}: ${tool}, released by ${actor}: ${outcome}`],
    options: ['Check with the customer that this was wanted', 'Undo it by hand'],
  });
  await audit.append(entry);
  graph.tools.log.error({ agent: 'hub', action: 'unknown_effect', ticketId, details: { pendingId, tool } });
}

async function closeQuestions(
  { pending }: ReconcileDeps,
  { auditKey, actor, createdAt }: AuditEntry,
  { threadId }: Ticket,
): Promise<void> {
  const isAnswered = (row: PendingAction): boolean =>
    row.kind === 'confirmation' && approvalPlace(row).pendingId === auditKey;
  const asked = await pending.findOpenConfirmation(threadId);
  const agreed = (await pending.listUnreleased(threadId)).filter(isAnswered);
  for (const { pendingId } of agreed) await pending.release(pendingId);
  for (const pendingId of [auditKey, ...(asked && isAnswered(asked) ? [asked.pendingId] : [])])
    await pending.settleDone(pendingId, actor, createdAt);
}

/** The row stays closed: the ledger alone says whether the effect happened, once, under its id. */
async function restoreEffect(deps: ReconcileDeps, pendingId: string): Promise<void> {
  const { tools } = deps.graph;
  const row = await deps.pending.get(pendingId);
  if (row === null || (await deps.audit.has(brokenKey(pendingId)))) return;
  if (await tools.effects.findOutcome(pendingId)) return;
  const { ticketId, tool: name } = row;
  const details = { pendingId, tool: name };
  try {
    await perform(deps, row);
  } catch (error) {
    if (isStorageFault(toHubError(error).code)) throw error;
    await giveToPerson(deps, row, error);
    tools.log.error({ agent: 'hub', action: 'promise_broken', ticketId, details }, error);
    return;
  }
  await deps.graph.tickets.addMessage(ticketId, 'system', deskNotes.became('done_again', row));
  tools.log.warn({ agent: 'hub', action: 'promise_kept', ticketId, details });
}

async function perform({ graph, audit }: ReconcileDeps, row: PendingAction): Promise<void> {
  const { pendingId, ticketId, tool: name } = row;
  // Without a record in the audit log no customer was told of it: it may have been stopped on purpose.
  if (!(await audit.has(pendingId))) {
    throw new HubError('pending_decided', 'There is no record that it was ever done.', { pendingId });
  }
  const tool = graph.tools.roster.findAction(name);
  if (!tool) throw new HubError('not_found', `There is no action ${name}.`);
  const language = (await graph.tickets.getClassification(ticketId))?.language ?? 'en';
  await releaseAction(tool, graph.tools, { ...row, status: 'approved' }, language);
}

async function giveToPerson(deps: ReconcileDeps, row: PendingAction, error: unknown): Promise<void> {
  const { pendingId, customerId, ticketId, tool, args, decidedBy, decidedAt } = row;
  const { code } = toHubError(error);
  const ticket = await ticketFor(deps, pendingId, ticketId, customerId);
  await escalateLoss(deps.graph, ticket, {
    summary: `Customer ${customerId} was promised ${tool}, and nothing of it is in the ledger (${pendingId}).`,
    found: [
      `Agreed to by ${decidedBy} at ${decidedAt}: ${tool} ${JSON.stringify(args)}: ${row.question}`,
      `It was not carried out again: ${code}`,
    ],
    options: ['Do the requested change by hand', 'Tell the customer that it was not done'],
  });
  await deps.audit.append({
    ...{ auditKey: brokenKey(pendingId), ticketId, customerId, actor: 'hub', action: tool },
    outcome: 'failed',
    details: { args, code },
    createdAt: deps.graph.tools.clock.now().toISOString(),
  });
}

/** Marks what an operator was notified of. */
function brokenKey(pendingId: string): string {
  return `${pendingId}:broken`;
}

/** The ticket it belongs to; where that is lost too, a new one of the same customer. */
async function ticketFor(
  { graph, threads }: ReconcileDeps,
  pendingId: string,
  ticketId: string | null,
  customerId: string | null,
): Promise<Ticket> {
  const known = ticketId === null ? null : await graph.tickets.get(ticketId);
  if (known) return known;
  // Named after the question, so that a start that was cut off finds it again.
  const threadId = `thr_${pendingId}`;
  const made = await graph.tickets.findLatestByThread(threadId);
  if (made) return made;
  await threads.put({ threadId, customerId, graphThreadId: threadId });
  return graph.tickets.create({ customerId, threadId, channel: 'chat' });
}

async function escalateLoss(
  { tickets }: GraphDeps,
  { ticketId }: Ticket,
  what: { readonly summary: string; readonly found: readonly string[]; readonly options: readonly string[] },
): Promise<void> {
  const known = await tickets.listEscalations(ticketId);
  if (known.some(({ summary }) => summary === what.summary)) return;
  await tickets.escalate(ticketId, {
    ...what,
    reason: 'fault',
    tried: ['Compared both databases at the start'],
  });
}

import type { PendingAction } from '../core/domain/pending.js';
import type { PendingStore } from '../core/ports/index.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { auditRefused } from '../runtime/audit-refusal.js';
import { approvalPlace } from '../runtime/question.js';

/**
 * A turn broke off after a customer's yes (a full disk, a database that was held). Where nothing was done yet, the
 * question is open again: the customer was told that it failed, and may answer differently now.
 * The caller holds the thread.
 */
export async function reopen(graph: GraphDeps, decided: PendingAction): Promise<void> {
  if (decided.kind !== 'confirmation' || decided.status !== 'approved') return;
  if (!(await hasTakenEffect(graph, decided))) await graph.tools.pending.reopen(decided.pendingId);
}

/** The same for what an earlier turn of the thread could not even take back. */
export async function reopenUnfinished(
  graph: GraphDeps,
  pending: PendingStore,
  threadId: string,
): Promise<void> {
  for (const row of await pending.listUnreleased(threadId)) await reopen(graph, row);
}

/**
 * A decision is used up, after the customer was told what came of it. Where nothing did, the record says so: an effect of
 * which only the ledger knows nothing is another thing, see `reconcile-promises.ts`.
 */
export async function useUp(graph: GraphDeps, decided: PendingAction): Promise<void> {
  if (decided.status === 'approved' && !(await hasTakenEffect(graph, decided)))
    await auditRefused(graph.tools, decided, 'internal');
  await graph.tools.pending.release(decided.pendingId);
}

/** True where something came of the decision that nobody takes back: it was carried out, or operators were asked. */
export async function hasTakenEffect({ tools }: GraphDeps, decided: PendingAction): Promise<boolean> {
  if (await tools.effects.findOutcome(decided.pendingId)) return true;
  return (
    decided.kind === 'confirmation' && (await tools.pending.get(approvalPlace(decided).pendingId)) !== null
  );
}

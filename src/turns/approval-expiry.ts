import type { PendingAction } from '../core/domain/pending.js';
import { toHubError } from '../core/errors.js';
import type { Metrics, PendingStore, ThreadLock } from '../core/ports/index.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { auditRefused } from '../runtime/audit-refusal.js';
import { waitFor } from '../runtime/ticket-status.js';

const RECENT = 20;

interface ExpiryDeps {
  readonly graph: GraphDeps;
  readonly pending: PendingStore;
  readonly locks: ThreadLock;
  readonly metrics: Pick<Metrics, 'approval'>;
}

/**
 * Tells the customers of approvals that nobody decided in time, so that their tickets do not wait for ever. Safe to call
 * at any time and in several processes; a conversation that is busy is left for the next call. Never throws.
 * @returns how many customers were notified
 */
export async function expireApprovals({ graph, pending, locks, metrics }: ExpiryDeps): Promise<number> {
  const { log } = graph.tools;
  let notified = 0;
  const lapsed = await pending.listLapsedApprovals().catch((error: unknown) => {
    log.error({ agent: 'hub', action: 'expiry_failed', details: {} }, error);
    return [];
  });
  for (const row of lapsed) {
    try {
      const text = await locks.withThread(row.threadId, 0, () => notifyExpired(graph, row));
      if (text === null) continue;
      notified += 1;
      metrics.approval('expired');
    } catch (error) {
      if (toHubError(error).code === 'thread_busy') continue;
      const { ticketId, pendingId } = row;
      log.error({ agent: 'hub', action: 'expiry_failed', ticketId, details: { pendingId } }, error);
    }
  }
  return notified;
}

/**
 * Notifies one customer, once. The caller holds the thread.
 * @returns what was said; null where it was said before
 */
export async function notifyExpired(graph: GraphDeps, row: PendingAction): Promise<string | null> {
  const { tickets, tools } = graph;
  const lapsed = await tools.pending.listLapsedApprovals(row.threadId);
  if (!lapsed.some(({ pendingId }) => pendingId === row.pendingId)) return null;
  const language = (await tickets.getClassification(row.ticketId))?.language ?? 'en';
  const text = tools.texts.for(language).say('approval_expired');
  await auditRefused(tools, row, 'pending_expired');
  // The process may have stopped between telling the customer and noting that down.
  const said = await tickets.listMessages(row.ticketId, RECENT);
  if (!said.some(({ content, createdAt }) => content === text && createdAt >= row.expiresAt)) {
    await tickets.addMessage(row.ticketId, 'hub', text);
  }
  await waitFor(graph, row.ticketId, 'waiting_customer');
  await tools.pending.settleLapsed(row.pendingId);
  const { ticketId, pendingId } = row;
  tools.log.info({ agent: 'hub', action: 'approval_expired', ticketId, details: { pendingId } });
  return text;
}

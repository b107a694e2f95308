import { isStorageFault } from '../../agents/index.js';
import type { ApprovalOutcome, Desk, TicketView } from '../core/app.js';
import { cleanText } from '../core/clean-text.js';
import type { Operator } from '../core/domain/customer.js';
import type { PendingAction } from '../core/domain/pending.js';
import { HubError, toHubError } from '../core/errors.js';
import type { AuditLog, PendingStore, ThreadLock } from '../core/ports/index.js';
import { choose } from './desk-choice.js';
import { finishAlone } from './finish-alone.js';
import type { GraphDeps } from './graph-deps.js';
import type { TurnService } from './turn-service.js';

export interface DeskDeps {
  readonly graph: GraphDeps;
  readonly pending: PendingStore;
  readonly audit: AuditLog;
  readonly locks: ThreadLock;
  readonly turns: TurnService;
  readonly waitMs: number;
}

const MESSAGES = 200;
/** A reason is read to the customer. */
const REASON_CHARS = 500;

/** The operators' side over durable state; works in any process on the same data directory. */
export function createDesk(deps: DeskDeps): Desk {
  return {
    queue: (filter) => deps.graph.tickets.queue(filter),
    show: (ticketId) => show(deps, ticketId),
    approvals: () => deps.pending.listOpenApprovals(),
    approve: (pendingId, operator) => decide(deps, pendingId, operator, true),
    reject: (pendingId, operator, reason) =>
      decide(deps, pendingId, operator, false, cleanText(reason).slice(0, REASON_CHARS)),
    choose: (ticketId, choice, operator) => choose(deps, ticketId, choice, operator),
  };
}

async function show(deps: DeskDeps, ticketId: string): Promise<TicketView> {
  const { tickets } = deps.graph;
  const ticket = await tickets.get(ticketId);
  if (!ticket) throw new HubError('not_found', `There is no ticket ${ticketId}.`);
  const [classification, messages, turns, escalations, audit, investigations] = await Promise.all([
    tickets.getClassification(ticketId),
    tickets.listMessages(ticketId, MESSAGES),
    tickets.listTurns(ticketId),
    tickets.listEscalations(ticketId),
    deps.audit.list({ ticketId, limit: MESSAGES }),
    deps.graph.tools.skills.forTicket(ticketId),
  ]);
  return { ticket, classification, messages, turns, escalations, audit, investigations };
}

async function decide(
  deps: DeskDeps,
  pendingId: string,
  operator: Operator,
  approved: boolean,
  reason?: string,
): Promise<ApprovalOutcome> {
  const row = await deps.pending.get(pendingId);
  if (row?.kind !== 'approval') throw new HubError('pending_not_found', `There is no approval ${pendingId}.`);
  const by = `operator:${operator.operatorId}`;
  // Decided before the thread is waited for: of several decisions at once exactly one wins, at once.
  const decided = await deps.pending.decide(
    pendingId,
    reason === undefined ? { approved, by } : { approved, by, reason },
  );
  return deps.locks.withThread(row.threadId, deps.waitMs, async () => {
    const unreleased = await deps.pending.listUnreleased(row.threadId);
    if (unreleased.some((other) => other.pendingId === pendingId)) return carryOut(deps, decided);
    // A process that started meanwhile has carried it out and told the customer.
    return { pending: (await deps.pending.get(pendingId)) ?? decided, reply: null };
  });
}

/**
 * Finishes a decided action: through its paused graph where this process can reach it, else from its row alone.
 * The caller holds the thread.
 */
export async function carryOut(deps: DeskDeps, decided: PendingAction): Promise<ApprovalOutcome> {
  const reply = await resumed(deps, decided);
  const pending = (await deps.pending.get(decided.pendingId)) ?? decided;
  return { pending, reply };
}

/** Where the graph cannot be reached or breaks off, the stored row is enough. */
async function resumed(deps: DeskDeps, decided: PendingAction): Promise<string> {
  try {
    const turn = await deps.turns.resume(decided);
    if (turn) return turn.reply;
  } catch (error) {
    if (isStorageFault(toHubError(error).code)) throw error;
    const { pendingId, ticketId } = decided;
    deps.graph.tools.log.error(
      { agent: 'hub', action: 'resume_failed', ticketId, details: { pendingId } },
      error,
    );
  }
  return finishAlone(deps.graph, decided);
}

/**
 * After a crash: actions that were agreed to but not carried out are finished now, once. A thread that another
 * process is working on is left to it.
 */
export async function recover(deps: DeskDeps): Promise<number> {
  let finished = 0;
  for (const row of await deps.pending.listUnreleased()) {
    try {
      await deps.locks.withThread(row.threadId, 0, async () => {
        const unreleased = await deps.pending.listUnreleased(row.threadId);
        const current = unreleased.find(({ pendingId }) => pendingId === row.pendingId);
        if (!current) return;
        // Tells the answer that follows from one the customer has seen: it is news to whoever comes back.
        await deps.graph.tickets.addMessage(
          row.ticketId,
          'system',
          'The hub stopped before it could answer.',
        );
        await carryOut(deps, current);
        finished += 1;
      });
    } catch (error) {
      deps.graph.tools.log.error(
        {
          agent: 'hub',
          action: 'recovery_failed',
          ticketId: row.ticketId,
          details: { pendingId: row.pendingId },
        },
        error,
      );
    }
  }
  return finished;
}

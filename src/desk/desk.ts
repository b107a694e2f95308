import type { ApprovalOutcome, Desk, TicketView } from '../core/app.js';
import type { AttachmentStore, DeskFiles } from '../core/attachments.js';
import { STOPPED } from '../core/desk-notes.js';
import type { DeskEvents, DeskReads } from '../core/desk-reads.js';
import type { Operator } from '../core/domain/customer.js';
import type { PendingAction } from '../core/domain/pending.js';
import { HubError, toHubError } from '../core/errors.js';
import { uploaderOf } from '../core/file-types.js';
import type { AuditLog, FileStore, Metrics, PendingStore, RatingStore } from '../core/ports/index.js';
import { cleanText } from '../core/text.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { carryOutDecision, hasTakenEffect, withdrawDropped } from '../runtime/decided-action.js';
import { isStorageFault } from '../runtime/envelope.js';
import type { EventBus } from '../turns/event-bus.js';
import { expireApprovals } from '../turns/retention.js';
import { choose } from './choose-option.js';
import { deskPresence, reassign, takeFromColleague } from './claims.js';
import { act, editApproval } from './edit.js';
import { deskKeeping } from './macros.js';
import { actionsFor } from './offered-actions.js';
import { answerReturned, known, ticketActions } from './ticket-actions.js';
import { deskWork, type WorkDeps } from './work.js';

export interface DeskDeps extends WorkDeps, DeskFilesDeps {
  readonly pending: PendingStore;
  readonly ratings: RatingStore;
  readonly audit: AuditLog;
  readonly metrics: Pick<Metrics, 'approval' | 'toolCall'>;
  readonly reads: DeskReads;
}

const MESSAGES = 200;
const DAY_MS = 86_400_000;
/** Tickets that are looked through at the start. */
const RECOVERED = 100;
/** What the decision of an operator is signed with. */
const OPERATOR = 'operator:';
/** A reason is read to the customer. */
const REASON_CHARS = 500;

/** The operators' side over durable state; works in any process on the same data directory. */
export function createDesk(deps: DeskDeps): Desk {
  return {
    ...deps.reads,
    ...ticketActions(deps),
    ...deskFiles(deps),
    ...deskPresence(deps),
    ...deskKeeping(deps),
    ...deskWork(deps),
    actionsFor: (ticketId, language) => actionsFor(deps, ticketId, language),
    act: (ticketId, operator, action) =>
      act(deps, ticketId, operator, action, (pendingId, beforeEffect) =>
        decide(deps, pendingId, operator, true, undefined, beforeEffect),
      ),
    takeFromColleague: (ticketId, operator, reason) => takeFromColleague(deps, ticketId, operator, reason),
    reassign: (ticketId, operator, to, note) => reassign(deps, ticketId, operator, to, note),
    edit: async (pendingId, operator, args, reason) => {
      const outcome = await editApproval(
        deps,
        { pendingId, args, operator, reason: reason && cleaned(reason) },
        () => decide(deps, pendingId, operator, true),
      );
      // One that was left as it is was approved, and is counted there.
      if (outcome.pending.status === 'rejected') deps.metrics.approval('edited');
      return outcome;
    },
    queue: (filter) => deps.graph.tickets.queue(filter),
    show: (ticketId) => show(deps, ticketId),
    approvals: () => deps.pending.listOpenApprovals(),
    withdrawals: () => {
      const since = new Date(deps.graph.tools.clock.now().getTime() - DAY_MS);
      return deps.pending.listWithdrawn(since.toISOString());
    },
    approve: (pendingId, operator) => decide(deps, pendingId, operator, true),
    reject: (pendingId, operator, reason) => decide(deps, pendingId, operator, false, cleaned(reason)),
    choose: (ticketId, choice, operator) => choose(deps, ticketId, choice, operator),
  };
}

function cleaned(reason: string): string {
  return cleanText(reason).slice(0, REASON_CHARS);
}

async function show(deps: DeskDeps, ticketId: string): Promise<TicketView> {
  const { tickets } = deps.graph;
  const ticket = await known(deps, ticketId);
  const [classification, messages, turns, escalations, audit, ratings, ...others] = await Promise.all([
    tickets.getClassification(ticketId),
    tickets.listMessages(ticketId, MESSAGES),
    tickets.listTurns(ticketId),
    tickets.listEscalations(ticketId),
    deps.audit.list({ ticketId, limit: MESSAGES }),
    deps.ratings.list(ticketId),
    deps.graph.tools.skills.forTicket(ticketId),
    deps.pending.listApprovalsOfTicket(ticketId),
  ]);
  const [investigations, approvals] = others;
  return { ticket, classification, messages, turns, escalations, audit, ratings, investigations, approvals };
}

async function decide(
  deps: DeskDeps,
  pendingId: string,
  operator: Operator,
  approved: boolean,
  reason?: string,
  beforeEffect?: () => Promise<void>,
): Promise<ApprovalOutcome> {
  const row = await deps.pending.get(pendingId);
  if (row?.kind !== 'approval') throw new HubError('pending_not_found', `There is no approval ${pendingId}.`);
  const by = `${OPERATOR}${operator.operatorId}`;
  // Decided before the thread is waited for: of several decisions at once exactly one wins, at once.
  const decided = await deps.pending
    .decide(pendingId, reason === undefined ? { approved, by } : { approved, by, reason })
    .catch((error: unknown) => sayWhoDecided(deps, pendingId, error));
  deps.metrics.approval(approved ? 'approved' : 'rejected');
  return deps.locks.withThread(row.threadId, deps.waitMs, async () => {
    const unreleased = await deps.pending.listUnreleased(row.threadId);
    if (unreleased.some((other) => other.pendingId === pendingId))
      return carryOut(deps, decided, beforeEffect);
    // A process that started meanwhile has carried it out and answered the customer.
    return { pending: (await deps.pending.get(pendingId)) ?? decided, reply: null };
  });
}

/** Says which colleague has decided it meanwhile, and how. @throws the error, in those words where they are known */
async function sayWhoDecided(
  { pending, presence }: DeskDeps,
  pendingId: string,
  error: unknown,
): Promise<never> {
  const known = toHubError(error);
  if (known.code !== 'pending_decided') throw error;
  const row = await pending.get(pendingId);
  const by = row?.decidedBy ?? '';
  const colleague = by.startsWith(OPERATOR) ? await presence.get(by.slice(OPERATOR.length)) : null;
  if (row === null || colleague === null) throw error;
  const how = row.status === 'rejected' ? 'rejected' : 'approved';
  throw new HubError('pending_decided', `${colleague.name} has ${how} this already.`, {
    ...known.fields,
    operator: colleague.name,
    decision: how,
  });
}

/**
 * Finishes a decided action: through its paused graph where this process can reach it, else from its row alone.
 * The caller holds the thread.
 * @param beforeEffect the last word on whether it may be done; given where no graph waits for it
 */
export async function carryOut(
  deps: DeskDeps,
  decided: PendingAction,
  beforeEffect?: () => Promise<void>,
): Promise<ApprovalOutcome> {
  const reply = beforeEffect
    ? (await carryOutDecision(deps.graph, decided, beforeEffect)).text
    : await resumed(deps, decided);
  const pending = (await deps.pending.get(decided.pendingId)) ?? decided;
  return { pending, reply };
}

/**
 * Where the graph cannot be reached or breaks off, the stored row is enough. While people have the conversation the graph
 * is left alone.
 */
async function resumed(deps: DeskDeps, decided: PendingAction): Promise<string> {
  const thread = await deps.threads.get(decided.threadId);
  if (thread?.operator) return (await carryOutDecision(deps.graph, decided)).text;
  try {
    const turn = await deps.turns.resume(decided);
    for (const { agent, tool, ok } of turn?.toolCalls ?? []) deps.metrics.toolCall(agent, tool, ok);
    if (turn) return turn.reply;
  } catch (error) {
    // Where only the graph's own state could not be kept, what was done is reported all the same.
    if (isStorageFault(toHubError(error).code) && !(await hasTakenEffect(deps.graph, decided))) throw error;
    const { pendingId, ticketId } = decided;
    deps.graph.tools.log.error(
      { agent: 'hub', action: 'resume_failed', ticketId, details: { pendingId } },
      error,
    );
  }
  return (await carryOutDecision(deps.graph, decided)).text;
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
        const thread = await deps.threads.get(row.threadId);
        if (thread?.operator && current.kind === 'confirmation') {
          await withdrawDropped(deps.graph, row.threadId);
          return;
        }
        // Distinguishes the answer that follows from one the customer has seen: a customer who comes back has not read it.
        await deps.graph.tickets.addMessage(row.ticketId, 'system', STOPPED);
        await carryOut(deps, current);
        finished += 1;
      });
    } catch (error) {
      // Whoever works on the thread carries it out.
      if (toHubError(error).code === 'thread_busy') continue;
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
  await recoverHandedBack(deps);
  await expireApprovals(deps);
  return finished;
}

/** A return whose messages the process did not get to answer: the ticket is open and the hub's. */
async function recoverHandedBack(deps: DeskDeps): Promise<void> {
  const open = await deps.graph.tickets.queue({
    owner: 'hub',
    status: 'open',
    newestFirst: true,
    limit: RECOVERED,
  });
  for (const { ticket } of open) {
    const thread = await deps.threads.get(ticket.threadId);
    if (thread?.unheardSince) await answerReturned(deps, ticket.threadId, ticket.ticketId);
  }
}

/** What the files of the desk need. */
interface DeskFilesDeps {
  readonly graph: GraphDeps;
  readonly attaching: AttachmentStore;
  readonly files: Pick<FileStore, 'read'>;
}

/** Files at the desk; see DeskFiles. */
function deskFiles(deps: DeskFilesDeps): DeskFiles {
  return {
    async attach(ticketId, operator, file) {
      const { threadId } = await known(deps, ticketId);
      return deps.attaching.keep(threadId, uploaderOf(operator), file);
    },
    async file(ticketId, operator, fileId) {
      const { threadId } = await known(deps, ticketId);
      const found = await deps.files.read(threadId, fileId, uploaderOf(operator));
      if (!found) throw new HubError('not_found', 'There is no such file.');
      return found;
    },
  };
}

/** The bus as operators see it. */
export function createDeskEvents(bus: EventBus): DeskEvents {
  return {
    async follow({ after, onEvent, signal }) {
      if (after !== undefined && !/^\d{1,15}$/.test(after)) {
        throw new HubError('input_invalid', 'The id of the last event is none that was given out.', {
          field: 'after',
        });
      }
      await bus.followDesk(after === undefined ? undefined : Number(after), onEvent, signal);
    },
  };
}

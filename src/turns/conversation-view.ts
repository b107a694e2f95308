import type { ThreadOwner, ThreadView } from '../core/domain/conversation.js';
import type { Identity } from '../core/domain/customer.js';
import { HubError } from '../core/errors.js';
import type {
  PendingStore,
  RatingStore,
  ThreadRecord,
  ThreadStore,
  TicketStore,
} from '../core/ports/index.js';
import { escalatedIn } from '../graph/operator-messages.js';
import { pendingView } from './turn-reply.js';

/** The newest messages a conversation is shown with. */
const SHOWN_MESSAGES = 1_000;

interface ViewDeps {
  readonly tickets: TicketStore;
  readonly threads: ThreadStore;
  readonly pending: PendingStore;
  readonly ratings: RatingStore;
}

/**
 * The caller's conversation.
 * @throws HubError `not_found` for one that does not exist and, in the same words, for another caller's
 */
export async function ownThread(
  threads: ThreadStore,
  identity: Identity,
  threadId: string,
): Promise<ThreadRecord> {
  const thread = await threads.get(threadId);
  if (!thread || !isOwn(thread, identity)) throw new HubError('not_found', 'There is no such conversation.');
  return thread;
}

/** A visitor of the chat owns threads of the same session; other anonymous callers own threads without a session. */
function isOwn({ customerId, visitorId }: ThreadRecord, identity: Identity): boolean {
  if (identity.kind === 'customer') return customerId === identity.customerId;
  return customerId === null && visitorId === (identity.visitorId ?? null);
}

/** Who answers on a conversation: the operator who has claimed it, or the team while one of its tickets waits for an operator. */
export async function ownerOf(
  { threads, tickets }: Pick<ViewDeps, 'threads' | 'tickets'>,
  threadId: string,
): Promise<ThreadOwner> {
  const thread = await threads.get(threadId);
  if (thread?.operator) return { kind: 'operator', name: thread.operator.name };
  const all = await tickets.listByThread(threadId);
  const waits = all.some(({ owner, status }) => owner === 'operator' && status !== 'resolved');
  return { kind: waits ? 'operator' : 'hub', name: null };
}

/** See `Conversations.show`. */
export async function viewOf(deps: ViewDeps, thread: ThreadRecord): Promise<ThreadView> {
  const { threadId, scopes, agent, readBy, createdAt, updatedAt } = thread;
  const [messages, latest, owner, confirmation, approvals, asksRating] = await Promise.all([
    deps.tickets.listThreadMessages(threadId, SHOWN_MESSAGES, 'customer'),
    deps.tickets.findLatestByThread(threadId),
    ownerOf(deps, threadId),
    deps.pending.findOpenConfirmation(threadId),
    deps.pending.listOpenApprovals(threadId),
    deps.ratings.asked(threadId),
  ]);
  const open = confirmation ?? approvals[0] ?? null;
  // What the hub answered beside it has another number than what the team was asked.
  const asked = owner.kind === 'operator' ? await escalatedIn(deps, threadId) : null;
  return {
    threadId,
    asksRating,
    ticketId: (asked ?? latest)?.ticketId ?? null,
    owner,
    pending: open ? pendingView(open) : null,
    messages,
    readByOperator: readBy.operator,
    limits: { scopes, agent },
    createdAt,
    updatedAt,
  };
}

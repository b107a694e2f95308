import type { ThreadEventBody } from '../core/domain/conversation.js';
import type { Operator } from '../core/domain/customer.js';
import type { TicketMessage } from '../core/domain/ticket.js';
import type {
  PendingStore,
  PresenceStore,
  ThreadStore,
  TicketDeskStore,
  TicketStore,
} from '../core/ports/index.js';
import { ownerOf } from './conversation-view.js';
import type { EventBus } from './event-bus.js';
import { approvalEvents, customerEvent, type OpenTurns, ticketEvent } from './thread-streams.js';
import { pendingView } from './turn-reply.js';

interface Observed {
  readonly tickets: TicketStore;
  readonly threads: ThreadStore;
  readonly pending: PendingStore;
  readonly presence: PresenceStore;
  readonly ticketDesk: TicketDeskStore;
}

/** Thread of a ticket, which never changes; the oldest are forgotten. */
const KNOWN_TICKETS = 10_000;

/**
 * The same stores, publishing every change on the event bus, so that no caller can forget it. What a running turn (see
 * `turns`) changes is published when it ends.
 */
export function publishing<T extends Observed>(stores: T, bus: EventBus, turns: OpenTurns): T {
  const publisher = new ChangePublisher(stores, bus, turns);
  return {
    ...stores,
    tickets: publishingTickets(stores.tickets, publisher),
    threads: publishingThreads(stores.threads, publisher),
    pending: publishingPending(stores.pending, publisher),
    presence: publishingPresence(stores.presence, publisher),
    ticketDesk: publishingKept(stores.ticketDesk, publisher),
  };
}

class ChangePublisher {
  readonly #threads = new Map<string, string>();

  constructor(
    private readonly stores: Observed,
    readonly bus: EventBus,
    readonly turns: OpenTurns,
  ) {}

  remember(ticketId: string, threadId: string): void {
    this.#threads.set(ticketId, threadId);
    if (this.#threads.size <= KNOWN_TICKETS) return;
    const [oldest] = this.#threads.keys();
    if (oldest !== undefined) this.#threads.delete(oldest);
  }

  async threadOf(ticketId: string): Promise<string | null> {
    const known = this.#threads.get(ticketId);
    if (known !== undefined) return known;
    const ticket = await this.stores.tickets.get(ticketId);
    if (!ticket) return null;
    this.remember(ticketId, ticket.threadId);
    return ticket.threadId;
  }

  /** The queue shows this ticket differently from now on. */
  async touched(ticketId: string, what: string, ownerChanged = false): Promise<void> {
    const threadId = await this.threadOf(ticketId);
    if (threadId === null) return;
    const turn = this.turns.of(threadId);
    if (turn) {
      turn.touched.add(ticketId);
      turn.ownerChanged ||= ownerChanged;
      return;
    }
    this.bus.publishSoon([ticketEvent(threadId, ticketId, what)]);
    if (ownerChanged) await this.bus.publish([customerEvent(threadId, ticketId, await this.owner(threadId))]);
  }

  async owner(threadId: string): Promise<Extract<ThreadEventBody, { type: 'owner' }>> {
    return { type: 'owner', owner: await ownerOf(this.stores, threadId) };
  }

  /** The customer is notified of the operator who has the conversation, and again while that lasts. */
  async typing(ticketId: string, { operatorId, name }: Operator, typing: boolean): Promise<void> {
    const threadId = await this.threadOf(ticketId);
    const holder = threadId === null ? null : (await this.stores.threads.get(threadId))?.operator;
    if (threadId === null || holder?.operatorId !== operatorId) return;
    const body = { type: 'typing', by: 'operator', name, typing } as const;
    await this.bus.publish([customerEvent(threadId, ticketId, body)]);
  }

  ticketsOf(threadId: string): ReturnType<TicketStore['listByThread']> {
    return this.stores.tickets.listByThread(threadId);
  }

  async openTickets(threadId: string): Promise<readonly string[]> {
    const tickets = await this.ticketsOf(threadId);
    return tickets.flatMap(({ ticketId, status }) => (status === 'resolved' ? [] : [ticketId]));
  }

  async messageStored(message: TicketMessage): Promise<void> {
    const { ticketId, audience } = message;
    const threadId = await this.threadOf(ticketId);
    if (threadId === null) return;
    const turn = this.turns.of(threadId);
    if (turn && message.role === 'hub' && audience === 'customer') {
      turn.messages.push(message);
      return;
    }
    const body = { type: 'message', message, reply: null } as const;
    const event = { ...customerEvent(threadId, ticketId, body), audience };
    // The end of a turn says that its ticket has changed.
    await this.bus.publish(turn ? [event] : [event, ticketEvent(threadId, ticketId, 'message')]);
  }
}

function publishingTickets(tickets: TicketStore, publisher: ChangePublisher): TicketStore {
  return {
    ...tickets,
    async create(ticket) {
      const created = await tickets.create(ticket);
      publisher.remember(created.ticketId, created.threadId);
      await publisher.touched(created.ticketId, 'created');
      return created;
    },
    async addMessage(ticketId, role, content, extras) {
      const threadId = await publisher.threadOf(ticketId);
      const turn = threadId === null ? undefined : publisher.turns.of(threadId);
      // A message whose first turn broke off is stored already.
      const known = extras?.clientMessageId && turn?.known.get(extras.clientMessageId);
      if (role === 'customer' && known) return known;
      const message = await tickets.addMessage(ticketId, role, content, extras);
      await publisher.messageStored(message);
      return message;
    },
    async setStatus(ticketId, status, owner) {
      const before = await tickets.get(ticketId);
      await tickets.setStatus(ticketId, status, owner);
      const resolved = (before?.status === 'resolved') !== (status === 'resolved');
      if (before?.owner === owner && before.status === status) return;
      await publisher.touched(
        ticketId,
        'status',
        before?.owner !== owner || (resolved && owner === 'operator'),
      );
    },
    async escalate(ticketId, escalation) {
      const record = await tickets.escalate(ticketId, escalation);
      await publisher.touched(ticketId, 'escalated', true);
      return record;
    },
    async saveClassification(ticketId, classification) {
      await tickets.saveClassification(ticketId, classification);
      await publisher.touched(ticketId, 'classified');
    },
  };
}

function publishingThreads(threads: ThreadStore, publisher: ChangePublisher): ThreadStore {
  const changedHands = async (threadId: string, what: string): Promise<void> =>
    publisher.bus.publish([
      customerEvent(threadId, null, await publisher.owner(threadId)),
      ...(await publisher.openTickets(threadId)).map((ticketId) => ticketEvent(threadId, ticketId, what)),
    ]);
  return {
    ...threads,
    async claim(threadId, operator) {
      const before = await threads.get(threadId);
      const record = await threads.claim(threadId, operator);
      if (before?.claim !== record.claim) await changedHands(threadId, 'claimed');
      return record;
    },
    async transfer(threadId, from, to) {
      const record = await threads.transfer(threadId, from, to);
      await changedHands(threadId, 'claimed');
      return record;
    },
    async adopt(threadId, visitorId, customerId) {
      const record = await threads.adopt(threadId, visitorId, customerId);
      for (const { ticketId } of await publisher.ticketsOf(threadId))
        await publisher.touched(ticketId, 'customer');
      return record;
    },
    async read(threadId, by, messageId) {
      const mark = await threads.read(threadId, by, messageId);
      // Customer and operators are notified of each other.
      const audience = by === 'operator' ? 'customer' : 'desk';
      if (mark)
        await publisher.bus.publish([
          { ...customerEvent(threadId, null, { type: 'read', by, ...mark }), audience },
        ]);
      return mark;
    },
    async release(threadId, operator, to) {
      const record = await threads.release(threadId, operator, to);
      await changedHands(threadId, to === 'hub' ? 'handed_back' : 'released');
      return record;
    },
  };
}

function publishingKept(kept: TicketDeskStore, publisher: ChangePublisher): TicketDeskStore {
  const publishAfter = async (work: Promise<void>, ticketId: string, what: string): Promise<void> => {
    await work;
    await publisher.touched(ticketId, what);
  };
  return {
    ...kept,
    setTags: (ticketId, tags) => publishAfter(kept.setTags(ticketId, tags), ticketId, 'tagged'),
    addTags: (ticketId, tags) => publishAfter(kept.addTags(ticketId, tags), ticketId, 'tagged'),
    setTeam: (ticketId, team) => publishAfter(kept.setTeam(ticketId, team), ticketId, 'team'),
    snooze: (ticketId, until) => publishAfter(kept.snooze(ticketId, until), ticketId, 'snoozed'),
    async merge(ticketId, into) {
      await publishAfter(kept.merge(ticketId, into), ticketId, 'merged');
      await publisher.touched(into, 'merged');
    },
  };
}

/** What the other screens of a ticket show of who looks at it; a page that only says that it is still there changes nothing. */
function publishingPresence(presence: PresenceStore, publisher: ChangePublisher): PresenceStore {
  return {
    ...presence,
    async put(operator, at) {
      const before = await presence.put(operator, at);
      const [wrote, writes] = [before, at].map((one) => (one?.typing ? one.ticketId : null));
      if (wrote && wrote !== writes) await publisher.typing(wrote, operator, false);
      if (writes) await publisher.typing(writes, operator, true);
      if (before?.ticketId === at.ticketId && before.typing === at.typing) return before;
      const changes = [
        { ticketId: before?.ticketId ?? null, watching: false, typing: false },
        { ticketId: at.ticketId, watching: true, typing: at.typing },
      ].filter(({ ticketId, watching }) => ticketId !== null && (watching || ticketId !== at.ticketId));
      for (const { ticketId, ...state } of changes) {
        const threadId = ticketId === null ? null : await publisher.threadOf(ticketId);
        if (threadId === null) continue;
        const data = { operator: { id: operator.operatorId, name: operator.name }, ...state };
        await publisher.bus.publish([{ threadId, ticketId, audience: 'desk', type: 'presence', data }]);
      }
      return before;
    },
  };
}

function publishingPending(pending: PendingStore, publisher: ChangePublisher): PendingStore {
  const settled = async (pendingId: string): Promise<void> => {
    const row = await pending.get(pendingId);
    if (!row) return;
    const { threadId, ticketId, status } = row;
    const turn = publisher.turns.of(threadId);
    if (turn) turn.settled.set(pendingId, row);
    else {
      await publisher.bus.publish([
        customerEvent(threadId, ticketId, { type: 'settled', pendingId, status }),
        ...approvalEvents(row),
      ]);
    }
  };
  return {
    ...pending,
    async open(next) {
      const replaced =
        next.kind === 'confirmation' ? await pending.findOpenConfirmation(next.threadId) : null;
      const row = await pending.open(next);
      if (replaced && replaced.pendingId !== row.pendingId) await settled(replaced.pendingId);
      // The end of a turn publishes its question.
      if (row.status !== 'pending' || publisher.turns.of(row.threadId)) return row;
      await publisher.bus.publish([
        customerEvent(row.threadId, row.ticketId, { type: 'pending', pending: pendingView(row) }),
        ...approvalEvents(row),
      ]);
      return row;
    },
    async decide(pendingId, decision) {
      const row = await pending.decide(pendingId, decision);
      await settled(pendingId);
      return row;
    },
    async withdraw(pendingId, withdrawal) {
      const row = await pending.withdraw(pendingId, withdrawal);
      await settled(pendingId);
      return row;
    },
    async supersede(pendingId) {
      await pending.supersede(pendingId);
      await settled(pendingId);
    },
    async reopen(pendingId) {
      const reopened = await pending.reopen(pendingId);
      const row = reopened ? await pending.get(pendingId) : null;
      if (row) publisher.turns.of(row.threadId)?.settled.delete(pendingId);
      return reopened;
    },
  };
}

import type {
  Escalation,
  EscalationRecord,
  MessageExtras,
  MessageRole,
  Ticket,
  TicketMessage,
} from '../../src/core/domain/ticket.js';
import { HubError } from '../../src/core/errors.js';
import type { Clock, Ids } from '../../src/core/ports/system.js';
import type { NewTicket, TicketStore, TurnRecord } from '../../src/core/ports/ticket-store.js';
import { type Database, storeOf, type Work } from '../database.js';
import { preparedOnUse } from '../statements.js';
import { createFileBinding } from './file-store.js';
import type { ticketTurns } from './schema.js';
import { prepareQueue } from './ticket-queue.js';
import { prepareReads, prepareWrites } from './ticket-statements.js';

type TurnRow = typeof ticketTurns.$inferSelect;

function toTurn({
  seq: _seq,
  llmCalls,
  promptTokens,
  completionTokens,
  costUsd,
  guardrails,
  ...turn
}: TurnRow): TurnRecord {
  return {
    ...turn,
    guardrails: guardrails ?? [],
    usage: { llmCalls, promptTokens, completionTokens, costUsd },
  };
}

/** Tickets and all that hangs on them, in their tables. */
export function createTicketStore(database: Database, clock: Clock, ids: Ids): TicketStore {
  const read = preparedOnUse(() => prepareReads(database));
  const write = preparedOnUse(() => prepareWrites(database));
  const queue = preparedOnUse(() => prepareQueue(database));
  const bindFiles = createFileBinding(database);
  const nowIso = (): string => clock.now().toISOString();

  const setStatus = function* (
    id: string,
    status: Ticket['status'],
    owner: Ticket['owner'],
    at: string,
  ): Work<void> {
    const { changes } = yield* write.status.run({ status, owner, at, id });
    if (changes === 0) {
      if ((yield* read.ticket.get({ ticketId: id })) !== undefined) return;
      throw new HubError('not_found', 'There is no such ticket.', { ticketId: id });
    }
    // Answered, or back with the hub: nobody waits for an operator any more.
    if (status === 'resolved' || owner === 'hub') yield* write.closeEscalations.run(at, id);
  };
  const create = function* ({ customerId, threadId: thread, channel }: NewTicket): Work<Ticket> {
    const at = nowIso();
    const ticket: Ticket = {
      ticketId: ids.next('tkt'),
      customerId,
      threadId: thread,
      channel,
      status: 'open',
      owner: 'hub',
      operatorId: null,
      operatorName: null,
      claimedAt: null,
      resolvedAt: null,
      createdAt: at,
      updatedAt: at,
    };
    yield* write.ticket(ticket);
    return ticket;
  };
  const addMessage = function* (
    id: string,
    role: MessageRole,
    content: string,
    extras: MessageExtras = {},
  ): Work<TicketMessage> {
    const message = {
      messageId: ids.next('msg'),
      ticketId: id,
      role,
      content,
      audience: extras.audience ?? (role === 'system' ? 'desk' : 'customer'),
      author: extras.author ?? null,
      citations: extras.citations ?? [],
      clientMessageId: extras.clientMessageId ?? null,
      files: extras.files ?? [],
      createdAt: nowIso(),
      countsAs: extras.countsAs ?? null,
    } satisfies TicketMessage;
    return yield* database.transaction(function* (): Work<TicketMessage> {
      const { claim, clientMessageId } = extras;
      // Read in the transaction that writes: nobody can take over in between.
      if (claim !== undefined && ((yield* write.claim.get(id)) ?? claim) !== claim) {
        throw new HubError('taken_over', 'A person has taken this conversation over.', { ticketId: id });
      }
      const sent =
        clientMessageId === undefined ? undefined : yield* read.sent.get({ ticketId: id, clientMessageId });
      if (sent) return sent;
      yield* write.message(message);
      yield* bindFiles.stored(id, message.messageId, message.files);
      yield* write.touch.run(message.createdAt, id);
      yield* write.touchThread.run(message.createdAt, id);
      return message;
    });
  };
  const escalate = function* (id: string, escalation: Escalation): Work<EscalationRecord> {
    const { reason, summary, found, tried, options } = escalation;
    const at = nowIso();
    const record: EscalationRecord = {
      escalationId: ids.next('esc'),
      ticketId: id,
      reason,
      summary,
      found: [...found],
      tried: [...tried],
      options: [...options],
      status: 'open',
      createdAt: at,
    };
    yield* database.transaction(function* () {
      yield* setStatus(id, 'waiting_operator', 'operator', at);
      yield* write.escalation(record);
    });
    return record;
  };
  const merge = function* (id: string, into: string): Work<void> {
    const at = nowIso();
    yield* write.moveMessages.run(into, id);
    yield* write.moveTurns.run(into, id);
    yield* write.moveEscalations.run({ id, into });
    yield* write.mergedInto.run(id, into);
    yield* write.touch.run(at, into);
    const { operatorId = null } = (yield* read.ticket.get({ ticketId: id })) ?? {};
    yield* setStatus(id, 'resolved', operatorId === null ? 'hub' : 'operator', at);
  };
  const capped = (count: number): number => Math.max(0, Math.trunc(count));

  return storeOf<TicketStore>(database, {
    *findOpenByThread(thread) {
      return (yield* read.open.get({ threadId: thread })) ?? null;
    },
    *findLatestByThread(thread) {
      return (yield* read.latest.get({ threadId: thread })) ?? null;
    },
    listByThread: (thread) => read.ofThread.all({ threadId: thread }),
    create,
    *get(id) {
      return (yield* read.ticket.get({ ticketId: id })) ?? null;
    },
    setStatus: (id, status, owner) => database.transaction(() => setStatus(id, status, owner, nowIso())),
    addMessage,
    *listMessages(id, count) {
      return (yield* read.messages.all({ ticketId: id, limit: capped(count) })).reverse();
    },
    *listThreadMessages(thread, count, heardBy) {
      const values = { threadId: thread, limit: capped(count), audience: heardBy ?? null };
      return (yield* read.threadMessages.all(values)).reverse();
    },
    // Reports and the queue's order: nobody is told of them, and what was said and decided is kept beside them.
    *saveClassification(id, classification) {
      const row = { ...classification, ticketId: id, updatedAt: nowIso() };
      yield* database.unsynced(() => write.classification(row));
    },
    *getClassification(id) {
      return (yield* read.classification.get({ ticketId: id })) ?? null;
    },
    *saveTurn({ usage, ...turn }) {
      yield* database.unsynced(() => write.turn({ ...turn, ...usage }));
    },
    *listTurns(id) {
      return (yield* read.turns.all({ ticketId: id })).map(toTurn);
    },
    escalate,
    *closeEscalations(id, reason) {
      yield* write.closeEscalationsFor.run(nowIso(), id, reason);
    },
    merge: (id, into) => database.transaction(() => merge(id, into)),
    listEscalations: (id) => read.escalations.all({ ticketId: id }),
    queue: (filter) => queue({ ...filter, limit: capped(filter.limit) }),
  });
}

import { and, asc, desc, eq, getTableColumns, ne, sql } from 'drizzle-orm';
import type {
  Classification,
  Escalation,
  EscalationRecord,
  MessageExtras,
  MessageRole,
  Ticket,
  TicketMessage,
} from '../../src/core/domain/ticket.js';
import { HubError } from '../../src/core/errors.js';
import type { Clock } from '../../src/core/ports/clock.js';
import type { Ids } from '../../src/core/ports/ids.js';
import type { NewTicket, TicketStore, TurnRecord } from '../../src/core/ports/ticket-store.js';
import type { DatabaseHandle } from '../open-database.js';
import { preparedOnUse, prepareInsert, prepareUpsert, unsynced } from '../statements.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { createFileBinding } from './file-store.js';
import { escalations, ticketMessages, ticketMetadata, tickets, ticketTurns } from './schema.js';
import { prepareQueue } from './ticket-queue.js';

const { seq: _ticketSeq, ...ticketColumns } = getTableColumns(tickets);
const { seq: _messageSeq, ...messageColumns } = getTableColumns(ticketMessages);
const { seq: _escalationSeq, resolvedAt: _resolvedAt, ...escalationColumns } = getTableColumns(escalations);
const {
  ticketId: _ticketId,
  updatedAt: _updatedAt,
  ...classificationColumns
} = getTableColumns(ticketMetadata);

const ticketId = sql.placeholder('ticketId');
const threadId = sql.placeholder('threadId');
const limit = sql.placeholder('limit');
const audience = sql.placeholder('audience');

function prepareReads({ orm }: DatabaseHandle) {
  const ticketsOf = () => orm.select(ticketColumns).from(tickets);
  const ofThread = eq(tickets.threadId, threadId);
  return {
    ticket: ticketsOf().where(eq(tickets.ticketId, ticketId)).prepare(),
    open: ticketsOf()
      .where(and(ofThread, ne(tickets.status, 'resolved')))
      .orderBy(desc(tickets.seq))
      .limit(1)
      .prepare(),
    ofThread: ticketsOf().where(ofThread).orderBy(asc(tickets.seq)).prepare(),
    latest: ticketsOf().where(ofThread).orderBy(desc(tickets.seq)).limit(1).prepare(),
    messages: orm
      .select(messageColumns)
      .from(ticketMessages)
      .where(eq(ticketMessages.ticketId, ticketId))
      .orderBy(desc(ticketMessages.seq))
      .limit(limit)
      .prepare(),
    sent: orm
      .select(messageColumns)
      .from(ticketMessages)
      .innerJoin(tickets, eq(tickets.ticketId, ticketMessages.ticketId))
      .where(
        sql`${tickets.threadId} = (SELECT thread_id FROM tickets WHERE ticket_id = ${ticketId})
          AND ${ticketMessages.clientMessageId} = ${sql.placeholder('clientMessageId')}`,
      )
      .limit(1)
      .prepare(),
    threadMessages: orm
      .select(messageColumns)
      .from(ticketMessages)
      .innerJoin(tickets, eq(tickets.ticketId, ticketMessages.ticketId))
      .where(and(ofThread, sql`(${audience} IS NULL OR ${ticketMessages.audience} = ${audience})`))
      .orderBy(desc(ticketMessages.seq))
      .limit(limit)
      .prepare(),
    classification: orm
      .select(classificationColumns)
      .from(ticketMetadata)
      .where(eq(ticketMetadata.ticketId, ticketId))
      .prepare(),
    turns: orm
      .select()
      .from(ticketTurns)
      .where(eq(ticketTurns.ticketId, ticketId))
      .orderBy(asc(ticketTurns.seq))
      .prepare(),
    escalations: orm
      .select(escalationColumns)
      .from(escalations)
      .where(eq(escalations.ticketId, ticketId))
      .orderBy(asc(escalations.seq))
      .prepare(),
  };
}

function prepareWrites({ orm, sqlite }: DatabaseHandle) {
  return {
    ticket: prepareInsert(orm, tickets, { omit: ['seq'] }),
    message: prepareInsert(orm, ticketMessages, { omit: ['seq'] }),
    turn: prepareInsert(orm, ticketTurns, { omit: ['seq'], onConflict: 'ignore' }),
    escalation: prepareInsert(orm, escalations, { omit: ['seq'] }),
    classification: prepareUpsert(orm, ticketMetadata, ticketMetadata.ticketId),
    status: sqlite.prepare<Record<string, string>>(
      `UPDATE tickets SET status = @status, owner = @owner, updated_at = @at,
         resolved_at = CASE @status WHEN 'resolved' THEN @at END,
         operator_id = CASE @owner WHEN 'operator' THEN operator_id END,
         operator_name = CASE @owner WHEN 'operator' THEN operator_name END,
         claimed_at = CASE @owner WHEN 'operator' THEN claimed_at END
       WHERE ticket_id = @id AND NOT (@owner = 'hub' AND operator_id IS NOT NULL)`,
    ),
    touch: sqlite.prepare<[string, string]>('UPDATE tickets SET updated_at = ? WHERE ticket_id = ?'),
    touchThread: sqlite.prepare<[string, string]>(
      'UPDATE threads SET updated_at = ? WHERE thread_id = (SELECT thread_id FROM tickets WHERE ticket_id = ?)',
    ),
    claim: sqlite
      .prepare<[string], number>(
        'SELECT claim FROM threads WHERE thread_id = (SELECT thread_id FROM tickets WHERE ticket_id = ?)',
      )
      .pluck(),
    moveMessages: sqlite.prepare<[string, string]>(
      'UPDATE ticket_messages SET ticket_id = ? WHERE ticket_id = ?',
    ),
    moveTurns: sqlite.prepare<[string, string]>('UPDATE ticket_turns SET ticket_id = ? WHERE ticket_id = ?'),
    closeEscalationsFor: sqlite.prepare<[string, string, string]>(
      `UPDATE escalations SET status = 'resolved', resolved_at = ? WHERE ticket_id = ? AND reason = ? AND status = 'open'`,
    ),
    closeEscalations: sqlite.prepare<[string, string]>(
      `UPDATE escalations SET status = 'resolved', resolved_at = ? WHERE ticket_id = ? AND status = 'open'`,
    ),
  };
}

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

/** Tickets and all that hangs on them, in udahub.db. */
export function createTicketStore(handle: DatabaseHandle, clock: Clock, ids: Ids): TicketStore {
  const read = preparedOnUse(() => prepareReads(handle));
  const write = preparedOnUse(() => prepareWrites(handle));
  const queue = preparedOnUse(() => prepareQueue(handle));
  const bindFiles = createFileBinding(handle);
  const nowIso = (): string => clock.now().toISOString();
  const atomically = <T>(work: () => T): T => handle.sqlite.transaction(work).immediate();

  const setStatus = (id: string, status: Ticket['status'], owner: Ticket['owner'], at: string): void => {
    const { changes } = write.status.run({ status, owner, at, id });
    if (changes === 0) {
      if (read.ticket.get({ ticketId: id }) !== undefined) return;
      throw new HubError('not_found', 'There is no such ticket.', { ticketId: id });
    }
    // Answered, or back with the hub: nobody waits for an operator any more.
    if (status === 'resolved' || owner === 'hub') write.closeEscalations.run(at, id);
  };
  const create = ({ customerId, threadId: thread, channel }: NewTicket): Ticket => {
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
    write.ticket(ticket);
    return ticket;
  };
  const addMessage = (
    id: string,
    role: MessageRole,
    content: string,
    extras: MessageExtras = {},
  ): TicketMessage => {
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
    } satisfies TicketMessage;
    return atomically((): TicketMessage => {
      const { claim, clientMessageId } = extras;
      // Read in the transaction that writes: nobody can take over in between.
      if (claim !== undefined && (write.claim.get(id) ?? claim) !== claim) {
        throw new HubError('taken_over', 'A person has taken this conversation over.', { ticketId: id });
      }
      const sent =
        clientMessageId === undefined ? undefined : read.sent.get({ ticketId: id, clientMessageId });
      if (sent) return sent;
      write.message(message);
      bindFiles.stored(id, message.messageId, message.files);
      write.touch.run(message.createdAt, id);
      write.touchThread.run(message.createdAt, id);
      return message;
    });
  };
  const escalate = (id: string, escalation: Escalation): EscalationRecord => {
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
    atomically(() => {
      setStatus(id, 'waiting_operator', 'operator', at);
      write.escalation(record);
    });
    return record;
  };
  const merge = (id: string, into: string): void => {
    const at = nowIso();
    write.moveMessages.run(into, id);
    write.moveTurns.run(into, id);
    write.touch.run(at, into);
    setStatus(id, 'resolved', 'hub', at);
  };
  // Reports and the queue's order: nobody is told of them, and what was said and decided is kept beside them.
  const saveTurn = ({ usage, ...turn }: TurnRecord): void =>
    unsynced(handle.sqlite, () => void write.turn({ ...turn, ...usage }));
  const saveClassification = (id: string, value: Classification): void =>
    unsynced(handle.sqlite, () => write.classification({ ...value, ticketId: id, updatedAt: nowIso() }));
  const capped = (count: number): number => Math.max(0, Math.trunc(count));

  return withTranslatedErrors<TicketStore>(handle, {
    findOpenByThread: async (thread) => read.open.get({ threadId: thread }) ?? null,
    findLatestByThread: async (thread) => read.latest.get({ threadId: thread }) ?? null,
    listByThread: async (thread) => read.ofThread.all({ threadId: thread }),
    create: async (ticket) => create(ticket),
    get: async (id) => read.ticket.get({ ticketId: id }) ?? null,
    setStatus: async (id, status, owner) => atomically(() => setStatus(id, status, owner, nowIso())),
    addMessage: async (id, role, content, extras) => addMessage(id, role, content, extras),
    listMessages: async (id, count) => read.messages.all({ ticketId: id, limit: capped(count) }).reverse(),
    listThreadMessages: async (thread, count, heardBy) =>
      read.threadMessages
        .all({ threadId: thread, limit: capped(count), audience: heardBy ?? null })
        .reverse(),
    saveClassification: async (id, classification) => saveClassification(id, classification),
    getClassification: async (id) => read.classification.get({ ticketId: id }) ?? null,
    saveTurn: async (turn) => saveTurn(turn),
    listTurns: async (id) => read.turns.all({ ticketId: id }).map(toTurn),
    escalate: async (id, escalation) => escalate(id, escalation),
    closeEscalations: async (id, reason) => void write.closeEscalationsFor.run(nowIso(), id, reason),
    merge: async (id, into) => atomically(() => merge(id, into)),
    listEscalations: async (id) => read.escalations.all({ ticketId: id }),
    queue: async (filter) => queue({ ...filter, limit: capped(filter.limit) }),
  });
}

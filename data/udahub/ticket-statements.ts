import { and, asc, desc, eq, getTableColumns, ne, sql } from 'drizzle-orm';
import type { Database, Work } from '../database.js';
import { insertInto, upsertInto, whereGiven } from '../statements.js';
import { escalations, ticketMessages, ticketMetadata, tickets, ticketTurns } from './schema.js';
import { prepareTicketIndex } from './search-index.js';

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

/** Reads tickets and all that hangs on them. */
export function prepareReads(database: Database) {
  const ofThread = eq(tickets.threadId, threadId);
  return {
    ticket: database.query((orm) =>
      orm.select(ticketColumns).from(tickets).where(eq(tickets.ticketId, ticketId)),
    ),
    open: database.query((orm) =>
      orm
        .select(ticketColumns)
        .from(tickets)
        .where(and(ofThread, ne(tickets.status, 'resolved')))
        .orderBy(desc(tickets.seq))
        .limit(1),
    ),
    ofThread: database.query((orm) =>
      orm.select(ticketColumns).from(tickets).where(ofThread).orderBy(asc(tickets.seq)),
    ),
    latest: database.query((orm) =>
      orm.select(ticketColumns).from(tickets).where(ofThread).orderBy(desc(tickets.seq)).limit(1),
    ),
    messages: database.query((orm) =>
      orm
        .select(messageColumns)
        .from(ticketMessages)
        .where(eq(ticketMessages.ticketId, ticketId))
        .orderBy(desc(ticketMessages.seq))
        .limit(limit),
    ),
    sent: database.query((orm) =>
      orm
        .select(messageColumns)
        .from(ticketMessages)
        .innerJoin(tickets, eq(tickets.ticketId, ticketMessages.ticketId))
        .where(
          sql`${tickets.threadId} = (SELECT thread_id FROM tickets WHERE ticket_id = ${ticketId})
          AND ${ticketMessages.clientMessageId} = ${sql.placeholder('clientMessageId')}`,
        )
        .limit(1),
    ),
    threadMessages: database.query((orm) =>
      orm
        .select(messageColumns)
        .from(ticketMessages)
        .innerJoin(tickets, eq(tickets.ticketId, ticketMessages.ticketId))
        .where(and(ofThread, whereGiven(ticketMessages.audience, 'audience')))
        .orderBy(desc(ticketMessages.seq))
        .limit(limit),
    ),
    classification: database.query((orm) =>
      orm.select(classificationColumns).from(ticketMetadata).where(eq(ticketMetadata.ticketId, ticketId)),
    ),
    turns: database.query((orm) =>
      orm.select().from(ticketTurns).where(eq(ticketTurns.ticketId, ticketId)).orderBy(asc(ticketTurns.seq)),
    ),
    escalations: database.query((orm) =>
      orm
        .select(escalationColumns)
        .from(escalations)
        .where(eq(escalations.ticketId, ticketId))
        .orderBy(asc(escalations.seq)),
    ),
  };
}

/** Writes them. */
export function prepareWrites(database: Database) {
  const index = prepareTicketIndex(database);
  const insertMessage = insertInto(database, ticketMessages, { omit: ['seq'] });
  const putMetadata = upsertInto(database, ticketMetadata, ticketMetadata.ticketId);
  return {
    ticket: insertInto(database, tickets, { omit: ['seq'] }),
    *message(message: typeof ticketMessages.$inferInsert): Work<void> {
      yield* insertMessage(message);
      yield* index.message(message.messageId, message.content);
    },
    turn: insertInto(database, ticketTurns, { omit: ['seq'], onConflict: 'ignore' }),
    escalation: insertInto(database, escalations, { omit: ['seq'] }),
    *classification(metadata: typeof ticketMetadata.$inferInsert): Work<void> {
      yield* putMetadata(metadata);
      yield* index.summary(metadata.ticketId, metadata.summary);
    },
    status: database.prepare<Record<string, string>>(
      `UPDATE tickets SET status = @status, owner = @owner, updated_at = @at,
         resolved_at = CASE @status WHEN 'resolved' THEN @at END,
         operator_id = CASE @owner WHEN 'operator' THEN operator_id END,
         operator_name = CASE @owner WHEN 'operator' THEN operator_name END,
         claimed_at = CASE @owner WHEN 'operator' THEN claimed_at END
       WHERE ticket_id = @id AND NOT (@owner = 'hub' AND operator_id IS NOT NULL)`,
    ),
    touch: database.prepare<[string, string]>('UPDATE tickets SET updated_at = ? WHERE ticket_id = ?'),
    touchThread: database.prepare<[string, string]>(
      'UPDATE threads SET updated_at = ? WHERE thread_id = (SELECT thread_id FROM tickets WHERE ticket_id = ?)',
    ),
    claim: database
      .prepare<[string], number>(
        'SELECT claim FROM threads WHERE thread_id = (SELECT thread_id FROM tickets WHERE ticket_id = ?)',
      )
      .pluck(),
    moveMessages: database.prepare<[string, string]>(
      'UPDATE ticket_messages SET ticket_id = ? WHERE ticket_id = ?',
    ),
    moveTurns: database.prepare<[string, string]>(
      'UPDATE ticket_turns SET ticket_id = ? WHERE ticket_id = ?',
    ),
    // What is waited for goes along, where nothing is there.
    moveEscalations: database.prepare<Record<string, string>>(
      `UPDATE escalations SET ticket_id = @into WHERE ticket_id = @id AND status = 'open'
       AND NOT EXISTS (SELECT 1 FROM escalations e WHERE e.ticket_id = @into AND e.status = 'open')`,
    ),
    mergedInto: database.prepare<[string, string]>(
      `INSERT INTO ticket_desk (ticket_id, merged_into) VALUES (?, ?)
       ON CONFLICT (ticket_id) DO UPDATE SET merged_into = excluded.merged_into`,
    ),
    closeEscalationsFor: database.prepare<[string, string, string]>(
      `UPDATE escalations SET status = 'resolved', resolved_at = ? WHERE ticket_id = ? AND reason = ? AND status = 'open'`,
    ),
    closeEscalations: database.prepare<[string, string]>(
      `UPDATE escalations SET status = 'resolved', resolved_at = ? WHERE ticket_id = ? AND status = 'open'`,
    ),
  };
}

import { and, asc, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { PRIORITIES } from '../../src/core/domain/taxonomy.js';
import type { QueueEntry, TicketFilter } from '../../src/core/ports/ticket-store.js';
import { fold } from '../../src/core/text.js';
import type { Database, Work } from '../database.js';
import { preparedOnUse, whereGiven } from '../statements.js';
import { escalations, ticketMetadata, tickets } from './schema.js';

const { seq: _ticketSeq, ...ticketColumns } = getTableColumns(tickets);
const { seq: _escalationSeq, resolvedAt: _resolvedAt, ...escalationColumns } = getTableColumns(escalations);

/** More words than anybody looks for; each is looked for in every message of every ticket that is left. */
const MAX_WORDS = 8;

/** Position in PRIORITIES, so that the order is written in one place only; a ticket without triage comes last. */
const pressing = sql.raw(
  `CASE ticket_metadata.priority ${PRIORITIES.map((priority, rank) => `WHEN '${priority}' THEN ${rank}`).join(' ')} ELSE -1 END`,
);

/** Every word is in the ticket's id, its summary or one of its messages. */
const hasEveryWord = sql`NOT EXISTS (
  SELECT 1 FROM json_each(${sql.placeholder('words')}) AS word WHERE
    instr(folded(tickets.ticket_id), word.value) = 0
    AND instr(folded(coalesce(ticket_metadata.summary, '')), word.value) = 0
    AND NOT EXISTS (
      SELECT 1 FROM ticket_messages AS said
      WHERE said.ticket_id = tickets.ticket_id AND instr(folded(said.content), word.value) > 0))`;

const conditions: SQL[] = [
  whereGiven(tickets.owner, 'owner'),
  whereGiven(tickets.status, 'status'),
  whereGiven(tickets.customerId, 'customerId'),
  sql`(CAST(${sql.placeholder('anyOperator')} AS INTEGER) = 1
    OR ${tickets.operatorId} IS NOT DISTINCT FROM CAST(${sql.placeholder('operatorId')} AS TEXT))`,
  sql`(CAST(${sql.placeholder('resolved')} AS INTEGER) IS NULL
    OR CASE ${tickets.status} WHEN 'resolved' THEN 1 ELSE 0 END = ${sql.placeholder('resolved')})`,
];

/** Prepares the operator's queue: most pressing first, then the oldest; or the newest first. */
export function prepareQueue(database: Database): (filter: TicketFilter) => Work<readonly QueueEntry[]> {
  const newestEscalation = sql`(SELECT max(e.seq) FROM escalations e WHERE e.ticket_id = ${tickets.ticketId})`;
  const select = (searching: boolean, order: SQL[]) =>
    database.query((orm) =>
      orm
        .select({
          ticket: ticketColumns,
          metadata: getTableColumns(ticketMetadata),
          escalation: escalationColumns,
        })
        .from(tickets)
        .leftJoin(ticketMetadata, eq(ticketMetadata.ticketId, tickets.ticketId))
        .leftJoin(
          escalations,
          and(eq(escalations.ticketId, tickets.ticketId), sql`${escalations.seq} = ${newestEscalation}`),
        )
        .where(and(...conditions, ...(searching ? [hasEveryWord] : [])))
        .orderBy(...order)
        .limit(sql.placeholder('limit')),
    );
  const byPressure = [sql`${pressing} DESC`, asc(tickets.createdAt), asc(tickets.seq)];
  const byAge = [desc(tickets.updatedAt), desc(tickets.seq)];
  const prepared = (order: SQL[]) => ({
    all: preparedOnUse(() => ({ statement: select(false, order) })),
    found: preparedOnUse(() => ({ statement: select(true, order) })),
  });
  const statements = { pressing: prepared(byPressure), newest: prepared(byAge) };
  return function* (filter) {
    const words = wordsOf(filter.text ?? '');
    const { all, found } = filter.newestFirst ? statements.newest : statements.pressing;
    const rows = yield* (words.length === 0 ? all : found).statement.all({
      owner: filter.owner ?? null,
      status: filter.status ?? null,
      customerId: filter.customerId ?? null,
      anyOperator: filter.operatorId === undefined ? 1 : 0,
      operatorId: filter.operatorId ?? null,
      resolved: filter.resolved === undefined ? null : Number(filter.resolved),
      words: JSON.stringify(words),
      limit: filter.limit,
    });
    return rows.map(({ ticket, metadata, escalation }) => {
      if (metadata === null) return { ticket, classification: null, escalation };
      const { ticketId: _ticketId, updatedAt: _updatedAt, ...classification } = metadata;
      return { ticket, classification, escalation };
    });
  };
}

function wordsOf(text: string): readonly string[] {
  return fold(text).split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
}

import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { PRIORITIES } from '../../src/core/domain/taxonomy.js';
import type { QueueEntry, TicketFilter } from '../../src/core/ports/ticket-store.js';
import type { DatabaseHandle } from '../open-database.js';
import { escalations, ticketMetadata, tickets } from './schema.js';

const { seq: _ticketSeq, ...ticketColumns } = getTableColumns(tickets);
const { seq: _escalationSeq, resolvedAt: _resolvedAt, ...escalationColumns } = getTableColumns(escalations);

/** Position in PRIORITIES, so that the order is written in one place only; a ticket without triage comes last. */
const pressing = sql.raw(
  `CASE ticket_metadata.priority ${PRIORITIES.map((priority, rank) => `WHEN '${priority}' THEN ${rank}`).join(' ')} ELSE -1 END`,
);

/** Prepares the operator's queue: most pressing first, then the oldest. */
export function prepareQueue({ orm }: DatabaseHandle): (filter: TicketFilter) => readonly QueueEntry[] {
  const newestEscalation = sql`(SELECT max(e.seq) FROM escalations e WHERE e.ticket_id = ${tickets.ticketId})`;
  const owner = sql.placeholder('owner');
  const status = sql.placeholder('status');
  const statement = orm
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
    .where(
      sql`(${owner} IS NULL OR ${tickets.owner} = ${owner}) AND (${status} IS NULL OR ${tickets.status} = ${status})`,
    )
    .orderBy(sql`${pressing} DESC`, asc(tickets.createdAt), asc(tickets.seq))
    .limit(sql.placeholder('limit'))
    .prepare();
  return (filter) =>
    statement
      .all({ owner: filter.owner ?? null, status: filter.status ?? null, limit: filter.limit })
      .map(({ ticket, metadata, escalation }) => {
        if (metadata === null) return { ticket, classification: null, escalation };
        const { ticketId: _ticketId, updatedAt: _updatedAt, ...classification } = metadata;
        return { ticket, classification, escalation };
      });
}

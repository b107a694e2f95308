import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { CustomerTicket } from '../../src/core/domain/ticket.js';
import type {
  DeskCounts,
  DeskTicketQuery,
  DeskTicketRow,
  DeskView,
  WaitingClaim,
} from '../../src/core/ports/desk-queries.js';
import { DESK_VIEWS } from '../../src/core/ports/desk-queries.js';
import type { Database, Statement, Work } from '../database.js';
import { type Names, narrowed, prepareDeskFacets, SEEN, SORTS, UNREAD, VIEWS } from './desk-facets.js';
import { ASKS } from './desk-figures.js';
import { escalations, ticketDesk, ticketMessages, ticketMetadata, tickets } from './schema.js';
import { prepareTicketSearch } from './search-index.js';

const { seq: _ticketSeq, ...ticketColumns } = getTableColumns(tickets);
const { seq: _escalationSeq, resolvedAt: _resolvedAt, ...escalationColumns } = getTableColumns(escalations);
const { seq: _messageSeq, ...messageColumns } = getTableColumns(ticketMessages);

/** Prepares the lists of the desk. */
export function prepareDeskTickets(database: Database) {
  const search = prepareTicketSearch(database);
  const rowOf = prepareRow(database);
  const statements = new Map<string, Statement<[Names], number>>();
  const pick = (text: string): Statement<[Names], number> => {
    const known = statements.get(text);
    if (known) return known;
    const statement = database.prepare<[Names], number>(text).pluck();
    statements.set(text, statement);
    return statement;
  };

  function* where(query: Omit<DeskTicketQuery, 'limit'>, now: string) {
    const { text, customerIds = [] } = query;
    return narrowed(query, text === undefined ? null : yield* search(text, customerIds), now);
  }
  function* list(query: DeskTicketQuery, now: string): Work<readonly DeskTicketRow[]> {
    const { view, sort, limit, offset = 0 } = query;
    const { text, names } = yield* where(query, now);
    const order = sort === undefined ? VIEWS[view].order : SORTS[sort];
    const seqs = yield* pick(`SELECT t.seq ${text} ORDER BY ${order} LIMIT @limit OFFSET @offset`).all({
      ...names,
      limit: Math.max(0, Math.trunc(limit)),
      offset: Math.max(0, Math.trunc(offset)),
    });
    const rows: DeskTicketRow[] = [];
    for (const seq of seqs) rows.push(...(yield* rowOf(seq, now)));
    return rows;
  }
  function* total(query: DeskTicketQuery, now: string): Work<number> {
    const { text, names } = yield* where(query, now);
    return (yield* pick(`SELECT count(*) ${text}`).get(names)) ?? 0;
  }
  const seqOf = database.prepare<[string], number>('SELECT seq FROM tickets WHERE ticket_id = ?').pluck();
  function* one(ticketId: string, now: string): Work<DeskTicketRow | null> {
    const seq = yield* seqOf.get(ticketId);
    return seq === undefined ? null : ((yield* rowOf(seq, now))[0] ?? null);
  }
  const byCustomer = database.query((orm) =>
    orm
      .select({ ...ticketColumns, issueType: ticketMetadata.issueType, summary: ticketMetadata.summary })
      .from(tickets)
      .leftJoin(ticketMetadata, eq(ticketMetadata.ticketId, tickets.ticketId))
      .where(eq(tickets.customerId, sql.placeholder('customerId')))
      .orderBy(desc(tickets.seq))
      .limit(sql.placeholder('limit')),
  );
  const asked = prepareAsked(database);
  function* ofCustomer(customerId: string, limit: number, now: string): Work<readonly CustomerTicket[]> {
    const found: CustomerTicket[] = [];
    for (const row of yield* byCustomer.all({ customerId, limit: Math.max(0, Math.trunc(limit)) }))
      found.push({ ...row, approvals: (yield* asked.get(row.ticketId, now))?.open ?? 0 });
    return found;
  }
  return {
    list,
    total,
    one,
    ofCustomer,
    facets: prepareDeskFacets(database, search),
    counts: prepareCounts(database),
    claims: prepareClaims(database),
  };
}

const COUNTED = DESK_VIEWS.filter((view) => view !== 'all');

interface Counter {
  readonly now: string;
  readonly operatorId?: string | undefined;
  readonly operatorName?: string | undefined;
}

function prepareCounts(database: Database): (counter: Counter) => Work<DeskCounts> {
  const count = (view: DeskView): string => `(SELECT count(*) FROM tickets t WHERE ${VIEWS[view].where})`;
  const statement = database.prepare<[Names], DeskCounts>(
    `SELECT ${COUNTED.map((view) => `${count(view)} AS ${view}`).join(', ')},
       (SELECT count(*) FROM tickets t WHERE ${VIEWS.mine.where} AND ${UNREAD}) AS unread`,
  );
  const none = Object.fromEntries([...COUNTED, 'unread'].map((name) => [name, 0])) as unknown as DeskCounts;
  return function* ({ now, operatorId = null, operatorName = null }) {
    return (yield* statement.get({ operatorId, operatorName, now })) ?? none;
  };
}

/** Claimed tickets whose customers wait while their operators are silent. */
function prepareClaims(database: Database): (before: string) => Work<readonly WaitingClaim[]> {
  interface ClaimRow {
    readonly ticketId: string;
    readonly threadId: string;
    readonly operatorId: string;
    readonly name: string;
    readonly claimedAt: string;
    readonly heard: string;
  }
  const claimed = database.prepare<[string], ClaimRow>(
    `SELECT * FROM (
       SELECT t.ticket_id AS ticketId, t.thread_id AS threadId, t.operator_id AS operatorId,
         coalesce(t.operator_name, t.operator_id) AS name, t.claimed_at AS claimedAt,
         max(max(t.claimed_at,
           coalesce((SELECT max(m.created_at) FROM ticket_messages m
             WHERE m.ticket_id = t.ticket_id AND m.role = 'operator'), '')),
           coalesce((SELECT p.seen_at FROM operator_presence p
             WHERE p.operator_id = t.operator_id AND p.ticket_id = t.ticket_id), '')) AS heard
       FROM tickets t WHERE t.operator_id IS NOT NULL AND t.status <> 'resolved'
     ) claimed WHERE heard < ?`,
  );
  const unanswered = prepareUnanswered(database);
  return function* (before) {
    const waiting: WaitingClaim[] = [];
    for (const row of yield* claimed.all(before)) {
      const since = yield* unanswered(row);
      if (since === null) continue;
      const { ticketId, threadId, operatorId, name, heard } = row;
      const silentSince = since > heard ? since : heard;
      waiting.push({ ticketId, threadId, holder: { operatorId, name }, silentSince });
    }
    return waiting;
  };
}

/** The open approvals of a ticket, and since when the first one waits. */
const prepareAsked = (database: Database) =>
  database.prepare<[string, string], { open: number; since: string | null }>(
    `SELECT count(*) AS open, min(created_at) AS since FROM approvals
     WHERE ticket_id = ? AND kind = 'approval' AND status = 'pending' AND expires_at > ?`,
  );

/** A ticket with all that hangs on it, by its number. */
function prepareRow(database: Database): (seq: number, now: string) => Work<readonly DeskTicketRow[]> {
  const bySeq = database.query((orm) =>
    orm
      .select({ ticket: ticketColumns, metadata: getTableColumns(ticketMetadata) })
      .from(tickets)
      .leftJoin(ticketMetadata, eq(ticketMetadata.ticketId, tickets.ticketId))
      .where(eq(tickets.seq, sql.placeholder('seq'))),
  );
  const ticketId = sql.placeholder('ticketId');
  const escalation = database.query((orm) =>
    orm
      .select(escalationColumns)
      .from(escalations)
      .where(eq(escalations.ticketId, ticketId))
      .orderBy(desc(escalations.seq))
      .limit(1),
  );
  const lastMessage = database.query((orm) =>
    orm
      .select(messageColumns)
      .from(ticketMessages)
      .where(and(eq(ticketMessages.ticketId, ticketId), eq(ticketMessages.audience, 'customer')))
      .orderBy(desc(ticketMessages.seq))
      .limit(1),
  );
  const approvals = prepareAsked(database);
  const newest = database.prepare<[string], { status: string; at: string | null }>(
    `SELECT status, decided_at AS at FROM approvals
     WHERE ticket_id = ? AND kind = 'approval' ORDER BY seq DESC LIMIT 1`,
  );
  const unanswered = prepareUnanswered(database);
  const customerMessage = database.prepare<[string], { content: string; createdAt: string }>(
    `SELECT content, created_at AS createdAt FROM ticket_messages
     WHERE ticket_id = ? AND role = 'customer' ORDER BY seq DESC LIMIT 1`,
  );
  const unread = database
    .prepare<[number], number>(
      `SELECT count(*) FROM tickets t JOIN ticket_messages u ON u.ticket_id = t.ticket_id
       WHERE t.seq = ? AND u.role = 'customer' AND u.created_at > ${SEEN}`,
    )
    .pluck();
  const asking = database
    .prepare<[number], number>(
      `SELECT count(*) FROM tickets t JOIN ticket_messages u ON u.ticket_id = t.ticket_id
       WHERE t.seq = ? AND u.role = 'customer' AND u.${ASKS} AND u.created_at > ${SEEN}`,
    )
    .pluck();
  const kept = database.query((orm) =>
    orm.select().from(ticketDesk).where(eq(ticketDesk.ticketId, ticketId)),
  );
  return function* (seq, now) {
    const [row] = yield* bySeq.all({ seq });
    if (row === undefined) return [];
    const { ticket, metadata } = row;
    const { ticketId: id } = ticket;
    const { ticketId: _ticketId, updatedAt: _updatedAt, ...classification } = metadata ?? {};
    const desk = yield* kept.get({ ticketId: id });
    const until = desk?.snoozedUntil ?? '';
    const news =
      ticket.owner === 'operator' && ticket.status !== 'resolved' ? ((yield* unread.get(seq)) ?? 0) : 0;
    const asked = (yield* approvals.get(id, now)) ?? { open: 0, since: null };
    const last = yield* newest.get(id);
    const waits =
      ticket.owner === 'operator' && ticket.status !== 'resolved' ? yield* unanswered(ticket) : null;
    const [waitingSince = null] = [waits, asked.since].filter((at) => at !== null).sort();
    const view: DeskTicketRow = {
      ticket,
      classification:
        metadata === null ? null : (classification as NonNullable<DeskTicketRow['classification']>),
      escalation: (yield* escalation.get({ ticketId: id })) ?? null,
      lastMessage: (yield* lastMessage.get({ ticketId: id })) ?? null,
      customerMessage: (yield* customerMessage.get(id)) ?? null,
      unread: news,
      tags: desk?.tags ?? [],
      team: desk?.team ?? null,
      mergedInto: desk?.mergedInto ?? null,
      snoozedUntil: until > now && (news === 0 || (yield* asking.get(seq)) === 0) ? until : null,
      approvals: asked.open,
      withdrawnAt: last?.status === 'withdrawn' ? last.at : null,
      waitingSince,
    };
    return [view];
  };
}

/**
 * Since when a ticket of the operators waits for an answer: since it was escalated, or, once an operator has answered,
 * done something or taken it, since the customer's first message after that which asks for something.
 */
function prepareUnanswered(database: Database) {
  const escalatedAt = database
    .prepare<[string], string | null>(
      `SELECT min(created_at) FROM escalations WHERE ticket_id = ? AND status = 'open'`,
    )
    .pluck();
  const lastReply = database
    .prepare<[string], string>(
      `SELECT created_at FROM ticket_messages
       WHERE ticket_id = ? AND (role = 'operator' OR counts_as = 'answer') AND audience = 'customer'
       ORDER BY seq DESC LIMIT 1`,
    )
    .pluck();
  const firstAfter = database
    .prepare<[string, string], string | null>(
      `SELECT min(created_at) FROM ticket_messages
       WHERE ticket_id = ? AND role = 'customer' AND ${ASKS} AND created_at > ?`,
    )
    .pluck();
  return function* (ticket: {
    readonly ticketId: string;
    readonly claimedAt: string | null;
  }): Work<string | null> {
    const since = (yield* escalatedAt.get(ticket.ticketId)) ?? null;
    const replied = (yield* lastReply.get(ticket.ticketId)) ?? null;
    if (since !== null && (replied === null || replied < since)) return since;
    const after = replied ?? ticket.claimedAt;
    return after === null ? null : ((yield* firstAfter.get(ticket.ticketId, after)) ?? null);
  };
}

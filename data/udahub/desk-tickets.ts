import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Ticket } from '../../src/core/domain/ticket.js';
import type {
  DeskCounts,
  DeskTicketQuery,
  DeskTicketRow,
  DeskView,
  WaitingClaim,
} from '../../src/core/ports/desk-queries.js';
import { DESK_VIEWS } from '../../src/core/ports/desk-queries.js';
import type { DatabaseHandle } from '../open-database.js';
import { type Names, narrowed, prepareDeskFacets, SEEN, SORTS, UNREAD, VIEWS } from './desk-facets.js';
import { prepareTicketSearch } from './full-text.js';
import { escalations, ticketDesk, ticketMessages, ticketMetadata, tickets } from './schema.js';

const { seq: _ticketSeq, ...ticketColumns } = getTableColumns(tickets);
const { seq: _escalationSeq, resolvedAt: _resolvedAt, ...escalationColumns } = getTableColumns(escalations);
const { seq: _messageSeq, ...messageColumns } = getTableColumns(ticketMessages);

/** Prepares the lists of the desk. */
export function prepareDeskTickets(handle: DatabaseHandle) {
  const search = prepareTicketSearch(handle);
  const rowOf = prepareRow(handle);
  const statements = new Map<string, (names: Names) => readonly number[]>();
  const pick = (text: string): ((names: Names) => readonly number[]) => {
    const known = statements.get(text);
    if (known) return known;
    const statement = handle.sqlite.prepare<[Names], number>(text).pluck();
    const run = (names: Names): readonly number[] => statement.all(names);
    statements.set(text, run);
    return run;
  };

  const where = (query: Omit<DeskTicketQuery, 'limit'>, now: string) => {
    const { text, customerIds = [] } = query;
    return narrowed(query, text === undefined ? null : search(text, customerIds), now);
  };
  const list = (query: DeskTicketQuery, now: string): readonly DeskTicketRow[] => {
    const { view, sort, limit, offset = 0 } = query;
    const { text, names } = where(query, now);
    const order = sort === undefined ? VIEWS[view].order : SORTS[sort];
    const seqs = pick(`SELECT t.seq ${text} ORDER BY ${order} LIMIT @limit OFFSET @offset`)({
      ...names,
      limit: Math.max(0, Math.trunc(limit)),
      offset: Math.max(0, Math.trunc(offset)),
    });
    return seqs.flatMap((seq) => rowOf(seq, now) ?? []);
  };
  const total = (query: DeskTicketQuery, now: string): number => {
    const { text, names } = where(query, now);
    return pick(`SELECT count(*) ${text}`)(names)[0] ?? 0;
  };
  const seqOf = handle.sqlite
    .prepare<[string], number>('SELECT seq FROM tickets WHERE ticket_id = ?')
    .pluck();
  const one = (ticketId: string, now: string): DeskTicketRow | null => {
    const seq = seqOf.get(ticketId);
    return seq === undefined ? null : rowOf(seq, now);
  };
  const byCustomer = handle.orm
    .select(ticketColumns)
    .from(tickets)
    .where(eq(tickets.customerId, sql.placeholder('customerId')))
    .orderBy(desc(tickets.seq))
    .limit(sql.placeholder('limit'))
    .prepare();
  const ofCustomer = (customerId: string, limit: number): readonly Ticket[] =>
    byCustomer.all({ customerId, limit: Math.max(0, Math.trunc(limit)) });
  return {
    list,
    total,
    one,
    ofCustomer,
    facets: prepareDeskFacets(handle, search),
    counts: prepareCounts(handle),
    claims: prepareClaims(handle),
  };
}

const COUNTED = DESK_VIEWS.filter((view) => view !== 'all');

interface Counter {
  readonly now: string;
  readonly operatorId?: string | undefined;
  readonly operatorName?: string | undefined;
}

function prepareCounts({ sqlite }: DatabaseHandle): (counter: Counter) => DeskCounts {
  const count = (view: DeskView): string => `(SELECT count(*) FROM tickets t WHERE ${VIEWS[view].where})`;
  const statement = sqlite.prepare<[Names], DeskCounts>(
    `SELECT ${COUNTED.map((view) => `${count(view)} AS ${view}`).join(', ')},
       (SELECT count(*) FROM tickets t WHERE ${VIEWS.mine.where} AND ${UNREAD}) AS unread`,
  );
  const none = Object.fromEntries([...COUNTED, 'unread'].map((name) => [name, 0])) as unknown as DeskCounts;
  return ({ now, operatorId = null, operatorName = null }) =>
    statement.get({ operatorId, operatorName, now }) ?? none;
}

/** Claimed tickets whose customers wait while their operators are silent. */
function prepareClaims(handle: DatabaseHandle): (before: string) => readonly WaitingClaim[] {
  interface ClaimRow {
    readonly ticketId: string;
    readonly threadId: string;
    readonly operatorId: string;
    readonly name: string;
    readonly claimedAt: string;
    readonly heard: string;
  }
  const claimed = handle.sqlite.prepare<[string], ClaimRow>(
    `SELECT * FROM (
       SELECT t.ticket_id AS ticketId, t.thread_id AS threadId, t.operator_id AS operatorId,
         coalesce(t.operator_name, t.operator_id) AS name, t.claimed_at AS claimedAt,
         max(t.claimed_at,
           coalesce((SELECT max(m.created_at) FROM ticket_messages m
             WHERE m.ticket_id = t.ticket_id AND m.role = 'operator'), ''),
           coalesce((SELECT p.seen_at FROM operator_presence p
             WHERE p.operator_id = t.operator_id AND p.ticket_id = t.ticket_id), '')) AS heard
       FROM tickets t WHERE t.operator_id IS NOT NULL AND t.status <> 'resolved'
     ) WHERE heard < ?`,
  );
  const unanswered = prepareUnanswered(handle);
  return (before) =>
    claimed.all(before).flatMap((row) => {
      const waiting = unanswered(row);
      if (waiting === null) return [];
      const { ticketId, threadId, operatorId, name, heard } = row;
      const silentSince = waiting > heard ? waiting : heard;
      return [{ ticketId, threadId, holder: { operatorId, name }, silentSince }];
    });
}

/** A ticket with all that hangs on it, by its number. */
function prepareRow(handle: DatabaseHandle): (seq: number, now: string) => DeskTicketRow | null {
  const { orm, sqlite } = handle;
  const bySeq = orm
    .select({ ticket: ticketColumns, metadata: getTableColumns(ticketMetadata) })
    .from(tickets)
    .leftJoin(ticketMetadata, eq(ticketMetadata.ticketId, tickets.ticketId))
    .where(eq(tickets.seq, sql.placeholder('seq')))
    .prepare();
  const ticketId = sql.placeholder('ticketId');
  const escalation = orm
    .select(escalationColumns)
    .from(escalations)
    .where(eq(escalations.ticketId, ticketId))
    .orderBy(desc(escalations.seq))
    .limit(1)
    .prepare();
  const lastMessage = orm
    .select(messageColumns)
    .from(ticketMessages)
    .where(and(eq(ticketMessages.ticketId, ticketId), eq(ticketMessages.audience, 'customer')))
    .orderBy(desc(ticketMessages.seq))
    .limit(1)
    .prepare();
  const approvals = sqlite.prepare<[string, string], { open: number; since: string | null }>(
    `SELECT count(*) AS open, min(created_at) AS since FROM approvals
     WHERE ticket_id = ? AND kind = 'approval' AND status = 'pending' AND expires_at > ?`,
  );
  const newest = sqlite.prepare<[string], { status: string; at: string | null }>(
    `SELECT status, decided_at AS at FROM approvals
     WHERE ticket_id = ? AND kind = 'approval' ORDER BY seq DESC LIMIT 1`,
  );
  const unanswered = prepareUnanswered(handle);
  const customerMessage = sqlite.prepare<[string], { content: string; createdAt: string }>(
    `SELECT content, created_at AS createdAt FROM ticket_messages
     WHERE ticket_id = ? AND role = 'customer' ORDER BY seq DESC LIMIT 1`,
  );
  const unread = sqlite
    .prepare<[number], number>(
      `SELECT count(*) FROM tickets t JOIN ticket_messages u ON u.ticket_id = t.ticket_id
       WHERE t.seq = ? AND u.role = 'customer' AND u.created_at > ${SEEN}`,
    )
    .pluck();
  const kept = orm.select().from(ticketDesk).where(eq(ticketDesk.ticketId, ticketId)).prepare();
  return (seq, now) => {
    const [row] = bySeq.all({ seq });
    if (row === undefined) return null;
    const { ticket, metadata } = row;
    const { ticketId: id } = ticket;
    const { ticketId: _ticketId, updatedAt: _updatedAt, ...classification } = metadata ?? {};
    const desk = kept.get({ ticketId: id });
    const until = desk?.snoozedUntil ?? '';
    const news = ticket.owner === 'operator' && ticket.status !== 'resolved' ? (unread.get(seq) ?? 0) : 0;
    const asked = approvals.get(id, now) ?? { open: 0, since: null };
    const last = newest.get(id);
    const waits = ticket.owner === 'operator' && ticket.status !== 'resolved' ? unanswered(ticket) : null;
    const [waitingSince = null] = [waits, asked.since].filter((at) => at !== null).sort();
    return {
      ticket,
      classification:
        metadata === null ? null : (classification as NonNullable<DeskTicketRow['classification']>),
      escalation: escalation.get({ ticketId: id }) ?? null,
      lastMessage: lastMessage.get({ ticketId: id }) ?? null,
      customerMessage: customerMessage.get(id) ?? null,
      unread: news,
      tags: desk?.tags ?? [],
      team: desk?.team ?? null,
      mergedInto: desk?.mergedInto ?? null,
      snoozedUntil: until > now && news === 0 ? until : null,
      approvals: asked.open,
      withdrawnAt: last?.status === 'withdrawn' ? last.at : null,
      waitingSince,
    };
  };
}

/**
 * Since when a ticket of the operators waits for an answer: since it was escalated, or, once an operator has answered
 * or taken it, since the customer's first message after that.
 */
function prepareUnanswered({ sqlite }: DatabaseHandle) {
  const escalatedAt = sqlite
    .prepare<[string], string | null>(
      `SELECT min(created_at) FROM escalations WHERE ticket_id = ? AND status = 'open'`,
    )
    .pluck();
  const lastReply = sqlite
    .prepare<[string], string>(
      `SELECT created_at FROM ticket_messages
       WHERE ticket_id = ? AND role = 'operator' AND audience = 'customer' ORDER BY seq DESC LIMIT 1`,
    )
    .pluck();
  const firstAfter = sqlite
    .prepare<[string, string], string | null>(
      `SELECT min(created_at) FROM ticket_messages WHERE ticket_id = ? AND role = 'customer' AND created_at > ?`,
    )
    .pluck();
  return (ticket: { readonly ticketId: string; readonly claimedAt: string | null }): string | null => {
    const since = escalatedAt.get(ticket.ticketId) ?? null;
    const replied = lastReply.get(ticket.ticketId) ?? null;
    if (since !== null && (replied === null || replied < since)) return since;
    const after = replied ?? ticket.claimedAt;
    return after === null ? null : (firstAfter.get(ticket.ticketId, after) ?? null);
  };
}

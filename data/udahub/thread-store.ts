import { desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Reader, ReadMark } from '../../src/core/domain/conversation.js';
import type { Operator } from '../../src/core/domain/customer.js';
import { HubError } from '../../src/core/errors.js';
import type { Clock } from '../../src/core/ports/clock.js';
import type { ThreadRecord, ThreadStore } from '../../src/core/ports/thread-store.js';
import type { DatabaseHandle } from '../open-database.js';
import { preparedOnUse } from '../statements.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { threads } from './schema.js';

const TITLE_CHARS = 120;

type ThreadRow = typeof threads.$inferSelect;

function toRecord(stored: ThreadRow): ThreadRecord {
  const { operatorId, operatorName, ...rest } = stored;
  const { operatorReadId, operatorReadAt, customerReadId, customerReadAt, ...row } = rest;
  const operator = operatorId === null ? null : { operatorId, name: operatorName ?? operatorId };
  const readBy = {
    operator: toMark(operatorReadId, operatorReadAt),
    customer: toMark(customerReadId, customerReadAt),
  };
  return { ...row, operator, readBy };
}

function toMark(messageId: string | null, at: string | null): ReadMark | null {
  return messageId === null || at === null ? null : { messageId, at };
}

function prepareReads({ orm }: DatabaseHandle) {
  // Inside a subquery drizzle names no table, so the names are written out.
  const newestTicket = sql<string | null>`(
    SELECT t.ticket_id FROM tickets t WHERE t.thread_id = threads.thread_id ORDER BY t.seq DESC LIMIT 1)`;
  const title = sql<string | null>`(
    SELECT substr(m.content, 1, ${sql.raw(String(TITLE_CHARS))}) FROM ticket_messages m
    JOIN tickets t ON t.ticket_id = m.ticket_id
    WHERE t.thread_id = threads.thread_id AND m.role = 'customer' ORDER BY m.seq LIMIT 1)`;
  // Where the customer was last is found once, not for each message.
  const unread = sql<number>`(
    WITH seen(seq) AS MATERIALIZED (SELECT max(
      coalesce((SELECT seq FROM ticket_messages WHERE message_id = threads.customer_read_id), 0),
      coalesce((SELECT max(c.seq) FROM tickets a JOIN ticket_messages c ON c.ticket_id = a.ticket_id
        WHERE a.thread_id = threads.thread_id AND c.role = 'customer'), 0)))
    SELECT count(*) FROM seen CROSS JOIN tickets t JOIN ticket_messages m ON m.ticket_id = t.ticket_id
    WHERE t.thread_id = threads.thread_id AND m.seq > seen.seq
      AND m.audience = 'customer' AND m.role IN ('hub', 'operator'))`;
  const listed = (whose: SQL) =>
    orm
      .select({ ...getTableColumns(threads), ticketId: newestTicket, title, unread })
      .from(threads)
      .where(whose)
      .orderBy(desc(threads.updatedAt), desc(threads.createdAt), sql`threads.rowid DESC`)
      .limit(sql.placeholder('limit'))
      .prepare();
  return {
    one: orm
      .select()
      .from(threads)
      .where(eq(threads.threadId, sql.placeholder('threadId')))
      .prepare(),
    ofCustomer: listed(eq(threads.customerId, sql.placeholder('customerId'))),
    ofVisitor: listed(eq(threads.visitorId, sql.placeholder('visitorId'))),
  };
}

function prepareWrites({ sqlite }: DatabaseHandle) {
  const ofUnresolved = `WHERE thread_id = @threadId AND status <> 'resolved'`;
  const readBy = (side: Reader) =>
    sqlite.prepare<Record<string, string>>(
      `UPDATE threads SET ${side}_read_id = @messageId, ${side}_read_at = @at
       WHERE thread_id = @threadId AND (
         SELECT m.seq FROM ticket_messages m JOIN tickets t ON t.ticket_id = m.ticket_id
         WHERE m.message_id = @messageId AND t.thread_id = @threadId AND m.audience = 'customer'
       ) > coalesce((SELECT seq FROM ticket_messages WHERE message_id = ${side}_read_id), 0)`,
    );
  return {
    put: sqlite.prepare<Record<string, string | null>>(
      `INSERT INTO threads
         (thread_id, customer_id, visitor_id, graph_thread_id, scopes, agent, time_zone, created_at, updated_at)
       VALUES (@threadId, @customerId, @visitorId, @graphThreadId, @scopes, @agent, @timeZone, @at, @at)
       ON CONFLICT (thread_id) DO UPDATE SET graph_thread_id = excluded.graph_thread_id`,
    ),
    // Of two operators at once, one changes the row.
    claim: sqlite.prepare<Record<string, string>>(
      `UPDATE threads SET operator_id = @operatorId, operator_name = @name, claim = claim + 1,
         unheard_since = coalesce(unheard_since, @at), updated_at = @at
       WHERE thread_id = @threadId AND operator_id IS NULL`,
    ),
    claimTickets: sqlite.prepare<Record<string, string>>(
      `UPDATE tickets SET owner = 'operator', status = 'waiting_operator', operator_id = @operatorId,
         operator_name = @name, claimed_at = @at, updated_at = @at ${ofUnresolved} AND operator_id IS NULL`,
    ),
    transfer: sqlite.prepare<Record<string, string>>(
      `UPDATE threads SET operator_id = @operatorId, operator_name = @name, claim = claim + 1, updated_at = @at
       WHERE thread_id = @threadId`,
    ),
    transferTickets: sqlite.prepare<Record<string, string>>(
      `UPDATE tickets SET operator_id = @operatorId, operator_name = @name, claimed_at = @at, updated_at = @at
       ${ofUnresolved}`,
    ),
    release: sqlite.prepare<Record<string, string>>(
      `UPDATE threads SET operator_id = NULL, operator_name = NULL, claim = claim + 1, updated_at = @at
       WHERE thread_id = @threadId AND operator_id = @operatorId`,
    ),
    releaseTickets: sqlite.prepare<Record<string, string>>(
      `UPDATE tickets SET owner = @owner, status = @status, operator_id = NULL, operator_name = NULL,
         claimed_at = NULL, updated_at = @at ${ofUnresolved}`,
    ),
    closeEscalations: sqlite.prepare<Record<string, string>>(
      `UPDATE escalations SET status = 'resolved', resolved_at = @at WHERE status = 'open'
       AND ticket_id IN (SELECT ticket_id FROM tickets ${ofUnresolved})`,
    ),
    unanswered: sqlite.prepare<[string]>(
      `SELECT 1 FROM thread_inbox WHERE thread_id = ? AND status <> 'answered' LIMIT 1`,
    ),
    adopt: sqlite.prepare<Record<string, string>>(
      `UPDATE threads SET customer_id = @customerId, visitor_id = NULL, updated_at = @at
       WHERE thread_id = @threadId AND customer_id IS NULL AND visitor_id = @visitorId`,
    ),
    adoptRows: [
      'UPDATE ticket_resolutions SET customer_id = @customerId WHERE ticket_id IN (SELECT ticket_id FROM tickets WHERE thread_id = @threadId)',
      'UPDATE tickets SET customer_id = @customerId WHERE thread_id = @threadId',
      'UPDATE ratings SET customer_id = @customerId WHERE thread_id = @threadId',
    ].map((statement) => sqlite.prepare<Record<string, string>>(statement)),
    stop: sqlite.prepare<[string]>('UPDATE threads SET stops = stops + 1 WHERE thread_id = ?'),
    read: { customer: readBy('customer'), operator: readBy('operator') },
    heard: sqlite.prepare<[string]>('UPDATE threads SET unheard_since = NULL WHERE thread_id = ?'),
  };
}

/** Conversations and who has claimed them, in udahub.db. */
export function createThreadStore(handle: DatabaseHandle, clock: Clock): ThreadStore {
  const read = preparedOnUse(() => prepareReads(handle));
  const write = preparedOnUse(() => prepareWrites(handle));
  const atomically = <T>(work: () => T): T => handle.sqlite.transaction(work).immediate();
  const nowIso = (): string => clock.now().toISOString();
  const get = (threadId: string): ThreadRecord | null => {
    const row = read.one.get({ threadId });
    return row === undefined ? null : toRecord(row);
  };
  const existing = (threadId: string): ThreadRecord => {
    const row = get(threadId);
    if (row === null) throw new HubError('not_found', 'There is no such conversation.', { threadId });
    return row;
  };

  const claim = (threadId: string, operator: Operator): ThreadRecord => {
    const { operator: holder } = existing(threadId);
    if (holder && holder.operatorId !== operator.operatorId) {
      throw new HubError('already_claimed', `${holder.name} has this conversation in hand.`, {
        threadId,
        operator: holder.name,
      });
    }
    const values = { threadId, operatorId: operator.operatorId, name: operator.name, at: nowIso() };
    if (!holder) write.claim.run(values);
    write.claimTickets.run(values);
    return existing(threadId);
  };
  const mustHold = (threadId: string, operator: Operator): void => {
    const { operator: holder } = existing(threadId);
    if (holder?.operatorId === operator.operatorId) return;
    const who = holder ? `${holder.name} has this conversation in hand.` : 'Nobody has claimed it.';
    throw new HubError('not_claimed', who, { threadId, operator: holder?.name ?? null });
  };
  const transfer = (threadId: string, from: Operator, to: Operator): ThreadRecord => {
    mustHold(threadId, from);
    const at = nowIso();
    write.transfer.run({ threadId, operatorId: to.operatorId, name: to.name, at });
    write.transferTickets.run({ threadId, operatorId: to.operatorId, name: to.name, at });
    return existing(threadId);
  };
  const release = (threadId: string, operator: Operator, to: 'queue' | 'hub'): ThreadRecord => {
    mustHold(threadId, operator);
    const at = nowIso();
    write.release.run({ threadId, operatorId: operator.operatorId, at });
    // Those that come back are no longer waited for; those in the queue still are.
    if (to === 'hub') write.closeEscalations.run({ threadId, at });
    const next =
      to === 'hub' ? { owner: 'hub', status: 'open' } : { owner: 'operator', status: 'waiting_operator' };
    write.releaseTickets.run({ threadId, at, ...next });
    return existing(threadId);
  };

  const adopt = (threadId: string, visitorId: string, customerId: string): ThreadRecord => {
    const row = existing(threadId);
    if (row.customerId === customerId) return row;
    if (row.customerId !== null || row.visitorId !== visitorId)
      throw new HubError('not_found', 'There is no such conversation.', { threadId });
    // What was sent by the visitor is answered to the visitor, never with what the customer may see.
    if (write.unanswered.get(threadId) !== undefined)
      throw new HubError('thread_busy', 'A message of this conversation is still being answered.', {
        threadId,
      });
    write.adopt.run({ threadId, visitorId, customerId, at: nowIso() });
    for (const statement of write.adoptRows) statement.run({ threadId, customerId });
    return existing(threadId);
  };

  return withTranslatedErrors<ThreadStore>(handle, {
    get: async (threadId) => get(threadId),
    put: async ({ threadId, customerId, visitorId = null, graphThreadId, ...begun }) => {
      const { scopes = null, agent = null, timeZone = null } = begun;
      const limits = { scopes: scopes && JSON.stringify(scopes), agent, timeZone };
      write.put.run({ threadId, customerId, visitorId, graphThreadId, ...limits, at: nowIso() });
    },
    list: async (owner, most) => {
      const limit = Math.max(0, Math.trunc(most));
      const rows =
        'customerId' in owner
          ? read.ofCustomer.all({ ...owner, limit })
          : read.ofVisitor.all({ ...owner, limit });
      return rows.map(({ ticketId, title, unread, ...row }) => ({
        ...toRecord(row),
        ticketId,
        title,
        unread,
      }));
    },
    adopt: async (threadId, visitorId, customerId) =>
      atomically(() => adopt(threadId, visitorId, customerId)),
    claim: async (threadId, operator) => atomically(() => claim(threadId, operator)),
    release: async (threadId, operator, to) => atomically(() => release(threadId, operator, to)),
    transfer: async (threadId, from, to) => atomically(() => transfer(threadId, from, to)),
    stop: async (threadId) => void write.stop.run(threadId),
    read: async (threadId, by, messageId) => {
      const at = nowIso();
      return write.read[by].run({ threadId, messageId, at }).changes > 0 ? { messageId, at } : null;
    },
    caughtUp: async (threadId) => void write.heard.run(threadId),
  });
}

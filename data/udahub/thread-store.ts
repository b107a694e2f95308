import { desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Reader, ReadMark } from '../../src/core/domain/conversation.js';
import type { Operator } from '../../src/core/domain/customer.js';
import { HubError } from '../../src/core/errors.js';
import type { Clock } from '../../src/core/ports/system.js';
import type { ThreadRecord, ThreadStore } from '../../src/core/ports/thread-store.js';
import { type Database, storeOf, type Work } from '../database.js';
import { preparedOnUse } from '../statements.js';
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

function prepareReads(database: Database) {
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
    database.query((orm) =>
      orm
        .select({ ...getTableColumns(threads), ticketId: newestTicket, title, unread })
        .from(threads)
        .where(whose)
        .orderBy(desc(threads.updatedAt), desc(threads.createdAt), sql`threads.rowid DESC`)
        .limit(sql.placeholder('limit')),
    );
  return {
    one: database.query((orm) =>
      orm
        .select()
        .from(threads)
        .where(eq(threads.threadId, sql.placeholder('threadId'))),
    ),
    ofCustomer: listed(eq(threads.customerId, sql.placeholder('customerId'))),
    ofVisitor: listed(eq(threads.visitorId, sql.placeholder('visitorId'))),
  };
}

function prepareWrites(database: Database) {
  const ofUnresolved = `WHERE thread_id = @threadId AND status <> 'resolved'`;
  const readBy = (side: Reader) =>
    database.prepare<Record<string, string>>(
      `UPDATE threads SET ${side}_read_id = @messageId, ${side}_read_at = @at
       WHERE thread_id = @threadId AND (
         SELECT m.seq FROM ticket_messages m JOIN tickets t ON t.ticket_id = m.ticket_id
         WHERE m.message_id = @messageId AND t.thread_id = @threadId AND m.audience = 'customer'
       ) > coalesce((SELECT seq FROM ticket_messages WHERE message_id = ${side}_read_id), 0)`,
    );
  return {
    put: database.prepare<Record<string, string | null>>(
      `INSERT INTO threads
         (thread_id, customer_id, visitor_id, graph_thread_id, scopes, agent, time_zone, created_at, updated_at)
       VALUES (@threadId, @customerId, @visitorId, @graphThreadId, @scopes, @agent, @timeZone, @at, @at)
       ON CONFLICT (thread_id) DO UPDATE SET graph_thread_id = excluded.graph_thread_id`,
    ),
    // Of two operators at once, one changes the row.
    claim: database.prepare<Record<string, string>>(
      `UPDATE threads SET operator_id = @operatorId, operator_name = @name, claim = claim + 1,
         unheard_since = coalesce(unheard_since, @at), updated_at = @at
       WHERE thread_id = @threadId AND operator_id IS NULL`,
    ),
    claimTickets: database.prepare<Record<string, string>>(
      // What the hub answered beside what the team has waits for nobody.
      `UPDATE tickets SET owner = 'operator', status = CASE WHEN status = 'waiting_customer' AND owner = 'hub'
           AND EXISTS (SELECT 1 FROM escalations e JOIN tickets o ON o.ticket_id = e.ticket_id
             WHERE o.thread_id = @threadId AND o.status <> 'resolved' AND e.status = 'open')
         THEN status ELSE 'waiting_operator' END, operator_id = @operatorId,
         operator_name = @name, claimed_at = @at, updated_at = @at ${ofUnresolved} AND operator_id IS NULL`,
    ),
    transfer: database.prepare<Record<string, string>>(
      `UPDATE threads SET operator_id = @operatorId, operator_name = @name, claim = claim + 1, updated_at = @at
       WHERE thread_id = @threadId`,
    ),
    transferTickets: database.prepare<Record<string, string>>(
      `UPDATE tickets SET operator_id = @operatorId, operator_name = @name, claimed_at = @at, updated_at = @at
       ${ofUnresolved}`,
    ),
    release: database.prepare<Record<string, string>>(
      `UPDATE threads SET operator_id = NULL, operator_name = NULL, claim = claim + 1, updated_at = @at
       WHERE thread_id = @threadId AND operator_id = @operatorId`,
    ),
    releaseTickets: database.prepare<Record<string, string>>(
      `UPDATE tickets SET owner = @owner, status = @status, operator_id = NULL, operator_name = NULL,
         claimed_at = NULL, updated_at = @at ${ofUnresolved}`,
    ),
    // What the hub answered beside the request that waits is no second one.
    leaveToHub: database.prepare<Record<string, string>>(
      `UPDATE tickets SET owner = 'hub', status = 'waiting_customer' ${ofUnresolved}
       AND NOT EXISTS (SELECT 1 FROM escalations e WHERE e.ticket_id = tickets.ticket_id AND e.status = 'open')
       AND NOT EXISTS (SELECT 1 FROM approvals p WHERE p.ticket_id = tickets.ticket_id AND p.status = 'pending')
       AND EXISTS (SELECT 1 FROM escalations e JOIN tickets t ON t.ticket_id = e.ticket_id
         WHERE t.thread_id = @threadId AND t.status <> 'resolved' AND e.status = 'open')`,
    ),
    closeEscalations: database.prepare<Record<string, string>>(
      `UPDATE escalations SET status = 'resolved', resolved_at = @at WHERE status = 'open'
       AND ticket_id IN (SELECT ticket_id FROM tickets ${ofUnresolved})`,
    ),
    unanswered: database.prepare<[string]>(
      `SELECT 1 FROM thread_inbox WHERE thread_id = ? AND status <> 'answered' LIMIT 1`,
    ),
    adopt: database.prepare<Record<string, string>>(
      `UPDATE threads SET customer_id = @customerId, visitor_id = NULL, updated_at = @at
       WHERE thread_id = @threadId AND customer_id IS NULL AND visitor_id = @visitorId`,
    ),
    adoptRows: [
      'UPDATE ticket_resolutions SET customer_id = @customerId WHERE ticket_id IN (SELECT ticket_id FROM tickets WHERE thread_id = @threadId)',
      'UPDATE tickets SET customer_id = @customerId WHERE thread_id = @threadId',
      'UPDATE ratings SET customer_id = @customerId WHERE thread_id = @threadId',
    ].map((statement) => database.prepare<Record<string, string>>(statement)),
    stop: database.prepare<[string]>('UPDATE threads SET stops = stops + 1 WHERE thread_id = ?'),
    read: { customer: readBy('customer'), operator: readBy('operator') },
    heard: database.prepare<[string]>('UPDATE threads SET unheard_since = NULL WHERE thread_id = ?'),
  };
}

/** Conversations and who has claimed them. */
export function createThreadStore(database: Database, clock: Clock): ThreadStore {
  const read = preparedOnUse(() => prepareReads(database));
  const write = preparedOnUse(() => prepareWrites(database));
  const nowIso = (): string => clock.now().toISOString();
  const get = function* (threadId: string): Work<ThreadRecord | null> {
    const row = yield* read.one.get({ threadId });
    return row === undefined ? null : toRecord(row);
  };
  const existing = function* (threadId: string): Work<ThreadRecord> {
    const row = yield* get(threadId);
    if (row === null) throw new HubError('not_found', 'There is no such conversation.', { threadId });
    return row;
  };

  const claim = function* (threadId: string, operator: Operator): Work<ThreadRecord> {
    const { operator: holder } = yield* existing(threadId);
    if (holder && holder.operatorId !== operator.operatorId) {
      throw new HubError('already_claimed', `${holder.name} has this conversation in hand.`, {
        threadId,
        operator: holder.name,
      });
    }
    const values = { threadId, operatorId: operator.operatorId, name: operator.name, at: nowIso() };
    if (!holder) yield* write.claim.run(values);
    yield* write.claimTickets.run(values);
    return yield* existing(threadId);
  };
  const mustHold = function* (threadId: string, operator: Operator): Work<void> {
    const { operator: holder } = yield* existing(threadId);
    if (holder?.operatorId === operator.operatorId) return;
    const who = holder ? `${holder.name} has this conversation in hand.` : 'Nobody has claimed it.';
    throw new HubError('not_claimed', who, { threadId, operator: holder?.name ?? null });
  };
  const transfer = function* (threadId: string, from: Operator, to: Operator): Work<ThreadRecord> {
    yield* mustHold(threadId, from);
    const at = nowIso();
    yield* write.transfer.run({ threadId, operatorId: to.operatorId, name: to.name, at });
    yield* write.transferTickets.run({ threadId, operatorId: to.operatorId, name: to.name, at });
    return yield* existing(threadId);
  };
  const release = function* (threadId: string, operator: Operator, to: 'queue' | 'hub'): Work<ThreadRecord> {
    yield* mustHold(threadId, operator);
    const at = nowIso();
    yield* write.release.run({ threadId, operatorId: operator.operatorId, at });
    // Those that come back are no longer waited for; those in the queue still are.
    if (to === 'hub') yield* write.closeEscalations.run({ threadId, at });
    const next =
      to === 'hub' ? { owner: 'hub', status: 'open' } : { owner: 'operator', status: 'waiting_operator' };
    yield* write.releaseTickets.run({ threadId, at, ...next });
    if (to === 'queue') yield* write.leaveToHub.run({ threadId });
    return yield* existing(threadId);
  };

  const adopt = function* (threadId: string, visitorId: string, customerId: string): Work<ThreadRecord> {
    const row = yield* existing(threadId);
    if (row.customerId === customerId) return row;
    if (row.customerId !== null || row.visitorId !== visitorId)
      throw new HubError('not_found', 'There is no such conversation.', { threadId });
    // What was sent by the visitor is answered to the visitor, never with what the customer may see.
    if ((yield* write.unanswered.get(threadId)) !== undefined)
      throw new HubError('thread_busy', 'A message of this conversation is still being answered.', {
        threadId,
      });
    yield* write.adopt.run({ threadId, visitorId, customerId, at: nowIso() });
    for (const statement of write.adoptRows) yield* statement.run({ threadId, customerId });
    return yield* existing(threadId);
  };

  return storeOf<ThreadStore>(database, {
    get,
    *put({ threadId, customerId, visitorId = null, graphThreadId, ...begun }) {
      const { scopes = null, agent = null, timeZone = null } = begun;
      const limits = { scopes: scopes && JSON.stringify(scopes), agent, timeZone };
      yield* write.put.run({ threadId, customerId, visitorId, graphThreadId, ...limits, at: nowIso() });
    },
    *list(owner, most) {
      const limit = Math.max(0, Math.trunc(most));
      const rows =
        'customerId' in owner
          ? yield* read.ofCustomer.all({ ...owner, limit })
          : yield* read.ofVisitor.all({ ...owner, limit });
      return rows.map(({ ticketId, title, unread, ...row }) => ({
        ...toRecord(row),
        ticketId,
        title,
        unread,
      }));
    },
    adopt: (threadId, visitorId, customerId) =>
      database.transaction(() => adopt(threadId, visitorId, customerId)),
    claim: (threadId, operator) => database.transaction(() => claim(threadId, operator)),
    release: (threadId, operator, to) => database.transaction(() => release(threadId, operator, to)),
    transfer: (threadId, from, to) => database.transaction(() => transfer(threadId, from, to)),
    *stop(threadId) {
      yield* write.stop.run(threadId);
    },
    *read(threadId, by, messageId) {
      const at = nowIso();
      const { changes } = yield* write.read[by].run({ threadId, messageId, at });
      return changes > 0 ? { messageId, at } : null;
    },
    *caughtUp(threadId) {
      yield* write.heard.run(threadId);
    },
  });
}

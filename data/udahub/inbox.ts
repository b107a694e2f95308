import { HubError } from '../../src/core/errors.js';
import type {
  EventLog,
  Inbox,
  InboxContent,
  InboxItem,
  NewInboxItem,
  NewStoredEvent,
  StoredEvent,
} from '../../src/core/ports/inbox.js';
import type { Clock, Ids } from '../../src/core/ports/system.js';
import { type Database, type Statement, storeOf, type Work } from '../database.js';
import { holderName } from '../lease-holder.js';
import { PRUNED_AT_ONCE, preparedOnUse, pruneInSteps } from '../statements.js';
import { createFileBinding } from './file-store.js';

interface EventRow {
  readonly seq: number;
  readonly thread_id: string;
  readonly ticket_id: string | null;
  readonly audience: StoredEvent['audience'];
  readonly type: string;
  readonly data: string;
  readonly created_at: string;
}

function toEvent(row: EventRow): StoredEvent {
  return {
    seq: row.seq,
    threadId: row.thread_id,
    ticketId: row.ticket_id,
    audience: row.audience,
    type: row.type,
    data: JSON.parse(row.data) as StoredEvent['data'],
    createdAt: row.created_at,
  };
}

/** Appends within whatever transaction is open, so that what happened and the news of it are stored together. */
type AppendEvents = (events: readonly NewStoredEvent[]) => Work<readonly StoredEvent[]>;

function prepareAppend(database: Database, clock: Clock): AppendEvents {
  const inserts = new Map<number, Statement<(string | null)[], number>>();
  /** All in one statement: on PostgreSQL nobody else stores events from its beginning to the commit. */
  const insertOf = (count: number) => {
    const rows = Array.from({ length: count }, () => '(?, ?, ?, ?, ?, ?)').join(', ');
    const insert =
      inserts.get(count) ??
      database
        .prepare<(string | null)[], number>(
          `INSERT INTO thread_events (thread_id, ticket_id, audience, type, data, created_at) VALUES ${rows}
           RETURNING seq`,
        )
        .pluck();
    inserts.set(count, insert);
    return insert;
  };
  return function* (events) {
    if (events.length === 0) return [];
    const createdAt = clock.now().toISOString();
    const values = events.flatMap(({ threadId, ticketId, audience, type, data }) => [
      ...[threadId, ticketId, audience, type, JSON.stringify(data), createdAt],
    ]);
    const numbers = (yield* insertOf(events.length).all(...values)).map(Number).sort((a, b) => a - b);
    return events.map((event, at) => ({ ...event, seq: numbers[at] ?? Number.NaN, createdAt }));
  };
}

/** The table `thread_events`. Its numbers ascend as commits do. */
export function createEventLog(database: Database, clock: Clock): EventLog {
  const append = preparedOnUse(() => prepareAppend(database, clock));
  const all = database.prepare<[number, number], EventRow>(
    'SELECT * FROM thread_events WHERE seq > ? ORDER BY seq LIMIT ?',
  );
  const ofThread = database.prepare<[string, number, number], EventRow>(
    'SELECT * FROM thread_events WHERE thread_id = ? AND seq > ? ORDER BY seq LIMIT ?',
  );
  // The oldest come first, so that no more is read than is forgotten.
  const prune = database.prepare<[string]>(
    `DELETE FROM thread_events WHERE created_at < ?
     AND seq IN (SELECT seq FROM thread_events ORDER BY seq LIMIT ${PRUNED_AT_ONCE})`,
  );
  return storeOf<EventLog>(database, {
    append: (events) => append(events),
    *after(seq, limit, threadId) {
      const rows =
        threadId === undefined ? yield* all.all(seq, limit) : yield* ofThread.all(threadId, seq, limit);
      return rows.map(toEvent);
    },
    latest: () => database.lastNumber('thread_events'),
    prune: (before) => pruneInSteps(() => prune.run(before.toISOString())),
  });
}

/** Who accepted a message looks after it at once; after this long it was forgotten. */
const UNTAKEN_MS = 2 * 60_000;
/** No turn takes this long: whoever had it is gone, though its process cannot be seen from here. */
const ABANDONED_MS = 15 * 60_000;

interface Row {
  readonly seq: number;
  readonly item_id: string;
  readonly thread_id: string;
  readonly customer_id: string | null;
  readonly client_message_id: string;
  readonly kind: InboxContent['kind'];
  readonly content: string;
  readonly channel: InboxItem['channel'];
  readonly status: InboxItem['status'];
  readonly holder: string;
  readonly outcome: string | null;
  readonly received_at: string;
  readonly started_at: string | null;
}

function toItem(row: Row): InboxItem {
  return {
    itemId: row.item_id,
    threadId: row.thread_id,
    customerId: row.customer_id,
    clientMessageId: row.client_message_id,
    content: { kind: row.kind, ...(JSON.parse(row.content) as object) } as InboxContent,
    channel: row.channel,
    status: row.status,
    outcome: row.outcome === null ? null : (JSON.parse(row.outcome) as unknown),
    receivedAt: row.received_at,
    startedAt: row.started_at,
  };
}

function prepare(database: Database) {
  const named = 'item_id IN (SELECT value FROM json_each(?))';
  return {
    insert: database.prepare<Record<string, string | null>, Row>(
      `INSERT INTO thread_inbox
         (item_id, thread_id, customer_id, client_message_id, kind, content, channel, status, holder, received_at)
       SELECT
         @itemId, @threadId, @customerId, @clientMessageId, @kind, @content, @channel, 'queued', @holder, @now
       WHERE NOT EXISTS (SELECT 1 FROM threads WHERE thread_id = @threadId AND customer_id IS DISTINCT FROM CAST(@customerId AS TEXT))
       ON CONFLICT (thread_id, client_message_id) DO NOTHING RETURNING *`,
    ),
    isOthers: database.prepare<Pick<NewInboxItem, 'threadId' | 'customerId'>>(
      'SELECT 1 FROM threads WHERE thread_id = @threadId AND customer_id IS DISTINCT FROM CAST(@customerId AS TEXT)',
    ),
    byClientId: database.prepare<[string, string], Row>(
      'SELECT * FROM thread_inbox WHERE thread_id = ? AND client_message_id = ?',
    ),
    byId: database.prepare<[string], Row>('SELECT * FROM thread_inbox WHERE item_id = ?'),
    take: database.prepare<Record<string, string>, Row>(
      `UPDATE thread_inbox SET status = 'running', holder = @holder, started_at = coalesce(started_at, @now)
       WHERE thread_id = @threadId AND status = 'queued' RETURNING *`,
    ),
    answer: database.prepare<[string, string, string]>(
      `UPDATE thread_inbox SET status = 'answered', holder = NULL, outcome = ?, answered_at = ? WHERE ${named}`,
    ),
    putBack: database.prepare<[string, string]>(
      `UPDATE thread_inbox SET status = 'queued', holder = ? WHERE status <> 'answered' AND ${named}`,
    ),
    drop: database.prepare<[string]>(`DELETE FROM thread_inbox WHERE status <> 'answered' AND ${named}`),
    unanswered: database.prepare<[], Row>(
      `SELECT * FROM thread_inbox WHERE status IN ('queued', 'running') ORDER BY seq`,
    ),
    unansweredOf: database.prepare<[string], Row>(
      `SELECT * FROM thread_inbox WHERE status IN ('queued', 'running') AND thread_id = ? ORDER BY seq`,
    ),
    prune: database.prepare<[string]>(
      `DELETE FROM thread_inbox WHERE status = 'answered' AND answered_at < ?
       AND seq IN (SELECT seq FROM thread_inbox ORDER BY seq LIMIT ${PRUNED_AT_ONCE})`,
    ),
  };
}

/** Puts a message into the inbox in the transaction of the caller; one that is there already stays as it is. */
export function createInboxWriter(database: Database, ids: Ids, nowIso: () => string) {
  const statements = preparedOnUse(() => prepare(database));
  const holder = holderName(ids.next('inbox'));
  return function* (item: NewInboxItem): Work<void> {
    yield* statements.insert.get(rowOf(item, ids.next('inb'), holder, nowIso()));
  };
}

function rowOf(
  { content: { kind, ...content }, ...item }: NewInboxItem,
  itemId: string,
  holder: string,
  now: string,
) {
  return { ...item, itemId, kind, content: JSON.stringify(content), holder, now };
}

/** What stood on a button is no part of what was answered: an answer that came over A2A, or before an update, has none. */
function saysTheSame(stored: string, sent: string): boolean {
  const said = (content: string): string =>
    JSON.stringify({ ...(JSON.parse(content) as InboxContent), label: undefined });
  return stored === sent || said(stored) === said(sent);
}

/** The table `thread_inbox`. */
export function createInbox(database: Database, clock: Clock, ids: Ids): Inbox {
  const statements = preparedOnUse(() => prepare(database));
  const append = preparedOnUse(() => prepareAppend(database, clock));
  const self = holderName(ids.next('inbox'));
  const nowIso = (): string => clock.now().toISOString();

  const bindFiles = createFileBinding(database);
  const accept = function* (item: NewInboxItem): Work<{ item: InboxItem; known: boolean }> {
    const row = rowOf(item, ids.next('inb'), self, nowIso());
    const inserted = yield* statements.insert.get(row);
    if (inserted) {
      const { content, threadId, clientMessageId } = item;
      if (content.kind === 'text') yield* bindFiles.sent(threadId, clientMessageId, content.files ?? []);
      return { item: toItem(inserted), known: false };
    }
    const known = yield* statements.byClientId.get(item.threadId, item.clientMessageId);
    if (!known) {
      if ((yield* statements.isOthers.get(item)) !== undefined)
        throw new HubError('not_found', 'There is no such conversation.', { threadId: item.threadId });
      // Dropped at this very moment: it may come in after all.
      return yield* accept(item);
    }
    if (known.kind !== row.kind || !saysTheSame(known.content, row.content)) {
      throw new HubError('idempotency_conflict', 'This message id was used for another message.', {
        threadId: item.threadId,
        clientMessageId: item.clientMessageId,
      });
    }
    return { item: toItem(known), known: true };
  };

  const isLeft = ({ status, received_at, started_at }: Row): boolean => {
    const now = clock.now().getTime();
    if (status === 'queued') return now - Date.parse(received_at) > UNTAKEN_MS;
    return now - Date.parse(started_at ?? received_at) > ABANDONED_MS;
  };
  const leftOf = function* (rows: readonly Row[]): Work<InboxItem[]> {
    const gone = yield* database.goneOf(rows.map(({ holder }) => holder));
    return rows.filter((row) => gone.has(row.holder) || isLeft(row)).map(toItem);
  };

  return storeOf<Inbox>(database, {
    // With its files or not at all.
    accept: (item) =>
      item.content.kind === 'text' && item.content.files
        ? database.transaction(() => accept(item))
        : accept(item),
    *get(itemId) {
      const row = yield* statements.byId.get(itemId);
      return row ? toItem(row) : null;
    },
    // Where a power cut undoes it, the message waits again, and nothing was done about it.
    *take(threadId) {
      const values = { threadId, holder: self, now: nowIso() };
      const rows = yield* database.unsynced(() => statements.take.all(values));
      return rows.sort((a, b) => a.seq - b.seq).map(toItem);
    },
    answer: (itemIds, outcome, events) =>
      database.transaction(function* () {
        yield* statements.answer.run(JSON.stringify(outcome ?? null), nowIso(), JSON.stringify(itemIds));
        return yield* append(events ?? []);
      }),
    *putBack(itemIds) {
      yield* statements.putBack.run(self, JSON.stringify(itemIds));
    },
    *drop(itemIds) {
      yield* statements.drop.run(JSON.stringify(itemIds));
    },
    *left(threadId) {
      const rows =
        threadId === undefined
          ? yield* statements.unanswered.all()
          : yield* statements.unansweredOf.all(threadId);
      return yield* leftOf(rows);
    },
    prune: (before) => pruneInSteps(() => statements.prune.run(before.toISOString())),
  });
}

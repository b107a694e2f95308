import { HubError } from '../../src/core/errors.js';
import type { Clock } from '../../src/core/ports/clock.js';
import type { Ids } from '../../src/core/ports/ids.js';
import type {
  EventLog,
  Inbox,
  InboxContent,
  InboxItem,
  NewInboxItem,
  NewStoredEvent,
  StoredEvent,
} from '../../src/core/ports/inbox.js';
import type { DatabaseHandle } from '../open-database.js';
import { PRUNED_AT_ONCE, preparedOnUse, pruneInSteps, unsynced } from '../statements.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { createFileBinding } from './file-store.js';
import { holderName, isHolderDead } from './lease-holder.js';

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
type AppendEvents = (events: readonly NewStoredEvent[]) => readonly StoredEvent[];

function prepareAppend({ sqlite }: DatabaseHandle, clock: Clock): AppendEvents {
  const insert = sqlite.prepare<[string, string | null, string, string, string, string]>(
    `INSERT INTO thread_events (thread_id, ticket_id, audience, type, data, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  return (events) => {
    const createdAt = clock.now().toISOString();
    return events.map((event) => {
      const { threadId, ticketId, audience, type, data } = event;
      const { lastInsertRowid } = insert.run(
        threadId,
        ticketId,
        audience,
        type,
        JSON.stringify(data),
        createdAt,
      );
      return { ...event, seq: Number(lastInsertRowid), createdAt };
    });
  };
}

/** The table `thread_events` of udahub.db. SQLite has one writer at a time, so numbers ascend as commits do. */
export function createEventLog(handle: DatabaseHandle, clock: Clock): EventLog {
  const { sqlite } = handle;
  const append = preparedOnUse(() => prepareAppend(handle, clock));
  const all = sqlite.prepare<[number, number], EventRow>(
    'SELECT * FROM thread_events WHERE seq > ? ORDER BY seq LIMIT ?',
  );
  const ofThread = sqlite.prepare<[string, number, number], EventRow>(
    'SELECT * FROM thread_events WHERE thread_id = ? AND seq > ? ORDER BY seq LIMIT ?',
  );
  // The counter outlives rows that were pruned.
  const latest = sqlite
    .prepare<[], number>(`SELECT seq FROM sqlite_sequence WHERE name = 'thread_events'`)
    .pluck();
  // The oldest come first, so that no more is read than is forgotten.
  const prune = sqlite.prepare<[string]>(
    `DELETE FROM thread_events WHERE created_at < ?
     AND seq IN (SELECT seq FROM thread_events ORDER BY seq LIMIT ${PRUNED_AT_ONCE})`,
  );
  const appendAll = sqlite.transaction(append);
  return withTranslatedErrors<EventLog>(handle, {
    append: async (events) => (events.length === 0 ? [] : appendAll.immediate(events)),
    after: async (seq, limit, threadId) => {
      const rows = threadId === undefined ? all.all(seq, limit) : ofThread.all(threadId, seq, limit);
      return rows.map(toEvent);
    },
    latest: async () => latest.get() ?? 0,
    prune: (before) => pruneInSteps(() => prune.run(before.toISOString()).changes),
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

function prepare({ sqlite }: DatabaseHandle) {
  const named = 'item_id IN (SELECT value FROM json_each(?))';
  return {
    insert: sqlite.prepare<Record<string, string | null>, Row>(
      `INSERT INTO thread_inbox
         (item_id, thread_id, customer_id, client_message_id, kind, content, channel, status, holder, received_at)
       SELECT
         @itemId, @threadId, @customerId, @clientMessageId, @kind, @content, @channel, 'queued', @holder, @now
       WHERE NOT EXISTS (SELECT 1 FROM threads WHERE thread_id = @threadId AND customer_id IS NOT @customerId)
       ON CONFLICT (thread_id, client_message_id) DO NOTHING RETURNING *`,
    ),
    isOthers: sqlite.prepare<Pick<NewInboxItem, 'threadId' | 'customerId'>>(
      'SELECT 1 FROM threads WHERE thread_id = @threadId AND customer_id IS NOT @customerId',
    ),
    byClientId: sqlite.prepare<[string, string], Row>(
      'SELECT * FROM thread_inbox WHERE thread_id = ? AND client_message_id = ?',
    ),
    byId: sqlite.prepare<[string], Row>('SELECT * FROM thread_inbox WHERE item_id = ?'),
    take: sqlite.prepare<Record<string, string>, Row>(
      `UPDATE thread_inbox SET status = 'running', holder = @holder, started_at = coalesce(started_at, @now)
       WHERE thread_id = @threadId AND status = 'queued' RETURNING *`,
    ),
    answer: sqlite.prepare<[string, string, string]>(
      `UPDATE thread_inbox SET status = 'answered', holder = NULL, outcome = ?, answered_at = ? WHERE ${named}`,
    ),
    putBack: sqlite.prepare<[string, string]>(
      `UPDATE thread_inbox SET status = 'queued', holder = ? WHERE status <> 'answered' AND ${named}`,
    ),
    drop: sqlite.prepare<[string]>(`DELETE FROM thread_inbox WHERE status <> 'answered' AND ${named}`),
    unanswered: sqlite.prepare<[], Row>(
      `SELECT * FROM thread_inbox WHERE status IN ('queued', 'running') ORDER BY seq`,
    ),
    unansweredOf: sqlite.prepare<[string], Row>(
      `SELECT * FROM thread_inbox WHERE status IN ('queued', 'running') AND thread_id = ? ORDER BY seq`,
    ),
    prune: sqlite.prepare<[string]>(
      `DELETE FROM thread_inbox WHERE status = 'answered' AND answered_at < ?
       AND seq IN (SELECT seq FROM thread_inbox ORDER BY seq LIMIT ${PRUNED_AT_ONCE})`,
    ),
  };
}

/** Puts a message into the inbox in the transaction of the caller; one that is there already stays as it is. */
export function createInboxWriter(handle: DatabaseHandle, ids: Ids, nowIso: () => string) {
  const statements = preparedOnUse(() => prepare(handle));
  const holder = holderName(ids.next('inbox'));
  return (item: NewInboxItem): void =>
    void statements.insert.get(rowOf(item, ids.next('inb'), holder, nowIso()));
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

/** The table `thread_inbox` of udahub.db. */
export function createInbox(handle: DatabaseHandle, clock: Clock, ids: Ids): Inbox {
  const statements = preparedOnUse(() => prepare(handle));
  const append = preparedOnUse(() => prepareAppend(handle, clock));
  const self = holderName(ids.next('inbox'));
  const nowIso = (): string => clock.now().toISOString();

  const bindFiles = createFileBinding(handle);
  const accept = (item: NewInboxItem): { item: InboxItem; known: boolean } => {
    const row = rowOf(item, ids.next('inb'), self, nowIso());
    const inserted = statements.insert.get(row);
    if (inserted) {
      const { content, threadId, clientMessageId } = item;
      if (content.kind === 'text') bindFiles.sent(threadId, clientMessageId, content.files ?? []);
      return { item: toItem(inserted), known: false };
    }
    const known = statements.byClientId.get(item.threadId, item.clientMessageId);
    if (!known) {
      if (statements.isOthers.get(item) !== undefined)
        throw new HubError('not_found', 'There is no such conversation.', { threadId: item.threadId });
      // Dropped at this very moment: it may come in after all.
      return accept(item);
    }
    if (known.kind !== row.kind || !saysTheSame(known.content, row.content)) {
      throw new HubError('idempotency_conflict', 'This message id was used for another message.', {
        threadId: item.threadId,
        clientMessageId: item.clientMessageId,
      });
    }
    return { item: toItem(known), known: true };
  };

  const acceptWithFiles = handle.sqlite.transaction(accept);

  const isLeft = ({ status, holder, received_at, started_at }: Row): boolean => {
    if (isHolderDead(holder)) return true;
    const now = clock.now().getTime();
    if (status === 'queued') return now - Date.parse(received_at) > UNTAKEN_MS;
    return now - Date.parse(started_at ?? received_at) > ABANDONED_MS;
  };

  const answer = handle.sqlite.transaction(
    (itemIds: readonly string[], outcome: unknown, events: Parameters<typeof append>[0]) => {
      statements.answer.run(JSON.stringify(outcome ?? null), nowIso(), JSON.stringify(itemIds));
      return append(events);
    },
  );

  return withTranslatedErrors<Inbox>(handle, {
    // With its files or not at all.
    accept: async (item) =>
      item.content.kind === 'text' && item.content.files ? acceptWithFiles.immediate(item) : accept(item),
    get: async (itemId) => {
      const row = statements.byId.get(itemId);
      return row ? toItem(row) : null;
    },
    // Where a power cut undoes it, the message waits again, and nothing was done about it.
    take: async (threadId) =>
      unsynced(handle.sqlite, () => statements.take.all({ threadId, holder: self, now: nowIso() }))
        .sort((a, b) => a.seq - b.seq)
        .map(toItem),
    answer: async (itemIds, outcome, events) => answer.immediate(itemIds, outcome, events ?? []),
    putBack: async (itemIds) => void statements.putBack.run(self, JSON.stringify(itemIds)),
    drop: async (itemIds) => void statements.drop.run(JSON.stringify(itemIds)),
    left: async (threadId) =>
      (threadId === undefined ? statements.unanswered.all() : statements.unansweredOf.all(threadId))
        .filter(isLeft)
        .map(toItem),
    prune: (before) => pruneInSteps(() => statements.prune.run(before.toISOString()).changes),
  });
}

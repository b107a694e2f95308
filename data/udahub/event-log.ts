import type { Clock } from '../../src/core/ports/clock.js';
import type { EventLog, NewStoredEvent, StoredEvent } from '../../src/core/ports/event-log.js';
import type { DatabaseHandle } from '../open-database.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { PRUNED_AT_ONCE, pruneInSteps } from './prune-in-steps.js';

interface Row {
  readonly seq: number;
  readonly thread_id: string;
  readonly ticket_id: string | null;
  readonly audience: StoredEvent['audience'];
  readonly type: string;
  readonly data: string;
  readonly created_at: string;
}

function toEvent(row: Row): StoredEvent {
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
export type AppendEvents = (events: readonly NewStoredEvent[]) => readonly StoredEvent[];

export function prepareAppend({ sqlite }: DatabaseHandle, clock: Clock): AppendEvents {
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
  const append = prepareAppend(handle, clock);
  const all = sqlite.prepare<[number, number], Row>(
    'SELECT * FROM thread_events WHERE seq > ? ORDER BY seq LIMIT ?',
  );
  const ofThread = sqlite.prepare<[string, number, number], Row>(
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

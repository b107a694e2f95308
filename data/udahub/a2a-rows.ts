import type { Scope } from '../../src/core/domain/access.js';
import type {
  A2aMessageRecord,
  A2aTaskDocument,
  A2aTaskRecord,
  A2aTaskState,
  A2aWait,
} from '../../src/core/ports/a2a-tasks.js';
import type { InboxContent } from '../../src/core/ports/inbox.js';

/** A row of `a2a_tasks` with the number of its open messages. */
export interface TaskRow {
  readonly seq: number;
  readonly task_id: string;
  readonly owner: string;
  readonly customer_id: string | null;
  readonly agent: string;
  readonly context_id: string;
  readonly thread_id: string | null;
  readonly scopes: string;
  readonly state: A2aTaskState;
  readonly wait: string | null;
  readonly told: string;
  readonly cancel_asked: number;
  readonly document: string;
  readonly version: number;
  readonly changed_at: string;
  readonly created_at: string;
  readonly held: number;
  readonly sent: number;
}

export interface MessageRow {
  readonly task_id: string;
  readonly message_id: string;
  readonly content: string;
  readonly created_at: string;
}

const open = (status: string): string =>
  `(SELECT count(*) FROM a2a_messages m WHERE m.task_id = t.task_id AND m.status = '${status}')`;

/** Begins a query for rows of tasks, called t. */
export const SELECT_TASK = `SELECT t.*, ${open('held')} AS held, ${open('sent')} AS sent FROM a2a_tasks t`;

export function toTask(row: TaskRow): A2aTaskRecord {
  return {
    taskId: row.task_id,
    owner: row.owner,
    customerId: row.customer_id,
    agent: row.agent,
    contextId: row.context_id,
    threadId: row.thread_id,
    scopes: JSON.parse(row.scopes) as readonly Scope[],
    state: row.state,
    wait: row.wait === null ? null : (JSON.parse(row.wait) as A2aWait),
    told: JSON.parse(row.told) as readonly string[],
    cancelAsked: row.cancel_asked === 1,
    document: JSON.parse(row.document) as A2aTaskDocument,
    held: row.held,
    sent: row.sent,
    version: row.version,
    changedAt: row.changed_at,
    createdAt: row.created_at,
  };
}

export function toMessage(row: MessageRow): A2aMessageRecord {
  return {
    taskId: row.task_id,
    messageId: row.message_id,
    content: JSON.parse(row.content) as InboxContent,
    createdAt: row.created_at,
  };
}

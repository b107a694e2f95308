import type { Scope } from '../../src/core/domain/customer.js';
import type {
  A2aTaskDocument,
  A2aTaskRecord,
  A2aTaskState,
  A2aWait,
} from '../../src/core/ports/a2a-tasks.js';
import type { Database } from '../database.js';
import { PRUNED_AT_ONCE } from '../statements.js';

type Values = Record<string, string | number | null>;

/** A row of `a2a_tasks`. */
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
}

/** A message of a task that is not settled. */
interface OpenRow {
  readonly taskId: string;
  readonly messageId: string;
  readonly begun: number;
}

const SELECT_TASK = 'SELECT t.* FROM a2a_tasks t';

/** The task of a row, and its messages that are open. */
export function toTask(row: TaskRow, open: A2aTaskRecord['open']): A2aTaskRecord {
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
    messageIds: JSON.parse(row.told) as readonly string[],
    cancelAsked: row.cancel_asked === 1,
    document: JSON.parse(row.document) as A2aTaskDocument,
    open,
    version: row.version,
    changedAt: row.changed_at,
    createdAt: row.created_at,
  };
}

/** Long tasks make short pages, so that nobody's list takes the memory of all. */
const MAX_PAGE_CHARS = 2_000_000;
/** The statements over the tables of other software's tasks. */
export function prepareTasks(database: Database) {
  const mine = `FROM a2a_tasks t WHERE t.owner = @owner AND t.agent = @agent
    AND (CAST(@contextId AS TEXT) IS NULL OR t.context_id = @contextId)
    AND (CAST(@state AS TEXT) IS NULL OR t.state = @state)
    AND (CAST(@changedAfter AS TEXT) IS NULL OR t.changed_at > @changedAfter)
    AND NOT EXISTS (SELECT 1 FROM json_each(t.scopes) s
      WHERE s.value NOT IN (SELECT value FROM json_each(@within)))`;
  return {
    task: database.prepare<[string], TaskRow>(`${SELECT_TASK} WHERE t.task_id = ?`),
    version: database.prepare<[string], { readonly version: number }>(
      'SELECT version FROM a2a_tasks WHERE task_id = ?',
    ),
    insertTask: database.prepare<[Values]>(
      `INSERT INTO a2a_tasks (task_id, owner, customer_id, agent, context_id, thread_id, scopes, state, told, document,
         version, changed_at, created_at)
       VALUES (@taskId, @owner, @customerId, @agent, @contextId, @threadId, @scopes, 'submitted', '[]', @document,
         1, @now, @now)`,
    ),
    insertMessage: database.prepare<[Values]>(
      `INSERT INTO a2a_messages (task_id, owner, agent, message_id, client_message_id, digest, settled)
       VALUES (@taskId, @owner, @agent, @messageId, @clientMessageId, @digest, 0)`,
    ),
    message: database.prepare<[Values], { readonly task_id: string; readonly digest: string }>(
      'SELECT task_id, digest FROM a2a_messages WHERE owner = @owner AND agent = @agent AND message_id = @messageId',
    ),
    heard: database.prepare<[Values]>(
      'UPDATE a2a_tasks SET document = @document, version = version + 1 WHERE task_id = @taskId',
    ),
    save: database.prepare<[Values]>(
      `UPDATE a2a_tasks SET state = @state, wait = @wait, told = @told, cancel_asked = @cancelAsked,
         document = @document, version = version + 1, changed_at = @now
       WHERE task_id = @taskId`,
    ),
    withdraw: database.prepare<[Values]>(
      `DELETE FROM thread_inbox WHERE status = 'queued' AND thread_id = @threadId AND client_message_id IN (
         SELECT client_message_id FROM a2a_messages WHERE task_id = @taskId AND settled = 0)`,
    ),
    settle: database.prepare<[Values]>(
      `UPDATE a2a_messages SET settled = 1 WHERE task_id = @taskId AND settled = 0
         AND (@all = 1 OR message_id IN (SELECT value FROM json_each(@messageIds)))`,
    ),
    unfinished: database.prepare<[], TaskRow>(
      `${SELECT_TASK} WHERE t.state IN ('submitted', 'working', 'input_required') ORDER BY t.seq`,
    ),
    left: database.prepare<[string], TaskRow>(
      `${SELECT_TASK} WHERE t.state IN ('submitted', 'working', 'input_required') AND t.changed_at < ?
         AND EXISTS (SELECT 1 FROM a2a_messages m WHERE m.task_id = t.task_id AND m.settled = 0)
       ORDER BY t.seq`,
    ),
    waiting: database.prepare<[string], TaskRow>(
      `${SELECT_TASK} WHERE t.state = 'input_required' AND t.thread_id = ? ORDER BY t.seq`,
    ),
    // Of the documents no more are read than a page holds, and the next one.
    page: database.prepare<[Values], TaskRow>(
      `${SELECT_TASK} WHERE t.seq IN (SELECT seq FROM (
           SELECT seq, sum(chars) OVER (ORDER BY changed_at DESC, seq DESC) - chars AS before FROM (
             SELECT t.seq, t.changed_at, length(t.document) AS chars ${mine}
             AND (CAST(@afterAt AS TEXT) IS NULL OR t.changed_at < @afterAt
               OR (t.changed_at = @afterAt AND t.seq < CAST(@afterSeq AS BIGINT)))
             ORDER BY t.changed_at DESC, t.seq DESC LIMIT @limit) newest) summed WHERE before <= ${MAX_PAGE_CHARS})
       ORDER BY t.changed_at DESC, t.seq DESC`,
    ),
    open: database.prepare<[string], OpenRow>(
      `SELECT m.task_id AS taskId, m.message_id AS messageId,
         CASE coalesce(i.status, 'queued') WHEN 'queued' THEN 0 ELSE 1 END AS begun
       FROM a2a_messages m JOIN a2a_tasks t ON t.task_id = m.task_id
         LEFT JOIN thread_inbox i ON i.thread_id = t.thread_id AND i.client_message_id = m.client_message_id
       WHERE m.settled = 0 AND m.task_id IN (SELECT value FROM json_each(?)) ORDER BY m.seq`,
    ),
    count: database.prepare<[Values], { readonly total: number }>(`SELECT count(*) AS total ${mine}`),
    prune: database.prepare<[string]>(
      `DELETE FROM a2a_tasks WHERE seq IN (
         SELECT seq FROM a2a_tasks WHERE changed_at < ? ORDER BY changed_at LIMIT ${PRUNED_AT_ONCE})`,
    ),
  };
}

/** As many rows as a page holds, one at least. */
export function takePage(rows: readonly TaskRow[], limit: number): { rows: TaskRow[]; more: boolean } {
  const taken: TaskRow[] = [];
  let chars = 0;
  for (const row of rows) {
    chars += row.document.length;
    if (taken.length === limit || (taken.length > 0 && chars > MAX_PAGE_CHARS))
      return { rows: taken, more: true };
    taken.push(row);
  }
  return { rows: taken, more: false };
}

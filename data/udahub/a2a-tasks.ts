import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Scope } from '../../src/core/domain/customer.js';
import type { JsonObject } from '../../src/core/domain/json.js';
import { HubError } from '../../src/core/errors.js';
import {
  type A2aListed,
  type A2aListQuery,
  type A2aMessage,
  type A2aTaskChange,
  type A2aTaskDocument,
  type A2aTaskRecord,
  type A2aTaskState,
  type A2aTasks,
  type A2aWait,
  clientMessageIdOf,
  type NewA2aTask,
  type WebhookNotifier,
} from '../../src/core/ports/a2a-tasks.js';
import type { InboxContent } from '../../src/core/ports/inbox.js';
import type { Clock, Ids } from '../../src/core/ports/system.js';
import { atOnce } from '../database.js';
import type { DatabaseHandle } from '../open-database.js';
import { PRUNED_AT_ONCE, preparedOnUse, pruneInSteps } from '../statements.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { createA2aContexts, createA2aPush } from './a2a-names.js';
import { createInboxWriter } from './inbox.js';
import { createOutboxWriter } from './webhook-outbox.js';

type Values = Record<string, string | number | null>;

/** A row of `a2a_tasks` with its open messages. */
interface TaskRow {
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
  readonly open: string;
}

/** Begins a query for rows of tasks, called t. */
const SELECT_TASK = `SELECT t.*, (
    SELECT json_group_array(json_object('messageId', message_id, 'begun', json(begun)) ORDER BY seq) FROM (
      SELECT m.seq, m.message_id, iif(coalesce(i.status, 'queued') = 'queued', 'false', 'true') AS begun FROM a2a_messages m
      LEFT JOIN thread_inbox i ON i.thread_id = t.thread_id AND i.client_message_id = m.client_message_id
      WHERE m.task_id = t.task_id AND m.settled = 0)) AS open FROM a2a_tasks t`;

function toTask(row: TaskRow): A2aTaskRecord {
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
    open: JSON.parse(row.open) as A2aTaskRecord['open'],
    version: row.version,
    changedAt: row.changed_at,
    createdAt: row.created_at,
  };
}

/** Long tasks make short pages, so that nobody's list takes the memory of all. */
const MAX_PAGE_CHARS = 2_000_000;
const digestOf = (content: InboxContent): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url');
const OVER_STATES: ReadonlySet<string> = new Set(['completed', 'failed', 'canceled', 'rejected']);

function prepare(handle: DatabaseHandle) {
  const { sqlite } = handle;
  const mine = `FROM a2a_tasks t WHERE t.owner = @owner AND t.agent = @agent
    AND (@contextId IS NULL OR t.context_id = @contextId) AND (@state IS NULL OR t.state = @state)
    AND (@changedAfter IS NULL OR t.changed_at > @changedAfter)
    AND NOT EXISTS (SELECT 1 FROM json_each(t.scopes) s
      WHERE s.value NOT IN (SELECT value FROM json_each(@within)))`;
  return {
    task: sqlite.prepare<[string], TaskRow>(`${SELECT_TASK} WHERE t.task_id = ?`),
    version: sqlite.prepare<[string], { readonly version: number }>(
      'SELECT version FROM a2a_tasks WHERE task_id = ?',
    ),
    insertTask: sqlite.prepare<Values>(
      `INSERT INTO a2a_tasks (task_id, owner, customer_id, agent, context_id, thread_id, scopes, state, told, document,
         version, changed_at, created_at)
       VALUES (@taskId, @owner, @customerId, @agent, @contextId, @threadId, @scopes, 'submitted', '[]', @document,
         1, @now, @now)`,
    ),
    insertMessage: sqlite.prepare<Values>(
      `INSERT INTO a2a_messages (task_id, owner, agent, message_id, client_message_id, digest, settled)
       VALUES (@taskId, @owner, @agent, @messageId, @clientMessageId, @digest, 0)`,
    ),
    message: sqlite.prepare<Values, { readonly task_id: string; readonly digest: string }>(
      'SELECT task_id, digest FROM a2a_messages WHERE owner = @owner AND agent = @agent AND message_id = @messageId',
    ),
    heard: sqlite.prepare<Values>(
      'UPDATE a2a_tasks SET document = @document, version = version + 1 WHERE task_id = @taskId',
    ),
    save: sqlite.prepare<Values>(
      `UPDATE a2a_tasks SET state = @state, wait = @wait, told = @told, cancel_asked = @cancelAsked,
         document = @document, version = version + 1, changed_at = @now
       WHERE task_id = @taskId`,
    ),
    withdraw: sqlite.prepare<Values>(
      `DELETE FROM thread_inbox WHERE status = 'queued' AND thread_id = @threadId AND client_message_id IN (
         SELECT client_message_id FROM a2a_messages WHERE task_id = @taskId AND settled = 0)`,
    ),
    settle: sqlite.prepare<Values>(
      `UPDATE a2a_messages SET settled = 1 WHERE task_id = @taskId AND settled = 0
         AND (@all = 1 OR message_id IN (SELECT value FROM json_each(@messageIds)))`,
    ),
    unfinished: sqlite.prepare<[], TaskRow>(
      `${SELECT_TASK} WHERE t.state IN ('submitted', 'working', 'input_required') ORDER BY t.seq`,
    ),
    left: sqlite.prepare<[string], TaskRow>(
      `${SELECT_TASK} WHERE t.state IN ('submitted', 'working', 'input_required') AND t.changed_at < ?
         AND EXISTS (SELECT 1 FROM a2a_messages m WHERE m.task_id = t.task_id AND m.settled = 0)
       ORDER BY t.seq`,
    ),
    waiting: sqlite.prepare<[string], TaskRow>(
      `${SELECT_TASK} WHERE t.state = 'input_required' AND t.thread_id = ? ORDER BY t.seq`,
    ),
    page: sqlite.prepare<Values, TaskRow>(
      `${SELECT_TASK} WHERE t.seq IN (SELECT t.seq ${mine}
         AND (@afterAt IS NULL OR t.changed_at < @afterAt OR (t.changed_at = @afterAt AND t.seq < @afterSeq))
         ORDER BY t.changed_at DESC, t.seq DESC LIMIT @limit)
       ORDER BY t.changed_at DESC, t.seq DESC`,
    ),
    count: sqlite.prepare<Values, { readonly total: number }>(`SELECT count(*) AS total ${mine}`),
    prune: handle.prepare<[string]>(
      `DELETE FROM a2a_tasks WHERE seq IN (
         SELECT seq FROM a2a_tasks WHERE changed_at < ? ORDER BY changed_at LIMIT ${PRUNED_AT_ONCE})`,
    ),
  };
}

/** As many rows as a page holds, one at least. */
function takePage(rows: Iterable<TaskRow>, limit: number): { rows: TaskRow[]; more: boolean } {
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

/** The tables of other software's tasks in udahub.db. */
export function createA2aTasks(handle: DatabaseHandle, clock: Clock, ids: Ids): A2aTasks {
  const statements = preparedOnUse(() => prepare(handle));
  const nowIso = (): string => clock.now().toISOString();
  const contexts = createA2aContexts(handle, nowIso);
  const { configsOf, ...push } = createA2aPush(handle, nowIso);
  const putInOutbox = createOutboxWriter(handle, ids, nowIso);
  const putInInbox = createInboxWriter(handle, ids, nowIso);
  const atomically = <T>(work: () => T): T => handle.sqlite.transaction(work).immediate();
  const get = (taskId: string): A2aTaskRecord | null => {
    const row = statements.task.get(taskId);
    return row ? toTask(row) : null;
  };
  const existing = (taskId: string): A2aTaskRecord => {
    const task = get(taskId);
    if (!task) throw new HubError('not_found', 'There is no such task.', { taskId });
    return task;
  };
  const find = (owner: string, agent: string, { messageId, content }: A2aMessage): A2aTaskRecord | null => {
    const row = statements.message.get({ owner, agent, messageId });
    if (!row) return null;
    if (row.digest !== digestOf(content)) {
      const message = 'This message id was used for another message.';
      throw new HubError('idempotency_conflict', message, { messageId });
    }
    return existing(row.task_id);
  };
  const keep = (
    { taskId, owner, agent, threadId, customerId }: Omit<NewA2aTask, 'document'>,
    { messageId, content }: A2aMessage,
  ): void => {
    const clientMessageId = clientMessageIdOf({ owner, agent }, messageId);
    const digest = digestOf(content);
    statements.insertMessage.run({ taskId, owner, agent, messageId, clientMessageId, digest });
    if (threadId !== null)
      atOnce(putInInbox({ threadId, customerId, clientMessageId, content, channel: 'a2a' }));
  };

  const begin = (task: NewA2aTask, message: A2aMessage) => {
    const known = find(task.owner, task.agent, message);
    if (known) return { task: known, known: true };
    const { scopes, document, ...rest } = task;
    const texts = { scopes: JSON.stringify(scopes), document: JSON.stringify(document) };
    statements.insertTask.run({ ...rest, ...texts, now: nowIso() });
    keep(task, message);
    return { task: existing(task.taskId), known: false };
  };
  const say = (taskId: string, message: A2aMessage, shown: JsonObject) => {
    const task = existing(taskId);
    const known = find(task.owner, task.agent, message);
    if (known) return { task: known, known: true };
    if (OVER_STATES.has(task.state)) throw new HubError('wrong_status', 'The task is over.', { taskId });
    const { document } = task;
    const heard = { ...document, history: [...document.history, shown] };
    statements.heard.run({ taskId, document: JSON.stringify(heard) });
    keep(task, message);
    return { task: existing(taskId), known: false };
  };
  const queueWebhooks = (
    before: A2aTaskRecord,
    after: A2aTaskRecord,
    { bodies, refused }: WebhookNotifier,
  ): void => {
    for (const config of configsOf(after.taskId)) {
      const told = bodies(before, after, config.protocol);
      if (told.length > 0 && !putInOutbox(after, config, told)) refused(after, config);
    }
  };
  const save = (
    task: A2aTaskRecord,
    change: A2aTaskChange,
    answered: readonly string[],
    notifier: WebhookNotifier | undefined,
  ) => {
    const { taskId, threadId } = task;
    const now = get(taskId);
    // A turn may have taken a message from the inbox since.
    if (now?.version !== task.version || !isDeepStrictEqual(now.open, task.open)) return null;
    statements.save.run({
      taskId,
      state: change.state,
      wait: change.wait && JSON.stringify(change.wait),
      told: JSON.stringify(change.messageIds),
      cancelAsked: change.cancelAsked ? 1 : 0,
      document: JSON.stringify(change.document),
      now: nowIso(),
    });
    const isOver = OVER_STATES.has(change.state);
    if (isOver) statements.withdraw.run({ taskId, threadId });
    if (isOver || answered.length > 0)
      statements.settle.run({ taskId, all: isOver ? 1 : 0, messageIds: JSON.stringify(answered) });
    const after = existing(taskId);
    if (notifier) queueWebhooks(task, after, notifier);
    return after;
  };
  const list = (query: A2aListQuery): A2aListed => {
    const { owner, agent, contextId = null, state = null, changedAfter = null, after, limit } = query;
    const filter = { owner, agent, contextId, state, changedAfter, within: JSON.stringify(query.within) };
    const place = { afterAt: after?.changedAt ?? null, afterSeq: after?.seq ?? null };
    const { rows, more } = takePage(
      statements.page.iterate({ ...filter, ...place, limit: limit + 1 }),
      limit,
    );
    const last = rows.at(-1);
    return {
      tasks: rows.map(toTask),
      next: more && last ? { changedAt: last.changed_at, seq: last.seq } : null,
      total: statements.count.get(filter)?.total ?? 0,
    };
  };

  return withTranslatedErrors<A2aTasks>(handle, {
    begin: async (task, message) => atomically(() => begin(task, message)),
    say: async (taskId, message, shown) => atomically(() => say(taskId, message, shown)),
    find: async (owner, agent, message) => find(owner, agent, message),
    get: async (taskId) => get(taskId),
    newer: async (taskId, version) =>
      statements.version.get(taskId)?.version === version ? null : existing(taskId),
    list: async (query) => list(query),
    save: async (task, change, answered = [], notifier) =>
      atomically(() => save(task, change, answered, notifier)),
    listOpen: async () => statements.unfinished.all().map(toTask),
    left: async (before) => statements.left.all(before.toISOString()).map(toTask),
    waiting: async (threadId) => statements.waiting.all(threadId).map(toTask),
    ...contexts,
    ...push,
    prune: async (before) => {
      const limit = before.toISOString();
      const tasks = await handle.run(() => pruneInSteps(() => statements.prune.run(limit)));
      contexts.prune(limit);
      return tasks;
    },
  });
}

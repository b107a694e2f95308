import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../src/core/domain/json.js';
import { HubError } from '../../src/core/errors.js';
import {
  type A2aListed,
  type A2aMessage,
  type A2aTaskChange,
  type A2aTaskRecord,
  type A2aTasks,
  clientMessageIdOf,
  type NewA2aTask,
  type WebhookNotifier,
} from '../../src/core/ports/a2a-tasks.js';
import type { InboxContent } from '../../src/core/ports/inbox.js';
import type { Clock, Ids } from '../../src/core/ports/system.js';
import { type Database, storeOf, type Work } from '../database.js';
import { preparedOnUse, pruneInSteps } from '../statements.js';
import { createA2aContexts, createA2aPush } from './a2a-names.js';
import { prepareTasks, type TaskRow, takePage, toTask } from './a2a-statements.js';
import { createInboxWriter } from './inbox.js';
import { createOutboxWriter } from './webhook-outbox.js';

const digestOf = (content: InboxContent): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url');
const OVER_STATES: ReadonlySet<string> = new Set(['completed', 'failed', 'canceled', 'rejected']);

/** The tables of other software's tasks. */
export function createA2aTasks(database: Database, clock: Clock, ids: Ids): A2aTasks {
  const statements = preparedOnUse(() => prepareTasks(database));
  const nowIso = (): string => clock.now().toISOString();
  const { prune: pruneContexts, ...contexts } = createA2aContexts(database, nowIso);
  const { configsOf, ...push } = createA2aPush(database, nowIso);
  const putInOutbox = createOutboxWriter(database, ids, nowIso);
  const putInInbox = createInboxWriter(database, ids, nowIso);

  function* toTasks(rows: readonly TaskRow[]): Work<readonly A2aTaskRecord[]> {
    if (rows.length === 0) return [];
    const open = yield* statements.open.all(JSON.stringify(rows.map(({ task_id }) => task_id)));
    return rows.map((row) => {
      const own = open.filter(({ taskId }) => taskId === row.task_id);
      return toTask(
        row,
        own.map(({ messageId, begun }) => ({ messageId, begun: begun === 1 })),
      );
    });
  }
  function* get(taskId: string): Work<A2aTaskRecord | null> {
    const [task] = yield* toTasks(yield* statements.task.all(taskId));
    return task ?? null;
  }
  function* existing(taskId: string): Work<A2aTaskRecord> {
    const task = yield* get(taskId);
    if (!task) throw new HubError('not_found', 'There is no such task.', { taskId });
    return task;
  }
  function* find(
    owner: string,
    agent: string,
    { messageId, content }: A2aMessage,
  ): Work<A2aTaskRecord | null> {
    const row = yield* statements.message.get({ owner, agent, messageId });
    if (!row) return null;
    if (row.digest !== digestOf(content)) {
      const message = 'This message id was used for another message.';
      throw new HubError('idempotency_conflict', message, { messageId });
    }
    return yield* existing(row.task_id);
  }
  function* keep(
    { taskId, owner, agent, threadId, customerId }: Omit<NewA2aTask, 'document'>,
    { messageId, content }: A2aMessage,
  ): Work<void> {
    const clientMessageId = clientMessageIdOf({ owner, agent }, messageId);
    const digest = digestOf(content);
    yield* statements.insertMessage.run({ taskId, owner, agent, messageId, clientMessageId, digest });
    if (threadId !== null)
      yield* putInInbox({ threadId, customerId, clientMessageId, content, channel: 'a2a' });
  }

  function* begin(task: NewA2aTask, message: A2aMessage) {
    const known = yield* find(task.owner, task.agent, message);
    if (known) return { task: known, known: true };
    const { scopes, document, ...rest } = task;
    const texts = { scopes: JSON.stringify(scopes), document: JSON.stringify(document) };
    yield* statements.insertTask.run({ ...rest, ...texts, now: nowIso() });
    yield* keep(task, message);
    return { task: yield* existing(task.taskId), known: false };
  }
  function* say(taskId: string, message: A2aMessage, shown: JsonObject) {
    const task = yield* existing(taskId);
    const known = yield* find(task.owner, task.agent, message);
    if (known) return { task: known, known: true };
    if (OVER_STATES.has(task.state)) throw new HubError('wrong_status', 'The task is over.', { taskId });
    const { document } = task;
    const heard = { ...document, history: [...document.history, shown] };
    yield* statements.heard.run({ taskId, document: JSON.stringify(heard) });
    yield* keep(task, message);
    return { task: yield* existing(taskId), known: false };
  }
  function* queueWebhooks(
    before: A2aTaskRecord,
    after: A2aTaskRecord,
    { bodies, refused }: WebhookNotifier,
  ): Work<void> {
    for (const config of yield* configsOf(after.taskId)) {
      const told = bodies(before, after, config.protocol);
      if (told.length > 0 && !(yield* putInOutbox(after, config, told))) refused(after, config);
    }
  }
  function* save(
    task: A2aTaskRecord,
    change: A2aTaskChange,
    answered: readonly string[],
    notifier: WebhookNotifier | undefined,
  ) {
    const { taskId, threadId } = task;
    const now = yield* get(taskId);
    // A turn may have taken a message from the inbox since.
    if (now?.version !== task.version || !isDeepStrictEqual(now.open, task.open)) return null;
    yield* statements.save.run({
      taskId,
      state: change.state,
      wait: change.wait && JSON.stringify(change.wait),
      told: JSON.stringify(change.messageIds),
      cancelAsked: change.cancelAsked ? 1 : 0,
      document: JSON.stringify(change.document),
      now: nowIso(),
    });
    const isOver = OVER_STATES.has(change.state);
    if (isOver) yield* statements.withdraw.run({ taskId, threadId });
    if (isOver || answered.length > 0)
      yield* statements.settle.run({ taskId, all: isOver ? 1 : 0, messageIds: JSON.stringify(answered) });
    const after = yield* existing(taskId);
    if (notifier) yield* queueWebhooks(task, after, notifier);
    return after;
  }

  return storeOf<A2aTasks>(database, {
    begin: (task, message) => database.transaction(() => begin(task, message)),
    say: (taskId, message, shown) => database.transaction(() => say(taskId, message, shown)),
    find,
    get,
    *newer(taskId, version) {
      const row = yield* statements.version.get(taskId);
      return row?.version === version ? null : yield* existing(taskId);
    },
    *list(query): Work<A2aListed> {
      const { owner, agent, contextId = null, state = null, changedAfter = null, after, limit } = query;
      const filter = { owner, agent, contextId, state, changedAfter, within: JSON.stringify(query.within) };
      const place = { afterAt: after?.changedAt ?? null, afterSeq: after?.seq ?? null };
      const { rows, more } = takePage(
        yield* statements.page.all({ ...filter, ...place, limit: limit + 1 }),
        limit,
      );
      const last = rows.at(-1);
      return {
        tasks: yield* toTasks(rows),
        next: more && last ? { changedAt: last.changed_at, seq: last.seq } : null,
        total: (yield* statements.count.get(filter))?.total ?? 0,
      };
    },
    save: (task, change, answered = [], notifier) =>
      database.transaction(() => save(task, change, answered, notifier)),
    *listOpen() {
      return yield* toTasks(yield* statements.unfinished.all());
    },
    *left(before) {
      return yield* toTasks(yield* statements.left.all(before.toISOString()));
    },
    *waiting(threadId) {
      return yield* toTasks(yield* statements.waiting.all(threadId));
    },
    ...contexts,
    ...push,
    listPush: configsOf,
    *prune(before) {
      const limit = before.toISOString();
      const tasks = yield* pruneInSteps(() => statements.prune.run(limit));
      yield* pruneContexts(limit);
      return tasks;
    },
  });
}

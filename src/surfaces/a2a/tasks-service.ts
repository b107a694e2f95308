import type { StreamResponse, Task, TaskPushNotificationConfig } from '@a2a-js/sdk';
import type { App } from '../../app/app.js';
import { SCOPES } from '../../core/domain/customer.js';
import type { Language } from '../../core/domain/taxonomy.js';
import { HubError } from '../../core/errors.js';
import type { A2aListed, A2aListPlace, A2aTaskRecord } from '../../core/ports/a2a-tasks.js';
import type { A2aPushConfig } from '../../core/ports/webhooks.js';
import { CALLER_SECRET } from './a2a-auth.js';
import { eventsOf, ObservedTasks } from './observed-tasks.js';
import { checkSigningKey, newSigningKey, PushNotifications, webhookNotifier } from './push.js';
import {
  type A2aCaller,
  type Asked,
  fromProtocolState,
  isOver,
  isSettled,
  type PushTarget,
  type TaskFilter,
  type TaskMessage,
  type TaskPage,
  type TaskService,
  toTask,
} from './tasks.js';
import { acceptMessage, inConversation, invalid, ownTask, refuseStaff, shownScopes } from './tasks-begin.js';
import { answerByTool } from './tasks-outcome.js';
import { SYSTEM_TIMERS, TaskRunner, type Timers } from './tasks-runner.js';
import { cancelTask, resumeStaleTasks, resumeTasks, WaitingTasks } from './waiting-tasks.js';

interface TaskServiceDeps {
  readonly app: Pick<
    App,
    'a2a' | 'capabilities' | 'conversations' | 'deskEvents' | 'log' | 'metrics' | 'texts'
  >;
  readonly locale: Language;
  readonly messageChars: number;
  /** When a message that nobody waits for is begun; the machine's where absent. */
  readonly timers?: Timers | undefined;
}

/**
 * How long an agent waits for more before it begins, where the caller does not wait for it: so long a message can be
 * added to, or taken back, as if it had not been sent.
 */
const HOLD_MS = 750;
/** Longer than any turn takes with all it may wait for; a caller that still waits gets the task as it is. */
const WAIT_MS = 120_000;
const MAX_CONFIG_ID_CHARS = 100;
const MAX_SECRET_CHARS = 4_096;
/** What a header can carry. */
const SENDABLE = new RegExp(`^[\\x20-\\x7e]{0,${MAX_SECRET_CHARS}}$`);

/** The generic way to ask an agent; takes up again what an earlier process has left. */
export function createTaskService({
  app,
  locale,
  messageChars,
  timers = SYSTEM_TIMERS,
}: TaskServiceDeps): TaskService {
  const { a2a, log, metrics } = app;
  const observed = new ObservedTasks(a2a.tasks, webhookNotifier({ log, metrics }));
  const runner = new TaskRunner({
    app,
    observed,
    locale,
    answerAlone: (task, messageId, content) => answerByTool(app, task, messageId, content),
    timers,
  });
  const people = new WaitingTasks({ app, observed, runner });
  const push = new PushNotifications({ ...a2a, log, metrics });
  observed.onChange(() => push.look());
  push.begin();
  void a2a.track(resumeTasks({ app, observed, runner }, people));
  resumeStaleTasks({ app, observed, runner });

  const accept = async (
    by: Asked,
    message: TaskMessage,
    target: PushTarget | undefined,
  ): Promise<A2aTaskRecord> => {
    if (target) await checkTarget(target, by);
    const task = await acceptMessage({ app, observed, messageChars }, by, message);
    if (target) await a2a.tasks.putPush(configOf(task.taskId, target));
    return task;
  };
  const checkTarget = async ({ config }: PushTarget, { caller: { callerKey } }: Asked): Promise<void> => {
    a2a.webhooks.check(config.url);
    if (config.id.length > MAX_CONFIG_ID_CHARS)
      throw new HubError('input_invalid', `The id has at most ${MAX_CONFIG_ID_CHARS} characters.`, {
        field: 'id',
      });
    const { token, authentication } = config;
    for (const sent of [token, authentication?.scheme, authentication?.credentials])
      if (!SENDABLE.test(sent ?? '')) {
        const message = `A token or credential is at most ${MAX_SECRET_CHARS} printable ASCII characters.`;
        throw new HubError('input_invalid', message, { field: 'token' });
      }
    checkSigningKey(token);
    await a2a.outbox.demandRoom(callerKey);
  };
  const configOf = (taskId: string, { config, version }: PushTarget): A2aPushConfig => {
    const { url, token, authentication } = config;
    return {
      configId: config.id === '' ? a2a.ids.next('psh') : config.id,
      ...{ taskId, url, protocol: version },
      token: token === '' ? newSigningKey() : token,
      scheme: authentication?.scheme ?? '',
      credentials: authentication?.credentials ?? '',
    };
  };
  const settled = (taskId: string): Promise<A2aTaskRecord> =>
    observed.settled(taskId, AbortSignal.any([a2a.closing, AbortSignal.timeout(WAIT_MS)]));

  return {
    async send(by, message, { wait, push: target }) {
      const task = await accept(by, message, target);
      const open = task.open.length;
      if (wait) {
        if (open > 0) runner.now(task.taskId);
        return withSecret(by.caller, task, toTask(await settled(task.taskId)));
      }
      if (open === 0) return toTask(task);
      runner.soon(task.taskId, HOLD_MS, open);
      // It can be seen working before it is done.
      return withSecret(
        by.caller,
        task,
        toTask(await observed.change(task.taskId, (now) => runner.working(now))),
      );
    },

    async *stream(by, message, { push: target }, signal) {
      const task = await accept(by, message, target);
      const watcher = observed.watch(task.taskId);
      runner.now(task.taskId);
      const done = (now: A2aTaskRecord): boolean => isSettled(now) && now.open.length === 0;
      if (done(task)) watcher.end();
      for await (const event of eventsOf(watcher, task, done(task) ? AbortSignal.abort() : signal, done))
        yield eventWithSecret(by.caller, task, event);
    },

    async get(by, taskId) {
      return toTask(await runner.look(await ownTask(observed, by, taskId, 'read')));
    },

    async list(by, filter) {
      refuseStaff(by.caller);
      const { after, limit, changedAfter } = readPage(filter);
      const { contextId } = filter;
      const { agent, caller } = await inConversation(observed, by, contextId);
      const page = await a2a.tasks.list({
        ...{ owner: caller.callerKey, agent, contextId, changedAfter, after, limit },
        state: filter.state === undefined ? undefined : fromProtocolState(filter.state),
        within: shownScopes(caller, SCOPES),
      });
      return pageOf(page);
    },

    async cancel(by, taskId) {
      await ownTask(observed, by, taskId, 'act');
      return toTask(await cancelTask({ app, observed, runner }, taskId));
    },

    async *subscribe(by, taskId, signal) {
      await ownTask(observed, by, taskId, 'read');
      const watcher = observed.watch(taskId);
      const task = await runner.look(await observed.get(taskId));
      if (isOver(task)) {
        watcher.end();
        throw new HubError('wrong_status', `The task is over (${task.state}).`, { taskId });
      }
      people.follow();
      yield* eventsOf(watcher, task, signal);
    },

    async setPush(by, taskId, target) {
      await ownTask(observed, by, taskId, 'act');
      await checkTarget(target, by);
      const config = configOf(taskId, target);
      await a2a.tasks.putPush(config);
      return toProtocolConfig(config);
    },

    async getPush(by, taskId, configId) {
      await ownTask(observed, by, taskId, 'act');
      const found = (await a2a.tasks.listPush(taskId)).find((config) => config.configId === configId);
      if (found) return toProtocolConfig(found);
      throw new HubError('not_found', 'The task has no such push notification configuration.', { taskId });
    },

    async listPush(by, taskId) {
      await ownTask(observed, by, taskId, 'act');
      return (await a2a.tasks.listPush(taskId)).map(toProtocolConfig);
    },

    async deletePush(by, taskId, configId) {
      await ownTask(observed, by, taskId, 'act');
      await a2a.tasks.deletePush(taskId, configId);
    },

    async listWebhooks(by, taskId) {
      await ownTask(observed, by, taskId, 'act');
      return a2a.outbox.list(taskId);
    },

    async replayWebhooks(by, taskId, webhookId) {
      await ownTask(observed, by, taskId, 'act');
      const replayed = await a2a.outbox.replay(taskId, webhookId);
      push.look();
      return replayed;
    },
  };
}

/** Tells a visitor its secret, with a task that it has begun under it. */
function withSecret({ newSecret, callerKey }: A2aCaller, { owner }: A2aTaskRecord, task: Task): Task {
  if (newSecret === undefined || owner !== callerKey) return task;
  return { ...task, metadata: { ...task.metadata, [CALLER_SECRET]: newSecret } };
}

function eventWithSecret(caller: A2aCaller, task: A2aTaskRecord, event: StreamResponse): StreamResponse {
  const { payload } = event;
  if (payload?.$case !== 'task') return event;
  return { payload: { $case: 'task', value: withSecret(caller, task, payload.value) } };
}

function toProtocolConfig(config: A2aPushConfig): TaskPushNotificationConfig {
  const { configId, taskId, url, token, scheme, credentials } = config;
  const authentication = scheme === '' && credentials === '' ? undefined : { scheme, credentials };
  return { tenant: '', id: configId, taskId, url, token, authentication };
}

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;
const TOKEN = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d{1,15})$/;

/** What part of a list is asked for. @throws HubError `input_invalid` */
function readPage({ pageSize = PAGE_SIZE, pageToken, changedAfter }: TaskFilter) {
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE_SIZE)
    throw invalid('pageSize', `pageSize is a whole number from 1 to ${MAX_PAGE_SIZE}.`);
  return {
    limit: pageSize,
    after: pageToken ? readToken(pageToken) : undefined,
    changedAfter: changedAfter === undefined ? undefined : readTime(changedAfter),
  };
}

/** A page as the caller sees it. */
function pageOf({ tasks, next, total }: A2aListed): TaskPage {
  const token = next && Buffer.from(`${next.changedAt} ${next.seq}`).toString('base64url');
  return { tasks: tasks.map(toTask), nextPageToken: token ?? '', total };
}

function readToken(token: string): A2aListPlace {
  const [, changedAt, seq] = TOKEN.exec(Buffer.from(token, 'base64url').toString('latin1')) ?? [];
  if (changedAt === undefined) throw invalid('pageToken', 'The page token is none that was given out.');
  return { changedAt, seq: Number(seq) };
}

function readTime(time: string): string {
  const at = TIME.test(time) ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(at))
    throw invalid('statusTimestampAfter', 'The timestamp is not ISO 8601 with a time zone.');
  return new Date(at).toISOString();
}

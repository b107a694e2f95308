import {
  type Message,
  type Part,
  Role,
  type StreamResponse,
  Task,
  TaskArtifactUpdateEvent,
  TaskState,
  TaskStatusUpdateEvent,
} from '@a2a-js/sdk';
import { type JsonObject, snaked } from '../../core/domain/json.js';
import { toHubError, wrongField } from '../../core/errors.js';
import { REMOTE_HOPS_HEADER } from '../../core/ports/remote-agents.js';
import type { WebhookRecord } from '../../core/ports/webhooks.js';
import { wantsStream } from '../http/client.js';
import type { ServerEvent } from '../http/event-streams.js';
import type { HttpDeps } from '../http/http-deps.js';
import { toProblem } from '../http/problem.js';
import { createRouter, type HubContext, type HubRouter } from '../http/router.js';
import {
  type AddressedCaller,
  a2aCaller,
  countCall,
  countTurn,
  knownAgent,
  provenBy,
  readJsonObject,
  withoutSecret,
} from './a2a-auth.js';
import { readPlainRequest, readReplay } from './plain-messages.js';
import type { Asked, TaskFilter, TaskService } from './tasks.js';

/** A request whose agent and caller are known. */
interface AddressedRequest extends Asked {
  readonly caller: AddressedCaller;
}

const PATH = '/agents/:agent/tasks';
const TASK = `${PATH}/:task_id`;

/** The generic way without JSON-RPC: tasks as resources below their agent. */
export function plainTaskRoutes(deps: HttpDeps, tasks: TaskService): HubRouter {
  const router = createRouter();
  const asked = async (c: HubContext): Promise<AddressedRequest> => {
    const caller = await a2aCaller(c, deps);
    return { agent: knownAgent(deps.app, c.req.param('agent') ?? '').name, caller };
  };
  /** The same for what is no turn, counted. */
  const counted = async (c: HubContext): Promise<AddressedRequest> => {
    const who = await asked(c);
    await countCall(deps, who.caller, 'tool');
    return who;
  };
  const send = async (c: HubContext): Promise<Response> => {
    const who = await asked(c);
    const { rest: body, found } = withoutSecret(await readJsonObject(c));
    const by = { ...who, caller: provenBy(who.caller, found) };
    const headers = {
      idempotencyKey: c.req.header('idempotency-key'),
      hops: c.req.header(REMOTE_HOPS_HEADER),
    };
    const { message, blocking } = readPlainRequest(body, headers, c.req.param('task_id'));
    await countTurn(deps, by.caller);
    if (wantsStream(c.req.header('accept')))
      return streamTask(c, deps, (signal) => tasks.stream(by, message, {}, signal));
    return plain(c, await deps.work.track(tasks.send(by, message, { wait: blocking })));
  };
  const cancel = async (c: HubContext): Promise<Response> => {
    const by = await counted(c);
    return plain(c, await deps.work.track(tasks.cancel(by, taskIdOf(c))));
  };

  router.post(PATH, send);
  router.post(TASK, send);
  router.delete(TASK, cancel);
  router.post(`${TASK}/cancel`, cancel);

  router.get(PATH, async (c) => {
    const page = await tasks.list(await counted(c), filterOf(c));
    const body = {
      tasks: page.tasks.map(toPlainTask),
      next_page_token: page.nextPageToken,
      total: page.total,
    };
    return c.json(body, 200, NOT_KEPT);
  });

  router.get(TASK, async (c) => {
    const who = await counted(c);
    const task = await tasks.get(who, taskIdOf(c));
    if (!wantsStream(c.req.header('accept'))) return plain(c, task);
    return streamTask(c, deps, (signal) => followed(tasks, who, task, signal));
  });

  router.get(`${TASK}/webhooks`, async (c) => {
    const webhooks = await tasks.listWebhooks(await counted(c), taskIdOf(c));
    return c.json({ webhooks: webhooks.map(toPlainWebhook) }, 200, NOT_KEPT);
  });

  router.post(`${TASK}/webhooks/replay`, async (c) => {
    const by = await counted(c);
    const webhookId = readReplay(await readJsonObject(c));
    const replayed = await tasks.replayWebhooks(by, taskIdOf(c), webhookId);
    return c.json({ replayed }, 200, NOT_KEPT);
  });

  return router;
}

const NOT_KEPT = { 'cache-control': 'no-store' };

function plain(c: HubContext, task: Parameters<typeof toPlainTask>[0]): Response {
  return c.json(toPlainTask(task), 200, NOT_KEPT);
}

function taskIdOf(c: HubContext): string {
  return c.req.param('task_id') ?? '';
}

/** What happens from now on; of a task that is over, what became of it. */
async function* followed(
  tasks: TaskService,
  by: Asked,
  task: Parameters<typeof toPlainTask>[0],
  signal: AbortSignal,
): AsyncGenerator<StreamResponse, void, undefined> {
  try {
    yield* tasks.subscribe(by, task.id, signal);
  } catch (error) {
    if (toHubError(error).code !== 'wrong_status') throw error;
    yield { payload: { $case: 'task', value: task } };
  }
}

/** Answers with the events of a task. What is refused before the first one is refused with its status. */
async function streamTask(
  c: HubContext,
  { streams, app }: HttpDeps,
  start: (signal: AbortSignal) => AsyncGenerator<StreamResponse, void, undefined>,
): Promise<Response> {
  const stream = streams.open(c, { kind: 'customer' });
  const events = start(stream.signal);
  const pass = (entry: StreamResponse): void => {
    const event = toPlainEvent(entry);
    if (event !== null) stream.send(event);
  };
  const first = await events.next();
  if (!first.done) pass(first.value);
  const rest = async (): Promise<void> => {
    for await (const entry of events) pass(entry);
    stream.send({ event: 'done', data: {} });
  };
  rest()
    .catch((error: unknown) => {
      const failed = toHubError(error);
      app.log.error({ agent: 'a2a', action: 'task_stream_failed', details: { code: failed.code } }, failed);
      stream.send({ event: 'error', data: toProblem(failed, c.req.path) });
    })
    .finally(() => stream.end());
  return stream.response();
}

function filterOf(c: HubContext): TaskFilter {
  const size = c.req.query('page_size');
  const pageSize = size === undefined ? undefined : Number(size);
  if (pageSize !== undefined && (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > 100)) {
    throw wrongField('page_size', 'must be a whole number from 1 to 100');
  }
  return { contextId: c.req.query('context_id'), pageSize, pageToken: c.req.query('page_token') };
}

/** A task as protocol 1.0 writes it, with what the agent said last as plain text, and the question it waits with. */
function toPlainTask(task: Task): JsonObject {
  return { ...(Task.toJSON(task) as JsonObject), reply: replyOf(task), pending: pendingOf(task) };
}

/** An event of a task's stream as the plain door sends it. */
function toPlainEvent({ payload }: StreamResponse): ServerEvent | null {
  switch (payload?.$case) {
    case 'task':
      return { event: 'task', data: toPlainTask(payload.value) };
    case 'statusUpdate':
      return { event: 'status', data: TaskStatusUpdateEvent.toJSON(payload.value) };
    case 'artifactUpdate':
      return { event: 'artifact', data: TaskArtifactUpdateEvent.toJSON(payload.value) };
    default:
      return null;
  }
}

/** What became of telling a webhook. */
function toPlainWebhook(webhook: WebhookRecord): JsonObject {
  const { why: error, ...rest } = webhook;
  return snaked({ ...rest, error });
}

/** Null while nothing was said. */
function replyOf({ status, artifacts, history }: Task): string | null {
  const said = history.filter(({ role }: Message) => role === Role.ROLE_AGENT).at(-1);
  return textOf(status?.message?.parts) ?? textOf(artifacts.at(-1)?.parts) ?? textOf(said?.parts);
}

function textOf(parts: readonly Part[] | undefined): string | null {
  const texts = (parts ?? []).flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []));
  return texts.length === 0 ? null : texts.join('\n');
}

function pendingOf({ status }: Task): JsonObject | null {
  if (status?.state !== TaskState.TASK_STATE_INPUT_REQUIRED) return null;
  for (const { content } of status.message?.parts ?? []) {
    const data = content?.$case === 'data' ? (content.value as JsonObject | null) : null;
    if (typeof data?.pending_id === 'string') return data;
  }
  return null;
}

import {
  type AgentCard,
  AgentCard as AgentCardCodec,
  type CancelTaskRequest,
  type DeleteTaskPushNotificationConfigRequest,
  type GetTaskPushNotificationConfigRequest,
  type GetTaskRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  type ListTasksResponse,
  type SendMessageRequest,
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
  type TaskPushNotificationConfig,
  TaskState,
} from '@a2a-js/sdk';
import { LegacyJsonRpcTransportHandler, V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { RequestMalformedError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { JsonObject } from '../../core/domain/json.js';
import { REMOTE_HOPS_METADATA } from '../../core/ports/remote-agents.js';
import { checkOutputModes, readMessage } from './rpc-params.js';
import { type Envelope, RefusedError, type RpcId, type RpcVersion, toA2aError } from './rpc-request.js';
import {
  type Asked,
  fromProtocolState,
  type PushTarget,
  type TaskMessage,
  type TaskService,
} from './tasks.js';

/** One request: to whom, by whom, and in which version. */
export interface AskedBy extends Asked {
  readonly wire: RpcVersion['wire'];
  /** Whether a message that is sent waits for what becomes of it. */
  readonly waits: boolean;
  /** How many hubs the request says it came through; undefined where it says nothing. */
  readonly hops: number | undefined;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/** What agent cards say the server can do. */
export const A2A_CAPABILITIES = {
  streaming: true,
  pushNotifications: true,
  extendedAgentCard: false,
} as const;

/** Everything the SDK's transports ask of a server, done by the tasks of the hub. */
export class TaskRequests implements A2ARequestHandler {
  /** Why the hub has refused it, where A2A has no word for that. */
  refused: RefusedError | null = null;

  constructor(
    private readonly tasks: TaskService,
    private readonly by: AskedBy,
  ) {}

  async getAgentCard(): Promise<AgentCard> {
    return AgentCardCodec.fromJSON({ capabilities: A2A_CAPABILITIES });
  }

  async getAuthenticatedExtendedAgentCard(): Promise<AgentCard> {
    throw new UnsupportedOperationError(
      'The agent card is the same for everybody: there is no extended one.',
    );
  }

  async sendMessage(request: SendMessageRequest): Promise<Task> {
    const { waits } = this.by;
    return this.#known(async () => {
      const { message, push } = this.#read(request);
      const task = await this.tasks.send(this.by, message, { wait: waits, push });
      return shortened(task, request.configuration?.historyLength);
    });
  }

  async *sendMessageStream(request: SendMessageRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const { signal } = this.by;
    const length = request.configuration?.historyLength;
    yield* this.#streamed(() => {
      const { message, push } = this.#read(request);
      return this.tasks.stream(this.by, message, { push }, signal);
    }, length);
  }

  async getTask({ id, historyLength }: GetTaskRequest): Promise<Task> {
    return this.#known(async () => shortened(await this.tasks.get(this.by, id), historyLength));
  }

  async listTasks(request: ListTasksRequest): Promise<ListTasksResponse> {
    const { contextId, status, pageSize, pageToken, historyLength, statusTimestampAfter } = request;
    if (status !== TaskState.TASK_STATE_UNSPECIFIED && status !== TaskState.TASK_STATE_AUTH_REQUIRED)
      if (fromProtocolState(status) === undefined)
        throw new RequestMalformedError('There is no such state of a task.');
    // Nothing here ever waits for another sign-in.
    if (status === TaskState.TASK_STATE_AUTH_REQUIRED)
      return { tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 };
    return this.#known(async () => {
      const page = await this.tasks.list(this.by, {
        contextId: contextId || undefined,
        state: status === TaskState.TASK_STATE_UNSPECIFIED ? undefined : status,
        changedAfter: statusTimestampAfter,
        pageSize,
        pageToken: pageToken || undefined,
      });
      const tasks = page.tasks.map((task) => {
        const shown = shortened(task, historyLength);
        return request.includeArtifacts ? shown : { ...shown, artifacts: [] };
      });
      const { nextPageToken, total: totalSize } = page;
      return { tasks, nextPageToken, pageSize: tasks.length, totalSize };
    });
  }

  async cancelTask({ id }: CancelTaskRequest): Promise<Task> {
    return this.#known(() => this.tasks.cancel(this.by, id), true);
  }

  async *resubscribe({ id }: SubscribeToTaskRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const { signal } = this.by;
    yield* this.#streamed(() => this.tasks.subscribe(this.by, id, signal), undefined);
  }

  async createTaskPushNotificationConfig(
    config: TaskPushNotificationConfig,
  ): Promise<TaskPushNotificationConfig> {
    return this.#known(() => this.tasks.setPush(this.by, config.taskId, this.#target(config)));
  }

  async getTaskPushNotificationConfig({
    taskId,
    id,
  }: GetTaskPushNotificationConfigRequest): Promise<TaskPushNotificationConfig> {
    return this.#known(async () => {
      if (id !== '') return this.tasks.getPush(this.by, taskId, id);
      // The older version may name none, and means the only one.
      const [first] = await this.tasks.listPush(this.by, taskId);
      return first ?? this.tasks.getPush(this.by, taskId, id);
    });
  }

  async listTaskPushNotificationConfigs({
    taskId,
  }: ListTaskPushNotificationConfigsRequest): Promise<ListTaskPushNotificationConfigsResponse> {
    return this.#known(async () => ({
      configs: [...(await this.tasks.listPush(this.by, taskId))],
      nextPageToken: '',
    }));
  }

  async deleteTaskPushNotificationConfig({
    taskId,
    id,
  }: DeleteTaskPushNotificationConfigRequest): Promise<void> {
    await this.#known(() => this.tasks.deletePush(this.by, taskId, id));
  }

  #read({ message, configuration }: SendMessageRequest): {
    message: TaskMessage;
    push: PushTarget | undefined;
  } {
    if (!message) throw new RequestMalformedError('message is required.');
    checkOutputModes(configuration);
    const config = configuration?.taskPushNotificationConfig;
    return { message: this.#counted(readMessage(message)), push: config && this.#target(config) };
  }

  /** A hub says how many it came through with the message, or beside it. */
  #counted(message: TaskMessage): TaskMessage {
    const { hops } = this.by;
    if (hops === undefined || message.metadata?.[REMOTE_HOPS_METADATA] !== undefined) return message;
    return { ...message, metadata: { ...message.metadata, [REMOTE_HOPS_METADATA]: hops } };
  }

  #target(config: TaskPushNotificationConfig): PushTarget {
    return { config, version: this.by.wire };
  }

  #failed(error: unknown, cancels: boolean): Error {
    const known = toA2aError(error, cancels);
    if (known instanceof RefusedError) this.refused = known;
    return known;
  }

  async #known<T>(work: () => Promise<T>, cancels = false): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#failed(error, cancels);
    }
  }

  async *#streamed(
    start: () => AsyncGenerator<StreamResponse, void, undefined>,
    historyLength: number | undefined,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    try {
      for await (const event of start()) {
        const { payload } = event;
        yield payload?.$case === 'task'
          ? { payload: { $case: 'task', value: shortened(payload.value, historyLength) } }
          : event;
      }
    } catch (error) {
      throw this.#failed(error, false);
    }
  }
}

/** A task with so many of its last messages; all where nothing is said. */
function shortened(task: Task, historyLength: number | undefined): Task {
  if (historyLength === undefined) return task;
  return { ...task, history: historyLength === 0 ? [] : task.history.slice(-historyLength) };
}

const serializer = new V03PushNotificationSerializer();

/** `tasks/list` for clients of 0.3, where only other transports have it. */
export async function listLegacy(
  handler: TaskRequests,
  params: Readonly<Record<string, unknown>>,
  id: RpcId,
): Promise<Envelope> {
  const { status, lastUpdatedAfter } = params;
  const request = ListTasksRequest.fromJSON({
    ...params,
    ...(typeof status === 'string' && { status: newName(status) }),
    ...(typeof lastUpdatedAfter === 'number' && {
      statusTimestampAfter: new Date(lastUpdatedAfter).toISOString(),
    }),
  });
  try {
    const page = await handler.listTasks(request);
    return { jsonrpc: '2.0', id, result: { ...page, tasks: page.tasks.map(oldForm) } };
  } catch (error) {
    return { jsonrpc: '2.0', id, error: LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error) };
  }
}

function newName(status: string): string {
  return status.startsWith('TASK_STATE_')
    ? status
    : `TASK_STATE_${status.toUpperCase().replaceAll('-', '_')}`;
}

function oldForm(task: Task): JsonObject {
  const { body } = serializer.serialize({ payload: { $case: 'task', value: task } });
  return JSON.parse(body) as JsonObject;
}

import { ListTasksRequest, type Task } from '@a2a-js/sdk';
import { LegacyJsonRpcTransportHandler, V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import type { JsonObject } from '../../core/domain/json.js';
import type { RpcId } from './rpc-errors.js';
import type { TaskRequests } from './rpc-handler.js';
import type { Envelope } from './rpc-stream.js';

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

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
import type { JsonObject } from '../../core/domain/json.js';
import type { WebhookRecord } from '../../core/ports/webhook-outbox.js';
import type { ServerEvent } from '../http/event-streams.js';

/** A task as protocol 1.0 writes it, with what the agent said last as plain text, and the question it waits with. */
export function toPlainTask(task: Task): JsonObject {
  return { ...(Task.toJSON(task) as JsonObject), reply: replyOf(task), pending: pendingOf(task) };
}

/** What a task's stream tells, as an event of its own kind. */
export function toPlainEvent({ payload }: StreamResponse): ServerEvent | null {
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
export function toPlainWebhook(webhook: WebhookRecord): JsonObject {
  const { webhookId, configId, status, attempts, nextAt, why, createdAt, settledAt } = webhook;
  return {
    ...{ webhook_id: webhookId, config_id: configId, status, attempts, next_at: nextAt },
    ...{ error: why, created_at: createdAt, settled_at: settledAt },
  };
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

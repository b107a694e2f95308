import { randomUUID } from 'node:crypto';
import { Message } from '@a2a-js/sdk';
import { z } from 'zod';
import type { JsonObject } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import { REMOTE_HOPS_METADATA } from '../../core/ports/remote-agents.js';
import { readMessage } from './rpc-params.js';
import type { TaskContent, TaskMessage } from './tasks.js';

const idSchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters without spaces');
/** A message as either version of the protocol writes it. */
const messageSchema = z.looseObject({
  messageId: idSchema.optional(),
  taskId: idSchema.optional(),
  contextId: idSchema.optional(),
  parts: z
    .array(z.looseObject({ text: z.string().optional() }))
    .min(1)
    .max(50),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
const bodySchema = z.strictObject({
  message: z.union([z.string(), messageSchema]).optional(),
  message_id: idSchema.optional(),
  context_id: idSchema.optional(),
  task_id: idSchema.optional(),
  pending_id: idSchema.optional(),
  answer: z.enum(['yes', 'no']).optional(),
  blocking: z.boolean().default(true),
});
const KNOWN = Object.keys(bodySchema.shape).join(', ');

/** What a request of the plain form asks for. */
interface PlainRequest {
  readonly message: TaskMessage;
  /** False: answered at once, while the agent still works. */
  readonly blocking: boolean;
}

interface PlainHeaders {
  /** Names the message, so that it has one effect however often it is sent. */
  readonly idempotencyKey: string | undefined;
  /** How many hubs the request came through. */
  readonly hops: string | undefined;
}

/**
 * Reads the body of a task that is begun or continued: words or a whole A2A message in `message`, or the answer to a
 * question as `pending_id` and `answer`.
 * @throws HubError `input_invalid` (fields.errors)
 */
export function readPlainRequest(body: JsonObject, headers: PlainHeaders, taskId?: string): PlainRequest {
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success) throw refused(parsed.error.issues.map(toFieldError));
  const { message, message_id, context_id, task_id, blocking } = parsed.data;
  const sent = typeof message === 'object' ? fromProtocol(message) : null;
  const keyed = headers.idempotencyKey === undefined ? undefined : keyOf(headers.idempotencyKey);
  const hops = Number(headers.hops);
  return {
    blocking,
    message: {
      ...sent,
      messageId: message_id ?? (sent?.messageId || keyed) ?? randomUUID(),
      isKeyed: true,
      content: contentOf(parsed.data, sent),
      taskId: taskId ?? task_id ?? sent?.taskId,
      contextId: context_id ?? sent?.contextId,
      metadata: {
        ...sent?.metadata,
        ...(Number.isInteger(hops) && hops > 0 ? { [REMOTE_HOPS_METADATA]: hops } : {}),
      },
    },
  };
}

/** Which notification is sent again; undefined where all that were given up are. @throws HubError `input_invalid` */
export function readReplay(body: JsonObject): string | undefined {
  const parsed = z.strictObject({ webhook_id: idSchema.optional() }).safeParse(body);
  if (parsed.success) return parsed.data.webhook_id;
  throw refused([{ field: 'webhook_id', message: 'is all that may be said: an id of the list' }]);
}

/** A message as the protocol's own way reads it. */
function fromProtocol(message: z.infer<typeof messageSchema>): TaskMessage {
  try {
    return readMessage(Message.fromJSON(message));
  } catch (error) {
    // The protocol has errors of its own for what cannot be read.
    throw refused([
      { field: 'message.parts', message: error instanceof Error ? error.message : 'cannot be read' },
    ]);
  }
}

function contentOf(
  { message, pending_id, answer }: z.infer<typeof bodySchema>,
  sent: TaskMessage | null,
): TaskContent {
  if (message === undefined) {
    if (pending_id !== undefined && answer !== undefined)
      return { kind: 'answer', pendingId: pending_id, answer };
    const missing = pending_id !== undefined ? 'answer' : answer !== undefined ? 'pending_id' : 'message';
    throw refused([{ field: missing, message: 'is missing' }]);
  }
  if (pending_id !== undefined || answer !== undefined)
    throw refused([
      { field: 'message', message: 'stands for itself: leave it out where a question is answered' },
    ]);
  return sent?.content ?? { kind: 'text', text: String(message) };
}

function keyOf(header: string): string {
  const read = idSchema.safeParse(header);
  if (read.success) return `idem:${read.data}`;
  throw refused([
    { field: 'Idempotency-Key', message: 'must be 1 to 200 printable ASCII characters without spaces' },
  ]);
}

function toFieldError(issue: z.core.$ZodIssue): { readonly field: string; readonly message: string } {
  if (issue.code === 'unrecognized_keys')
    return { field: (issue.keys[0] ?? '').slice(0, 200), message: `is not known; there are ${KNOWN}` };
  const named = issue.path.map(String).join('.');
  return { field: named.slice(0, 200) || 'body', message: issue.message };
}

function refused(errors: readonly { readonly field: string; readonly message: string }[]): HubError {
  const said = errors.map(({ field, message }) => `${field} ${message}`).join('; ');
  return new HubError('input_invalid', `The request is not understood: ${said}.`, {
    errors: errors.slice(0, 20),
  });
}

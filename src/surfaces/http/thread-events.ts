import type { ThreadEvent } from '../../core/domain/conversation.js';
import { type ErrorCode, HubError } from '../../core/errors.js';
import { toClassificationJson, toEscalationJson, toToolCallJson } from '../reply-json.js';
import { toCitationsJson, toHttpPending, toHttpReply, toOwnerJson } from './customer-json.js';
import type { ServerEvent } from './event-streams.js';
import { toProblem } from './problem.js';

/** An event of a conversation on the wire. */
export function toServerEvent({ id, threadId, body }: ThreadEvent): ServerEvent {
  return { id, event: body.type, data: dataOf(threadId, body) };
}

function dataOf(threadId: string, body: ThreadEvent['body']): unknown {
  switch (body.type) {
    case 'triage':
      return toClassificationJson(body.classification);
    case 'route':
      return { to: body.step.to, by: body.step.by };
    case 'agent':
      return { agent: body.agent };
    case 'tool':
      return toToolCallJson(body.call);
    case 'token':
      return { text: body.text };
    case 'citation':
      return toCitationsJson({ citations: [body.citation] })[0];
    case 'pending':
      return toHttpPending(body.pending);
    case 'escalation':
      return toEscalationJson(body.escalation);
    case 'message':
      return messageOf(threadId, body);
    case 'usage': {
      const { llmCalls, promptTokens, completionTokens, costUsd } = body.usage;
      return {
        llm_calls: llmCalls,
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
        cost_usd: costUsd,
      };
    }
    case 'owner':
      return toOwnerJson(body.owner);
    case 'settled':
      return { pending_id: body.pendingId, status: body.status };
    case 'error':
      return toProblem(new HubError(body.code as ErrorCode, body.message));
    case 'done':
      return { turn: body.turn };
  }
}

function messageOf(
  threadId: string,
  { message, reply }: Extract<ThreadEvent['body'], { type: 'message' }>,
): unknown {
  const stored = message && {
    thread_id: threadId,
    ticket_id: message.ticketId,
    message_id: message.messageId,
    role: message.role,
    content: message.content,
    created_at: message.createdAt,
    author: message.author,
    citations: toCitationsJson(message),
    client_message_id: message.clientMessageId,
  };
  if (reply === null) return stored;
  return { role: 'hub', content: reply.reply, created_at: null, ...stored, ...toHttpReply(reply) };
}

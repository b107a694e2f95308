import type { z } from '@hono/zod-openapi';
import type { ReadMark, ThreadOwner, ThreadView } from '../../core/domain/conversation.js';
import type { TicketMessage } from '../../core/domain/ticket.js';
import type { PendingView, TurnReply } from '../../core/domain/turn.js';
import type { ThreadSummary } from '../../core/ports/thread-store.js';
import { toFileJson, toPendingJson, toReplyJson } from '../reply-json.js';
import type {
  messageSchema,
  pendingSchema,
  replySchema,
  threadSchema,
  threadSummarySchema,
} from './schemas.js';

type ReplyJson = z.infer<typeof replySchema>;

/** The object of `chat --json`, with the id of the stored answer; null where the reply only acknowledges. */
export function toHttpReply(reply: TurnReply): ReplyJson {
  const pending = reply.pending && toHttpPending(reply.pending);
  const needs_sign_in = reply.needsSignIn === true;
  return { ...toReplyJson(reply), pending, needs_sign_in, message_id: reply.messageId ?? null } as ReplyJson;
}

/** An open question, with the words of its two buttons. */
export function toHttpPending(pending: PendingView): z.infer<typeof pendingSchema> {
  return { ...toPendingJson(pending), answers: pending.answers ?? null } as z.infer<typeof pendingSchema>;
}

/** One message as its customer sees it. */
function toMessageJson(message: TicketMessage): z.infer<typeof messageSchema> {
  const { messageId, role, content, createdAt, author, clientMessageId, files = [] } = message;
  return {
    id: messageId,
    role,
    content,
    created_at: createdAt,
    citations: toCitationsJson(message),
    author,
    client_message_id: clientMessageId,
    files: files.map(toFileJson),
  };
}

/** Sources of an answer. */
export function toCitationsJson({ citations }: Pick<TicketMessage, 'citations'>) {
  return citations.map(({ articleId, title, confidence }) => ({ article_id: articleId, title, confidence }));
}

/** How far a side has read a conversation. */
export function toReadMarkJson({ messageId, at }: ReadMark) {
  return { message_id: messageId, at };
}

/** Who answers. */
export function toOwnerJson(owner: ThreadOwner) {
  return { owner: owner.kind, operator: owner.name === null ? null : { name: owner.name } };
}

/** A conversation as its customer sees it. */
export function toThreadJson(thread: ThreadView): z.infer<typeof threadSchema> {
  return {
    thread_id: thread.threadId,
    ticket_id: thread.ticketId,
    ...toOwnerJson(thread.owner),
    pending: thread.pending && toHttpPending(thread.pending),
    messages: thread.messages.map(toMessageJson),
    read_by_operator: thread.readByOperator && toReadMarkJson(thread.readByOperator),
    asks_rating: thread.asksRating && {
      ticket_id: thread.asksRating.ticketId,
      operator: thread.asksRating.operator,
    },
    created_at: thread.createdAt,
    updated_at: thread.updatedAt,
  };
}

/** A conversation in its customer's list. */
export function toThreadSummaryJson(thread: ThreadSummary): z.infer<typeof threadSummarySchema> {
  const { threadId, ticketId, operator, title, unread, createdAt, updatedAt } = thread;
  return {
    thread_id: threadId,
    ticket_id: ticketId,
    ...toOwnerJson({ kind: operator === null ? 'hub' : 'operator', name: operator?.name ?? null }),
    title,
    unread,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

import type { z } from '@hono/zod-openapi';
import type { ThreadEvent, ThreadOwner, ThreadView } from '../../core/domain/conversation.js';
import { snaked } from '../../core/domain/json.js';
import { requestNumber, type TicketMessage } from '../../core/domain/ticket.js';
import type { PendingView, TurnReply } from '../../core/domain/turn.js';
import { type ErrorCode, HubError, toHubError } from '../../core/errors.js';
import type { StoredResponse } from '../../core/ports/inbox.js';
import type { ThreadSummary } from '../../core/ports/thread-store.js';
import {
  toClassificationJson,
  toEscalationJson,
  toFileJson,
  toPendingJson,
  toReplyJson,
  toToolCallJson,
} from '../reply-json.js';
import { type HubContext, type LaterResponse, wantsStream } from './client.js';
import type { EventStream, ServerEvent } from './event-streams.js';
import type { HttpDeps } from './http-deps.js';
import { toProblem } from './problem.js';
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
function toHttpPending(pending: PendingView): z.infer<typeof pendingSchema> {
  return { ...toPendingJson(pending), answers: pending.answers ?? null } as z.infer<typeof pendingSchema>;
}

/** One message as its customer sees it. */
function toMessageJson(message: TicketMessage): z.infer<typeof messageSchema> {
  const { messageId: id, role, content, createdAt, author, clientMessageId, citations, files = [] } = message;
  return {
    ...snaked({ id, role, content, createdAt, author, clientMessageId }),
    citations: citations.map(snaked),
    files: files.map(toFileJson),
  };
}

/** Who answers. */
function toOwnerJson(owner: ThreadOwner) {
  return { owner: owner.kind, operator: owner.name === null ? null : { name: owner.name } };
}

/** A conversation as its customer sees it. */
export function toThreadJson(thread: ThreadView): z.infer<typeof threadSchema> {
  const { threadId, ticketId, owner, pending, readByOperator, asksRating, createdAt, updatedAt } = thread;
  return {
    ...snaked({ threadId, ticketId, createdAt, updatedAt }),
    number: ticketId === null ? null : requestNumber(ticketId),
    ...toOwnerJson(owner),
    pending: pending && toHttpPending(pending),
    messages: thread.messages.map(toMessageJson),
    read_by_operator: readByOperator && snaked(readByOperator),
    asks_rating: asksRating && snaked(asksRating),
  };
}

/** A conversation in its customer's list. */
export function toThreadSummaryJson(thread: ThreadSummary): z.infer<typeof threadSummarySchema> {
  const { threadId, ticketId, operator, title, unread, createdAt, updatedAt } = thread;
  return {
    ...snaked({ threadId, ticketId, title, unread, createdAt, updatedAt }),
    ...toOwnerJson({ kind: operator === null ? 'hub' : 'operator', name: operator?.name ?? null }),
  };
}

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
      return snaked(body.citation);
    case 'pending':
      return toHttpPending(body.pending);
    case 'escalation':
      return toEscalationJson(body.escalation);
    case 'message':
      return messageOf(threadId, body);
    case 'usage':
      return snaked(body.usage);
    case 'owner':
      return toOwnerJson(body.owner);
    case 'read':
      return snaked({ messageId: body.messageId, at: body.at });
    case 'typing':
      return { by: body.by, name: body.name, typing: body.typing };
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
  const { id: message_id, ...shown } = message === null ? { id: null } : toMessageJson(message);
  const stored = message && { thread_id: threadId, ticket_id: message.ticketId, message_id, ...shown };
  if (reply === null) return stored;
  return { role: 'hub', content: reply.reply, created_at: null, ...stored, ...toHttpReply(reply) };
}

/** A refusal that comes this soon is answered with its status; later, the stream has begun and carries it. */
const EARLY_MS = 15;

/** How one turn is answered: give it `onEvent`, and then the turn to `answer`. */
interface TurnAnswer {
  /** Absent where the client did not ask for events. */
  readonly onEvent: ((event: ThreadEvent) => void) | undefined;
  /** Whether the client is still there. */
  readonly isOpen: () => boolean;
  /**
   * Answers with the turn's events or, where the client did not ask for them, its reply. The turn continues when the client
   * is gone: what it says is on the conversation.
   */
  answer(turn: Promise<TurnReply>): Promise<TurnReply | Response>;
}

/** Opens the answer to a message or a decision of the customer. */
export function openTurnAnswer(c: HubContext, deps: Pick<HttpDeps, 'streams' | 'work'>): TurnAnswer {
  if (!wantsStream(c.req.header('accept')))
    return {
      onEvent: undefined,
      isOpen: () => !c.req.raw.signal.aborted,
      answer: (turn) => deps.work.track(turn),
    };
  const stream = deps.streams.open(c, { kind: 'customer' });
  const events = new TurnStream(stream);
  return {
    onEvent: (event) => events.send(event),
    isOpen: () => !stream.signal.aborted,
    async answer(started) {
      const turn = deps.work.track(started);
      const later = turn.then(
        (reply): LaterResponse => {
          events.close(reply);
          return { status: 200, body: toHttpReply(reply) };
        },
        (error: unknown): LaterResponse => {
          const problem = toProblem(toHubError(error), c.req.path);
          events.fail(problem);
          return { status: problem.status, body: problem };
        },
      );
      const early = await Promise.race([later, events.began, pause(EARLY_MS)]);
      // Nothing was said yet: the refusal is the answer.
      if (early !== undefined && early.status !== 200 && !events.hasBegun) return await turn;
      c.set('laterResponse', later);
      return stream.response();
    },
  };
}

/** Events of a turn, with its end, whatever becomes of it. */
class TurnStream {
  /** Resolves with the first event. */
  readonly began: Promise<undefined>;
  hasBegun = false;
  #started: () => void = () => {};
  #message = false;
  #done = false;
  #failed = false;

  constructor(private readonly stream: EventStream) {
    this.began = new Promise((resolve) => {
      this.#started = () => resolve(undefined);
    });
  }

  send(event: ThreadEvent): void {
    const { type } = event.body;
    if (this.#done) return;
    this.hasBegun = true;
    this.#message ||= type === 'message' && event.body.reply !== null;
    this.#failed ||= type === 'error';
    this.#done = type === 'done';
    this.stream.send(toServerEvent(event));
    this.#started();
  }

  close(reply: TurnReply): void {
    if (!this.#done && !this.#message) this.stream.send({ event: 'message', data: streamedReply(reply) });
    if (!this.#done) this.stream.send({ event: 'done', data: { turn: reply.messageId ?? null } });
    this.stream.end();
  }

  fail(problem: unknown): void {
    if (!this.#failed) this.stream.send({ event: 'error', data: problem });
    this.stream.end();
  }
}

/** The events of an answer that was given before, where they are what the client asks for. */
export function replayAsStream(
  c: HubContext,
  deps: Pick<HttpDeps, 'streams'>,
  stored: StoredResponse,
): Response | null {
  const isTurn = /^\/api\/threads\/[^/]+\/(?:messages|pending\/[^/]+)$/.test(c.req.path);
  if (!isTurn || stored.status !== 200 || !wantsStream(c.req.header('accept'))) return null;
  const reply = JSON.parse(stored.body) as { readonly reply: string; readonly message_id: string | null };
  const stream = deps.streams.open(c, { kind: 'customer' });
  const response = stream.response();
  stream.send({ event: 'message', data: { role: 'hub', content: reply.reply, created_at: null, ...reply } });
  stream.send({ event: 'done', data: { turn: reply.message_id } });
  stream.end();
  return response;
}

function streamedReply(reply: TurnReply): unknown {
  return { role: 'hub', content: reply.reply, created_at: null, ...toHttpReply(reply) };
}

async function pause(ms: number): Promise<undefined> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return undefined;
}

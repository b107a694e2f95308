import type { AnswerInput } from '../../core/conversations.js';
import { NO_LIMITS } from '../../core/domain/customer.js';
import type { TurnReply } from '../../core/domain/turn.js';
import { HubError } from '../../core/errors.js';
import { toFileJson } from '../reply-json.js';
import { clientAddress, wantsStream } from './client.js';
import { languageOf } from './desk/desk-wire.js';
import type { HttpDeps } from './http-deps.js';
import { visitorsOf } from './rate-limits.js';
import { createRouter, customerOf, type HubContext, type HubRouter, writerOf } from './router.js';
import {
  openTurnAnswer,
  toHttpReply,
  toServerEvent,
  toThreadJson,
  toThreadSummaryJson,
} from './thread-events.js';
import {
  adoptThread,
  answerPending,
  attachFile,
  createThread,
  listThreads,
  rateThread,
  readThread,
  sendMessage,
  setPush,
  showThread,
  stopAnswer,
  threadEvents,
  threadFile,
  typingThread,
  withdrawPending,
} from './thread-route-definitions.js';
import { sendFile, uploadOf } from './uploads.js';

/** A zone that this process knows too; null of any other: a clock that is wrong helps nobody. */
function zoneOf(name: string | undefined): string | null {
  try {
    return name === undefined
      ? null
      : new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

type Writer = ReturnType<typeof writerOf>;

/** What customers do. Another customer's conversation is answered like one that does not exist. */
export function threadRoutes(deps: HttpDeps): HubRouter {
  const { app, config, streams, work, limits } = deps;
  const { conversations } = app;
  const router = createRouter();
  /** What a page has shown need not be sent by mail. */
  const seen = (threadId: string): void => {
    if (app.mail === null) return;
    const noted = app.mail.store.seen(threadId);
    void work
      .track(noted)
      .catch((error) => app.log.error({ agent: 'http', action: 'not_noted_seen' }, error));
  };
  /** The reply, which is seen where somebody is still there to see it. */
  const shown = async (
    threadId: string,
    isOpen: () => boolean,
    turn: Promise<TurnReply>,
  ): Promise<TurnReply> => {
    const reply = await turn;
    if (isOpen()) seen(threadId);
    return reply;
  };

  /** Counts what is no turn; visitors of one network count together. */
  const countWrite = async (c: HubContext, identity: Writer): Promise<void> => {
    const address = clientAddress(c, config.server.trustProxy);
    await limits.write(identity.kind === 'customer' ? nameOf(identity) : visitorsOf(address));
  };

  /** A write that nothing is answered to. */
  const noted = async (c: HubContext, write: (identity: Writer) => Promise<unknown>) => {
    const identity = writerOf(c);
    await countWrite(c, identity);
    await work.track(write(identity));
    return c.body(null, 204);
  };

  router.openapi(createThread, async (c) => {
    const identity = writerOf(c);
    await countWrite(c, identity);
    const { time_zone: said } = c.req.valid('json') ?? {};
    const begun = { ...NO_LIMITS, timeZone: zoneOf(said) };
    return c.json(toThreadJson(await work.track(conversations.create(identity, begun))), 201);
  });

  router.openapi(listThreads, async (c) => {
    const threads = await conversations.list(writerOf(c), c.req.valid('query').limit);
    return c.json({ threads: threads.map(toThreadSummaryJson) }, 200);
  });

  router.openapi(showThread, async (c) => {
    const threadId = c.req.valid('param').thread_id;
    const identity = writerOf(c);
    if (wantsStream(c.req.header('accept'))) return follow(c, identity, threadId, lastSeen(c));
    const thread = await conversations.show(identity, threadId);
    seen(threadId);
    return c.json(toThreadJson(thread), 200);
  });

  router.openapi(threadEvents, async (c) =>
    follow(c, writerOf(c), c.req.valid('param').thread_id, c.req.valid('query').after ?? lastSeen(c)),
  );

  router.openapi(sendMessage, async (c) => {
    const identity = writerOf(c);
    const { text, files, client_message_id } = c.req.valid('json');
    await countTurn(c, deps, identity);
    const clientMessageId = client_message_id ?? effectKeyOf(c);
    const { thread_id: threadId } = c.req.valid('param');
    const { onEvent, isOpen, answer: answerWith } = openTurnAnswer(c, deps);
    const turn = conversations.send({
      identity,
      threadId,
      text,
      files,
      language: languageOf(c, deps),
      clientMessageId,
      channel: 'http',
      onEvent,
      after: lastSeen(c),
    });
    const answer = await answerWith(shown(threadId, isOpen, turn));
    return answer instanceof Response ? answer : c.json(toHttpReply(answer), 200);
  });

  router.openapi(attachFile, async (c) => {
    const identity = writerOf(c);
    const { thread_id: threadId } = c.req.valid('param');
    await limits.upload(nameOf(identity), clientAddress(c, config.server.trustProxy));
    const file = await uploadOf(c, c.req.valid('query').name, app.files);
    return c.json(toFileJson(await work.track(conversations.attach(identity, threadId, file))), 201);
  });

  router.openapi(threadFile, async (c) => {
    const { thread_id: threadId, file_id: fileId } = c.req.valid('param');
    return sendFile(c, await conversations.file(writerOf(c), threadId, fileId));
  });

  router.openapi(readThread, (c) => {
    const { message_id: messageId } = c.req.valid('json');
    return noted(c, (who) => conversations.read(who, c.req.valid('param').thread_id, messageId));
  });

  router.openapi(setPush, (c) => {
    const { endpoint, on } = c.req.valid('json');
    return noted(c, (who) => (on ? app.push.subscribe(who, endpoint) : app.push.unsubscribe(who, endpoint)));
  });

  router.openapi(typingThread, (c) =>
    noted(c, (who) => conversations.typing(who, c.req.valid('param').thread_id)),
  );

  router.openapi(stopAnswer, (c) =>
    noted(c, (who) => conversations.stop(who, c.req.valid('param').thread_id)),
  );

  router.openapi(adoptThread, async (c) => {
    const customer = customerOf(c);
    await limits.write(nameOf(customer));
    const visitor = await app.sessions.identify(c.req.valid('json').visitor_token);
    if (visitor.role !== 'visitor') throw new HubError('not_found', 'There is no such conversation.');
    const { thread_id: threadId } = c.req.valid('param');
    const adopting = conversations.adopt(customer, visitor.identity.visitorId, threadId);
    return c.json(toThreadJson(await work.track(adopting)), 200);
  });

  router.openapi(answerPending, async (c) => {
    const { thread_id, pending_id } = c.req.valid('param');
    const reply = await answered(c, thread_id, pending_id, c.req.valid('json').answer);
    return reply instanceof Response ? reply : c.json(toHttpReply(reply), 200);
  });

  router.openapi(withdrawPending, async (c) => {
    const { thread_id, pending_id } = c.req.valid('param');
    const reply = await answered(c, thread_id, pending_id, 'withdraw', c.req.valid('json')?.reason);
    return reply instanceof Response ? reply : c.json(toHttpReply(reply), 200);
  });

  router.openapi(rateThread, (c) => {
    const { ticket_id: ticketId, ...rating } = c.req.valid('json');
    const { thread_id: threadId } = c.req.valid('param');
    return noted(c, (who) => conversations.rate(who, threadId, { ...rating, ticketId }));
  });

  async function answered(
    c: HubContext,
    threadId: string,
    pendingId: string,
    answer: AnswerInput['answer'],
    words?: string,
  ): Promise<Response | TurnReply> {
    const identity = writerOf(c);
    await countTurn(c, deps, identity);
    const shared = { identity, threadId, pendingId, answer, words, channel: 'http' } as const;
    const clientMessageId = effectKeyOf(c);
    const after = lastSeen(c);
    const { onEvent, isOpen, answer: answerWith } = openTurnAnswer(c, deps);
    const turn = conversations.answer({ ...shared, clientMessageId, onEvent, after });
    return answerWith(shown(threadId, isOpen, turn));
  }

  async function follow(
    c: HubContext,
    identity: Writer,
    threadId: string,
    after: string | undefined,
  ): Promise<Response> {
    // Nobody reads the body of HEAD: whether there is such a conversation is all there is to say.
    if (c.req.method === 'HEAD') await conversations.show(identity, threadId);
    const stream = streams.open(c, { kind: 'customer', key: threadId });
    if (c.req.method === 'HEAD') return stream.response();
    try {
      await conversations.follow({
        identity,
        threadId,
        after,
        onEvent: (event) => {
          stream.send(toServerEvent(event));
          if (event.body.type === 'message') seen(threadId);
        },
        signal: stream.signal,
        onLost: () => stream.end(),
      });
      seen(threadId);
    } catch (error) {
      stream.end();
      throw error;
    }
    return stream.response();
  }

  return router;
}

/** The last event that the client has seen. */
function lastSeen(c: HubContext): string | undefined {
  return c.req.header('last-event-id')?.trim() || undefined;
}

/** Set where the client sent an `Idempotency-Key`: the message is the same one even where the first answer was lost. */
function effectKeyOf(c: HubContext): string | undefined {
  const key: string | undefined = c.get('effectKey');
  return key;
}

async function countTurn(c: HubContext, { limits, config }: HttpDeps, identity: Writer): Promise<void> {
  await limits.turn(nameOf(identity), clientAddress(c, config.server.trustProxy));
}

function nameOf(identity: Writer): string {
  return identity.kind === 'customer' ? `customer:${identity.customerId}` : `visitor:${identity.visitorId}`;
}

import { z } from '@hono/zod-openapi';
import { body, json, optionalBody, problemResponses, routesOf, SIGNED_IN, writeHeaders } from './router.js';
import { fileSchema, idSchema, replySchema, threadSchema, threadSummarySchema } from './schemas.js';
import { fileIdsSchema, fileResponse, uploadRequest } from './uploads.js';

const route = routesOf('Conversations', SIGNED_IN);
const threadId = z.object({ thread_id: idSchema });
const eventId = z.string().regex(/^\d{1,15}(?:\.\d{1,9})?$/, 'the id of an event, such as 12.3');
const lastEventId = z.object({
  'last-event-id': z
    .union([eventId, z.literal('')])
    .optional()
    .openapi({ example: '12.3' }),
});
const streamed = {
  'text/event-stream': {
    schema: z.string().openapi({ example: 'id: 12.3\nevent: token\ndata: {"text":"Your "}\n' }),
  },
};

const replied = {
  200: {
    description:
      'The answer. With `Accept: text/event-stream` the turn as events: triage, route, agent, tool, token, citation, pending, escalation, message, usage, done or error, each with an id. Tokens are a preview: `message` replaces them.',
    content: { 'application/json': { schema: replySchema }, ...streamed },
  },
};

const pendingId = threadId.extend({ pending_id: idSchema });
const UNANSWERABLE = [
  'pending_not_found',
  'pending_decided',
  'pending_withdrawn',
  'pending_expired',
] as const;
/** Of what a customer's page says of itself, which nothing is answered to. */
const noted = (description: string) => ({ 204: { description }, ...problemResponses('rate_limited') });

const newThreadSchema = z
  .object({
    time_zone: z.string().max(64).optional().openapi({
      example: 'America/Manaus',
      description: "IANA name of the customer's time zone: the operators see what time it is there.",
    }),
  })
  .openapi('NewThread');

export const createThread = route('post', '/api/threads', 'createThread', {
  summary: 'Begin a conversation',
  request: {
    headers: writeHeaders,
    body: optionalBody(newThreadSchema),
  },
  responses: { 201: json('The conversation.', threadSchema), ...problemResponses('rate_limited') },
});

export const listThreads = route('get', '/api/threads', 'listThreads', {
  summary: 'My conversations, the latest first',
  request: {
    query: z.object({
      limit: z.coerce.number().int().min(1).max(200).default(50).openapi({ type: 'integer', example: 50 }),
    }),
  },
  responses: {
    200: json('Conversations without their messages.', z.object({ threads: z.array(threadSummarySchema) })),
  },
});

export const showThread = route('get', '/api/threads/{thread_id}', 'getThread', {
  summary: 'A conversation with its messages',
  description: 'With `Accept: text/event-stream` the same as `/events`.',
  request: { params: threadId, headers: lastEventId },
  responses: {
    200: {
      description: 'The conversation.',
      content: { 'application/json': { schema: threadSchema }, ...streamed },
    },
  },
});

export const threadEvents = route('get', '/api/threads/{thread_id}/events', 'followThread', {
  summary: 'Everything that happens on a conversation, as it happens',
  description:
    'Events of turns, and message, owner and settled of operators and other processes; `read` {message_id, at} says that an operator has opened the conversation up to this message. Ends with `replaced` when the conversation is followed again elsewhere. `Last-Event-ID` or `after` continues without loss or repeat.',
  request: { params: threadId, headers: lastEventId, query: z.object({ after: eventId.optional() }) },
  responses: { 200: { description: 'Server-sent events.', content: streamed } },
});

export const sendMessage = route('post', '/api/threads/{thread_id}/messages', 'sendMessage', {
  summary: 'Say something',
  description:
    'The same `client_message_id` and text again give the same answer and one effect. With `Last-Event-ID` the stream continues after that event.',
  request: {
    params: threadId,
    headers: lastEventId.extend(writeHeaders.shape),
    body: body(
      z
        .object({
          text: z.string().default('').openapi({
            example: 'How long does a refund take?',
            description: 'May be empty where there are files.',
          }),
          files: fileIdsSchema,
          client_message_id: z
            .string()
            .regex(/^[\x21-\x7e]{1,200}$/, '1 to 200 printable ASCII characters without spaces')
            .optional()
            .openapi({ example: '6f9d1c3e' }),
        })
        .openapi('NewMessage'),
    ),
  },
  responses: {
    ...replied,
    ...problemResponses('thread_busy', 'input_too_large', 'too_many_files', 'rate_limited'),
  },
});

export const attachFile = route('post', '/api/threads/{thread_id}/files', 'attachFile', {
  summary: 'Put a file on the conversation, for a message',
  description:
    'Name its id in the message. What it is its first bytes say; `files` of `/api/config` says what is taken. One that comes with no message is forgotten after a day. `Idempotency-Key` is not looked at.',
  request: { params: threadId, ...uploadRequest },
  responses: {
    201: json('The file.', fileSchema),
    ...problemResponses('file_too_large', 'file_type_refused', 'files_full', 'rate_limited'),
  },
});

export const threadFile = route('get', '/api/threads/{thread_id}/files/{file_id}', 'getThreadFile', {
  summary: 'A file of a message',
  request: { params: threadId.extend({ file_id: idSchema }) },
  responses: { ...fileResponse },
});

export const readThread = route('post', '/api/threads/{thread_id}/read', 'readThread', {
  summary: 'Say up to which message the conversation was on the screen',
  description: 'The operators see it. Marks only move forward; an unknown message changes nothing.',
  request: { params: threadId, headers: writeHeaders, body: body(z.object({ message_id: idSchema })) },
  responses: noted('Noted.'),
});

export const typingThread = route('post', '/api/threads/{thread_id}/typing', 'typingThread', {
  summary: 'Say that the customer is writing',
  description:
    'The operator who has the conversation sees it for some seconds, and nothing of what is written; without one nothing happens.',
  request: { params: threadId, headers: writeHeaders },
  responses: noted('Said.'),
});

export const stopAnswer = route('post', '/api/threads/{thread_id}/stop', 'stopAnswer', {
  summary: 'Stop the answer that is being made',
  description:
    'The turn ends with a sentence that says so, as events and as the answer to the message. What was agreed to is carried out and told all the same. Where no answer is being made, nothing happens.',
  request: { params: threadId, headers: writeHeaders },
  responses: noted('It stops at once, or soon where another process makes it.'),
});

export const adoptThread = route('post', '/api/threads/{thread_id}/adopt', 'adoptThread', {
  summary: 'Go on as a customer with what was begun as a visitor',
  description:
    "After signing in, with the token that the conversation was begun with. It is this customer's from then on, once and for good: the visitor's token reaches it no longer. The same customer may ask again.",
  request: {
    params: threadId,
    headers: writeHeaders,
    body: body(z.object({ visitor_token: z.string().min(1).max(4_000) }).openapi('ThreadAdoption')),
  },
  responses: {
    200: json('The conversation.', threadSchema),
    ...problemResponses('thread_busy', 'rate_limited'),
  },
});

export const answerPending = route('post', '/api/threads/{thread_id}/pending/{pending_id}', 'answerPending', {
  summary: 'Answer a question with yes or no',
  request: {
    params: pendingId,
    headers: lastEventId.extend(writeHeaders.shape),
    body: body(z.object({ answer: z.enum(['yes', 'no']) }).openapi('PendingAnswer')),
  },
  responses: {
    ...replied,
    ...problemResponses(...UNANSWERABLE, 'thread_busy', 'rate_limited'),
  },
});

export const withdrawPending = route(
  'post',
  '/api/threads/{thread_id}/pending/{pending_id}/withdraw',
  'withdrawPending',
  {
    summary: 'Take back a request that waits for an operator, or a question that is open',
    description:
      "Possible until it is decided: of a withdrawal and an operator's decision exactly one counts, and the other is refused (409). Nothing is changed by it; the same may be asked for again later. `reason` is shown to the operators.",
    request: {
      params: pendingId,
      headers: lastEventId.extend(writeHeaders.shape),
      body: optionalBody(
        z
          .object({ reason: z.string().optional().openapi({ example: 'I can go after all.' }) })
          .openapi('Withdrawal'),
      ),
    },
    responses: {
      ...replied,
      ...problemResponses(...UNANSWERABLE, 'thread_busy', 'input_too_large', 'rate_limited'),
    },
  },
);

export const rateThread = route('post', '/api/threads/{thread_id}/rating', 'rateThread', {
  summary: 'Was this helpful?',
  request: {
    params: threadId,
    headers: writeHeaders,
    body: body(
      z
        .object({
          helpful: z.boolean(),
          comment: z.string().max(2_000).optional(),
          ticket_id: idSchema.optional().openapi({
            description:
              "What became of this ticket in an operator's hands (`asks_rating`); the answers on the newest ticket where absent.",
          }),
        })
        .openapi('Rating'),
    ),
  },
  responses: noted('Noted; a later one replaces it.'),
});

export const setPush = route('post', '/api/push', 'setPush', {
  summary: 'Notify this browser of answers while no page is open, or stop that',
  description:
    'The endpoint is the one that the browser gives for web push with `push_key` of `/api/config`. What is pushed carries nothing: the browser says itself that there is an answer. Signing in elsewhere with the same browser takes it over.',
  request: {
    headers: writeHeaders,
    body: body(
      z
        .object({
          endpoint: z.url().max(2_048).openapi({ example: 'https://push.example.com/wake/8c1f' }),
          on: z.boolean(),
        })
        .openapi('PushChoice'),
    ),
  },
  responses: noted('Noted.'),
});

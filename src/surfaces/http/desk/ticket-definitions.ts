import { z } from '@hono/zod-openapi';
import { PRIORITIES } from '../../../core/domain/taxonomy.js';
import type { ErrorCode } from '../../../core/errors.js';
import { DESK_SORTS, DESK_VIEWS } from '../../../core/ports/desk-queries.js';
import { body, json, problemResponses, routesOf, SIGNED_IN, writeHeaders } from '../router.js';
import {
  fileSchema,
  idSchema,
  issueTypeSchema,
  jsonObjectSchema,
  languageSchema,
  orNull,
  ownerSchema,
  timeSchema,
} from '../schemas.js';
import { fileIdsSchema, fileResponse, uploadRequest } from '../uploads.js';
import {
  attendanceSchema,
  behindFigures,
  facetsSchema,
  languageQuery,
  limitSchema,
  presenceSchema,
  searchSchema,
} from './desk-wire.js';
import {
  CHANNELS,
  choiceSchema,
  countsSchema,
  deskMessageSchema,
  entrySchema,
  offeredActionSchema,
  outcomeSchema,
  STATUSES,
  suggestionSchema,
  ticketSchema,
  ticketViewSchema,
} from './ticket-schemas.js';

const route = routesOf('Desk: tickets', SIGNED_IN);
const ticketId = z.object({ ticket_id: idSchema });

const totalSchema = z
  .number()
  .int()
  .nullable()
  .openapi({ description: 'How many tickets that query has, whatever the limit; null where not asked for.' });

export const listTickets = route('get', '/api/desk/tickets', 'listTickets', {
  summary: 'The queue',
  description:
    'Most pressing first, then the longest waiting; resolved ones and `all` the newest first. `q` looks for words of a message or summary, a customer by name or e-mail address, or an id. `counts` are those of the tabs, whatever else is asked for.',
  request: {
    query: z.object({
      view: z.enum(DESK_VIEWS).default('all'),
      q: searchSchema,
      priority: z.enum(PRIORITIES).optional(),
      issue_type: issueTypeSchema.optional(),
      status: z.enum(STATUSES).optional(),
      owner: ownerSchema.optional(),
      channel: z.enum(CHANNELS).optional(),
      language: languageSchema.optional().openapi({ description: 'Of the conversation.' }),
      tag: z.string().max(40).optional(),
      team: z.string().max(60).optional(),
      ...behindFigures,
      sort: z.enum(DESK_SORTS).optional(),
      rows: z.string().max(8_000).optional().openapi({
        description:
          'Ids, separated by commas: of the list only these come whole, and `order`, else null, has the ids of all in their order.',
      }),
      limit: limitSchema(500, 100),
      offset: z.coerce.number().int().min(0).max(1_000_000).optional().openapi({ type: 'integer' }),
    }),
  },
  responses: {
    200: json(
      'Tickets.',
      z.object({
        tickets: z.array(entrySchema),
        order: z.array(z.string()).nullable(),
        counts: countsSchema,
        total: totalSchema,
        facets: orNull(facetsSchema),
      }),
    ),
  },
});

export const showTicket = route('get', '/api/desk/tickets/{ticket_id}', 'getTicket', {
  summary: 'A ticket with everything about it',
  request: { params: ticketId, query: languageQuery.extend({ messages: limitSchema(5_000, 1_000) }) },
  responses: { 200: json('The ticket.', ticketViewSchema) },
});

export const ticketFile = route('get', '/api/desk/tickets/{ticket_id}/files/{file_id}', 'getTicketFile', {
  summary: 'A file of the conversation',
  description: 'Scan what is no picture before you open it.',
  request: { params: ticketId.extend({ file_id: idSchema }) },
  responses: { ...fileResponse },
});

export const attachToTicket = route('post', '/api/desk/tickets/{ticket_id}/files', 'attachToTicket', {
  summary: 'Put a file on the conversation, for a reply',
  description: 'Name its id in the reply. One that comes with none is forgotten after a day.',
  request: { params: ticketId, ...uploadRequest },
  responses: {
    201: json('The file.', fileSchema),
    ...problemResponses('file_too_large', 'file_type_refused', 'files_full', 'rate_limited'),
  },
});

export const suggestReply = route('get', '/api/desk/tickets/{ticket_id}/suggestion', 'suggestReply', {
  summary: 'What the hub would reply',
  description: 'Nothing is stored or done. `provider` says who wrote it.',
  request: { params: ticketId },
  responses: { 200: json('A draft.', suggestionSchema) },
});

/** A write on one ticket. */
function action<Body extends z.ZodType, Answer extends z.ZodType>(
  path: string,
  operationId: string,
  summary: string,
  bodySchema: Body,
  answer: Answer,
  codes: readonly ErrorCode[],
) {
  return route('post', `/api/desk/tickets/{ticket_id}/${path}`, operationId, {
    summary,
    request: { params: ticketId, headers: writeHeaders, body: body(bodySchema) },
    responses: { 200: json('Done.', answer), ...problemResponses(...codes) },
  });
}

const nothing = z.object({});
const text = z.string().openapi({ example: 'Hello Ana, I am looking into it now.' });
const ticketOnly = z.object({ ticket: ticketSchema });
const withMessage = ticketOnly.extend({ message: deskMessageSchema });

export const showInStudio = action(
  'studio',
  'showInStudio',
  'Put the conversation into LangGraph Studio, anew each time, and say where it is shown',
  nothing,
  z.object({ url: z.string() }),
  ['remote_unreachable'],
);

export const claimTicket = action(
  'claim',
  'claimTicket',
  'Take the conversation: the hub is silent there from now on',
  z.object({
    take_over: z
      .string()
      .max(500)
      .optional()
      .openapi({ description: 'Why it is taken out of the hands of a colleague; refused without.' }),
  }),
  ticketOnly,
  ['already_claimed', 'wrong_status', 'thread_busy'],
);
export const releaseTicket = action(
  'release',
  'releaseTicket',
  'Put it back into the queue',
  nothing,
  ticketOnly,
  ['not_claimed'],
);
export const reassignTicket = action(
  'reassign',
  'reassignTicket',
  'Give it to a colleague',
  z.object({ operator_id: z.string().min(1).max(200), note: z.string().max(500).optional() }),
  ticketOnly,
  ['not_claimed', 'already_claimed', 'wrong_status'],
);
export const listActions = route('get', '/api/desk/tickets/{ticket_id}/actions', 'listTicketActions', {
  summary: "The company's actions, with the customer's records that each may be done to",
  request: { params: ticketId, query: languageQuery },
  responses: { 200: json('Actions.', z.object({ actions: z.array(offeredActionSchema) })) },
});
export const performAction = action(
  'actions',
  'performTicketAction',
  'Do an action for the customer, or preview what it would do',
  z.object({
    tool: z.string().min(1).max(200),
    args: jsonObjectSchema,
    language: languageSchema.optional(),
    perform: z.boolean().default(false).openapi({ description: 'False only says what would follow.' }),
  }),
  z.object({ consequences: z.array(z.string()), approval: orNull(outcomeSchema.shape.approval) }),
  ['not_claimed', 'wrong_status', 'policy_denied', 'thread_busy'],
);
export const tagTicket = action(
  'tags',
  'tagTicket',
  'Replace the tags of the ticket, which only operators see',
  z.object({ tags: z.array(z.string().max(200)).max(50) }),
  nothing,
  [],
);
export const snoozeTicket = action(
  'snooze',
  'snoozeTicket',
  'Put it out of the lists until a time, or until the customer writes',
  z.object({ until: z.iso.datetime().nullable() }),
  nothing,
  ['not_claimed', 'wrong_status'],
);
export const attendDesk = route('post', '/api/desk/presence', 'attendDesk', {
  summary: 'Report where you are at the desk, and list who else is there',
  description:
    'Sent again every 20 seconds while the page is open; who was not heard of for a minute is gone.',
  request: { headers: writeHeaders, body: body(attendanceSchema) },
  responses: {
    200: json(
      'Who is there.',
      z.object({
        operators: z.array(presenceSchema),
        away_since: timeSchema
          .nullable()
          .openapi({ description: 'When you were heard of last, where that is more than ten minutes ago.' }),
      }),
    ),
  },
});
export const endShift = route('post', '/api/desk/shift/end', 'endShift', {
  summary: 'End your shift: your tickets whose customers wait go back into the queue',
  description: 'Their customers are notified. What you have answered stays yours.',
  request: { headers: writeHeaders, body: body(nothing) },
  responses: { 200: json('How many went back.', z.object({ returned: z.number().int() })) },
});
export const readTicket = route('post', '/api/desk/tickets/{ticket_id}/read', 'readTicket', {
  summary: 'Say up to which message the conversation was on your screen',
  description: 'The customer sees it. Marks only move forward; an unknown message changes nothing.',
  request: { params: ticketId, headers: writeHeaders, body: body(z.object({ message_id: idSchema })) },
  responses: { 204: { description: 'Noted.' } },
});
export const replyToCustomer = action(
  'reply',
  'replyToTicket',
  'Say something to the customer; with files the text may be empty',
  z.object({ text, files: fileIdsSchema }),
  withMessage,
  ['not_claimed', 'input_too_large', 'too_many_files'],
);
export const addNote = action(
  'note',
  'addTicketNote',
  'Keep a note that only operators see',
  z.object({ text }),
  withMessage,
  ['input_too_large'],
);
export const resolveTicket = action(
  'resolve',
  'resolveTicket',
  'End it, with a last word to the customer where given',
  z.object({ text: text.optional(), files: fileIdsSchema, summary: z.string().optional() }),
  ticketOnly,
  ['not_claimed', 'input_too_large', 'too_many_files'],
);
export const returnToHub = action(
  'return',
  'returnTicket',
  'The hub continues, knowing what was said',
  z.object({ note: z.string().optional() }),
  ticketOnly,
  ['not_claimed', 'input_too_large'],
);
export const chooseOption = action(
  'choose',
  'chooseTicketOption',
  'Answer the question of an investigation',
  z.object({ choice: z.string().min(1).max(100).openapi({ example: 'A' }) }),
  choiceSchema,
  ['run_not_waiting', 'choice_unknown', 'thread_busy'],
);

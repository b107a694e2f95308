import { z } from '@hono/zod-openapi';
import type { BulkAction } from '../../../core/desk-work.js';
import { snaked } from '../../../core/domain/json.js';
import type { ErrorCode } from '../../../core/errors.js';
import { toCustomerJson, toCustomerRecordJson, toTimelineJson } from '../../desk-json.js';
import type { HttpDeps } from '../http-deps.js';
import {
  body,
  createRouter,
  type HubRouter,
  json,
  operatorOf,
  problemResponses,
  routesOf,
  SIGNED_IN,
  writeHeaders,
} from '../router.js';
import { idSchema } from '../schemas.js';
import { fileIdsSchema } from '../uploads.js';
import { languageOf, languageQuery, limitSchema, searchSchema, wire } from './desk-wire.js';
import {
  bulkResultSchema,
  customerRecordSchema,
  customerSchema,
  draftSchema,
  filledMacroSchema,
  gapSchema,
  macroInputSchema,
  macroSchema,
  timelineSchema,
} from './record-schemas.js';

const route = routesOf('Desk: teamwork', SIGNED_IN);
const ticketId = z.object({ ticket_id: idSchema });
const macroId = z.object({ macro_id: idSchema });
const done = { 204: { description: 'Done.' } };

const viewSchema = z
  .object({
    name: z.string().max(200),
    choice: z
      .record(z.string().max(40), z.string().max(500))
      .refine((choice) => Object.keys(choice).length <= 40, 'must name at most 40 filters')
      .openapi({ description: 'What narrows the list, as the page that saves it has it.' }),
  })
  .openapi('SavedView');

/** A write that answers nothing. */
function write<Body extends z.ZodType>(
  path: string,
  operationId: string,
  summary: string,
  bodySchema: Body,
  codes: readonly ErrorCode[] = [],
) {
  return route('post', `/api/desk/${path}`, operationId, {
    summary,
    request: { params: ticketId, headers: writeHeaders, body: body(bodySchema) },
    responses: { ...done, ...problemResponses(...codes) },
  });
}

const listMacros = route('get', '/api/desk/macros', 'listMacros', {
  summary: 'Answers that the team gives often',
  responses: { 200: json('By name.', z.object({ macros: z.array(macroSchema) })) },
});
const createMacro = route('post', '/api/desk/macros', 'createMacro', {
  summary: 'Keep an answer for the team',
  request: { headers: writeHeaders, body: body(macroInputSchema) },
  responses: { 201: json('The macro.', macroSchema) },
});
const editMacro = route('put', '/api/desk/macros/{macro_id}', 'editMacro', {
  summary: 'Write a macro anew',
  request: { params: macroId, headers: writeHeaders, body: body(macroInputSchema) },
  responses: { 200: json('The macro.', macroSchema) },
});
const deleteMacro = route('delete', '/api/desk/macros/{macro_id}', 'deleteMacro', {
  summary: 'Throw a macro away',
  request: { params: macroId, headers: writeHeaders },
  responses: { ...done },
});
const listViews = route('get', '/api/desk/views', 'listViews', {
  summary: 'The lists that the operator has saved under a name',
  responses: { 200: json('As they were saved.', z.object({ views: z.array(viewSchema) })) },
});
const saveView = route('post', '/api/desk/views', 'saveView', {
  summary: 'Save a list under a name; the same name again replaces it',
  request: { headers: writeHeaders, body: body(viewSchema) },
  responses: { ...done },
});
const forgetView = route('delete', '/api/desk/views', 'forgetView', {
  summary: 'Forget a saved list',
  request: { query: z.object({ name: z.string().min(1).max(200) }), headers: writeHeaders },
  responses: { ...done },
});
const macrosFor = route('get', '/api/desk/tickets/{ticket_id}/macros', 'listTicketMacros', {
  summary: 'The macros with their variables filled in for a ticket',
  request: { params: ticketId },
  responses: { 200: json('By name.', z.object({ macros: z.array(filledMacroSchema) })) },
});
const applyMacro = write(
  'tickets/{ticket_id}/macro',
  'applyMacro',
  'Send these words, add the tags of the macro, and resolve the ticket where the macro says so',
  z.object({ macro_id: idSchema, text: z.string(), files: fileIdsSchema }),
  ['not_claimed', 'wrong_status', 'input_too_large', 'too_many_files'],
);
const mergeTicket = write(
  'tickets/{ticket_id}/merge',
  'mergeTicket',
  'Go on with two tickets of one customer as one: this one is resolved and leads to the other',
  z.object({ into: idSchema }),
  ['not_claimed', 'wrong_status', 'thread_busy'],
);
const setTeam = write(
  'tickets/{ticket_id}/team',
  'setTicketTeam',
  'Give the ticket to a team; null leaves it to the rules',
  z.object({ team: z.string().max(60).nullable() }),
);
const bulk = route('post', '/api/desk/bulk', 'changeTickets', {
  summary: 'Do the same to many tickets',
  description: 'Each ticket by itself, all of it or nothing; `results` says what came of each.',
  request: {
    headers: writeHeaders,
    body: body(
      z.object({
        ticket_ids: z.array(idSchema).min(1).max(100),
        action: z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('assign'), operator_id: z.string().min(1).max(200) }),
          z.object({ kind: z.literal('tag'), tags: z.array(z.string().max(200)).min(1).max(50) }),
          z.object({ kind: z.literal('team'), team: z.string().max(60).nullable() }),
          z.object({ kind: z.literal('resolve'), text: z.string().default('') }),
          z.object({ kind: z.literal('snooze'), until: z.iso.datetime() }),
        ]),
      }),
    ),
  },
  responses: {
    200: json('What came of each, in the order asked for.', z.object({ results: z.array(bulkResultSchema) })),
  },
});
const timeline = route('get', '/api/desk/customers/{customer_id}/timeline', 'getCustomerTimeline', {
  summary: 'What happened with a customer, across all tickets',
  request: { params: z.object({ customer_id: idSchema }) },
  responses: { 200: json('The newest first.', z.object({ events: z.array(timelineSchema) })) },
});
const listGaps = route('get', '/api/desk/knowledge-gaps', 'listKnowledgeGaps', {
  summary: 'Questions of the last 30 days that no article answered',
  responses: { 200: json('The most frequent first.', z.object({ gaps: z.array(gapSchema) })) },
});
const draftGap = route('post', '/api/desk/knowledge-gaps/{ticket_id}/draft', 'draftKnowledgeGap', {
  summary: 'Begin an article with the question and what an operator answered',
  request: { params: ticketId, headers: writeHeaders, body: body(z.object({})) },
  responses: { 201: json('The draft.', draftSchema) },
});
const dismissGap = write(
  'knowledge-gaps/{ticket_id}/dismiss',
  'dismissKnowledgeGap',
  'The question needs no article',
  z.object({}),
);

/** How a team works on its tickets together. */
export function workRoutes({ app: { desk }, work }: HttpDeps): HubRouter {
  const router = createRouter();

  router.openapi(listMacros, async (c) => {
    return c.json({ macros: (await desk.macros()).map((one) => wire(macroSchema, snaked(one))) }, 200);
  });
  router.openapi(createMacro, async (c) => {
    const saved = await work.track(desk.saveMacro(operatorOf(c), c.req.valid('json')));
    return c.json(wire(macroSchema, snaked(saved)), 201);
  });
  router.openapi(editMacro, async (c) => {
    const { macro_id: id } = c.req.valid('param');
    const saved = await work.track(desk.saveMacro(operatorOf(c), c.req.valid('json'), id));
    return c.json(wire(macroSchema, snaked(saved)), 200);
  });
  router.openapi(deleteMacro, async (c) => {
    await work.track(desk.deleteMacro(c.req.valid('param').macro_id));
    return c.body(null, 204);
  });
  router.openapi(listViews, async (c) => c.json({ views: [...(await desk.views(operatorOf(c)))] }, 200));
  router.openapi(saveView, async (c) => {
    await work.track(desk.saveView(operatorOf(c), c.req.valid('json')));
    return c.body(null, 204);
  });
  router.openapi(forgetView, async (c) => {
    await work.track(desk.forgetView(operatorOf(c), c.req.valid('query').name));
    return c.body(null, 204);
  });
  router.openapi(macrosFor, async (c) => {
    const filled = await desk.macrosFor(c.req.valid('param').ticket_id, operatorOf(c));
    return c.json({ macros: filled.map((one) => wire(filledMacroSchema, snaked(one))) }, 200);
  });
  router.openapi(applyMacro, async (c) => {
    const { macro_id: id, text, files } = c.req.valid('json');
    await work.track(desk.applyMacro(c.req.valid('param').ticket_id, operatorOf(c), id, text, files));
    return c.body(null, 204);
  });
  router.openapi(mergeTicket, async (c) => {
    const operator = operatorOf(c);
    await work.track(desk.merge(c.req.valid('param').ticket_id, c.req.valid('json').into, operator));
    return c.body(null, 204);
  });
  router.openapi(setTeam, async (c) => {
    await work.track(desk.setTeam(c.req.valid('param').ticket_id, c.req.valid('json').team));
    return c.body(null, 204);
  });
  router.openapi(bulk, async (c) => {
    const { ticket_ids: ids, action } = c.req.valid('json');
    const wish: BulkAction =
      action.kind === 'assign' ? { kind: 'assign', operatorId: action.operator_id } : action;
    const results = await work.track(desk.bulk(ids, operatorOf(c), wish));
    return c.json(
      {
        results: results.map(({ ticketId: id, problem }) => ({
          ticket_id: id,
          problem: problem && { code: problem.code, detail: problem.message },
        })),
      },
      200,
    );
  });
  router.openapi(timeline, async (c) => {
    const events = await desk.timeline(c.req.valid('param').customer_id);
    return c.json({ events: events.map((one) => wire(timelineSchema, toTimelineJson(one))) }, 200);
  });
  router.openapi(listGaps, async (c) => {
    return c.json({ gaps: (await desk.gaps()).map((one) => wire(gapSchema, snaked(one))) }, 200);
  });
  router.openapi(draftGap, async (c) => {
    const draft = await work.track(desk.draftFromGap(c.req.valid('param').ticket_id, operatorOf(c)));
    return c.json(wire(draftSchema, snaked(draft)), 201);
  });
  router.openapi(dismissGap, async (c) => {
    await work.track(desk.dismissGap(c.req.valid('param').ticket_id));
    return c.body(null, 204);
  });
  return router;
}

const customerRoute = routesOf('Desk: customers', SIGNED_IN);

const listCustomers = customerRoute('get', '/api/desk/customers', 'listCustomers', {
  summary: 'Customers by name, e-mail address or id',
  request: { query: z.object({ q: searchSchema, limit: limitSchema(200, 50) }) },
  responses: { 200: json('By name.', z.object({ customers: z.array(customerSchema) })) },
});

const showCustomer = customerRoute('get', '/api/desk/customers/{customer_id}', 'getCustomer', {
  summary: 'A customer: what the company has on record, what the hub remembers, and the tickets',
  request: { params: z.object({ customer_id: idSchema }), query: languageQuery },
  responses: { 200: json('The record.', customerRecordSchema) },
});

/** Customers as operators see them. */
export function customerRoutes(deps: HttpDeps): HubRouter {
  const { desk } = deps.app;
  const router = createRouter();

  router.openapi(listCustomers, async (c) => {
    const { q = '', limit } = c.req.valid('query');
    const users = await desk.findCustomers(q, limit);
    return c.json({ customers: users.map((user) => wire(customerSchema, toCustomerJson(user))) }, 200);
  });

  router.openapi(showCustomer, async (c) => {
    const language = languageOf(c, deps, c.req.valid('query').language);
    const record = await desk.customer(c.req.valid('param').customer_id, language);
    return c.json(wire(customerRecordSchema, toCustomerRecordJson(record)), 200);
  });

  return router;
}

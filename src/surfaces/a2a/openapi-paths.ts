import { z } from '@hono/zod-openapi';
import type { ErrorCode } from '../../core/errors.js';
import {
  body,
  type HubRouter,
  json,
  optionalBody,
  problemResponses,
  routesOf,
  writeHeaders,
} from '../http/router.js';
import { idSchema, jsonObjectSchema } from '../http/schemas.js';

/** Visitors may ask what needs nobody signed in, where the configuration lets them. */
const route = routesOf('Agents', [{}, { session: [] }]);
const agent = z.object({ agent: idSchema.openapi({ example: 'knowledge' }) });
const skill = agent.extend({ skill: idSchema.openapi({ example: 'search_knowledge' }) });
const waiting = skill.extend({ id: idSchema });
const task = agent.extend({ task_id: idSchema });
/** What a visitor proves its tasks by, see the extension of the cards. */
const proven = z.object({ 'caller-secret': z.string().optional() });
const keyed = proven.extend(writeHeaders.shape);

const taskSchema = z
  .looseObject({
    id: z.string(),
    contextId: z.string(),
    status: z.looseObject({ state: z.string().openapi({ example: 'TASK_STATE_COMPLETED' }) }),
    reply: z.union([z.string(), z.null()]),
    pending: z.union([jsonObjectSchema, z.null()]),
  })
  .openapi('Task', {
    description:
      'A task as A2A 1.0 writes it, as `reply` what the agent said last, and as `pending` the question it waits with.',
  });
const saidSchema = z
  .object({
    message: z
      .union([z.string(), jsonObjectSchema])
      .optional()
      .openapi({ description: 'Words, or an A2A message.', example: 'How long does a refund take?' }),
    message_id: z.string().optional(),
    context_id: z.string().optional(),
    task_id: z.string().optional(),
    pending_id: z.string().optional().openapi({ description: 'The question that `answer` answers.' }),
    answer: z.enum(['yes', 'no']).optional(),
    blocking: z
      .boolean()
      .optional()
      .openapi({ description: 'False: answered at once, while the agent still works.' }),
  })
  .openapi('TaskRequest');

const webhookSchema = z
  .object({
    webhook_id: z.string(),
    config_id: z.string(),
    status: z.enum(['waiting', 'delivered', 'failed']),
    attempts: z.number(),
    next_at: z.union([z.string(), z.null()]),
    error: z.union([z.string(), z.null()]),
    created_at: z.string(),
    settled_at: z.union([z.string(), z.null()]),
  })
  .openapi('Webhook');

const refused = (...codes: readonly ErrorCode[]) =>
  problemResponses('not_found', 'token_invalid', 'scope_missing', 'rate_limited', ...codes);
const tasked = (...codes: readonly ErrorCode[]) => ({
  200: {
    description:
      'The task. With `Accept: text/event-stream` its events: task, status, artifact, done or error.',
    content: { 'application/json': { schema: taskSchema }, 'text/event-stream': { schema: z.string() } },
  },
  ...refused(...codes),
});

const PATHS = [
  route('get', '/agents/{agent}/skills', 'listAgentSkills', {
    summary: 'The skills and tools of an agent, with their schemas',
    request: { params: agent },
    responses: {
      200: json('As in the extension of its card.', z.object({ skills: z.array(jsonObjectSchema) })),
      ...problemResponses('not_found'),
    },
  }),
  route('post', '/agents/{agent}/skills/{skill}', 'callAgentSkill', {
    summary: 'Call a skill or tool directly',
    description:
      'Input and output are those that the card names. What cannot be taken back is answered with 202, what would be done and a `confirmation_token`, which agrees to exactly that when it is sent with the same input, in the body or as the header Confirmation-Token.',
    request: {
      params: skill,
      headers: writeHeaders.extend({ 'confirmation-token': z.string().optional() }),
      body: optionalBody(jsonObjectSchema),
    },
    responses: {
      200: json('Done: the output.', jsonObjectSchema),
      202: json('A person has to say something first.', jsonObjectSchema),
      ...refused('input_too_large', 'policy_denied', 'confirmation_invalid', 'pending_decided'),
    },
  }),
  route('get', '/agents/{agent}/skills/{skill}/pending/{id}', 'getSkillPending', {
    summary: 'What became of a planned change, or of a run that waits for a choice',
    request: { params: waiting },
    responses: { 200: json('Its state, as `status`.', jsonObjectSchema), ...refused('not_signed_in') },
  }),
  route('delete', '/agents/{agent}/skills/{skill}/pending/{id}', 'withdrawSkillPending', {
    summary: 'Withdraw a planned change, before it is confirmed or while it waits for an operator',
    request: { params: waiting },
    responses: {
      200: json('It is refused now, with the code that says so.', jsonObjectSchema),
      ...refused('not_signed_in', 'pending_decided', 'pending_withdrawn', 'pending_expired', 'thread_busy'),
    },
  }),
  route('post', '/agents/{agent}/skills/{skill}/pending/{id}', 'answerSkillPending', {
    summary: 'Staff decides how a waiting skill continues',
    request: {
      params: waiting,
      body: body(z.object({ choice: z.string(), input: jsonObjectSchema.optional() })),
    },
    responses: {
      200: json('Done: the output.', jsonObjectSchema),
      202: json('It waits again.', jsonObjectSchema),
      ...refused('forbidden', 'run_not_waiting', 'choice_unknown', 'thread_busy'),
    },
  }),
  route('get', '/agents/{agent}/tasks', 'listAgentTasks', {
    summary: 'My tasks with an agent, those that changed last first',
    request: {
      params: agent,
      headers: proven,
      query: z.object({
        context_id: z.string().optional(),
        page_size: z.string().optional(),
        page_token: z.string().optional(),
      }),
    },
    responses: {
      200: json(
        'A page of them.',
        z.object({ tasks: z.array(taskSchema), next_page_token: z.string(), total: z.number() }),
      ),
      ...refused(),
    },
  }),
  route('post', '/agents/{agent}/tasks', 'createAgentTask', {
    summary: 'Ask an agent something',
    request: { params: agent, headers: keyed, body: body(saidSchema) },
    responses: tasked('input_too_large', 'idempotency_conflict'),
  }),
  route('get', '/agents/{agent}/tasks/{task_id}', 'getAgentTask', {
    summary: 'A task; with `Accept: text/event-stream` what happens to it',
    request: { params: task, headers: proven },
    responses: tasked(),
  }),
  route('post', '/agents/{agent}/tasks/{task_id}', 'continueAgentTask', {
    summary: 'Go on with a task: say more, or answer its question',
    request: { params: task, headers: keyed, body: body(saidSchema) },
    responses: tasked('wrong_status', 'input_too_large'),
  }),
  route('delete', '/agents/{agent}/tasks/{task_id}', 'deleteAgentTask', {
    summary: 'Take a task back',
    request: { params: task, headers: proven },
    responses: tasked('wrong_status'),
  }),
  route('post', '/agents/{agent}/tasks/{task_id}/cancel', 'cancelAgentTask', {
    summary: 'Take a task back, where DELETE cannot be sent',
    request: { params: task, headers: proven },
    responses: tasked('wrong_status'),
  }),
  route('get', '/agents/{agent}/tasks/{task_id}/webhooks', 'listTaskWebhooks', {
    summary: 'Notifications of a task: those of the last days, and those still to be sent',
    request: { params: task, headers: proven },
    responses: {
      200: json('The latest first.', z.object({ webhooks: z.array(webhookSchema) })),
      ...refused(),
    },
  }),
  route('post', '/agents/{agent}/tasks/{task_id}/webhooks/replay', 'replayTaskWebhooks', {
    summary: 'Tell webhooks again what was given up, or one notification, and try at once what waits',
    request: {
      params: task,
      headers: proven,
      body: optionalBody(z.object({ webhook_id: z.string().optional() })),
    },
    responses: {
      200: json('How many notifications are sent again.', z.object({ replayed: z.number() })),
      ...refused(),
    },
  }),
];

/** Puts the specific way and the plain form into the document of the API; the rest is the protocol's own. */
export function describeAgents({ openAPIRegistry }: HubRouter): void {
  for (const path of PATHS) openAPIRegistry.registerPath(path);
}

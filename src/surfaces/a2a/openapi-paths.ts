import { createRoute, z } from '@hono/zod-openapi';
import { type HubRouter, problemResponses } from '../http/router.js';
import { idSchema, jsonObjectSchema } from '../http/schemas.js';

const tags = ['Agents'];
/** Visitors may ask what needs nobody signed in, where the configuration lets them. */
const security: Record<string, string[]>[] = [{}, { session: [] }];
const agent = z.object({ agent: idSchema.openapi({ example: 'knowledge' }) });
const skill = agent.extend({ skill: idSchema.openapi({ example: 'search_knowledge' }) });
const waiting = skill.extend({ id: idSchema });
const task = agent.extend({ task_id: idSchema });
/** What a visitor proves its tasks by, see the extension of the cards. */
const proven = z.object({ 'caller-secret': z.string().optional() });
const keyed = proven.extend({ 'idempotency-key': z.string().optional() });
const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
const streamed = { 'text/event-stream': { schema: z.string() } };

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

const taskResponses = {
  200: {
    description:
      'The task. With `Accept: text/event-stream` its events: task, status, artifact, done or error.',
    content: { ...json(taskSchema), ...streamed },
  },
};
const refusals = ['not_found', 'token_invalid', 'scope_missing', 'rate_limited'] as const;

const PATHS = [
  createRoute({
    method: 'get',
    path: '/agents/{agent}/skills',
    operationId: 'listAgentSkills',
    tags,
    security,
    summary: 'The skills and tools of an agent, with their schemas',
    request: { params: agent },
    responses: {
      200: {
        description: 'As in the extension of its card.',
        content: json(z.object({ skills: z.array(jsonObjectSchema) })),
      },
      ...problemResponses('not_found'),
    },
  }),
  createRoute({
    method: 'post',
    path: '/agents/{agent}/skills/{skill}',
    operationId: 'callAgentSkill',
    tags,
    security,
    summary: 'Call a skill or tool directly',
    description:
      'Input and output are those that the card names. What cannot be taken back is answered with 202, what would be done and a `confirmation_token`, which agrees to exactly that when it is sent with the same input, in the body or as the header Confirmation-Token.',
    request: {
      params: skill,
      headers: keyed.omit({ 'caller-secret': true }).extend({ 'confirmation-token': z.string().optional() }),
      body: { required: false, content: json(jsonObjectSchema) },
    },
    responses: {
      200: { description: 'Done: the output.', content: json(jsonObjectSchema) },
      202: { description: 'A person has to say something first.', content: json(jsonObjectSchema) },
      ...problemResponses(
        ...refusals,
        'input_too_large',
        'policy_denied',
        'confirmation_invalid',
        'pending_decided',
      ),
    },
  }),
  createRoute({
    method: 'get',
    path: '/agents/{agent}/skills/{skill}/pending/{id}',
    operationId: 'getSkillPending',
    tags,
    security,
    summary: 'What became of a planned change, or of a run that waits for a choice',
    request: { params: waiting },
    responses: {
      200: { description: 'Its state, as `status`.', content: json(jsonObjectSchema) },
      ...problemResponses(...refusals, 'not_signed_in'),
    },
  }),
  createRoute({
    method: 'delete',
    path: '/agents/{agent}/skills/{skill}/pending/{id}',
    operationId: 'withdrawSkillPending',
    tags,
    security,
    summary: 'Withdraw a planned change, before it is confirmed or while it waits for an operator',
    request: { params: waiting },
    responses: {
      200: { description: 'It is refused now, with the code that says so.', content: json(jsonObjectSchema) },
      ...problemResponses(
        ...refusals,
        'not_signed_in',
        'pending_decided',
        'pending_withdrawn',
        'pending_expired',
        'thread_busy',
      ),
    },
  }),
  createRoute({
    method: 'post',
    path: '/agents/{agent}/skills/{skill}/pending/{id}',
    operationId: 'answerSkillPending',
    tags,
    security,
    summary: 'Staff says how a skill that waits goes on',
    request: {
      params: waiting,
      body: {
        required: true,
        content: json(z.object({ choice: z.string(), input: jsonObjectSchema.optional() })),
      },
    },
    responses: {
      200: { description: 'Done: the output.', content: json(jsonObjectSchema) },
      202: { description: 'It waits again.', content: json(jsonObjectSchema) },
      ...problemResponses(...refusals, 'forbidden', 'run_not_waiting', 'choice_unknown', 'thread_busy'),
    },
  }),
  createRoute({
    method: 'get',
    path: '/agents/{agent}/tasks',
    operationId: 'listAgentTasks',
    tags,
    security,
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
      200: {
        description: 'A page of them.',
        content: json(
          z.object({ tasks: z.array(taskSchema), next_page_token: z.string(), total: z.number() }),
        ),
      },
      ...problemResponses(...refusals),
    },
  }),
  createRoute({
    method: 'post',
    path: '/agents/{agent}/tasks',
    operationId: 'createAgentTask',
    tags,
    security,
    summary: 'Ask an agent something',
    request: { params: agent, headers: keyed, body: { required: true, content: json(saidSchema) } },
    responses: {
      ...taskResponses,
      ...problemResponses(...refusals, 'input_too_large', 'idempotency_conflict'),
    },
  }),
  createRoute({
    method: 'get',
    path: '/agents/{agent}/tasks/{task_id}',
    operationId: 'getAgentTask',
    tags,
    security,
    summary: 'A task; with `Accept: text/event-stream` what happens to it',
    request: { params: task, headers: proven },
    responses: { ...taskResponses, ...problemResponses(...refusals) },
  }),
  createRoute({
    method: 'post',
    path: '/agents/{agent}/tasks/{task_id}',
    operationId: 'continueAgentTask',
    tags,
    security,
    summary: 'Go on with a task: say more, or answer its question',
    request: { params: task, headers: keyed, body: { required: true, content: json(saidSchema) } },
    responses: { ...taskResponses, ...problemResponses(...refusals, 'wrong_status', 'input_too_large') },
  }),
  createRoute({
    method: 'delete',
    path: '/agents/{agent}/tasks/{task_id}',
    operationId: 'deleteAgentTask',
    tags,
    security,
    summary: 'Take a task back',
    request: { params: task, headers: proven },
    responses: { ...taskResponses, ...problemResponses(...refusals, 'wrong_status') },
  }),
  createRoute({
    method: 'post',
    path: '/agents/{agent}/tasks/{task_id}/cancel',
    operationId: 'cancelAgentTask',
    tags,
    security,
    summary: 'Take a task back, where DELETE cannot be sent',
    request: { params: task, headers: proven },
    responses: { ...taskResponses, ...problemResponses(...refusals, 'wrong_status') },
  }),
  createRoute({
    method: 'get',
    path: '/agents/{agent}/tasks/{task_id}/webhooks',
    operationId: 'listTaskWebhooks',
    tags,
    security,
    summary: 'Notifications of a task: those of the last days, and those still to be sent',
    request: { params: task, headers: proven },
    responses: {
      200: {
        description: 'The latest first.',
        content: json(z.object({ webhooks: z.array(webhookSchema) })),
      },
      ...problemResponses(...refusals),
    },
  }),
  createRoute({
    method: 'post',
    path: '/agents/{agent}/tasks/{task_id}/webhooks/replay',
    operationId: 'replayTaskWebhooks',
    tags,
    security,
    summary: 'Tell webhooks again what was given up, or one notification, and try at once what waits',
    request: {
      params: task,
      headers: proven,
      body: { required: false, content: json(z.object({ webhook_id: z.string().optional() })) },
    },
    responses: {
      200: {
        description: 'How many notifications are sent again.',
        content: json(z.object({ replayed: z.number() })),
      },
      ...problemResponses(...refusals),
    },
  }),
];

/** Puts the specific way and the plain form into the document of the API; the rest is the protocol's own. */
export function describeAgents({ openAPIRegistry }: HubRouter): void {
  for (const path of PATHS) openAPIRegistry.registerPath(path);
}

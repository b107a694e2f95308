import { z } from '@hono/zod-openapi';
import { LANGUAGE_TAG } from '../../core/domain/language.js';
import { ESCALATION_REASONS, PRIORITIES, SENTIMENTS } from '../../core/domain/taxonomy.js';
import { RATED } from '../../core/ports/ticket-store.js';

/** An id in a path. */
export const idSchema = z.string().regex(/^[\w.:-]{1,100}$/);

export const timeSchema = z.string().openapi({ format: 'date-time', example: '2026-03-11T15:00:00.000Z' });

/** One of the company's languages. */
export const languageSchema = z.string().regex(LANGUAGE_TAG).openapi({ example: 'pt-BR' });

/** Free values: the arguments of a tool. */
export const jsonObjectSchema = z.record(z.string(), z.unknown());

/** Or null. `nullable()` on a schema with a name would change, or lose, what the name stands for in the document. */
export function orNull<S extends z.ZodType>(schema: S): z.ZodUnion<[S, z.ZodNull]> {
  return z.union([schema, z.null()]);
}

export const problemSchema = z
  .object({
    type: z.string().openapi({ example: 'urn:uda-hub:problem:not_found' }),
    title: z.string().openapi({ example: 'Not found' }),
    status: z.number().int().openapi({ example: 404 }),
    detail: z.string().openapi({ example: 'There is no such conversation.' }),
    code: z.string().openapi({ example: 'not_found' }),
    instance: z.string().optional(),
    errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
    operator: z
      .string()
      .optional()
      .openapi({ description: 'The operator who has it in hand, or who decided it before.' }),
    decision: z
      .enum(['approved', 'rejected'])
      .optional()
      .openapi({ description: 'What that operator decided.' }),
  })
  .openapi('Problem', { description: 'An error (RFC 9457); `code` is for programs, `detail` for people.' });

/** The document lists the company's issue types in its place. */
export const COMPANY_ISSUE_TYPES = 'x-company-issue-types';

export const issueTypeSchema = z.string().openapi({ [COMPANY_ISSUE_TYPES]: true });

export const classificationSchema = z
  .object({
    issue_type: issueTypeSchema,
    priority: z.enum(PRIORITIES),
    sentiment: z.enum(SENTIMENTS),
    requires_human: z.boolean(),
    summary: z.string(),
    confidence: z.number(),
  })
  .openapi('Classification');

export const citationSchema = z
  .object({ article_id: z.string(), title: z.string(), confidence: z.number() })
  .openapi('Citation', { example: { article_id: 'a7', title: 'How to cancel', confidence: 0.88 } });

export const pendingSchema = z
  .object({
    id: z.string(),
    kind: z.enum(['confirmation', 'approval']),
    tool: z.string(),
    args: jsonObjectSchema,
    question: z.string(),
    answers: z
      .object({ yes: z.string(), no: z.string() })
      .nullable()
      .openapi({ description: 'What a yes and a no do; null where a plain yes and no must do.' }),
  })
  .openapi('Pending', { description: 'A question that holds back exactly one action.' });

export const escalationSchema = z
  .object({
    reason: z.enum(ESCALATION_REASONS),
    summary: z.string(),
    found: z.array(z.string()),
    tried: z.array(z.string()),
    options: z.array(z.string()),
  })
  .openapi('Escalation');

export const toolCallSchema = z
  .object({
    agent: z.string(),
    tool: z.string(),
    args: jsonObjectSchema,
    ok: z.boolean(),
    code: z.string().optional(),
  })
  .openapi('ToolCall');

export const routeStepSchema = z
  .object({ to: z.string(), by: z.string().openapi({ example: 'rule:R5' }) })
  .openapi('RouteStep');

export const usageSchema = z
  .object({
    llm_calls: z.number(),
    prompt_tokens: z.number(),
    completion_tokens: z.number(),
    cost_usd: z.number(),
  })
  .openapi('Usage');

const REPLY_EXAMPLE = {
  thread_id: 'thr_7k3m9q2x4v6t1c8e',
  ticket_id: 'tkt_1c8e7k3m9q2x4v6t',
  message_id: 'msg_9q2x4v6t1c8e7k3m',
  reply: 'A refund arrives within five business days.',
  language: 'en',
  provider: 'offline' as const,
  classification: {
    issue_type: 'general',
    priority: 'medium' as const,
    sentiment: 'neutral' as const,
    requires_human: false,
    summary: 'Wants to know how long a refund takes.',
    confidence: 0.93,
  },
  agents: ['triage', 'knowledge'],
  route: [{ to: 'knowledge', by: 'rule:R7' }],
  tool_calls: [],
  citations: [{ article_id: 'kb-refunds-en', title: 'How refunds work', confidence: 0.88 }],
  pending: null,
  escalated: false,
  escalation: null,
  usage: { llm_calls: 0, prompt_tokens: 0, completion_tokens: 0, cost_usd: 0 },
  timings_ms: { total: 9, triage: 2 },
};

/** The object of `chat --json`, with the id of the stored answer. */
export const replySchema = z
  .object({
    thread_id: z.string(),
    ticket_id: z.string(),
    message_id: z.string().nullable(),
    reply: z.string(),
    language: languageSchema,
    provider: z.enum(['openai', 'offline']),
    classification: orNull(classificationSchema),
    agents: z.array(z.string()),
    route: z.array(routeStepSchema),
    tool_calls: z.array(toolCallSchema),
    citations: z.array(citationSchema),
    pending: orNull(pendingSchema),
    needs_sign_in: z.boolean().openapi({
      description: 'Part of the request is about the own account, and the customer is not signed in.',
    }),
    escalated: z.boolean(),
    escalation: orNull(escalationSchema),
    usage: usageSchema,
    timings_ms: z.record(z.string(), z.number()),
  })
  .openapi('Reply', { example: REPLY_EXAMPLE });

export const ownerSchema = z.enum(['hub', 'operator']);

/** A file of a message. */
export const fileSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string().openapi({ example: 'image/png', description: 'What its first bytes say.' }),
    size: z.number().int().openapi({ description: 'In bytes.' }),
    picture: z.boolean().openapi({ description: 'A raster picture, which a page may show.' }),
  })
  .openapi('AttachedFile');

export const messageSchema = z
  .object({
    id: z.string(),
    role: z.enum(['customer', 'hub', 'operator', 'system']),
    content: z.string(),
    created_at: timeSchema,
    citations: z.array(citationSchema),
    author: z.string().nullable(),
    client_message_id: z.string().nullable(),
    files: z.array(fileSchema),
  })
  .openapi('Message', { description: 'Where files are all there is, the content is their names.' });

/** How far a side has read a conversation. */
export const readMarkSchema = z
  .object({ message_id: z.string(), at: timeSchema })
  .openapi('ReadMark', { description: 'The newest message that was on the screen, and since when.' });

export const threadSchema = z
  .object({
    thread_id: z.string(),
    ticket_id: z.string().nullable(),
    number: z
      .string()
      .nullable()
      .openapi({ description: 'What the customer calls the ticket by.', example: '4EE-CNK' }),
    owner: ownerSchema,
    operator: z.object({ name: z.string() }).nullable(),
    pending: orNull(pendingSchema),
    messages: z.array(messageSchema),
    read_by_operator: orNull(readMarkSchema),
    asks_rating: z
      .object({ ticket_id: z.string(), operator: z.string() })
      .nullable()
      .describe('What the customer is asked to rate: a ticket that an operator has resolved.'),
    created_at: timeSchema,
    updated_at: timeSchema,
  })
  .openapi('Thread');

export const threadSummarySchema = z
  .object({
    thread_id: z.string(),
    ticket_id: z.string().nullable(),
    owner: ownerSchema,
    operator: z.object({ name: z.string() }).nullable(),
    title: z.string().nullable(),
    unread: z.number().int().min(0).describe("Answers after the customer's last look and last message."),
    created_at: timeSchema,
    updated_at: timeSchema,
  })
  .openapi('ThreadSummary');

/** What a customer thought of the hub's answers on a ticket, or of its resolution. */
export const ratingSchema = z.object({
  about: z.enum(RATED),
  helpful: z.boolean(),
  comment: z.string().nullable(),
  created_at: timeSchema,
});

/** Who calls. */
export const roleSchema = z.enum(['customer', 'operator', 'visitor']);

/** The short number of a request. */
export const numberSchema = z
  .string()
  .nullable()
  .openapi({ description: 'What the customer calls the ticket by.', example: '4EE-CNK' });

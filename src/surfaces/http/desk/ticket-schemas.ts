import { z } from '@hono/zod-openapi';
import { DESK_NOTE_KINDS } from '../../../core/desk-notes.js';
import { GUARDRAIL_FAULTS, GUARDRAIL_OUTCOMES } from '../../../core/domain/guardrail.js';
import {
  citationSchema,
  classificationSchema,
  escalationSchema,
  fileSchema,
  jsonObjectSchema,
  orNull,
  ownerSchema,
  ratingSchema,
  readMarkSchema,
  routeStepSchema,
  timeSchema,
  toolCallSchema,
  usageSchema,
} from '../schemas.js';

export const CHANNELS = ['chat', 'batch', 'http', 'studio', 'mcp', 'a2a', 'email'] as const;
export const STATUSES = ['open', 'waiting_customer', 'waiting_operator', 'resolved'] as const;

export const ticketSchema = z
  .object({
    ticket_id: z.string(),
    number: z.string().openapi({ description: 'What the customer calls it by.', example: '4EE-CNK' }),
    customer_id: z.string().nullable(),
    thread_id: z.string(),
    channel: z.enum(CHANNELS),
    status: z.enum(STATUSES),
    owner: ownerSchema,
    operator: z.object({ id: z.string(), name: z.string() }).nullable(),
    claimed_at: timeSchema.nullable(),
    resolved_at: timeSchema.nullable(),
    created_at: timeSchema,
    updated_at: timeSchema,
  })
  .openapi('Ticket');

const recordNamesSchema = z
  .record(z.string(), z.string())
  .openapi({ description: "What people call the customer's records, by id." });

const escalationRecordSchema = escalationSchema
  .extend({ escalation_id: z.string(), status: z.enum(['open', 'resolved']), created_at: timeSchema })
  .openapi('EscalationRecord');

const clockSchema = z
  .object({
    waited_minutes: z.number(),
    target_minutes: z.number(),
    due_at: timeSchema,
    running: z.boolean(),
    resumes_at: timeSchema.nullable(),
    breached: z.boolean(),
  })
  .openapi('ServiceClock', {
    description: 'How long the customer has waited, in minutes of business hours.',
  });

export const entrySchema = ticketSchema
  .extend({
    classification: orNull(classificationSchema),
    escalation: orNull(escalationRecordSchema),
    customer_name: z.string().nullable(),
    clock: orNull(clockSchema),
    last_message: z.object({ role: z.string(), content: z.string(), created_at: timeSchema }).nullable(),
    customer_message: z
      .object({ content: z.string(), created_at: timeSchema })
      .nullable()
      .openapi({ description: "The customer's last words." }),
    unread: z
      .number()
      .int()
      .openapi({ description: 'Messages of the customer that no operator has looked at.' }),
    tags: z.array(z.string()),
    team: z
      .string()
      .nullable()
      .openapi({ description: 'The team whose ticket it is; null where no team is.' }),
    merged_into: z.string().nullable(),
    snoozed_until: timeSchema.nullable(),
    approvals: z.number().int(),
    withdrawn_at: timeSchema.nullable().openapi({
      description:
        'When the customer took back the newest approval of the ticket; null where that is not what became of it.',
    }),
  })
  .openapi('TicketEntry');

const offeredRecord = z.object({
  ...{ id: z.string(), title: z.string(), starts_at: timeSchema.nullable() },
  ...{ amount_cents: z.number().int().nullable(), currency: z.string().nullable() },
});

export const offeredActionSchema = z
  .object({
    tool: z.string(),
    refused: z.string().nullable().openapi({
      description: 'Why the rules refuse it now, of an action without a choice; null where they do not.',
    }),
    fields: z.array(
      z.object({
        name: z.string(),
        type: z.enum(['text', 'number', 'date']),
        required: z.boolean(),
        minimum: z.number().nullable(),
        maximum: z.number().nullable(),
        options: z.array(z.string()).nullable(),
        records: z.array(offeredRecord).nullable(),
        refused: z
          .record(z.string(), z.string())
          .openapi({ description: 'Which of its options or records the rules refuse now, and why.' }),
      }),
    ),
  })
  .openapi('OfferedAction', {
    description: 'An action that an operator may do for the customer of a ticket.',
  });

export const countsSchema = z
  .object({
    unassigned: z.number().int(),
    mine: z.number().int(),
    waiting: z.number().int(),
    resolved: z.number().int(),
    hub: z.number().int(),
    team: z.number().int(),
    customer: z.number().int(),
    approvals: z.number().int(),
    snoozed: z.number().int(),
    mentioned: z.number().int().describe('A note names you, and you have written nothing since.'),
    unread: z.number().int().describe('Of `mine`, those with unread messages.'),
  })
  .openapi('TicketCounts');

const noteSchema = z
  .object({
    kind: z.enum(DESK_NOTE_KINDS),
    name: z.string().nullable(),
    text: z.string().nullable(),
    choice: z.string().nullable(),
    tool: z.string().nullable(),
  })
  .openapi('DeskNote', { description: 'What happened on the ticket, to be said in the reader’s language.' });

export const deskMessageSchema = z
  .object({
    message_id: z.string(),
    ticket_id: z.string(),
    role: z.enum(['customer', 'hub', 'operator', 'system']),
    content: z.string(),
    note: orNull(noteSchema),
    audience: z.enum(['customer', 'desk']),
    author: z.string().nullable(),
    citations: z.array(citationSchema),
    client_message_id: z.string().nullable(),
    files: z.array(fileSchema),
    created_at: timeSchema,
  })
  .openapi('DeskMessage', { description: 'Of audience `desk` only operators see it: notes and markers.' });

const turnSchema = z
  .object({
    turn_id: z.string(),
    message_id: z.string().nullable().openapi({ description: 'The answer that it gave.' }),
    provider: z.string(),
    route: z.array(routeStepSchema.extend({ why: z.string(), at: timeSchema.nullable() })),
    tool_calls: z.array(toolCallSchema.extend({ at: timeSchema.nullable(), ms: z.number().nullable() })),
    guardrails: z
      .array(
        z.object({ agent: z.string(), fault: z.enum(GUARDRAIL_FAULTS), outcome: z.enum(GUARDRAIL_OUTCOMES) }),
      )
      .openapi({ description: 'Parts of the answer that were not sent as they were written.' }),
    usage: usageSchema,
    total_ms: z.number(),
    created_at: timeSchema,
  })
  .openapi('Turn');

const investigationSchema = z
  .object({
    run_id: z.string(),
    skill_id: z.string(),
    skill_version: z.string(),
    status: z.enum(['running', 'waiting', 'done', 'failed']),
    kind: z.string().nullable(),
    result: z.unknown(),
    handoff: z.unknown(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    usage: jsonObjectSchema,
    duration_ms: z.number(),
  })
  .openapi('Investigation', {
    description: 'A run of a skill with its evidence, and the question it waits on.',
  });

const auditSchema = z
  .object({
    audit_key: z.string(),
    customer_id: z.string().nullable(),
    actor: z.string(),
    action: z.string(),
    outcome: z.enum(['done', 'refused', 'failed']),
    details: jsonObjectSchema,
    created_at: timeSchema,
  })
  .openapi('AuditEntry');

export const approvalFields = z
  .object({
    id: z.string(),
    kind: z.enum(['confirmation', 'approval']),
    status: z.enum(['pending', 'approved', 'rejected', 'withdrawn', 'expired', 'superseded', 'released']),
    ticket_id: z.string(),
    thread_id: z.string(),
    customer_id: z.string(),
    tool: z.string(),
    args: jsonObjectSchema,
    question: z.string(),
    created_at: timeSchema,
    expires_at: timeSchema,
    decided_at: timeSchema.nullable(),
    decided_by: z.string().nullable(),
    reason: z
      .string()
      .nullable()
      .openapi({ description: "An operator's reason, or the words in which the customer took it back." }),
  })
  .openapi('ApprovalRecord', {
    description: 'A question that was put to an operator or a customer, and what became of it.',
  });

export const approvalSchema = approvalFields
  .extend({
    customer_name: z.string().nullable(),
    consequences: z.array(z.string()).openapi({ description: 'What a yes does, then what a no does.' }),
    record_names: recordNamesSchema,
  })
  .openapi('Approval');

export const ticketViewSchema = entrySchema
  .extend({
    customer_flags: z
      .array(
        z.object({
          kind: z.enum(['blocked', 'record']),
          label: z.string(),
          tone: z.enum(['plain', 'good', 'warn', 'bad']),
        }),
      )
      .openapi({
        description: 'What stands against the customer: a block, a plan that does not run, failed payments.',
      }),
    record_names: recordNamesSchema,
    messages: z.array(deskMessageSchema),
    has_earlier: z.boolean().openapi({ description: 'Whether older messages were left off.' }),
    earlier_turns: z.number().int().openapi({ description: 'How many older ones `turns` leaves off.' }),
    customer_time_zone: z.string().nullable().openapi({
      description: 'IANA name of the time zone where the customer is; null where it is not known.',
    }),
    read_by: z.object({ customer: orNull(readMarkSchema), operator: orNull(readMarkSchema) }),
    turns: z.array(turnSchema),
    escalations: z.array(escalationRecordSchema),
    investigations: z.array(investigationSchema),
    audit: z.array(auditSchema),
    ratings: z.array(ratingSchema),
    approvals_open: z.array(approvalSchema),
    approval_history: z.array(approvalFields),
  })
  .openapi('TicketView');

export const suggestionSchema = z
  .object({
    text: z.string(),
    citations: z.array(citationSchema),
    provider: z.enum(['openai', 'offline']),
    unanswered: z.boolean().openapi({ description: 'No article surely answers what is asked.' }),
  })
  .openapi('Suggestion');

export const outcomeSchema = z
  .object({
    approval: z.object({ id: z.string(), status: approvalFields.shape.status, reply: z.string().nullable() }),
  })
  .openapi('ApprovalOutcome');

export const choiceSchema = z
  .object({
    ticket: ticketSchema,
    investigation: investigationSchema,
    reply: z.string().nullable(),
    pending: orNull(approvalFields),
  })
  .openapi('ChoiceOutcome');

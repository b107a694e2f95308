import { z } from '@hono/zod-openapi';
import { RECORD_TONES } from '../../../core/domain/entity.js';
import { ACTIVITY_KINDS } from '../../../core/ports/desk-queries.js';
import { issueTypeSchema, languageSchema, numberSchema, orNull, timeSchema } from '../schemas.js';
import { ticketSchema } from './ticket-schemas.js';

export const customerSchema = z
  .object({
    customer_id: z.string(),
    name: z.string(),
    email: z.string(),
    blocked: z.boolean(),
    created_at: timeSchema,
  })
  .openapi('Customer');

const label = z.string().nullable().openapi({ description: 'Null where the value says it by itself.' });

const factSchema = z
  .discriminatedUnion('type', [
    z.object({ label, type: z.literal('text'), value: z.string() }),
    z.object({ label, type: z.literal('time'), value: timeSchema }),
    z.object({ label, type: z.literal('number'), value: z.number() }),
    z.object({
      label,
      type: z.literal('money'),
      value: z.number().int().openapi({ description: 'Minor units of the currency.', example: 8000 }),
      currency: z.string().openapi({ description: 'ISO 4217.', example: 'EUR' }),
    }),
  ])
  .openapi('RecordFact');

const recordRowSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    status: z.object({ value: z.string(), label: z.string(), tone: z.enum(RECORD_TONES) }).nullable(),
    facts: z.array(factSchema),
  })
  .openapi('RecordRow');

const recordSectionSchema = z
  .object({
    id: z.string(),
    label: z.string(),
    kind: z.enum(['facts', 'list']),
    empty: z.string().openapi({ description: 'What is said where there are no rows.' }),
    rows: z.array(recordRowSchema),
  })
  .openapi('RecordSection', { description: 'Records of one kind, as the company has them.' });

const customerTicketSchema = ticketSchema
  .extend({
    ...{ issue_type: issueTypeSchema.nullable(), summary: z.string().nullable() },
    approvals: z.number().int().openapi({ description: 'How many are open.' }),
  })
  .openapi('CustomerTicket');

export const customerRecordSchema = z
  .object({
    customer: customerSchema,
    sections: z.array(recordSectionSchema),
    memory: z.object({
      preferred_language: languageSchema.nullable(),
      preferences: z.array(z.object({ key: z.string(), value: z.string(), updated_at: timeSchema })),
      resolutions: z.array(
        z.object({
          resolution_id: z.string(),
          ticket_id: z.string(),
          resolution_type: z.string(),
          summary: z.string(),
          agent: z.string(),
          created_at: timeSchema,
        }),
      ),
    }),
    tickets: z.array(customerTicketSchema),
  })
  .openapi('CustomerRecord');

export const articleSchema = z
  .object({
    article_id: z.string(),
    title: z.string(),
    content: z.string(),
    tags: z.array(z.string()),
    language: languageSchema,
    updated_at: timeSchema,
  })
  .openapi('DeskArticle');

export const draftSchema = articleSchema.extend({ updated_by: z.string() }).openapi('ArticleDraft');

export const articleEntrySchema = articleSchema
  .omit({ content: true })
  .extend({ state: z.enum(['published', 'draft', 'changed']) })
  .openapi('ArticleEntry');

export const articleVersionsSchema = z
  .object({ article_id: z.string(), published: orNull(articleSchema), draft: orNull(draftSchema) })
  .openapi('ArticleVersions');

export const articleVersionSchema = articleSchema
  .omit({ updated_at: true })
  .extend({
    version: z.number().int(),
    published_by: z
      .string()
      .nullable()
      .openapi({ description: "The operator's name; null where it came with an import." }),
    published_at: timeSchema,
  })
  .openapi('ArticleVersion', { description: 'A text under which the article was published.' });

export const articleInputSchema = z
  .object({
    article_id: z.string().optional().openapi({ description: 'Made from the title where absent.' }),
    title: z.string().openapi({ example: 'How to bring a guest' }),
    content: z.string().openapi({ description: 'Markdown, at most 20,000 characters.' }),
    tags: z.array(z.string()).optional(),
    language: languageSchema.optional().openapi({ description: 'Detected where absent.' }),
  })
  .openapi('ArticleInput');

const day = z.string().openapi({ example: '2026-03-11', description: 'A local day (HUB_TIME_ZONE).' });
const count = z.number().int();

const minutes = z.number().nullable().openapi({ description: 'Median, minutes of business hours.' });
const reopened = count.openapi({
  description:
    'Of the resolved ones, those whose customer wrote again in the conversation within seven days.',
});

export const reportSchema = z
  .object({
    from: day,
    to: day,
    totals: z.object({
      opened: count,
      opened_resolved: count.openapi({ description: 'Of the opened ones, those that are resolved now.' }),
      deflected: count.openapi({
        description: 'Of the opened ones, those resolved without an operator and not reopened.',
      }),
      resolved: count,
      reopened,
      first_answer_minutes: minutes,
      resolution_minutes: minutes,
      hub_helpful: count.openapi({ description: "Ratings of the hub's answers." }),
      hub_unhelpful: count,
    }),
    operators: z
      .array(
        z.object({
          operator: z.string().openapi({ description: 'The name that customers read.' }),
          answered: count.openapi({ description: 'Tickets with an answer of theirs.' }),
          first_answered: count.openapi({ description: 'Tickets whose escalation they answered first.' }),
          first_answer_minutes: minutes,
          resolved: count,
          resolution_minutes: minutes,
          reopened,
          helpful: count,
          unhelpful: count,
        }),
      )
      .openapi({ description: 'Those who answered most first.' }),
    rows: z.array(
      z.object({
        day,
        issue_type: z.string(),
        tickets: count,
        without_human: count,
        turns: count,
        cost_usd: z.number(),
        negative: count,
      }),
    ),
    escalation_reasons: z.array(z.object({ reason: z.string(), count })),
    escalations: z.array(z.object({ day, reason: z.string(), count })),
    sentiments: z.array(z.object({ day, sentiment: z.string(), count })),
    response_times: z.array(
      z.object({
        day,
        hub_median_ms: z.number().nullable(),
        hub_p95_ms: z.number().nullable(),
        operator_median_minutes: z.number().nullable(),
      }),
    ),
    ratings: z.array(z.object({ day, helpful: count, unhelpful: count })),
  })
  .openapi('Report');

export const skillSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    descriptions: z.record(z.string(), z.string()).openapi({ description: 'In other languages.' }),
    version: z.string(),
    type: z.string(),
    owner: z.string(),
    status: z.string(),
    tags: z.array(z.string()),
    effect: z.string(),
    knowledge: z.array(z.object({ id: z.string(), title: z.string(), content: z.string() })),
    figures: z
      .object({
        uses: count,
        failed: count,
        mean_duration_ms: z.number(),
        accuracy: z.number().nullable().describe('Share of the runs judged by operators that were right.'),
        false_positives: count.describe('Runs whose finding an operator did not take.'),
        repeat_use: z.number().nullable().describe('Share of the callers that used it more than once.'),
        satisfaction: z.number().nullable().describe('Share of helpful ratings of its tickets.'),
        target_ms: z.number().nullable(),
        baseline_ms: z.number().nullable(),
        expected_accuracy: z.number().nullable(),
        below: z.array(z.enum(['time', 'accuracy'])).describe('The goals of its pack that it misses.'),
      })
      .nullable()
      .describe('Of this version, over its runs; null where it never ran.'),
  })
  .openapi('Skill');

export const macroInputSchema = z
  .object({
    name: z.string().openapi({ example: 'Refund is on its way' }),
    text: z.string().openapi({ example: 'Hello {customer.first_name}, your refund is on its way.' }),
    tags: z.array(z.string()).max(50).default([]),
    resolves: z.boolean().default(false).openapi({ description: 'Sending it resolves the ticket.' }),
  })
  .openapi('MacroInput');

export const macroSchema = macroInputSchema
  .extend({
    macro_id: z.string(),
    tags: z.array(z.string()),
    resolves: z.boolean(),
    updated_by: z.string(),
    updated_at: timeSchema,
  })
  .openapi('Macro', {
    description: 'An answer that the team gives often: words, tags and what becomes of the ticket.',
  });

export const filledMacroSchema = macroSchema
  .extend({ filled: z.string().openapi({ description: 'The text for this ticket.' }) })
  .openapi('FilledMacro');

export const bulkResultSchema = z
  .object({ ticket_id: z.string(), problem: z.object({ code: z.string(), detail: z.string() }).nullable() })
  .openapi('BulkResult', {
    description: 'What came of one of many tickets; `problem` is null where it was done.',
  });

const givenSchema = z
  .record(z.string(), z.unknown())
  .nullable()
  .openapi({ description: 'What the action was given; null of anything else.' });

export const timelineSchema = z
  .object({
    kind: z.enum(['opened', 'escalated', 'answered', 'resolved', 'merged', 'done', 'refused', 'rated']),
    ticket_id: z.string().nullable(),
    number: numberSchema,
    at: timeSchema,
    about: z.string(),
    by: z.string().nullable(),
    args: givenSchema,
  })
  .openapi('TimelineEvent');

export const activitySchema = z
  .object({
    kind: z.enum(ACTIVITY_KINDS),
    at: timeSchema,
    by: z.enum(['operator', 'customer', 'hub']),
    person: z.string().nullable().openapi({ description: "The operator's name." }),
    ticket_id: z.string().nullable(),
    number: numberSchema,
    customer_id: z.string().nullable(),
    customer_name: z.string().nullable(),
    about: z.string().nullable().openapi({
      description:
        'The action, why it was escalated, the colleague it was given to or taken from, or until when it was put aside.',
    }),
    article: z.string().nullable().openapi({ description: 'The title of the article that it was done to.' }),
    args: givenSchema,
  })
  .openapi('Deed', { description: 'One thing that a person or the hub did.' });

export const gapSchema = z
  .object({
    ticket_id: z.string(),
    question: z.string(),
    language: z.string(),
    asked_at: timeSchema,
    times: count,
    answer: z.string().openapi({ description: 'What an operator answered; empty where none has.' }),
  })
  .openapi('KnowledgeGap', { description: 'A question that no article answered.' });

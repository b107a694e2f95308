import { sql } from 'drizzle-orm';
import { check, index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Citation } from '../../src/core/domain/article.js';
import type { GuardrailHit } from '../../src/core/domain/guardrail.js';
import type { PendingAnswers } from '../../src/core/domain/pending.js';
import { ESCALATION_REASONS, PRIORITIES, SENTIMENTS } from '../../src/core/domain/taxonomy.js';
import type { TicketRequest } from '../../src/core/domain/ticket.js';
import type { RouteStep, ToolCallRecord } from '../../src/core/domain/turn.js';
import type { AttachedFile } from '../../src/core/file-types.js';
import { oneOf } from '../statements.js';
import { object, sequence, strings } from './schema-columns.js';

const CHANNELS = ['chat', 'batch', 'http', 'studio', 'mcp', 'a2a', 'email'] as const;
const TICKET_STATUSES = ['open', 'waiting_customer', 'waiting_operator', 'resolved'] as const;
const OWNERS = ['hub', 'operator'] as const;
const ROLES = ['customer', 'hub', 'operator', 'system'] as const;
const AUDIENCES = ['customer', 'desk'] as const;
/** See `MessageWeight`. */
const WEIGHTS = ['nothing', 'answer'] as const;
const ESCALATION_STATUSES = ['open', 'resolved'] as const;

export const tickets = sqliteTable(
  'tickets',
  {
    seq: sequence(),
    ticketId: text('ticket_id').notNull().unique(),
    customerId: text('customer_id'),
    threadId: text('thread_id').notNull(),
    channel: text('channel', { enum: CHANNELS }).notNull(),
    status: text('status', { enum: TICKET_STATUSES }).notNull(),
    owner: text('owner', { enum: OWNERS }).notNull(),
    operatorId: text('operator_id'),
    operatorName: text('operator_name'),
    claimedAt: text('claimed_at'),
    resolvedAt: text('resolved_at'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
  },
  (table) => [
    index('tickets_thread').on(table.threadId),
    index('tickets_queue').on(table.owner, table.status),
    index('tickets_customer').on(table.customerId),
    index('tickets_created').on(table.createdAt),
    index('tickets_operator').on(table.operatorId).where(sql`${table.operatorId} IS NOT NULL`),
    index('tickets_resolved').on(table.resolvedAt).where(sql`${table.status} = 'resolved'`),
    check('tickets_channel', oneOf('channel', CHANNELS)),
    check('tickets_status', oneOf('status', TICKET_STATUSES)),
    check('tickets_owner', oneOf('owner', OWNERS)),
  ],
);

/** What the desk keeps of a ticket besides: none of it reaches the customer. */
export const ticketDesk = sqliteTable(
  'ticket_desk',
  {
    ticketId: text('ticket_id')
      .primaryKey()
      .references(() => tickets.ticketId),
    /** When it was last open on the screen of its operator, or of any while nobody has it. */
    seenAt: text('seen_at'),
    /** Until when it is out of the lists. */
    snoozedUntil: text('snoozed_until'),
    tags: text('tags', { mode: 'json' }).$type<readonly string[]>().notNull().default(sql`'[]'`),
    /** The team it was given to by hand; null: the one that the company's rules name. */
    team: text('team'),
    /** The ticket of the same customer that it was merged into. */
    mergedInto: text('merged_into'),
    /** What became of its question that no article answers: `drafted`, `dismissed`; null: nothing yet. */
    gap: text('gap', { enum: ['drafted', 'dismissed'] }),
  },
  (table) => [
    index('ticket_desk_snoozed').on(table.snoozedUntil),
    index('ticket_desk_merged').on(table.mergedInto).where(sql`${table.mergedInto} IS NOT NULL`),
  ],
);

/** The newest triage of a ticket. */
export const ticketMetadata = sqliteTable(
  'ticket_metadata',
  {
    ticketId: text('ticket_id')
      .primaryKey()
      .references(() => tickets.ticketId),
    issueType: text('issue_type').notNull(),
    priority: text('priority', { enum: PRIORITIES }).notNull(),
    sentiment: text('sentiment', { enum: SENTIMENTS }).notNull(),
    requiresHuman: integer('requires_human', { mode: 'boolean' }).notNull(),
    summary: text('summary').notNull(),
    language: text('language').notNull(),
    confidence: real('confidence').notNull(),
    route: text('route').notNull(),
    humanReason: text('human_reason', { enum: ESCALATION_REASONS }),
    requests: text('requests', { mode: 'json' }).$type<readonly TicketRequest[]>().notNull(),
    updatedAt: text('updated_at').notNull(),
  },
  () => [
    check('ticket_metadata_priority', oneOf('priority', PRIORITIES)),
    check('ticket_metadata_sentiment', oneOf('sentiment', SENTIMENTS)),
    check('ticket_metadata_requires_human', sql.raw('requires_human in (0, 1)')),
  ],
);

export const ticketMessages = sqliteTable(
  'ticket_messages',
  {
    seq: sequence(),
    messageId: text('message_id').notNull().unique(),
    ticketId: text('ticket_id')
      .notNull()
      .references(() => tickets.ticketId),
    role: text('role', { enum: ROLES }).notNull(),
    content: text('content').notNull(),
    audience: text('audience', { enum: AUDIENCES }).notNull().default('customer'),
    author: text('author'),
    citations: text('citations', { mode: 'json' }).$type<readonly Citation[]>().notNull().default(sql`'[]'`),
    clientMessageId: text('client_message_id'),
    /** What came with it; their content is in `message_files`. */
    files: text('files', { mode: 'json' }).$type<readonly AttachedFile[]>().notNull().default(sql`'[]'`),
    createdAt: text('created_at').notNull(),
    countsAs: text('counts_as', { enum: WEIGHTS }),
  },
  (table) => [
    index('ticket_messages_ticket').on(table.ticketId),
    // Whether a client's message is known is asked with every message.
    index('ticket_messages_client').on(table.ticketId, table.clientMessageId),
    // Which answers cite an article is read from the index alone.
    index('ticket_messages_cited').on(table.ticketId, table.citations).where(sql`citations <> '[]'`),
    // What was done on a day is told by the marks and notes of the desk.
    index('ticket_messages_desk').on(table.createdAt).where(sql`audience = 'desk'`),
    // The figures of operators ask for the answers of a day.
    index('ticket_messages_answers')
      .on(table.createdAt)
      .where(sql`role = 'operator' AND audience = 'customer'`),
    check('ticket_messages_role', oneOf('role', ROLES)),
  ],
);

/** What a finished turn did and cost. */
export const ticketTurns = sqliteTable(
  'ticket_turns',
  {
    seq: sequence(),
    turnId: text('turn_id').notNull().unique(),
    ticketId: text('ticket_id')
      .notNull()
      .references(() => tickets.ticketId),
    provider: text('provider').notNull(),
    route: text('route', { mode: 'json' }).$type<readonly RouteStep[]>().notNull(),
    toolCalls: text('tool_calls', { mode: 'json' }).$type<readonly ToolCallRecord[]>().notNull(),
    llmCalls: integer('llm_calls').notNull(),
    promptTokens: integer('prompt_tokens').notNull(),
    completionTokens: integer('completion_tokens').notNull(),
    costUsd: real('cost_usd').notNull(),
    totalMs: real('total_ms').notNull(),
    createdAt: text('created_at').notNull(),
    messageId: text('message_id'),
    /** What guardrails kept from being sent; null of turns before that was noted. */
    guardrails: text('guardrails', { mode: 'json' }).$type<readonly GuardrailHit[]>(),
  },
  (table) => [
    index('ticket_turns_ticket').on(table.ticketId),
    index('ticket_turns_created').on(table.createdAt),
  ],
);

/** What an operator is handed. */
export const escalations = sqliteTable(
  'escalations',
  {
    seq: sequence(),
    escalationId: text('escalation_id').notNull().unique(),
    ticketId: text('ticket_id')
      .notNull()
      .references(() => tickets.ticketId),
    reason: text('reason', { enum: ESCALATION_REASONS }).notNull(),
    summary: text('summary').notNull(),
    found: strings('found'),
    tried: strings('tried'),
    options: strings('options'),
    status: text('status', { enum: ESCALATION_STATUSES }).notNull(),
    createdAt: text('created_at').notNull(),
    resolvedAt: text('resolved_at'),
  },
  (table) => [
    index('escalations_ticket').on(table.ticketId),
    index('escalations_created').on(table.createdAt),
    check('escalations_reason', oneOf('reason', ESCALATION_REASONS)),
    check('escalations_status', oneOf('status', ESCALATION_STATUSES)),
  ],
);

/** How tickets ended: long-term memory. */
export const ticketResolutions = sqliteTable(
  'ticket_resolutions',
  {
    seq: sequence(),
    resolutionId: text('resolution_id').notNull().unique(),
    ticketId: text('ticket_id')
      .notNull()
      .references(() => tickets.ticketId),
    customerId: text('customer_id'),
    resolutionType: text('resolution_type').notNull(),
    summary: text('summary').notNull(),
    agent: text('agent').notNull(),
    createdAt: text('created_at').notNull(),
  },
  (table) => [
    index('ticket_resolutions_customer').on(table.customerId),
    index('ticket_resolutions_ticket').on(table.ticketId),
  ],
);

const PENDING_KINDS = ['confirmation', 'approval'] as const;
const PENDING_STATUSES = [
  'pending',
  'approved',
  'rejected',
  'withdrawn',
  'expired',
  'superseded',
  'released',
] as const;
const AUDIT_OUTCOMES = ['done', 'refused', 'failed'] as const;

/** Questions that hold back one exact action: confirmations by customers, approvals by operators. */
export const approvals = sqliteTable(
  'approvals',
  {
    seq: sequence(),
    pendingId: text('pending_id').notNull().unique(),
    kind: text('kind', { enum: PENDING_KINDS }).notNull(),
    threadId: text('thread_id').notNull(),
    graphThreadId: text('graph_thread_id').notNull(),
    ticketId: text('ticket_id')
      .notNull()
      .references(() => tickets.ticketId),
    customerId: text('customer_id').notNull(),
    tool: text('tool').notNull(),
    args: object('args'),
    argsHash: text('args_hash').notNull(),
    question: text('question').notNull(),
    /** What a yes and a no do, in words; null where a plain yes and no must do. */
    answers: text('answers', { mode: 'json' }).$type<PendingAnswers>(),
    needsOperator: integer('needs_operator', { mode: 'boolean' }).notNull().default(false),
    status: text('status', { enum: PENDING_STATUSES }).notNull(),
    createdAt: text('created_at').notNull(),
    expiresAt: text('expires_at').notNull(),
    decidedAt: text('decided_at'),
    decidedBy: text('decided_by'),
    reason: text('reason'),
    releasedAt: text('released_at'),
  },
  (table) => [
    index('approvals_thread').on(table.threadId, table.status),
    index('approvals_status').on(table.status, table.kind),
    index('approvals_ticket').on(table.ticketId),
    check('approvals_kind', oneOf('kind', PENDING_KINDS)),
    check('approvals_status', oneOf('status', PENDING_STATUSES)),
  ],
);

/** Append-only (triggers refuse anything else). No foreign keys: a record of a fact must never be refused. */
export const auditLog = sqliteTable(
  'audit_log',
  {
    seq: sequence(),
    auditKey: text('audit_key').notNull().unique(),
    ticketId: text('ticket_id'),
    customerId: text('customer_id'),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    outcome: text('outcome', { enum: AUDIT_OUTCOMES }).notNull(),
    details: object('details'),
    createdAt: text('created_at').notNull(),
  },
  (table) => [
    index('audit_log_ticket').on(table.ticketId),
    index('audit_log_customer').on(table.customerId),
    index('audit_log_created').on(table.createdAt),
    check('audit_log_outcome', oneOf('outcome', AUDIT_OUTCOMES)),
  ],
);

/** Who writes to a thread now. A lease past its time may be taken. */
export const threadLeases = sqliteTable('thread_leases', {
  threadId: text('thread_id').primaryKey(),
  holder: text('holder').notNull(),
  expiresAt: text('expires_at').notNull(),
});

import { sql } from 'drizzle-orm';
import {
  check,
  customType,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import {
  ESCALATION_REASONS,
  ISSUE_TYPES,
  LANGUAGES,
  PRIORITIES,
  ROUTES,
  SENTIMENTS,
} from '../../src/core/domain/taxonomy.js';
import type { TicketRequest } from '../../src/core/domain/ticket.js';
import type { RouteStep, ToolCallRecord } from '../../src/core/domain/turn.js';
import { oneOf } from '../statements.js';

const CHANNELS = ['chat', 'batch', 'http', 'studio', 'mcp', 'a2a'] as const;
const TICKET_STATUSES = ['open', 'waiting_customer', 'waiting_operator', 'resolved'] as const;
const OWNERS = ['hub', 'operator'] as const;
const ROLES = ['customer', 'hub', 'operator', 'system'] as const;
const ESCALATION_STATUSES = ['open', 'resolved'] as const;
const PENDING_KINDS = ['confirmation', 'approval'] as const;
const PENDING_STATUSES = ['pending', 'approved', 'rejected', 'expired', 'superseded', 'released'] as const;
const AUDIT_OUTCOMES = ['done', 'refused', 'failed'] as const;

const strings = (name: string) => text(name, { mode: 'json' }).$type<readonly string[]>().notNull();
const object = (name: string) =>
  text(name, { mode: 'json' }).$type<Readonly<Record<string, unknown>>>().notNull();
/** Insertion order; times may be equal, this is not. */
const sequence = () => integer('seq').primaryKey({ autoIncrement: true });

const float32 = customType<{ data: Float32Array; driverData: Buffer }>({
  dataType: () => 'blob',
  toDriver: (vector) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
  // A copy: the driver's buffer need not start at a multiple of four bytes.
  fromDriver: (bytes) => new Float32Array(new Uint8Array(bytes).buffer),
});

/** The companies the hub answers for. */
export const accounts = sqliteTable('accounts', {
  accountId: text('account_id').primaryKey(),
  name: text('name').notNull(),
});

/** Customers as the hub knows them; `external_user_id` is the id in the account's own database. */
export const hubUsers = sqliteTable(
  'users',
  {
    userId: text('user_id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.accountId),
    externalUserId: text('external_user_id').notNull(),
    name: text('name').notNull(),
  },
  (table) => [uniqueIndex('users_external').on(table.accountId, table.externalUserId)],
);

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
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
  },
  (table) => [
    index('tickets_thread').on(table.threadId),
    index('tickets_queue').on(table.owner, table.status),
    index('tickets_customer').on(table.customerId),
    check('tickets_channel', oneOf('channel', CHANNELS)),
    check('tickets_status', oneOf('status', TICKET_STATUSES)),
    check('tickets_owner', oneOf('owner', OWNERS)),
  ],
);

/** The newest triage of a ticket. */
export const ticketMetadata = sqliteTable(
  'ticket_metadata',
  {
    ticketId: text('ticket_id')
      .primaryKey()
      .references(() => tickets.ticketId),
    issueType: text('issue_type', { enum: ISSUE_TYPES }).notNull(),
    priority: text('priority', { enum: PRIORITIES }).notNull(),
    sentiment: text('sentiment', { enum: SENTIMENTS }).notNull(),
    requiresHuman: integer('requires_human', { mode: 'boolean' }).notNull(),
    summary: text('summary').notNull(),
    language: text('language', { enum: LANGUAGES }).notNull(),
    confidence: real('confidence').notNull(),
    route: text('route', { enum: ROUTES }).notNull(),
    humanReason: text('human_reason', { enum: ESCALATION_REASONS }),
    requests: text('requests', { mode: 'json' }).$type<readonly TicketRequest[]>().notNull(),
    updatedAt: text('updated_at').notNull(),
  },
  () => [
    check('ticket_metadata_issue_type', oneOf('issue_type', ISSUE_TYPES)),
    check('ticket_metadata_priority', oneOf('priority', PRIORITIES)),
    check('ticket_metadata_sentiment', oneOf('sentiment', SENTIMENTS)),
    check('ticket_metadata_requires_human', sql.raw('requires_human in (0, 1)')),
    check('ticket_metadata_language', oneOf('language', LANGUAGES)),
    check('ticket_metadata_route', oneOf('route', ROUTES)),
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
    createdAt: text('created_at').notNull(),
  },
  (table) => [
    index('ticket_messages_ticket').on(table.ticketId),
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
  },
  (table) => [index('ticket_turns_ticket').on(table.ticketId)],
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
    check('escalations_reason', oneOf('reason', ESCALATION_REASONS)),
    check('escalations_status', oneOf('status', ESCALATION_STATUSES)),
  ],
);

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
    check('audit_log_outcome', oneOf('outcome', AUDIT_OUTCOMES)),
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

export const customerPreferences = sqliteTable(
  'customer_preferences',
  {
    customerId: text('customer_id').notNull(),
    key: text('key').notNull(),
    value: text('value').notNull(),
    updatedAt: text('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.customerId, table.key] })],
);

/** The articles; `knowledge_fts` (a migration by hand, drizzle has no virtual tables) follows by triggers. */
export const knowledge = sqliteTable(
  'knowledge',
  {
    rowNo: integer('row_no').primaryKey(),
    articleId: text('article_id').notNull().unique(),
    title: text('title').notNull(),
    content: text('content').notNull(),
    tags: strings('tags'),
    language: text('language', { enum: LANGUAGES }).notNull(),
    updatedAt: text('updated_at').notNull(),
  },
  () => [check('knowledge_language', oneOf('language', LANGUAGES))],
);

/** Embeddings already paid for, by model and content. */
export const embeddings = sqliteTable(
  'embeddings',
  {
    model: text('model').notNull(),
    contentHash: text('content_hash').notNull(),
    vector: float32('vector').notNull(),
  },
  (table) => [primaryKey({ columns: [table.model, table.contentHash] })],
);

/** Named documents (calibration, index fingerprint) and facts about the file (seed markers). */
export const settings = sqliteTable('settings', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
  updatedAt: text('updated_at').notNull(),
});

/** Who writes to a thread now. A lease past its time may be taken. */
export const threadLeases = sqliteTable('thread_leases', {
  threadId: text('thread_id').primaryKey(),
  holder: text('holder').notNull(),
  expiresAt: text('expires_at').notNull(),
});

/** Which LangGraph thread carries a conversation now, and whose it is. */
export const threads = sqliteTable('threads', {
  threadId: text('thread_id').primaryKey(),
  customerId: text('customer_id'),
  graphThreadId: text('graph_thread_id').notNull(),
});

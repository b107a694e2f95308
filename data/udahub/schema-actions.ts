import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { PendingAnswers } from '../../src/core/domain/pending.js';
import { oneOf } from '../statements.js';
import { object, sequence } from './schema-columns.js';
import { tickets } from './schema-tickets.js';

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
    check('audit_log_outcome', oneOf('outcome', AUDIT_OUTCOMES)),
  ],
);

/** Who writes to a thread now. A lease past its time may be taken. */
export const threadLeases = sqliteTable('thread_leases', {
  threadId: text('thread_id').primaryKey(),
  holder: text('holder').notNull(),
  expiresAt: text('expires_at').notNull(),
});

import { sql } from 'drizzle-orm';
import {
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import type { Scope } from '../../src/core/domain/customer.js';
import { A2A_TASK_STATES } from '../../src/core/ports/a2a-tasks.js';
import { MAIL_REASONS, MAIL_STATUSES } from '../../src/core/ports/mail.js';
import { WEBHOOK_STATUSES } from '../../src/core/ports/webhooks.js';
import { oneOf } from '../statements.js';
import { object, sequence, strings } from './schema-columns.js';

const PROTOCOLS = ['0.3', '1.0'] as const;

/** Requests of other software to an agent. */
export const a2aTasks = sqliteTable(
  'a2a_tasks',
  {
    seq: sequence(),
    taskId: text('task_id').notNull().unique(),
    /** Whose it is, e.g. `customer:u_01`. */
    owner: text('owner').notNull(),
    customerId: text('customer_id'),
    agent: text('agent').notNull(),
    contextId: text('context_id').notNull(),
    threadId: text('thread_id'),
    scopes: text('scopes', { mode: 'json' }).$type<readonly Scope[]>().notNull(),
    state: text('state', { enum: A2A_TASK_STATES }).notNull(),
    /** JSON: whom it waits for; null while it waits for nobody. */
    wait: text('wait', { mode: 'json' }).$type<Readonly<Record<string, unknown>>>(),
    told: strings('told'),
    cancelAsked: integer('cancel_asked', { mode: 'boolean' }).notNull().default(false),
    /** What was said and what came of it, in the shapes of the protocol. */
    document: object('document'),
    version: integer('version').notNull(),
    changedAt: text('changed_at').notNull(),
    createdAt: text('created_at').notNull(),
  },
  (table) => [
    index('a2a_tasks_owner').on(table.owner, table.agent, table.changedAt, table.seq),
    index('a2a_tasks_state').on(table.state, table.threadId),
    index('a2a_tasks_customer').on(table.customerId),
    check('a2a_tasks_state_known', oneOf('state', A2A_TASK_STATES)),
  ],
);

/** Which messages of callers belong to which task. What they say stands in `thread_inbox`. */
export const a2aMessages = sqliteTable(
  'a2a_messages',
  {
    seq: sequence(),
    taskId: text('task_id')
      .notNull()
      .references(() => a2aTasks.taskId, { onDelete: 'cascade' }),
    owner: text('owner').notNull(),
    agent: text('agent').notNull(),
    messageId: text('message_id').notNull(),
    /** What `thread_inbox` calls it. */
    clientMessageId: text('client_message_id').notNull(),
    /** Of what it says: the same id with other words is another message. */
    digest: text('digest').notNull(),
    /** True once the task shows its answer. */
    settled: integer('settled', { mode: 'boolean' }).notNull(),
  },
  (table) => [
    uniqueIndex('a2a_messages_id').on(table.owner, table.agent, table.messageId),
    index('a2a_messages_task').on(table.taskId, table.settled),
  ],
);

/** What callers call their conversations. */
export const a2aContexts = sqliteTable(
  'a2a_contexts',
  {
    owner: text('owner').notNull(),
    agent: text('agent').notNull(),
    contextId: text('context_id').notNull(),
    threadId: text('thread_id').notNull(),
    usedAt: text('used_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.owner, table.agent, table.contextId] }),
    index('a2a_contexts_thread').on(table.threadId),
    index('a2a_contexts_used').on(table.usedAt),
  ],
);

/** Where callers want to be told about a task. */
export const a2aPushConfigs = sqliteTable(
  'a2a_push_configs',
  {
    taskId: text('task_id')
      .notNull()
      .references(() => a2aTasks.taskId, { onDelete: 'cascade' }),
    configId: text('config_id').notNull(),
    url: text('url').notNull(),
    token: text('token').notNull(),
    scheme: text('scheme').notNull(),
    credentials: text('credentials').notNull(),
    protocol: text('protocol', { enum: PROTOCOLS }).notNull(),
    createdAt: text('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.taskId, table.configId] }),
    check('a2a_push_configs_protocol', oneOf('protocol', PROTOCOLS)),
  ],
);

/** What they have yet to be told, and were told lately. */
export const a2aPushOutbox = sqliteTable(
  'a2a_push_outbox',
  {
    /** Of one webhook of a task in the order in which it happened. */
    seq: sequence(),
    webhookId: text('webhook_id').notNull().unique(),
    taskId: text('task_id').notNull(),
    configId: text('config_id').notNull(),
    /** Whose share of the room it takes: `customer:u_01`, or `anonymous` for all visitors. */
    owner: text('owner').notNull(),
    contentType: text('content_type').notNull(),
    body: text('body').notNull(),
    bytes: integer('bytes').notNull(),
    status: text('status', { enum: WEBHOOK_STATUSES }).notNull(),
    attempts: integer('attempts').notNull(),
    /** When it is due; while somebody sends it, when that one must have settled it. Null behind an earlier one. */
    nextAt: text('next_at'),
    /** The process that sends it. */
    holder: text('holder'),
    why: text('why'),
    since: text('since').notNull(),
    createdAt: text('created_at').notNull(),
    settledAt: text('settled_at'),
  },
  (table) => [
    foreignKey({
      columns: [table.taskId, table.configId],
      foreignColumns: [a2aPushConfigs.taskId, a2aPushConfigs.configId],
    }).onDelete('cascade'),
    index('a2a_push_outbox_due').on(table.nextAt).where(sql`status = 'waiting'`),
    index('a2a_push_outbox_room').on(table.owner, table.bytes).where(sql`status = 'waiting'`),
    index('a2a_push_outbox_order').on(table.taskId, table.configId, table.status, table.seq),
    index('a2a_push_outbox_settled').on(table.settledAt),
    index('a2a_push_outbox_failed').on(table.status).where(sql`status = 'failed'`),
    check('a2a_push_outbox_status_known', oneOf('status', WEBHOOK_STATUSES)),
  ],
);

/** Browsers that are told of answers while no page of theirs is open. */
export const pushSubscriptions = sqliteTable(
  'push_subscriptions',
  {
    /** The address at the browser's push service; whoever knows it and the hub's key may wake that browser. */
    endpoint: text('endpoint').primaryKey(),
    customerId: text('customer_id'),
    /** The visitor of the chat whose it is; null for a customer. */
    visitorId: text('visitor_id'),
    createdAt: text('created_at').notNull(),
  },
  (table) => [
    index('push_subscriptions_customer').on(table.customerId),
    index('push_subscriptions_visitor').on(table.visitorId),
  ],
);

const DIRECTIONS = ['in', 'out'] as const;

/** What e-mail knows of a conversation. */
export const mailThreads = sqliteTable(
  'mail_threads',
  {
    threadId: text('thread_id').primaryKey(),
    /** Where a visitor wrote from; a customer is written to at the address that the company has. */
    address: text('address'),
    /** As the customer wrote it; null where the conversation did not begin by mail. */
    subject: text('subject'),
    /** True while the customer's last word came by mail. */
    byMail: integer('by_mail', { mode: 'boolean' }).notNull(),
    /** When a page of the customer's last showed the conversation. */
    seenAt: text('seen_at'),
  },
  (table) => [index('mail_threads_address').on(table.address)],
);

/** Mails of conversations: those to be sent, those that were, and those that came. */
export const mailMessages = sqliteTable(
  'mail_messages',
  {
    seq: sequence(),
    mailId: text('mail_id').notNull().unique(),
    /** Null of a mail that opened none. */
    threadId: text('thread_id'),
    direction: text('direction', { enum: DIRECTIONS }).notNull(),
    /** The Message-ID, without its angle brackets. */
    messageId: text('message_id').notNull(),
    /** What it brings to the customer; null of a mail that came in. */
    ticketMessageId: text('ticket_message_id'),
    /** Who wrote it, or whom it was sent to; null until it was sent. */
    address: text('address'),
    /** Of a mail that came in: whether it is proven that the sender is who they say. */
    proven: integer('proven', { mode: 'boolean' }),
    reason: text('reason', { enum: MAIL_REASONS }).notNull(),
    status: text('status', { enum: MAIL_STATUSES }).notNull(),
    /** Whether it need not be sent where a page has shown the message. */
    unlessSeen: integer('unless_seen', { mode: 'boolean' }).notNull(),
    attempts: integer('attempts').notNull(),
    holder: text('holder'),
    nextAt: text('next_at'),
    why: text('why'),
    /** When the newest message that it holds was written: a reply answers nothing later. */
    upTo: text('up_to').notNull(),
    createdAt: text('created_at').notNull(),
    settledAt: text('settled_at'),
  },
  (table) => [
    uniqueIndex('mail_messages_id').on(table.direction, table.messageId),
    index('mail_messages_thread').on(table.threadId, table.seq),
    index('mail_messages_due').on(table.status, table.nextAt),
    index('mail_messages_address').on(table.direction, table.address, table.createdAt),
    check('mail_messages_direction', oneOf('direction', DIRECTIONS)),
    check('mail_messages_reason', oneOf('reason', MAIL_REASONS)),
    check('mail_messages_status', oneOf('status', MAIL_STATUSES)),
  ],
);

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
import type { Scope } from '../../src/core/domain/access.js';
import { A2A_TASK_STATES } from '../../src/core/ports/a2a-tasks.js';
import { WEBHOOK_STATUSES } from '../../src/core/ports/webhook-outbox.js';
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

import { sql } from 'drizzle-orm';
import {
  blob,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import type { Scope } from '../../src/core/domain/customer.js';
import { RATED } from '../../src/core/ports/ticket-store.js';
import { oneOf } from '../statements.js';
import { object, sequence } from './schema-columns.js';

const INBOX_STATUSES = ['queued', 'running', 'answered'] as const;
const INBOX_KINDS = ['text', 'answer'] as const;
const AUDIENCES = ['customer', 'desk'] as const;

/** Conversations: whose they are, which LangGraph thread carries them now, and who has claimed them. */
export const threads = sqliteTable(
  'threads',
  {
    threadId: text('thread_id').primaryKey(),
    customerId: text('customer_id'),
    /** The visitor of the chat whose it is, until it becomes a customer's. */
    visitorId: text('visitor_id'),
    graphThreadId: text('graph_thread_id').notNull(),
    /** The operator who has claimed it; null while it is the hub's. */
    operatorId: text('operator_id'),
    operatorName: text('operator_name'),
    /** Counts changes of hands: a turn that began under another number is over. */
    claim: integer('claim').notNull().default(0),
    /** Counts the customer's wishes that the running answer be stopped. */
    stops: integer('stops').notNull().default(0),
    /** When operators began to talk without the agents; null once the agents have read it. */
    unheardSince: text('unheard_since'),
    /** The newest message that an operator has opened, and when. */
    operatorReadId: text('operator_read_id'),
    operatorReadAt: text('operator_read_at'),
    /** The newest message that the customer has had on the screen, and when. */
    customerReadId: text('customer_read_id'),
    customerReadAt: text('customer_read_at'),
    /** JSON list of what it may be used for; null: everything its customer may do. */
    scopes: text('scopes', { mode: 'json' }).$type<readonly Scope[]>(),
    /** The one agent it talks to; null: the supervisor chooses. */
    agent: text('agent'),
    /** IANA name of the customer's time zone, as the page that began it said; null where nothing said one. */
    timeZone: text('time_zone'),
    createdAt: text('created_at').notNull().default(''),
    updatedAt: text('updated_at').notNull().default(''),
  },
  (table) => [
    index('threads_customer').on(table.customerId, table.updatedAt),
    index('threads_visitor').on(table.visitorId).where(sql`visitor_id IS NOT NULL`),
  ],
);

/** Where operators are at the desk: the newest word of each one's page. */
export const operatorPresence = sqliteTable(
  'operator_presence',
  {
    operatorId: text('operator_id').primaryKey(),
    name: text('name').notNull(),
    ticketId: text('ticket_id'),
    typing: integer('typing', { mode: 'boolean' }).notNull(),
    /** When the shift ends by itself; null where no time is set. */
    shiftEndsAt: text('shift_ends_at'),
    /** When it ended; null while the operator is at the desk, and where no end was told. */
    shiftEndedAt: text('shift_ended_at'),
    seenAt: text('seen_at').notNull(),
  },
  (table) => [index('operator_presence_seen').on(table.seenAt)],
);

/** What customers sent, kept before it is acknowledged and until it is answered. */
export const threadInbox = sqliteTable(
  'thread_inbox',
  {
    seq: sequence(),
    itemId: text('item_id').notNull().unique(),
    threadId: text('thread_id').notNull(),
    customerId: text('customer_id'),
    clientMessageId: text('client_message_id').notNull(),
    kind: text('kind', { enum: INBOX_KINDS }).notNull(),
    content: object('content'),
    channel: text('channel').notNull(),
    status: text('status', { enum: INBOX_STATUSES }).notNull(),
    /** The process that works on it. */
    holder: text('holder'),
    outcome: text('outcome', { mode: 'json' }).$type<unknown>(),
    receivedAt: text('received_at').notNull(),
    startedAt: text('started_at'),
    answeredAt: text('answered_at'),
  },
  (table) => [
    uniqueIndex('thread_inbox_client').on(table.threadId, table.clientMessageId),
    index('thread_inbox_status').on(table.status, table.threadId),
    check('thread_inbox_kind', oneOf('kind', INBOX_KINDS)),
    check('thread_inbox_status_known', oneOf('status', INBOX_STATUSES)),
  ],
);

/** Files of conversations; one that came with no message is forgotten after a day. */
export const messageFiles = sqliteTable(
  'message_files',
  {
    fileId: text('file_id').primaryKey(),
    threadId: text('thread_id').notNull(),
    /** `customer`, or `operator:` and the id. */
    uploader: text('uploader').notNull(),
    /** The message of the inbox that it was sent with; null until it is sent, and of operators. */
    clientMessageId: text('client_message_id'),
    /** The message of the conversation that it belongs to; null until that is stored. */
    messageId: text('message_id'),
    name: text('name').notNull(),
    /** Its media type, by its first bytes. */
    type: text('type').notNull(),
    /** In bytes. */
    size: integer('size').notNull(),
    createdAt: text('created_at').notNull(),
    /** The last column, so that the others are read without it. */
    content: blob('content', { mode: 'buffer' }).notNull(),
  },
  (table) => [
    index('message_files_thread').on(table.threadId),
    index('message_files_unsent').on(table.createdAt).where(sql`${table.messageId} IS NULL`),
  ],
);

/** What happened on conversations that somebody who looks at one should be told; pruned after a while. */
export const threadEvents = sqliteTable(
  'thread_events',
  {
    seq: sequence(),
    threadId: text('thread_id').notNull(),
    ticketId: text('ticket_id'),
    audience: text('audience', { enum: AUDIENCES }).notNull(),
    type: text('type').notNull(),
    data: object('data'),
    createdAt: text('created_at').notNull(),
  },
  (table) => [
    index('thread_events_thread').on(table.threadId, table.seq),
    check('thread_events_audience', oneOf('audience', AUDIENCES)),
  ],
);

/** What customers thought of the hub's answers on a ticket, and of its resolution by an operator; the newest word of each counts. */
export const ratings = sqliteTable(
  'ratings',
  {
    ticketId: text('ticket_id').notNull(),
    about: text('about', { enum: RATED }).notNull(),
    threadId: text('thread_id').notNull(),
    customerId: text('customer_id'),
    helpful: integer('helpful', { mode: 'boolean' }).notNull(),
    comment: text('comment'),
    createdAt: text('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ticketId, table.about] }),
    index('ratings_thread').on(table.threadId),
    index('ratings_created').on(table.createdAt),
    check('ratings_about', oneOf('about', RATED)),
  ],
);

/** Answers to requests that carried an idempotency key. */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    seq: sequence(),
    /** Who asked, e.g. `customer:u_01`; a key means nothing to anybody else. */
    caller: text('caller').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of method, path and body. */
    requestHash: text('request_hash').notNull(),
    holder: text('holder'),
    /** Null while the first request is being worked on. */
    status: integer('status'),
    contentType: text('content_type'),
    body: text('body'),
    createdAt: text('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('idempotency_keys_key').on(table.caller, table.key),
    index('idempotency_keys_created').on(table.createdAt),
  ],
);

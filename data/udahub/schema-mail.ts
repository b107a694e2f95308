import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { MAIL_REASONS, MAIL_STATUSES } from '../../src/core/ports/mail-store.js';
import { oneOf } from '../statements.js';
import { sequence } from './schema-columns.js';

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

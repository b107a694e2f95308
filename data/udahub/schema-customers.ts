import { primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

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

/** Which LangGraph thread carries a conversation now, and whose it is. */
export const threads = sqliteTable('threads', {
  threadId: text('thread_id').primaryKey(),
  customerId: text('customer_id'),
  graphThreadId: text('graph_thread_id').notNull(),
});

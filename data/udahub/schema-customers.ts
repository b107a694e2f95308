import { integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** The companies the hub answers for. */
export const accounts = sqliteTable('accounts', {
  accountId: text('account_id').primaryKey(),
  name: text('name').notNull(),
});

/** Whom nothing may be stored about any more; triggers on the other tables refuse it. */
export const erasedCustomers = sqliteTable('erased_customers', {
  customerId: text('customer_id').primaryKey(),
  erasedAt: text('erased_at').notNull(),
});

/** One-time codes that were sent for signing in; hashes only. */
export const signInCodes = sqliteTable('sign_in_codes', {
  addressHash: text('address_hash').primaryKey(),
  codeHash: text('code_hash').notNull(),
  attempts: integer('attempts').notNull(),
  expiresAt: text('expires_at').notNull(),
  createdAt: text('created_at').notNull(),
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

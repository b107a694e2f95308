import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

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

/** One-time codes that were sent for signing in; hashes only. An account may have several that are good. */
export const signInCodes = sqliteTable(
  'sign_in_codes',
  {
    challengeHash: text('challenge_hash').primaryKey(),
    addressHash: text('address_hash').notNull(),
    codeHash: text('code_hash').notNull(),
    /** Wrong guesses with the challenge, and without. */
    askerGuesses: integer('asker_guesses').notNull(),
    otherGuesses: integer('other_guesses').notNull(),
    expiresAt: text('expires_at').notNull(),
    createdAt: text('created_at').notNull(),
  },
  (table) => [
    index('sign_in_codes_address').on(table.addressHash),
    index('sign_in_codes_expires').on(table.expiresAt),
  ],
);

/** How often codes were asked for and guessed, by network and account; hashes only. */
export const signInLimits = sqliteTable(
  'sign_in_limits',
  {
    keyHash: text('key_hash').primaryKey(),
    count: integer('count').notNull(),
    lastAt: text('last_at').notNull(),
    expiresAt: text('expires_at').notNull(),
  },
  (table) => [index('sign_in_limits_expires').on(table.expiresAt)],
);

/** Tokens that were made for other programs; not the tokens themselves. */
export const programTokens = sqliteTable(
  'program_tokens',
  {
    tokenId: text('token_id').primaryKey(),
    role: text('role', { enum: ['customer', 'operator'] }).notNull(),
    /** The customer's or the operator's id. */
    holderId: text('holder_id').notNull(),
    /** Separated by spaces. */
    scopes: text('scopes').notNull(),
    createdAt: text('created_at').notNull(),
    expiresAt: text('expires_at').notNull(),
    lastUsedAt: text('last_used_at'),
    revokedAt: text('revoked_at'),
  },
  (table) => [
    index('program_tokens_holder').on(table.role, table.holderId),
    index('program_tokens_ends').on(table.expiresAt),
    index('program_tokens_revoked').on(table.revokedAt),
  ],
);

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

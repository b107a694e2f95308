import { asc, sql } from 'drizzle-orm';
import type { CompanyDatabaseSpec } from '../../../data/company-database.js';
import type { DatabaseHandle } from '../../../data/open-database.js';
import { jsonRows, mentions, secureDelete } from '../../../data/privacy-rows.js';
import { translated, withTranslatedErrors } from '../../../data/storage-errors.js';
import type { Customer } from '../../../src/core/domain/customer.js';
import type { JsonObject, JsonValue } from '../../../src/core/domain/json.js';
import { HubError } from '../../../src/core/errors.js';
import type { Customers } from '../../../src/core/ports/customers.js';
import type { CustomerScope } from '../../../src/core/ports/data-source.js';
import { type CompanyPrivacy, type Removal, withoutWords } from '../../../src/core/privacy.js';
import type { CustomerReader, User } from './records.js';
import { users } from './schema.js';
import { fold, wordPatterns } from './search-words.js';
import { seedCultpass } from './seed.js';

/**
 * What a customer may see of cultpass.db: what can be booked, and what is the customer's own. The ledger of actions and the
 * facts about the file are not named, so they do not exist for a customer.
 */
export const CULTPASS_SCOPE: CustomerScope = {
  experiences: 'TRUE',
  users: 'user_id = :customer_id',
  subscriptions: 'user_id = :customer_id',
  reservations: 'user_id = :customer_id',
  payments: 'user_id = :customer_id',
  refunds: `(reservation_id IN (SELECT reservation_id FROM reservations WHERE user_id = :customer_id)
    OR payment_id IN (SELECT payment_id FROM payments WHERE user_id = :customer_id))`,
};

/** CultPass's own database: customers, subscriptions, experiences, reservations, payments, refunds. */
export const CULTPASS_DATABASE: CompanyDatabaseSpec = {
  name: 'cultpass',
  migrations: new URL('./migrations', import.meta.url),
  seed: seedCultpass,
  history: new URL('./seed/history.jsonl', import.meta.url),
  customers: ({ orm }) => orm.select({ customerId: users.userId, name: users.fullName }).from(users).all(),
};

/**
 * The customers of CultPass as the hub knows customers.
 * @param handle opened with `readonly`, as for the customer reader
 */
export function createCustomers(handle: DatabaseHandle, reader: CustomerReader): Customers {
  if (!handle.sqlite.readonly) throw new HubError('internal', 'The customers take a read-only handle.');
  handle.sqlite.function('fold', { deterministic: true }, (text: unknown) => fold(String(text)));
  const search = handle.orm
    .select()
    .from(users)
    .where(
      sql`NOT EXISTS (SELECT 1 FROM json_each(${sql.placeholder('words')})
          WHERE fold(${users.fullName} || ' ' || ${users.email} || ' ' || ${users.userId}) NOT LIKE value)`,
    )
    .orderBy(asc(users.fullName), asc(users.userId))
    .limit(sql.placeholder('limit'))
    .prepare();
  const names = handle.sqlite.prepare<[string], { userId: string; fullName: string }>(
    `SELECT user_id AS userId, full_name AS fullName FROM users
     WHERE user_id IN (SELECT value FROM json_each(?))`,
  );
  return withTranslatedErrors<Customers>(handle, {
    findByEmail: async (email) => toCustomer(await reader.findUserByEmail(email)),
    get: async (customerId) => toCustomer(await reader.getUser(customerId)),
    search: async (text, limit) => {
      const words = wordPatterns(text);
      if (words.length === 0 && text.trim() !== '') return [];
      const found = search.all({ words: JSON.stringify(words), limit: Math.max(0, Math.trunc(limit)) });
      return found.map(customerOf);
    },
    names: async (customerIds) =>
      new Map(
        names
          .all(JSON.stringify([...new Set(customerIds)]))
          .map(({ userId, fullName }) => [userId, fullName]),
      ),
    async facts(customerId) {
      const [user, subscription] = await Promise.all([
        reader.getUser(customerId),
        reader.getSubscription(customerId),
      ]);
      return (
        user && {
          user_id: user.userId,
          full_name: user.fullName,
          email: user.email,
          is_blocked: user.isBlocked,
          subscription: subscription && { status: subscription.status, tier: subscription.tier },
        }
      );
    },
  });
}

function customerOf({ userId, fullName, email, isBlocked, createdAt }: User): Customer {
  return { customerId: userId, name: fullName, email, isBlocked, createdAt };
}

function toCustomer(user: User | null): Customer | null {
  return user && customerOf(user);
}

const OWN = 'user_id = @customer';
const OWN_ROWS: Readonly<Record<string, string>> = {
  users: OWN,
  subscriptions: OWN,
  reservations: OWN,
  payments: OWN,
  refunds: `(reservation_id IN (SELECT reservation_id FROM reservations WHERE ${OWN})
    OR payment_id IN (SELECT payment_id FROM payments WHERE ${OWN}))`,
  action_ledger: 'customer_id = @customer',
};

/** What cultpass.db holds about a customer. */
export function createCultpassPrivacy({ sqlite }: DatabaseHandle): CompanyPrivacy {
  const rowsOf = (table: string, customer: string): readonly JsonObject[] =>
    jsonRows(sqlite.prepare(`SELECT * FROM ${table} WHERE ${OWN_ROWS[table]}`).all({ customer }));

  const erase = sqlite.transaction(
    (customerId: string, pseudonym: string, address: string): readonly Removal[] => {
      sqlite.pragma('defer_foreign_keys = ON');
      const ledger = rowsOf('action_ledger', customerId);
      const rewrite = sqlite.prepare(
        'UPDATE action_ledger SET customer_id = ?, ticket_id = ?, released_by = ?, outcome = ? WHERE seq = ?',
      );
      for (const row of ledger) {
        const by = row.released_by === `customer:${customerId}` ? `customer:${pseudonym}` : row.released_by;
        rewrite.run(pseudonym, 'erased', by, JSON.stringify(withoutWords(row.outcome as JsonValue)), row.seq);
      }
      const removals = ['subscriptions', 'reservations', 'payments'].map((table) => ({
        place: `cultpass.db ${table}`,
        what: 'anonymised' as const,
        count: sqlite.prepare(`UPDATE ${table} SET user_id = ? WHERE user_id = ?`).run(pseudonym, customerId)
          .changes,
      }));
      const users = sqlite
        // Blocked: nobody may ever act in the place of somebody who is gone.
        .prepare('UPDATE users SET user_id = ?, full_name = ?, email = ?, is_blocked = 1 WHERE user_id = ?')
        .run(pseudonym, 'Erased customer', address, customerId).changes;
      return [
        { place: 'cultpass.db users', what: 'anonymised', count: users },
        ...removals,
        { place: 'cultpass.db action_ledger', what: 'anonymised', count: ledger.length },
      ];
    },
  );

  return {
    rows: (customerId) =>
      translated(() =>
        Object.fromEntries(Object.keys(OWN_ROWS).map((table) => [table, rowsOf(table, customerId)])),
      ),
    isCommonName: (fullName, customerId) =>
      translated(
        () =>
          sqlite
            .prepare('SELECT 1 FROM users WHERE lower(full_name) = lower(?) AND user_id <> ?')
            .get(fullName, customerId) !== undefined,
      ),
    isPublic: (piece) => translated(() => mentions(sqlite, 'experiences', piece)),
    erase: (customerId, pseudonym, address) =>
      translated(() => {
        secureDelete(sqlite);
        return erase.immediate(customerId, pseudonym, address);
      }),
  };
}

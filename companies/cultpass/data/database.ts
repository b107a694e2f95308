import { asc, sql } from 'drizzle-orm';
import type { CompanyDatabaseSpec } from '../../../data/company-database.js';
import { type Database, storeOf, type Work } from '../../../data/database.js';
import { erasing, jsonRows, mentionsIn, placeOf } from '../../../data/privacy-rows.js';
import type { Customer } from '../../../src/core/domain/customer.js';
import type { JsonObject, JsonValue } from '../../../src/core/domain/json.js';
import { HubError } from '../../../src/core/errors.js';
import type { Customers } from '../../../src/core/ports/customers.js';
import type { CustomerScope } from '../../../src/core/ports/data-source.js';
import { type CompanyPrivacy, type Removal, withoutTexts } from '../../../src/core/privacy.js';
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
  postgres: {
    migrations: new URL('./postgres', import.meta.url),
    functions: new URL('./postgres-functions.sql', import.meta.url),
  },
  register: (sqlite) =>
    void sqlite.function('fold', { deterministic: true }, (text: unknown) => fold(String(text))),
  seed: seedCultpass,
  history: new URL('./seed/history.jsonl', import.meta.url),
  customers: (database) =>
    database.query((orm) => orm.select({ customerId: users.userId, name: users.fullName }).from(users)).all(),
};

/**
 * The customers of CultPass as the hub knows customers.
 * @param database opened to read only, as for the customer reader
 */
export function createCustomers(database: Database, reader: CustomerReader): Customers {
  if (!database.readonly) throw new HubError('internal', 'The customers take a read-only database.');
  const search = database.query((orm) =>
    orm
      .select()
      .from(users)
      .where(
        sql`NOT EXISTS (SELECT 1 FROM json_each(${sql.placeholder('words')})
          WHERE fold(${users.fullName} || ' ' || ${users.email} || ' ' || ${users.userId}) NOT LIKE value)`,
      )
      .orderBy(asc(users.fullName), asc(users.userId))
      .limit(sql.placeholder('limit')),
  );
  const names = database.prepare<[string], { userId: string; fullName: string }>(
    `SELECT user_id AS userId, full_name AS fullName FROM users
     WHERE user_id IN (SELECT value FROM json_each(?))`,
  );
  const own = storeOf<Pick<Customers, 'search' | 'names'>>(database, {
    *search(text, limit) {
      const words = wordPatterns(text);
      if (words.length === 0 && text.trim() !== '') return [];
      const asked = { words: JSON.stringify(words), limit: Math.max(0, Math.trunc(limit)) };
      return (yield* search.all(asked)).map(customerOf);
    },
    *names(customerIds) {
      const rows = yield* names.all(JSON.stringify([...new Set(customerIds)]));
      return new Map(rows.map(({ userId, fullName }) => [userId, fullName]));
    },
  });
  return {
    ...own,
    findByEmail: async (email) => toCustomer(await reader.findUserByEmail(email)),
    get: async (customerId) => toCustomer(await reader.getUser(customerId)),
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
  };
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

/** What CultPass holds about a customer. */
export function createCultpassPrivacy(database: Database): CompanyPrivacy {
  const place = placeOf(database, CULTPASS_DATABASE.name);
  function* rowsOf(table: string, customer: string): Work<readonly JsonObject[]> {
    const all = database.prepare<{ customer: string }>(`SELECT * FROM ${table} WHERE ${OWN_ROWS[table]}`);
    return jsonRows(yield* all.all({ customer }));
  }

  function* erase(customerId: string, pseudonym: string, address: string): Work<readonly Removal[]> {
    yield* database.deferReferences();
    const ledger = yield* rowsOf('action_ledger', customerId);
    const rewrite = database.prepare(
      'UPDATE action_ledger SET customer_id = ?, ticket_id = ?, released_by = ?, outcome = ? WHERE seq = ?',
    );
    for (const row of ledger) {
      const by = row.released_by === `customer:${customerId}` ? `customer:${pseudonym}` : row.released_by;
      const outcome = JSON.stringify(withoutTexts(row.outcome as JsonValue));
      yield* rewrite.run(pseudonym, 'erased', by, outcome, row.seq);
    }
    const removals: Removal[] = [];
    for (const table of ['subscriptions', 'reservations', 'payments']) {
      const move = database.prepare(`UPDATE ${table} SET user_id = ? WHERE user_id = ?`);
      const { changes: count } = yield* move.run(pseudonym, customerId);
      removals.push({ place: place(table), what: 'anonymised', count });
    }
    const { changes: count } = yield* database
      // Blocked: nobody may ever act in the place of somebody who is gone.
      .prepare('UPDATE users SET user_id = ?, full_name = ?, email = ?, is_blocked = 1 WHERE user_id = ?')
      .run(pseudonym, 'Erased customer', address, customerId);
    return [
      { place: place('users'), what: 'anonymised', count },
      ...removals,
      { place: place('action_ledger'), what: 'anonymised', count: ledger.length },
    ];
  }

  const sameName = database.prepare<[string, string]>(
    'SELECT 1 AS same FROM users WHERE lower(full_name) = lower(?) AND user_id <> ?',
  );
  const mentions = mentionsIn(database);
  return storeOf<CompanyPrivacy>(database, {
    *rows(customerId) {
      const tables: Record<string, readonly JsonObject[]> = {};
      for (const table of Object.keys(OWN_ROWS)) tables[table] = yield* rowsOf(table, customerId);
      return tables;
    },
    *isCommonName(fullName, customerId) {
      return (yield* sameName.get(fullName, customerId)) !== undefined;
    },
    isPublic: (piece) => mentions('experiences', piece),
    erase: (customerId, pseudonym, address) => erasing(database, () => erase(customerId, pseudonym, address)),
  });
}

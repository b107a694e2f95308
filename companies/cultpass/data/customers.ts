import { asc, sql } from 'drizzle-orm';
import type { DatabaseHandle } from '../../../data/open-database.js';
import { withTranslatedErrors } from '../../../data/storage-errors.js';
import type { Customer } from '../../../src/core/domain/customer.js';
import { HubError } from '../../../src/core/errors.js';
import type { Customers } from '../../../src/core/ports/customers.js';
import type { CustomerReader } from './ports.js';
import type { User } from './records.js';
import { users } from './schema.js';
import { fold, wordPatterns } from './search-words.js';

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

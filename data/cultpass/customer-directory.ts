import { asc, sql } from 'drizzle-orm';
import { HubError } from '../../src/core/errors.js';
import type { CustomerDirectory } from '../../src/core/ports/desk-queries.js';
import type { DatabaseHandle } from '../open-database.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { fold, wordPatterns } from './folding.js';
import { users } from './schema.js';

/**
 * All customers, for operators.
 * @param handle opened with `readonly`, as for the customer reader
 */
export function createCustomerDirectory(handle: DatabaseHandle): CustomerDirectory {
  if (!handle.sqlite.readonly)
    throw new HubError('internal', 'The customer directory takes a read-only handle.');
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
  return withTranslatedErrors<CustomerDirectory>(handle, {
    search: async (text, limit) => {
      const words = wordPatterns(text);
      if (words.length === 0 && text.trim() !== '') return [];
      return search.all({ words: JSON.stringify(words), limit: Math.max(0, Math.trunc(limit)) });
    },
    names: async (customerIds) =>
      new Map(
        names
          .all(JSON.stringify([...new Set(customerIds)]))
          .map(({ userId, fullName }) => [userId, fullName]),
      ),
  });
}

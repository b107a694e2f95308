import type { CompanyDatabaseSpec } from '../../../data/company-database.js';
import type { CustomerScope } from '../../../src/core/ports/data-source.js';
import { users } from './schema.js';
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

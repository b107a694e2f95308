import type { CompanyDatabaseSpec } from '../../../data/company-database.js';
import { users } from './schema.js';
import { seedCultpass } from './seed.js';

/** CultPass's own database: customers, subscriptions, experiences, reservations, payments, refunds. */
export const CULTPASS_DATABASE: CompanyDatabaseSpec = {
  name: 'cultpass',
  migrations: new URL('./migrations', import.meta.url),
  seed: seedCultpass,
  history: new URL('./seed/history.jsonl', import.meta.url),
  customers: ({ orm }) => orm.select({ customerId: users.userId, name: users.fullName }).from(users).all(),
};

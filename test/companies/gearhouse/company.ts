import { fileOf } from '../../../data/company-database.js';
import { jsonRows } from '../../../data/privacy-rows.js';
import { defineCompany } from '../../../src/company/company-code.js';
import { createCancel, createCustomers, createRecords, GEARHOUSE_DATABASE } from './data/records.js';
import { gearhousePolicySchema, gearhouseTools } from './tools.js';

const TABLES = ['customers', 'rentals', 'repairs', 'action_ledger'] as const;

/** Gearhouse: bicycles to rent and to be repaired. What is not here stands in the YAML files beside it. */
export const company = defineCompany({
  database: GEARHOUSE_DATABASE,
  policy: gearhousePolicySchema,
  scope: { rentals: 'customer_id = :customer_id', repairs: 'customer_id = :customer_id' },
  privacy: (database) => {
    const { sqlite } = fileOf(database);
    return {
      rows: async (customerId) =>
        Object.fromEntries(
          TABLES.map((table) => [
            table,
            jsonRows(sqlite.prepare(`SELECT * FROM ${table} WHERE customer_id = ?`).all(customerId)),
          ]),
        ),
      isCommonName: async (name, customerId) =>
        sqlite
          .prepare('SELECT 1 FROM customers WHERE name = ? AND customer_id <> ?')
          .get(name, customerId) !== undefined,
      isPublic: async () => false,
      async erase(customerId, pseudonym, address) {
        sqlite.pragma('secure_delete = ON');
        sqlite.pragma('defer_foreign_keys = ON');
        return sqlite.transaction(() =>
          TABLES.map((table) => ({
            place: `gearhouse.db ${table}`,
            what: 'anonymised' as const,
            count:
              table === 'customers'
                ? sqlite
                    .prepare(
                      `UPDATE customers SET customer_id = ?, name = 'Erased customer', email = ?, is_blocked = 1
                       WHERE customer_id = ?`,
                    )
                    .run(pseudonym, address, customerId).changes
                : sqlite
                    .prepare(`UPDATE ${table} SET customer_id = ? WHERE customer_id = ?`)
                    .run(pseudonym, customerId).changes,
          })),
        )();
      },
    };
  },
  open({ database, policy, profile }) {
    return {
      customers: database.waiting(createCustomers(fileOf(database.reader))),
      records: database.waiting(createRecords(fileOf(database.reader), profile.currency)),
      tools: gearhouseTools({ policy, cancel: createCancel(database) }),
    };
  },
});

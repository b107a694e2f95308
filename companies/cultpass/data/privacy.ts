import type { DatabaseHandle } from '../../../data/open-database.js';
import { jsonRows, mentions, secureDelete } from '../../../data/privacy-rows.js';
import { translated } from '../../../data/storage-errors.js';
import type { JsonObject, JsonValue } from '../../../src/core/domain/json.js';
import { type CompanyPrivacy, type Removal, withoutWords } from '../../../src/core/privacy.js';

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

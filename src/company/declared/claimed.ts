import type { CompanyDatabase } from '../../../data/company-database.js';
import { translated } from '../../../data/storage-errors.js';
import type { Customer } from '../../core/domain/customer.js';
import { isObject, type JsonObject } from '../../core/domain/json.js';
import type { Formula } from '../../core/ports/expressions.js';

/** Customers as verified tokens have named them: of each the claims that `customers.yaml` reads, of the latest token. */
export interface ClaimedCustomers {
  byId(customerId: string): JsonObject | null;
  /** The latest of this address. */
  byEmail(email: string): JsonObject | null;
  search(text: string, limit: number): readonly JsonObject[];
  /** Writes only what is new. */
  keep(customer: Customer, claims: JsonObject): void;
}

/** Makes the store of a company. @param formulas those that are worked out over the claims */
export function createClaimed(
  { reader, writer }: Pick<CompanyDatabase, 'reader' | 'writer'>,
  formulas: Iterable<Formula>,
): ClaimedCustomers {
  const names = new Set([...formulas].flatMap((formula) => formula.names.map((name) => name.split('.')[1])));
  const rows = (where: string, ...values: readonly unknown[]): readonly JsonObject[] =>
    translated(
      () =>
        reader.sqlite
          .prepare<unknown[], { claims: string }>(`SELECT claims FROM token_customers WHERE ${where}`)
          .all(...values)
          .map(({ claims }) => JSON.parse(claims) as unknown)
          .filter(isObject),
      { path: reader.path },
    );
  return {
    byId: (customerId) => rows('customer_id = ?', customerId)[0] ?? null,
    byEmail: (email) => rows('lower(email) = lower(?) ORDER BY seq DESC LIMIT 1', email)[0] ?? null,
    search: (text, limit) => {
      const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
      const where = `customer_id = ? OR name LIKE ? ESCAPE '\\' OR email LIKE ? ESCAPE '\\' ORDER BY name LIMIT ?`;
      return rows(where, text, pattern, pattern, limit);
    },
    keep({ customerId, name, email }, claims) {
      // The name of a claim may be anything: one that is not looked at by its name is kept with all others.
      const kept = Object.entries(claims).filter(([key]) => names.has(undefined) || names.has(key));
      const text = JSON.stringify(Object.fromEntries(kept));
      const [known] = rows('customer_id = ?', customerId);
      if (known !== undefined && JSON.stringify(known) === text) return;
      translated(
        () =>
          writer.sqlite
            .prepare(
              'INSERT OR REPLACE INTO token_customers (customer_id, name, email, claims) VALUES (?, ?, ?, ?)',
            )
            .run(customerId, name, email, text),
        { path: writer.path },
      );
    },
  };
}

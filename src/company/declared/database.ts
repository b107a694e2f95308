import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompanyDatabaseSpec, LinkedCustomer } from '../../../data/company-database.js';
import type { DatabaseHandle } from '../../../data/open-database.js';
import { jsonRows, secureDelete } from '../../../data/privacy-rows.js';
import { translated } from '../../../data/storage-errors.js';
import type { Clock } from '../../core/ports/clock.js';
import type { Expressions } from '../../core/ports/expressions.js';
import type { CompanyPrivacy, Removal } from '../../core/privacy.js';
import { sqliteValues } from './asking.js';
import type { CustomersSpec } from './schemas.js';

/** The tables that every declared company has: what was done, and calls to other systems whose outcome is not known yet. */
const KEPT = ['action_ledger', 'effect_attempts'] as const;

/** The SQL files of a folder by name, in their order; none where there is no such folder. */
function scriptsIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => readFileSync(join(folder, name), 'utf8'));
}

/**
 * The database of a company in YAML: the engine's own two tables, those of `data/tables/*.sql` in the order of their names
 * (each runs once, so a change is a new file), and the demo rows of `data/seed/*.sql`. In a seed `now()` is the clock's time.
 */
export function declaredDatabase(
  folder: string,
  name: string,
  customers: CustomersSpec,
): CompanyDatabaseSpec {
  return {
    name,
    migrations: new URL('../../../data/declared/migrations/', import.meta.url),
    scripts: scriptsIn(join(folder, 'data', 'tables')),
    seed({ sqlite }, clock: Clock) {
      const scripts = scriptsIn(join(folder, 'data', 'seed'));
      if (scripts.length === 0) return false;
      const seeded = Object.keys(customers.tables).some(
        (table) => sqlite.prepare(`SELECT 1 FROM ${table}`).get() !== undefined,
      );
      if (seeded) return false;
      sqlite.function('now', () => clock.now().toISOString());
      sqlite.transaction(() => {
        for (const script of scripts) sqlite.exec(script);
      })();
      return true;
    },
    // Who they are is asked when they write.
    customers: (): readonly LinkedCustomer[] => [],
  };
}

/** What the hub itself holds of a customer beside its own database; other systems hold, give out and erase their own. */
export function declaredPrivacy(
  { sqlite, path }: DatabaseHandle,
  { tables, erase }: CustomersSpec,
  name: string,
  expressions: Expressions,
): CompanyPrivacy {
  const own = {
    ...tables,
    ...Object.fromEntries(KEPT.map((table) => [table, 'customer_id = :customer_id'])),
  };
  const erased = sqlite.transaction(
    (customerId: string, pseudonym: string, address: string): readonly Removal[] => {
      sqlite.pragma('defer_foreign_keys = ON');
      const scope = { customer_id: customerId, pseudonym, address };
      const attempts = sqlite
        .prepare('DELETE FROM effect_attempts WHERE customer_id = ?')
        .run(customerId).changes;
      const kept = sqlite
        .prepare(
          `UPDATE action_ledger SET customer_id = :pseudonym, ticket_id = 'erased', outcome = '{}',
           released_by = replace(released_by, :customer_id, :pseudonym) WHERE customer_id = :customer_id`,
        )
        .run({ customer_id: customerId, pseudonym }).changes;
      const statements = erase.map((template) => {
        const statement = expressions.statement(template, scope);
        return sqlite.prepare(statement.segments.join('?')).run(...sqliteValues(statement)).changes;
      });
      return [
        { place: `${name}.db effect_attempts`, what: 'removed', count: attempts },
        { place: `${name}.db action_ledger`, what: 'anonymised', count: kept },
        ...(erase.length === 0
          ? []
          : [
              {
                place: `${name}.db`,
                what: 'anonymised' as const,
                count: statements.reduce((sum, one) => sum + one, 0),
              },
            ]),
      ];
    },
  );
  return {
    rows: (customerId) =>
      translated(
        () =>
          Object.fromEntries(
            Object.entries(own).map(([table, condition]) => [
              table,
              jsonRows(
                sqlite.prepare(`SELECT * FROM ${table} WHERE ${condition}`).all({ customer_id: customerId }),
              ),
            ]),
          ),
        { path },
      ),
    isCommonName: () => false,
    isPublic: () => false,
    erase: (customerId, pseudonym, address) =>
      translated(
        () => {
          secureDelete(sqlite);
          return erased.immediate(customerId, pseudonym, address);
        },
        { path },
      ),
  };
}

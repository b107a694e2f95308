import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompanyDatabase, CompanyDatabaseSpec, LinkedCustomer } from '../../../data/company-database.js';
import type { DatabaseHandle } from '../../../data/open-database.js';
import { jsonRows, secureDelete } from '../../../data/privacy-rows.js';
import { translated } from '../../../data/storage-errors.js';
import type { Customer } from '../../core/domain/customer.js';
import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import type { Expressions, Formula } from '../../core/ports/data-source.js';
import type { Customers } from '../../core/ports/index.js';
import type { Clock } from '../../core/ports/system.js';
import type { CompanyPrivacy, Removal } from '../../core/privacy.js';
import { type Asker, sqliteValues } from './asking.js';
import type { CustomersSpec } from './schemas.js';
import { compileAll, isoTime } from './values.js';

/** "Mia Santos, 97201". */
const BY_NAME = /^([^@,]+),([^@,]+)$/;
const BEGINNING = '1970-01-01T00:00:00.000Z';

/**
 * The tables that every declared company has: what was done, calls to other systems whose outcome is not known yet, and whom
 * tokens have named.
 */
const KEPT = ['action_ledger', 'effect_attempts', 'token_customers'] as const;

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
  expressions: Expressions,
): CompanyDatabaseSpec {
  return {
    name,
    migrations: new URL('../../../data/declared/migrations/', import.meta.url),
    scripts: scriptsIn(join(folder, 'data', 'tables')),
    seed(handle, clock: Clock) {
      const { sqlite } = handle;
      for (const claims of customers.demo) keepDemo(handle, customers, expressions, claims);
      const scripts = scriptsIn(join(folder, 'data', 'seed'));
      if (scripts.length === 0) return customers.demo.length > 0;
      const seeded = Object.keys(customers.tables).some(
        (table) => sqlite.prepare(`SELECT 1 FROM ${table}`).get() !== undefined,
      );
      if (seeded) return false;
      sqlite.function('now', () => clock.now().toISOString());
      sqlite.transaction(() => {
        // A row may stand before the one that it refers to.
        sqlite.pragma('defer_foreign_keys = ON');
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
      const named = sqlite
        .prepare('DELETE FROM token_customers WHERE customer_id = ?')
        .run(customerId).changes;
      const kept = sqlite
        .prepare(
          `UPDATE action_ledger SET customer_id = :pseudonym, ticket_id = 'erased', outcome = '{}',
           released_by = replace(released_by, :customer_id, :pseudonym) WHERE customer_id = :customer_id`,
        )
        .run({ customer_id: customerId, pseudonym }).changes;
      const count = erase.reduce((sum, template) => {
        const statement = expressions.statement(template, scope);
        return sum + sqlite.prepare(statement.segments.join('?')).run(...sqliteValues(statement)).changes;
      }, 0);
      return [
        { place: `${name}.db effect_attempts`, what: 'removed', count: attempts },
        { place: `${name}.db token_customers`, what: 'removed', count: named },
        { place: `${name}.db action_ledger`, what: 'anonymised', count: kept },
        ...(erase.length === 0 ? [] : [{ place: `${name}.db`, what: 'anonymised' as const, count }]),
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

/** What `customers.yaml` reads of a row, or of the claims of a token. */
function customerReader({ fields, facts }: CustomersSpec, expressions: Expressions) {
  const declared = Object.entries(fields).flatMap(([name, text]) => (text ? [[name, text] as const] : []));
  const compiled = compileAll(Object.fromEntries(declared), expressions);
  const more = compileAll(facts, expressions);
  return {
    formulas: [...compiled.values(), ...more.values()],
    customerOf(row: JsonValue): Customer | null {
      const value = (name: string): JsonValue => compiled.get(name)?.value({ row }) ?? null;
      const [customerId, email, language] = [value('id'), value('email'), value('language')];
      if (!isObject(row) || customerId === null || email === null) return null;
      return {
        customerId: String(customerId),
        name: String(value('name') ?? ''),
        email: String(email),
        // What is not known for sure is not allowed.
        isBlocked: ![false, 0].includes(value('is_blocked') as boolean | number),
        createdAt: isoTime(value('created_at')) ?? BEGINNING,
        language: typeof language === 'string' ? language : null,
      };
    },
    factsOf: (row: JsonObject): JsonObject =>
      Object.fromEntries([...more].map(([key, formula]) => [key, formula.value({ row }) ?? null] as const)),
  };
}

function keepDemo(
  handle: DatabaseHandle,
  spec: CustomersSpec,
  expressions: Expressions,
  claims: JsonObject,
): void {
  const { customerOf, formulas } = customerReader(spec, expressions);
  const customer = customerOf(claims);
  if (customer) createClaimed({ reader: handle, writer: handle }, formulas).keep(customer, claims);
}

/** Who the customers are, read where `customers.yaml` says: looked up, or as verified tokens have named them. */
export function declaredCustomers(
  spec: CustomersSpec,
  asker: Asker,
  expressions: Expressions,
  database: Pick<CompanyDatabase, 'reader' | 'writer'>,
): Customers {
  const { customerOf, factsOf, formulas } = customerReader(spec, expressions);
  const claimed = createClaimed(database, formulas);
  const one = async (read: CustomersSpec['by_id'], scope: JsonObject): Promise<JsonValue> =>
    read ? asker.read({ ...read, one: true }, scope) : null;
  const get = async (customerId: string): Promise<readonly [Customer, JsonObject] | null> => {
    const row = spec.by_claims
      ? claimed.byId(customerId)
      : await one(spec.by_id, { customer_id: customerId });
    if (row === null) return null;
    const customer = customerOf(row);
    if (customer && isObject(row) && customer.customerId === customerId) return [customer, row];
    // What answers with something else is wrong: that is no word on whether there is such a customer.
    throw new HubError('source_unavailable', 'What answers to the id of a customer is not that customer.');
  };
  return {
    get: async (customerId) => (await get(customerId))?.[0] ?? null,
    async findByEmail(email) {
      const [, name, postalCode] = BY_NAME.exec(email) ?? [];
      if (spec.by_name && name !== undefined && postalCode !== undefined) {
        const rows = await asker.read(
          { ...spec.by_name, one: false },
          { name: name.trim(), postal_code: postalCode.trim() },
        );
        // Two of one name in one place are told apart by their addresses only.
        if (!Array.isArray(rows)) return null;
        if (rows.length > 1)
          throw new HubError(
            'customer_unknown',
            `There are ${rows.length} customers "${email}": say the e-mail address instead.`,
          );
        return customerOf(rows[0] ?? null);
      }
      const found = customerOf(spec.by_claims ? claimed.byEmail(email) : await one(spec.by_email, { email }));
      return found && found.email.toLowerCase() === email.toLowerCase() ? found : null;
    },
    async search(text, limit) {
      if (spec.by_claims) return claimed.search(text, limit).flatMap((row) => customerOf(row) ?? []);
      if (!spec.search) {
        // Without a way to search only an id finds anybody.
        const found = text === '' ? null : (await get(text))?.[0];
        return found ? [found] : [];
      }
      const rows = await asker.read({ ...spec.search, one: false }, { text, pattern: `%${text}%`, limit });
      return (Array.isArray(rows) ? rows : []).flatMap((row) => customerOf(row) ?? []).slice(0, limit);
    },
    async names(ids) {
      const all = await Promise.all([...new Set(ids)].map((id) => get(id)));
      return new Map(all.flatMap((one) => (one ? [[one[0].customerId, one[0].name] as const] : [])));
    },
    async facts(customerId) {
      const found = await get(customerId);
      if (!found) return null;
      const [{ name, isBlocked }, row] = found;
      return { customer_id: customerId, name, is_blocked: isBlocked, ...factsOf(row) };
    },
    ...(spec.by_claims && {
      ofClaims: async (claims: JsonObject) => customerOf(claims),
      keepClaims: async (claims: JsonObject) => {
        const customer = customerOf(claims);
        if (customer) claimed.keep(customer, claims);
      },
    }),
  };
}

/** Customers as verified tokens have named them: of each the claims that `customers.yaml` reads, of the latest token. */
interface ClaimedCustomers {
  byId(customerId: string): JsonObject | null;
  /** The latest of this address. */
  byEmail(email: string): JsonObject | null;
  search(text: string, limit: number): readonly JsonObject[];
  /** Writes only what is new. */
  keep(customer: Customer, claims: JsonObject): void;
}

/** Makes the store of a company. @param formulas those that are worked out over the claims */
function createClaimed(
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

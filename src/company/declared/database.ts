import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CompanyDatabase,
  type CompanyDatabaseSpec,
  fileOf,
  type LinkedCustomer,
} from '../../../data/company-database.js';
import { type Database, storeOf, type Work } from '../../../data/database.js';
import { erasing, jsonRows, placeOf } from '../../../data/privacy-rows.js';
import type { Customer } from '../../core/domain/customer.js';
import { isObject, type JsonObject, type JsonValue } from '../../core/domain/json.js';
import { type ErrorCode, HubError } from '../../core/errors.js';
import type { Expressions, Formula } from '../../core/ports/data-source.js';
import type { Customers } from '../../core/ports/index.js';
import type { Clock } from '../../core/ports/system.js';
import type { CompanyPrivacy, Removal } from '../../core/privacy.js';
import { type Asker, sqliteValues } from './asking.js';
import type { CustomersSpec, ReadSpec } from './schemas.js';
import { compileAll, isoTime } from './values.js';

/** "Mia Santos, 97201". */
const BY_NAME = /^([^@,]+),([^@,]+)$/;
/** However a system fails to say who a customer is, it is an outage and no word on the customer. */
const FAULTS: ReadonlySet<ErrorCode> = new Set(['source_bad_answer', 'source_rejected']);
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
    *seed(database, clock: Clock) {
      const { sqlite } = fileOf(database);
      yield* keepDemo(database, customers, expressions);
      const scripts = scriptsIn(join(folder, 'data', 'seed'));
      if (scripts.length === 0) return customers.demo.length > 0;
      for (const table of Object.keys(customers.tables))
        if ((yield* database.prepare(`SELECT 1 FROM ${table}`).get()) !== undefined) return false;
      sqlite.function('now', () => clock.now().toISOString());
      yield* database.transaction(function* () {
        // A row may stand before the one that it refers to.
        yield* database.deferReferences();
        for (const script of scripts) sqlite.exec(script);
      });
      return true;
    },
    // Who they are is asked when they write.
    // biome-ignore lint/correctness/useYield: nothing is read
    *customers(): Work<readonly LinkedCustomer[]> {
      return [];
    },
  };
}

/** What the hub itself holds of a customer beside its own database; other systems hold, give out and erase their own. */
export function declaredPrivacy(
  database: Database,
  { tables, erase }: CustomersSpec,
  name: string,
  expressions: Expressions,
): CompanyPrivacy {
  const place = placeOf(database, name);
  const own = {
    ...tables,
    ...Object.fromEntries(KEPT.map((table) => [table, 'customer_id = :customer_id'])),
  };
  function* erased(customerId: string, pseudonym: string, address: string): Work<readonly Removal[]> {
    yield* database.deferReferences();
    const removals: Removal[] = [];
    for (const table of ['effect_attempts', 'token_customers']) {
      const remove = database.prepare(`DELETE FROM ${table} WHERE customer_id = ?`);
      removals.push({
        place: place(table),
        what: 'removed',
        count: (yield* remove.run(customerId)).changes,
      });
    }
    const { changes: kept } = yield* database
      .prepare<{ customer_id: string; pseudonym: string }>(
        `UPDATE action_ledger SET customer_id = @pseudonym, ticket_id = 'erased', outcome = '{}',
         released_by = replace(released_by, @customer_id, @pseudonym) WHERE customer_id = @customer_id`,
      )
      .run({ customer_id: customerId, pseudonym });
    removals.push({ place: place('action_ledger'), what: 'anonymised', count: kept });
    let count = 0;
    for (const template of erase) {
      const statement = expressions.statement(template, { customer_id: customerId, pseudonym, address });
      const change = database.prepare(statement.segments.join('?'));
      count += (yield* change.run(...sqliteValues(statement))).changes;
    }
    if (erase.length > 0) removals.push({ place: `${name}.db`, what: 'anonymised', count });
    return removals;
  }
  return {
    ...storeOf<Pick<CompanyPrivacy, 'rows' | 'erase'>>(database, {
      *rows(customerId) {
        const rows: Record<string, readonly JsonObject[]> = {};
        for (const [table, condition] of Object.entries(own)) {
          const held = condition.replaceAll(':customer_id', '@customer_id');
          const all = database.prepare<{ customer_id: string }>(`SELECT * FROM ${table} WHERE ${held}`);
          rows[table] = jsonRows(yield* all.all({ customer_id: customerId }));
        }
        return rows;
      },
      erase: (customerId, pseudonym, address) =>
        erasing(database, () => erased(customerId, pseudonym, address)),
    }),
    isCommonName: async () => false,
    isPublic: async () => false,
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

function* keepDemo(database: Database, spec: CustomersSpec, expressions: Expressions): Work<void> {
  const { customerOf, formulas } = customerReader(spec, expressions);
  const { keep } = claimedRows({ reader: database, writer: database }, formulas);
  for (const claims of spec.demo) {
    const customer = customerOf(claims);
    if (customer) yield* keep(customer, claims);
  }
}

/** Who the customers are, read where `customers.yaml` says: looked up, or as verified tokens have named them. */
export function declaredCustomers(
  spec: CustomersSpec,
  asker: Asker,
  expressions: Expressions,
  database: Pick<CompanyDatabase, 'reader' | 'writer'>,
): Customers {
  const { customerOf, factsOf, formulas } = customerReader(spec, expressions);
  const claimed = storeOf<ClaimedCustomers>(database.writer, claimedRows(database, formulas));
  const read = (spec: ReadSpec, scope: JsonObject): Promise<JsonValue> =>
    asker.read(spec, scope).catch((error: unknown) => {
      if (!(error instanceof HubError && FAULTS.has(error.code))) throw error;
      throw new HubError('source_unavailable', error.message, error.fields);
    });
  const one = async (spec: CustomersSpec['by_id'], scope: JsonObject): Promise<JsonValue> =>
    spec ? read({ ...spec, one: true }, scope) : null;
  const get = async (customerId: string): Promise<readonly [Customer, JsonObject] | null> => {
    const row = spec.by_claims
      ? await claimed.byId(customerId)
      : await one(spec.by_id, { customer_id: customerId });
    if (row === null) return null;
    const customer = customerOf(row);
    if (customer && isObject(row) && customer.customerId === customerId) return [customer, row];
    // What answers with something else is wrong: that is no word on whether there is such a customer.
    throw new HubError('source_unavailable', 'What answers to the id of a customer is not that customer.');
  };
  /** The one whose id was typed, which no address is; a source that was just searched and does not take it for an id knows none. */
  const byId = async (text: string): Promise<readonly Customer[]> => {
    const asked = one(spec.by_id, { customer_id: text });
    const found = customerOf(await asked.catch((error) => (spec.search ? null : Promise.reject(error))));
    return found?.customerId === text ? [found] : [];
  };
  return {
    get: async (customerId) => (await get(customerId))?.[0] ?? null,
    async findByEmail(email) {
      const [, name, postalCode] = BY_NAME.exec(email) ?? [];
      if (spec.by_name && name !== undefined && postalCode !== undefined) {
        const rows = await read(
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
      const found = customerOf(
        spec.by_claims ? await claimed.byEmail(email) : await one(spec.by_email, { email }),
      );
      return found && found.email.toLowerCase() === email.toLowerCase() ? found : null;
    },
    async search(text, limit) {
      if (spec.by_claims) return (await claimed.search(text, limit)).flatMap((row) => customerOf(row) ?? []);
      const asked = { text, pattern: `%${text}%`, limit };
      const rows = spec.search ? await read({ ...spec.search, one: false }, asked) : [];
      const found = (Array.isArray(rows) ? rows : []).flatMap((row) => customerOf(row) ?? []);
      return found.length === 0 && /^[^\s@]+$/.test(text) ? byId(text) : found.slice(0, limit);
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
        if (customer) await claimed.keep(customer, claims);
      },
    }),
  };
}

/** Customers as verified tokens have named them: of each the claims that `customers.yaml` reads, of the latest token. */
interface ClaimedCustomers {
  byId(customerId: string): Promise<JsonObject | null>;
  /** The latest of this address. */
  byEmail(email: string): Promise<JsonObject | null>;
  search(text: string, limit: number): Promise<readonly JsonObject[]>;
  /** Writes only what is new. */
  keep(customer: Customer, claims: JsonObject): Promise<void>;
}

/** The store of a company's. @param formulas those that are worked out over the claims */
function claimedRows(
  { reader, writer }: Pick<CompanyDatabase, 'reader' | 'writer'>,
  formulas: Iterable<Formula>,
) {
  const names = new Set([...formulas].flatMap((formula) => formula.names.map((name) => name.split('.')[1])));
  function* rows(where: string, ...values: readonly unknown[]): Work<readonly JsonObject[]> {
    const found = reader.prepare<unknown[], string>(`SELECT claims FROM token_customers WHERE ${where}`);
    const all = yield* found.pluck().all(...values);
    return all.map((claims) => JSON.parse(claims) as unknown).filter(isObject);
  }
  return {
    *byId(customerId: string): Work<JsonObject | null> {
      return (yield* rows('customer_id = ?', customerId))[0] ?? null;
    },
    *byEmail(email: string): Work<JsonObject | null> {
      return (yield* rows('lower(email) = lower(?) ORDER BY seq DESC LIMIT 1', email))[0] ?? null;
    },
    search(text: string, limit: number): Work<readonly JsonObject[]> {
      const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
      const where = `customer_id = ? OR name LIKE ? ESCAPE '\\' OR email LIKE ? ESCAPE '\\' ORDER BY name LIMIT ?`;
      return rows(where, text, pattern, pattern, limit);
    },
    *keep({ customerId, name, email }: Customer, claims: JsonObject): Work<void> {
      // The name of a claim may be anything: one that is not looked at by its name is kept with all others.
      const kept = Object.entries(claims).filter(([key]) => names.has(undefined) || names.has(key));
      const text = JSON.stringify(Object.fromEntries(kept));
      const [known] = yield* rows('customer_id = ?', customerId);
      if (known !== undefined && JSON.stringify(known) === text) return;
      yield* writer
        .prepare(
          'INSERT OR REPLACE INTO token_customers (customer_id, name, email, claims) VALUES (?, ?, ?, ?)',
        )
        .run(customerId, name, email, text);
    },
  };
}

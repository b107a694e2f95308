import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { type CompanyDatabase, type CompanyDatabaseSpec, fileOf } from '../../../../data/company-database.js';
import type { DatabaseHandle } from '../../../../data/open-database.js';
import { withTranslatedErrors } from '../../../../data/storage-errors.js';
import type { Customer } from '../../../../src/core/domain/customer.js';
import type { EntityRecord, RecordRow } from '../../../../src/core/domain/entity.js';
import { HubError } from '../../../../src/core/errors.js';
import type { Sentences } from '../../../../src/core/i18n/index.js';
import type { CustomerRecords, Customers, WriteContext } from '../../../../src/core/ports/index.js';

const common = { customer_id: z.string(), title: z.string(), shop: z.string(), in_hours: z.number() };
const seedSchema = z.strictObject({
  customers: z.array(z.strictObject({ customer_id: z.string(), name: z.string(), email: z.string() })),
  rentals: z.array(z.strictObject({ ...common, rental_id: z.string(), paid_pence: z.int() })),
  repairs: z.array(z.strictObject({ ...common, repair_id: z.string(), status: z.string() })),
});

/** Customers, rentals and repairs of Gearhouse. */
export const GEARHOUSE_DATABASE: CompanyDatabaseSpec = {
  name: 'gearhouse',
  migrations: new URL('./migrations', import.meta.url),
  *seed(database, clock) {
    const { sqlite } = fileOf(database);
    const rows = seedSchema.parse(parse(readFileSync(new URL('./seed.yaml', import.meta.url), 'utf8')));
    const now = clock.now();
    const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString();
    const customer = sqlite.prepare('INSERT OR IGNORE INTO customers VALUES (?, ?, ?, 0, ?)');
    const rental = sqlite.prepare(`INSERT OR IGNORE INTO rentals VALUES (?, ?, ?, ?, ?, 'booked', ?, 0)`);
    const repair = sqlite.prepare('INSERT OR IGNORE INTO repairs VALUES (?, ?, ?, ?, ?, ?)');
    return sqlite.transaction((): boolean => {
      if (sqlite.prepare('SELECT 1 FROM customers').get() !== undefined) return false;
      for (const row of rows.customers) customer.run(row.customer_id, row.name, row.email, at(-5_000));
      for (const row of rows.rentals)
        rental.run(row.rental_id, row.customer_id, row.title, row.shop, at(row.in_hours), row.paid_pence);
      for (const row of rows.repairs)
        repair.run(row.repair_id, row.customer_id, row.title, row.shop, at(row.in_hours), row.status);
      return true;
    })();
  },
  customers: (database) =>
    database
      .prepare<[], { customerId: string; name: string }>(
        'SELECT customer_id AS customerId, name FROM customers',
      )
      .all(),
};

type CustomerRow = Omit<Customer, 'isBlocked'> & { readonly isBlocked: number };
const CUSTOMER = `SELECT customer_id AS customerId, name, email, is_blocked AS isBlocked, created_at AS createdAt
  FROM customers WHERE`;

/** Who rents from Gearhouse. */
export function createCustomers(reader: DatabaseHandle): Customers {
  const read = (where: string, ...values: readonly unknown[]): readonly Customer[] =>
    reader.sqlite
      .prepare<unknown[], CustomerRow>(`${CUSTOMER} ${where}`)
      .all(...values)
      .map((row) => ({ ...row, isBlocked: row.isBlocked === 1 }));
  return withTranslatedErrors<Customers>(reader, {
    findByEmail: async (email) => read('lower(email) = lower(?)', email)[0] ?? null,
    get: async (customerId) => read('customer_id = ?', customerId)[0] ?? null,
    search: async (text, limit) =>
      read(`name || ' ' || email || ' ' || customer_id LIKE ? ORDER BY name LIMIT ?`, `%${text}%`, limit),
    names: async (ids) =>
      new Map(
        read('customer_id IN (SELECT value FROM json_each(?))', JSON.stringify(ids)).map((one) => [
          one.customerId,
          one.name,
        ]),
      ),
    facts: async (customerId) => {
      const [one] = read('customer_id = ?', customerId);
      return one ? { customer_id: one.customerId, name: one.name, is_blocked: one.isBlocked } : null;
    },
  });
}

interface Row {
  readonly id: string;
  readonly title: string;
  readonly shop: string;
  readonly at: string;
  readonly status: string;
  readonly pence: number | null;
  readonly refunded: number;
}

const TABLES = {
  rental: `SELECT rental_id AS id, title, shop, starts_at AS at, status, paid_pence AS pence, refunded_pence AS refunded
    FROM rentals WHERE customer_id = ? ORDER BY starts_at`,
  repair: `SELECT repair_id AS id, title, shop, ready_at AS at, status, NULL AS pence, 0 AS refunded
    FROM repairs WHERE customer_id = ? ORDER BY ready_at`,
} as const;

/** What customers have there: the same rows for the tools, for references in a message, and for the desk. */
export function createRecords({ sqlite }: DatabaseHandle, currency: string): CustomerRecords {
  const read = (entity: string, customerId: string): readonly EntityRecord[] =>
    Object.hasOwn(TABLES, entity)
      ? sqlite
          .prepare<[string], Row>(TABLES[entity as keyof typeof TABLES])
          .all(customerId)
          .map(({ id, title, shop: place, at: startsAt, status, pence, refunded }) => ({
            ...{ entity, id, title, place, startsAt, status },
            amount: pence === null ? null : { minorUnits: pence, currency },
            upcoming: status === 'booked',
            attributes: { refunded },
          }))
      : [];
  const row = (
    texts: Sentences,
    { id, title, status, startsAt, place, amount, entity }: EntityRecord,
  ): RecordRow => ({
    ...{ id, title },
    status: {
      value: status,
      label: texts.sayOwn('record.status', { status }),
      tone: status === 'cancelled' ? 'warn' : 'good',
    },
    facts: [
      {
        label: entity === 'repair' ? texts.sayOwn('record.ready') : null,
        type: 'time',
        value: startsAt ?? '',
      },
      { label: null, type: 'text', value: place ?? '' },
      ...(amount
        ? [{ label: texts.sayOwn('record.paid'), type: 'money' as const, value: amount.minorUnits, currency }]
        : []),
    ],
  });
  return {
    list: async (customerId, entity) =>
      (entity === undefined ? Object.keys(TABLES) : [entity]).flatMap((one) => read(one, customerId)),
    find: async (entity, customerId, id) => read(entity, customerId).find((one) => one.id === id) ?? null,
    sections: async (customerId, texts) =>
      Object.keys(TABLES).map((entity) => ({
        id: `${entity}s`,
        label: texts.sayOwn(`record.${entity}s`),
        kind: 'list',
        empty: texts.sayOwn(`record.no_${entity}s`),
        rows: read(entity, customerId).map((record) => row(texts, record)),
      })),
  };
}

/** Cancels a booked rental of this customer and gives money back, in one transaction; the same key has one effect. */
export function createCancel({ writer, ledger }: CompanyDatabase) {
  const update = writer.prepare<[number, string, string]>(
    `UPDATE rentals SET status = 'cancelled', refunded_pence = ?
     WHERE rental_id = ? AND customer_id = ? AND status = 'booked'`,
  );
  return async (write: WriteContext, rentalId: string, pence: number): Promise<{ readonly pence: number }> =>
    writer.run(() =>
      ledger.once('cancel_rental', write, function* () {
        if ((yield* update.run(pence, rentalId, write.customerId)).changes === 1) return { pence };
        throw new HubError('wrong_status', 'The rental is not in a state that allows this.', { rentalId });
      }),
    );
}

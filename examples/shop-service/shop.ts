import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';

/** What the service answers: an HTTP status and JSON. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** What was asked, taken apart. */
export interface Question {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  /** `Idempotency-Key`, which every change needs. */
  readonly key: string | null;
}

type Row = Readonly<Record<string, unknown>>;
type Handler = (match: RegExpExecArray, question: Question) => Answer;

const ok = (body: unknown): Answer => ({ status: 200, body });
const refused = (status: number, error: string): Answer => ({ status, body: { error } });
const MISSING = refused(404, 'not_found');
const RETURN_DAYS = 30;

/** The orders of a shop: one SQLite file, made with demo rows where it is new. */
export function openShop(file: string, now: () => Date) {
  const db = new Database(file);
  db.function('moment', () => now().toISOString());
  const isNew = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'orders'").get() === undefined;
  if (isNew) db.exec(readFileSync(new URL('./tables.sql', import.meta.url), 'utf8'));
  const all = (sql: string, ...values: readonly unknown[]): readonly Row[] =>
    db.prepare<unknown[], Row>(sql).all(...values);
  const one = (sql: string, ...values: readonly unknown[]): Row | undefined => all(sql, ...values)[0];
  const run = (sql: string, ...values: readonly unknown[]) =>
    db.prepare<unknown[]>(sql).run(...values).changes;

  const orderOf = (row: Row): Row => {
    const items = all(
      `SELECT i.id, i.sku, p.name, p.variant, i.quantity, i.returned, i.unit_cents
       FROM items i JOIN products p ON p.sku = i.sku WHERE i.order_id = ?`,
      row.id,
    );
    const total = items.reduce((sum, item) => sum + Number(item.unit_cents) * Number(item.quantity), 0);
    const refunded = one(
      'SELECT coalesce(sum(amount_cents), 0) AS cents FROM refunds WHERE order_id = ?',
      row.id,
    );
    const address = one('SELECT * FROM addresses WHERE id = ?', row.address_id);
    return { ...row, items, address, total_cents: total, refunded_cents: refunded?.cents ?? 0 };
  };
  const customers = (where: string, ...values: readonly unknown[]) =>
    all(`SELECT id, name, email, blocked, since FROM customers WHERE ${where}`, ...values);
  const refund = (order: Row, cents: number, reason: string): Row => {
    run(
      'INSERT INTO refunds (order_id, reason, amount_cents, made_at) VALUES (?, ?, ?, datetime(moment()))',
      order.id,
      reason,
      cents,
    );
    return { order_id: order.id, refund_cents: cents, refunded_to: order.paid_with };
  };

  const cancel: Handler = ([, id]) => {
    const order = one('SELECT * FROM orders WHERE id = ?', id);
    if (!order) return MISSING;
    if (order.status !== 'processing') return refused(409, 'not_processing');
    run("UPDATE orders SET status = 'cancelled' WHERE id = ?", id);
    return ok(refund(order, Number(orderOf(order).total_cents), 'cancelled'));
  };
  const giveBack: Handler = ([, id], { body }) => {
    const order = one('SELECT * FROM orders WHERE id = ?', id);
    if (!order) return MISSING;
    const wanted = Array.isArray(body.item_ids) ? body.item_ids : [];
    if (order.status !== 'delivered' || wanted.length === 0) return refused(409, 'not_returnable');
    let cents = 0;
    for (const item of wanted) {
      const found = one(
        'SELECT * FROM items WHERE id = ? AND order_id = ? AND returned < quantity',
        item,
        id,
      );
      if (!found) return refused(422, 'item_not_returnable');
      cents += Number(found.unit_cents) * (Number(found.quantity) - Number(found.returned));
      run('UPDATE items SET returned = quantity WHERE id = ?', item);
    }
    return ok({ ...refund(order, cents, 'returned'), days: RETURN_DAYS });
  };
  const redirect: Handler = ([, id], { body }) => {
    const order = one('SELECT * FROM orders WHERE id = ?', id);
    const address = one(
      'SELECT * FROM addresses WHERE id = ? AND customer_id = ?',
      body.address_id,
      order?.customer_id,
    );
    if (!order || !address) return MISSING;
    if (order.status !== 'processing') return refused(409, 'not_processing');
    run('UPDATE orders SET address_id = ? WHERE id = ?', address.id, id);
    return ok({ order_id: id, address_id: address.id });
  };
  const routes: readonly (readonly [string, RegExp, Handler])[] = [
    [
      'GET',
      /^\/customers$/,
      (_match, { query }) => {
        const email = query.get('email');
        if (email !== null) return ok({ customers: customers('lower(email) = lower(?)', email) });
        const search = `%${query.get('search') ?? ''}%`;
        const limit = Math.min(Number(query.get('limit') ?? 20), 100);
        return ok({
          customers: customers('name LIKE ? OR email LIKE ? ORDER BY name LIMIT ?', search, search, limit),
        });
      },
    ],
    [
      'GET',
      /^\/customers\/([^/]+)$/,
      ([, id]) => {
        const [found] = customers('id = ?', id);
        return found ? ok(found) : MISSING;
      },
    ],
    [
      'GET',
      /^\/customers\/([^/]+)\/orders$/,
      ([, id]) =>
        ok({
          orders: all('SELECT * FROM orders WHERE customer_id = ? ORDER BY placed_at DESC, id', id).map(
            orderOf,
          ),
        }),
    ],
    [
      'GET',
      /^\/customers\/([^/]+)\/orders\/([^/]+)$/,
      ([, customer, id]) => {
        const found = one('SELECT * FROM orders WHERE id = ? AND customer_id = ?', id, customer);
        return found ? ok(orderOf(found)) : MISSING;
      },
    ],
    [
      'GET',
      /^\/customers\/([^/]+)\/addresses$/,
      ([, id]) => ok({ addresses: all('SELECT * FROM addresses WHERE customer_id = ?', id) }),
    ],
    [
      'GET',
      /^\/products$/,
      (_match, { query }) =>
        ok({
          products: all(
            'SELECT * FROM products WHERE name LIKE ? ORDER BY sku LIMIT 50',
            `%${query.get('search') ?? ''}%`,
          ),
        }),
    ],
    [
      'GET',
      /^\/operations\/([^/]+)$/,
      ([, key]) => {
        const found = one('SELECT answer FROM operations WHERE key = ?', key);
        return found ? ok(JSON.parse(String(found.answer)).body) : MISSING;
      },
    ],
    ['POST', /^\/orders\/([^/]+)\/cancel$/, cancel],
    ['POST', /^\/orders\/([^/]+)\/returns$/, giveBack],
    ['PUT', /^\/orders\/([^/]+)\/address$/, redirect],
  ];

  /** A change happens once for each key: the same request again gets the first answer, another one is refused. */
  const once = db.transaction((question: Question, work: () => Answer): Answer => {
    const request = JSON.stringify([question.method, question.path, question.body]);
    const before = one('SELECT request, answer FROM operations WHERE key = ?', question.key);
    if (before)
      return before.request === request
        ? (JSON.parse(String(before.answer)) as Answer)
        : refused(409, 'key_used');
    const answer = work();
    if (answer.status < 400)
      run('INSERT INTO operations VALUES (?, ?, ?)', question.key, request, JSON.stringify(answer));
    return answer;
  });

  return {
    answer(question: Question): Answer {
      for (const [method, pattern, handler] of routes) {
        const match = method === question.method ? pattern.exec(question.path) : null;
        if (!match) continue;
        if (method === 'GET') return handler(match, question);
        return question.key === null
          ? refused(400, 'idempotency_key_missing')
          : once.immediate(question, () => handler(match, question));
      }
      return MISSING;
    },
    /** For a look at what happened. */
    rows: all,
    close: () => void db.close(),
  };
}

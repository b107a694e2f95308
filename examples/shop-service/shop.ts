import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';

/** What the service answers: an HTTP status and JSON. */
interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** What was asked, taken apart. */
interface Question {
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

/** Undoes what a change had begun before it was refused. */
class Refused extends Error {
  constructor(readonly answer: Answer) {
    super('refused');
  }
}

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
  /** Whole or not at all: every item goes out in another variant of the same product, and one payment settles the difference. */
  const exchange: Handler = ([, id], { body }) => {
    const order = one('SELECT * FROM orders WHERE id = ?', id);
    const method = one(
      'SELECT * FROM payment_methods WHERE id = ? AND customer_id = ?',
      body.payment_method_id,
      order?.customer_id,
    );
    if (!order || !method) return MISSING;
    const wanted = Array.isArray(body.items) ? (body.items as readonly Row[]) : [];
    if (order.status !== 'delivered' || wanted.length === 0) return refused(409, 'not_exchangeable');
    let difference = 0;
    for (const { item_id, sku } of wanted) {
      const found = one(
        `SELECT i.id, i.sku AS was, i.unit_cents, i.quantity - i.returned AS count, n.price_cents
         FROM items i JOIN products o ON o.sku = i.sku JOIN products n ON n.name = o.name AND n.sku <> o.sku
         WHERE i.id = ? AND i.order_id = ? AND i.returned < i.quantity AND n.sku = ? AND n.stock >= i.quantity - i.returned`,
        item_id,
        id,
        sku,
      );
      if (!found) return refused(422, 'item_not_exchangeable');
      difference += (Number(found.price_cents) - Number(found.unit_cents)) * Number(found.count);
      run('UPDATE products SET stock = stock - ? WHERE sku = ?', found.count, sku);
      run('UPDATE products SET stock = stock + ? WHERE sku = ?', found.count, found.was);
      run('UPDATE items SET sku = ?, unit_cents = ? WHERE id = ?', sku, found.price_cents, item_id);
    }
    if (method.kind === 'gift card' && Number(method.balance_cents) < difference)
      return refused(422, 'balance_too_low');
    if (method.kind === 'gift card')
      run('UPDATE payment_methods SET balance_cents = balance_cents - ? WHERE id = ?', difference, method.id);
    run(
      'INSERT INTO charges (order_id, payment_method_id, amount_cents, made_at) VALUES (?, ?, ?, datetime(moment()))',
      id,
      method.id,
      difference,
    );
    return ok({ order_id: id, difference_cents: difference, payment_method_id: method.id });
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
      /^\/customers\/([^/]+)\/payment-methods$/,
      ([, id]) =>
        ok({ payment_methods: all('SELECT * FROM payment_methods WHERE customer_id = ? ORDER BY id', id) }),
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
    ['POST', /^\/orders\/([^/]+)\/exchanges$/, exchange],
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
    if (answer.status >= 400) throw new Refused(answer);
    run('INSERT INTO operations VALUES (?, ?, ?)', question.key, request, JSON.stringify(answer));
    return answer;
  });
  const changed = (question: Question, work: () => Answer): Answer => {
    try {
      return once.immediate(question, work);
    } catch (error) {
      if (error instanceof Refused) return error.answer;
      throw error;
    }
  };

  return {
    answer(question: Question): Answer {
      for (const [method, pattern, handler] of routes) {
        const match = method === question.method ? pattern.exec(question.path) : null;
        if (!match) continue;
        if (method === 'GET') return handler(match, question);
        return question.key === null
          ? refused(400, 'idempotency_key_missing')
          : changed(question, () => handler(match, question));
      }
      return MISSING;
    },
    /** For a look at what happened. */
    rows: all,
    close: () => void db.close(),
  };
}

import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { openShop } from './shop.js';

type Shop = ReturnType<typeof openShop>;
type Args = Readonly<Record<string, unknown>>;

/** A tool as the request that it stands for. */
interface ShopTool {
  readonly description: string;
  /** By name of the argument its JSON Schema. */
  readonly takes: Readonly<Record<string, object>>;
  readonly optional?: readonly string[];
  readonly method: 'GET' | 'POST' | 'PUT';
  path(args: Args): string;
}

const TEXT = { type: 'string' };
const KEY = { type: 'string', description: 'The same key has one effect.' };
const list = (items: object) => ({ type: 'array', items });
const at =
  (...parts: readonly string[]) =>
  (args: Args) =>
    parts.map((part) => (part.startsWith(':') ? String(args[part.slice(1)]) : part)).join('/');

const TOOLS: Readonly<Record<string, ShopTool>> = {
  find_customers: {
    description: 'Customers by e-mail address or by words',
    takes: { email: TEXT, search: TEXT, limit: { type: ['integer', 'string'] } },
    optional: ['email', 'search', 'limit'],
    method: 'GET',
    path: at('/customers'),
  },
  get_customer: {
    description: 'One customer',
    takes: { customer_id: TEXT },
    method: 'GET',
    path: at('/customers', ':customer_id'),
  },
  list_orders: {
    description: 'The orders of a customer',
    takes: { customer_id: TEXT },
    method: 'GET',
    path: at('/customers', ':customer_id', 'orders'),
  },
  get_order: {
    description: 'One order of a customer',
    takes: { customer_id: TEXT, order_id: TEXT },
    method: 'GET',
    path: at('/customers', ':customer_id', 'orders', ':order_id'),
  },
  list_addresses: {
    description: 'The addresses of a customer',
    takes: { customer_id: TEXT },
    method: 'GET',
    path: at('/customers', ':customer_id', 'addresses'),
  },
  list_payment_methods: {
    description: 'The payment methods of a customer, with what is left on gift cards',
    takes: { customer_id: TEXT },
    method: 'GET',
    path: at('/customers', ':customer_id', 'payment-methods'),
  },
  find_products: {
    description: 'What the shop sells, by words of its name',
    takes: { search: TEXT },
    optional: ['search'],
    method: 'GET',
    path: at('/products'),
  },
  get_operation: {
    description: 'What came of a change, by its key',
    takes: { key: TEXT },
    method: 'GET',
    path: at('/operations', ':key'),
  },
  cancel_order: {
    description: 'Cancels an order that has not left yet, and gives its price back',
    takes: { order_id: TEXT, idempotency_key: KEY },
    method: 'POST',
    path: at('/orders', ':order_id', 'cancel'),
  },
  return_items: {
    description: 'Registers the return of items of a delivered order',
    takes: { order_id: TEXT, item_ids: list(TEXT), idempotency_key: KEY },
    method: 'POST',
    path: at('/orders', ':order_id', 'returns'),
  },
  exchange_items: {
    description:
      'Exchanges items of a delivered order for other variants; one payment settles the difference',
    takes: {
      order_id: TEXT,
      items: list({ type: 'object', required: ['item_id', 'sku'], properties: { item_id: TEXT, sku: TEXT } }),
      payment_method_id: TEXT,
      idempotency_key: KEY,
    },
    method: 'POST',
    path: at('/orders', ':order_id', 'exchanges'),
  },
  change_address: {
    description: 'Sends an order that has not left yet to another address of its customer',
    takes: { order_id: TEXT, address_id: TEXT, idempotency_key: KEY },
    method: 'PUT',
    path: at('/orders', ':order_id', 'address'),
  },
};

/** The same shop for programs that speak MCP: a tool for each request that openapi.yaml describes. */
export function shopOverMcp(shop: Shop) {
  // Each request gets a server of its own; what its tools take is compiled once.
  const tools = Object.entries(TOOLS).map(([name, { takes, optional = [], ...tool }]) => {
    const required = Object.keys(takes).filter((argument) => !optional.includes(argument));
    return {
      ...{ ...tool, name },
      inputSchema: fromJsonSchema<Args>({ type: 'object', required, properties: takes }),
    };
  });
  return createMcpHandler(() => {
    const server = new McpServer({ name: 'shop', version: '1.0.0' });
    for (const { name, description, inputSchema, method, path } of tools) {
      const reads = method === 'GET';
      server.registerTool(
        name,
        {
          description,
          inputSchema,
          annotations: reads ? { readOnlyHint: true } : { destructiveHint: true, idempotentHint: true },
        },
        (args) => {
          const { idempotency_key: key = null, ...body } = args;
          const { status, body: answer } = shop.answer({
            method,
            path: path(args),
            query: new URLSearchParams(
              Object.entries(reads ? body : {}).map(([at, value]) => [at, String(value)]),
            ),
            body: reads ? {} : withoutPath(body),
            key: key === null ? null : String(key),
          });
          const isMissing = reads && status === 404;
          const content = [{ type: 'text' as const, text: JSON.stringify(isMissing ? null : answer) }];
          return status < 400 || isMissing ? { content } : { content, isError: true };
        },
      );
    }
    return server;
  });
}

/** The order stands in the path. */
function withoutPath({ order_id: _order, ...body }: Args): Args {
  return body;
}

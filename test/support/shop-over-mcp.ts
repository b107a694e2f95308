import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

/** The tool of the shop's MCP server that stands for a request. */
const TOOLS: Readonly<Record<string, string>> = {
  '/customers': 'find_customers',
  '/customers/{customer_id}': 'get_customer',
  '/customers/{customer_id}/orders': 'list_orders',
  '/customers/{customer_id}/orders/{input.order_id}': 'get_order',
  '/customers/{customer_id}/addresses': 'list_addresses',
  '/customers/{customer_id}/payment-methods': 'list_payment_methods',
  '/products': 'find_products',
  '/operations/{idempotency_key}': 'get_operation',
  '/orders/{input.order_id}/cancel': 'cancel_order',
  '/orders/{input.order_id}/returns': 'return_items',
  '/orders/{input.order_id}/exchanges': 'exchange_items',
  '/orders/{input.order_id}/address': 'change_address',
};
const SOURCES = { sources: { shop: { kind: 'mcp', url: 'env:SHOP_MCP_URL', timeout: 5, retries: 1 } } };

/** Writes the shop as it is where its system is asked over MCP: its requests become tools, and nothing else is changed. */
export function writeShopOverMcp(folder: string): void {
  cpSync('companies/shop', folder, { recursive: true });
  writeFileSync(join(folder, 'sources.yaml'), stringify(SOURCES));
  const rooms = ['entities', 'reads', 'actions'].flatMap((room) =>
    readdirSync(join(folder, room)).map((name) => join(folder, room, name)),
  );
  for (const file of [...rooms, join(folder, 'customers.yaml')])
    writeFileSync(file, stringify(asTools(parse(readFileSync(file, 'utf8')) as unknown), { lineWidth: 0 }));
}

function asTools(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(asTools);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => [key, asTools(value)]);
  const {
    source,
    path,
    params = {},
    method,
    body = {},
    ...rest
  } = Object.fromEntries(entries) as Record<string, object>;
  if (source === undefined || path === undefined) return Object.fromEntries(entries);
  const tool = TOOLS[String(path)];
  if (tool === undefined) throw new Error(`No tool stands for ${String(path)}`);
  const named = [...String(path).matchAll(/\{(?:input\.)?(\w+)\}/g)].map(([value, name = '']) => [
    name === 'idempotency_key' ? 'key' : name,
    value,
  ]);
  const args = { ...Object.fromEntries(named), ...params, ...body };
  const isChange = String(path).startsWith('/orders/');
  const key = isChange ? { idempotency_arg: 'idempotency_key', refused: 'body.error != null' } : {};
  return { source, tool, args, ...key, ...rest };
}

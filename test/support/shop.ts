import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startShop } from '../../examples/shop-service/server.js';

/**
 * What becomes of the next requests: they pass; their answers are lost, though they took effect; nothing gets through; the
 * system fails; it answers with something else than it says.
 */
type Line = 'up' | 'answers lost' | 'down' | 'fails' | 'lies';

/** The shop's own system behind a line that can break. */
export interface ShopLine {
  readonly url: string;
  /** Changes that got through, as `METHOD path key`. */
  readonly changes: readonly string[];
  line: Line;
  rows: Awaited<ReturnType<typeof startShop>>['rows'];
  close(): Promise<void>;
}

/** The change that a message to its MCP server asks for, as the HTTP API has it; null where it asks for none. */
function changeIn(
  message: string,
): { readonly id: unknown; readonly change: string; readonly key: string } | null {
  const { id, method, params } = JSON.parse(message) as {
    readonly id?: unknown;
    readonly method?: string;
    readonly params?: { readonly name?: string; readonly arguments?: Readonly<Record<string, string>> };
  };
  const { order_id: order, idempotency_key: key = '' } = params?.arguments ?? {};
  const change = (
    {
      cancel_order: `POST /orders/${order}/cancel`,
      return_items: `POST /orders/${order}/returns`,
      exchange_items: `POST /orders/${order}/exchanges`,
      change_address: `PUT /orders/${order}/address`,
    } as Readonly<Record<string, string>>
  )[params?.name ?? ''];
  return method === 'tools/call' ? { id, change: change ?? '', key } : null;
}

/** Starts it with its demo rows in a folder. */
export async function openShopLine(folder: string): Promise<ShopLine> {
  const shop = await startShop({ port: 0, database: join(folder, 'shop-service.db') });
  const changes: string[] = [];
  const server = createServer(async (request, response) => {
    if (state.line === 'down') return void request.socket.destroy();
    if (state.line === 'fails') return void response.writeHead(500).end('{"error":"oops"}');
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method = 'GET', url = '/' } = request;
    const call = url === '/mcp' && body !== '' ? changeIn(body) : null;
    if (state.line === 'lies' && (url !== '/mcp' || call)) {
      const lie = '{"orders":"none of your business","id":7,"status":["processing"]}';
      const result = { resultType: 'complete', content: [{ type: 'text', text: lie }] };
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(call ? JSON.stringify({ jsonrpc: '2.0', id: call.id, result }) : lie);
    }
    const key = request.headers['idempotency-key']?.toString() ?? '';
    const passed = Object.entries(request.headers).filter(([name]) =>
      /^(?:accept|content-type|idempotency|mcp)/.test(name),
    );
    const answer = await fetch(new URL(url, shop.url), {
      method,
      headers: passed.map(([name, value]): [string, string] => [name, String(value)]),
      ...(body === '' ? {} : { body }),
    });
    const change = url === '/mcp' ? (call?.change ?? '') : method === 'GET' ? '' : `${method} ${url}`;
    if (change !== '') changes.push(`${change} ${call?.key ?? key}`);
    // Of a change, so that what was read before is still known.
    if (state.line === 'answers lost' && change !== '') {
      state.line = 'down';
      return void request.socket.destroy();
    }
    const type = answer.headers.get('content-type') ?? 'application/json';
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const state: ShopLine = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    changes,
    line: 'up',
    rows: shop.rows,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await shop.close();
    },
  };
  return state;
}

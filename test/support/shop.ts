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

/** Starts it with its demo rows in a folder. */
export async function openShopLine(folder: string): Promise<ShopLine> {
  const shop = await startShop({ port: 0, database: join(folder, 'shop-service.db') });
  const changes: string[] = [];
  const server = createServer(async (request, response) => {
    if (state.line === 'down') return void request.socket.destroy();
    if (state.line === 'fails') return void response.writeHead(500).end('{"error":"oops"}');
    if (state.line === 'lies')
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"orders":"none of your business","id":7,"status":["processing"]}');
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method = 'GET', url = '/' } = request;
    const key = request.headers['idempotency-key']?.toString() ?? '';
    const answer = await fetch(new URL(url, shop.url), {
      method,
      headers: { 'content-type': 'application/json', ...(key === '' ? {} : { 'idempotency-key': key }) },
      ...(body === '' ? {} : { body }),
    });
    if (method !== 'GET') changes.push(`${method} ${url} ${key}`);
    // Of a change, so that what was read before is still known.
    if (state.line === 'answers lost' && method !== 'GET') {
      state.line = 'down';
      return void request.socket.destroy();
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
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

/**
 * The order system of a small shop, as its owner would have written it: HTTP with JSON over a SQLite file, described by
 * openapi.yaml, and the same as tools over MCP at /mcp. It knows nothing of the hub.
 *
 *   SHOP_PORT (3900)   SHOP_DATABASE (shop-service.db)   SHOP_TOKEN: demanded as a bearer token where it is set
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { shopOverMcp } from './mcp.js';
import { openShop } from './shop.js';

export interface ShopOptions {
  /** 0 for any free one. */
  readonly port: number;
  readonly database: string;
  readonly token?: string | undefined;
  /** What the days of the demo rows are counted from; now where absent. */
  readonly now?: () => Date;
}

const MAX_BYTES = 100_000;

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_BYTES) throw new Error('too large');
  }
  return text;
}

/** A request of Node's as one of the web's. */
async function webRequest(url: URL, request: IncomingMessage): Promise<Request> {
  const { method = 'GET' } = request;
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const body = method === 'POST' ? { body: await textOf(request) } : {};
  return new Request(url, { method, headers, ...body });
}

/** Starts the service on the loopback. */
export async function startShop({ port, database, token, now = () => new Date() }: ShopOptions) {
  const shop = openShop(database, now);
  const mcp = shopOverMcp(shop);
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://shop.local');
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    try {
      if (url.pathname === '/openapi.yaml') {
        response.writeHead(200, { 'content-type': 'application/yaml' });
        response.end(readFileSync(new URL('./openapi.yaml', import.meta.url)));
        return;
      }
      if (token !== undefined && request.headers.authorization !== `Bearer ${token}`)
        return send(401, { error: 'unauthorized' });
      if (url.pathname === '/mcp') {
        const answer = await mcp.fetch(await webRequest(url, request));
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(Buffer.from(await answer.arrayBuffer()));
        return;
      }
      const { status, body } = shop.answer({
        method: request.method ?? 'GET',
        path: decodeURIComponent(url.pathname),
        query: url.searchParams,
        body: JSON.parse((await textOf(request)) || '{}') as Record<string, unknown>,
        key: request.headers['idempotency-key']?.toString() ?? null,
      });
      send(status, body);
    } catch {
      send(400, { error: 'bad_request' });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rows: shop.rows,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await mcp.close();
      shop.close();
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { SHOP_PORT = '3900', SHOP_DATABASE = 'shop-service.db', SHOP_TOKEN } = process.env;
  const { url } = await startShop({ port: Number(SHOP_PORT), database: SHOP_DATABASE, token: SHOP_TOKEN });
  process.stdout.write(`The shop's own system: ${url}\n`);
}

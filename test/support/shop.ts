import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { startShop } from '../../examples/shop-service/server.js';
import { freePort } from './free-port.js';
import { until } from './until.js';

/** What becomes of the next change alone: the line is up again right after. */
const ONCE = [
  'fails after',
  'lies after',
  'stalls after',
  'comes twice',
  'killed before',
  'killed after',
] as const;
type Once = (typeof ONCE)[number];

/** With what a system answers that does not answer as it says. */
export const LIES = [
  'wrong types',
  'a list',
  'nothing',
  'null',
  'a web page',
  'half an object',
  'no end',
  'a redirect',
] as const;
type Lie = (typeof LIES)[number];

const LIE_TEXTS: Readonly<Partial<Record<Lie, string>>> = {
  'wrong types': '{"orders":"none of your business","id":7,"status":["processing"]}',
  'a list': '[{"id":"so_2001"},{"id":"so_2002"}]',
  nothing: '',
  null: 'null',
  'a web page': '<!doctype html><title>Sign in</title><p>Please sign in to go on.',
  'half an object': '{"id":"so_2001","status":"cancel',
};

/** Answers so over HTTP. */
function answerWith(lie: Lie, response: ServerResponse): void {
  const type = lie === 'a web page' ? 'text/html' : 'application/json';
  if (lie === 'a redirect') response.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere' }).end();
  else if (lie === 'no end') response.writeHead(200, { 'content-type': type }).write('{"id":"');
  else response.writeHead(200, { 'content-type': type }).end(LIE_TEXTS[lie]);
}

/**
 * What becomes of the next requests: they pass; their answers are lost, though they took effect; nothing gets through; the
 * system fails; it answers with something else than it says. Or of the next change alone, before the system has made it or
 * after: it fails, lies, says nothing, is asked twice at once, or its process is killed.
 */
type Line = 'up' | 'answers lost' | 'down' | 'fails' | 'lies' | Once;

type Rows = Awaited<ReturnType<typeof startShop>>['rows'];

/** The shop's own system behind a line that can break. */
export interface ShopLine {
  readonly url: string;
  /** Changes that got through, as `METHOD path key`. */
  readonly changes: readonly string[];
  line: Line;
  /** With what it lies; wrong types where nothing is said. */
  lie: Lie;
  /** About which paths, or tools, it lies; about all where nothing is said. */
  about: RegExp;
  rows: Rows;
  close(): Promise<void>;
}

/** The shop's own system, wherever it runs. */
interface ShopSystem {
  readonly url: string;
  readonly rows: Rows;
  close(): Promise<void>;
  /** Ends its process in the middle of whatever it does. */
  kill?(): Promise<void>;
}

/** A process of its own, started as its owner does; it can be killed and started again on the same rows. */
export interface ShopProcess extends ShopSystem {
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Starts it as a process of its own, with its demo rows in a folder. */
export async function startShopProcess(folder: string): Promise<ShopProcess> {
  const [database, port] = [join(folder, 'shop-service.db'), await freePort()];
  let child: ChildProcess | null = null;
  const process_ = {
    url: `http://127.0.0.1:${port}`,
    rows: ((sql, ...values) => {
      const db = new BetterSqlite3(database, { timeout: 5_000 });
      const rows = db.prepare(sql).all(...values) as ReturnType<Rows>;
      db.close();
      return rows;
    }) satisfies Rows,
    async start() {
      const started = spawn(process.execPath, ['--import', 'tsx', 'examples/shop-service/server.ts'], {
        env: { ...process.env, SHOP_PORT: String(port), SHOP_DATABASE: database },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child = started;
      let told = '';
      started.stdout.on('data', (piece) => {
        told += String(piece);
      });
      await until(() => told.includes(String(port)), 'the shop in a process of its own');
    },
    async kill() {
      const ended = child && child.exitCode === null && once(child, 'exit');
      child?.kill('SIGKILL');
      child = null;
      await ended;
    },
    close: () => process_.kill(),
  };
  await process_.start();
  return process_;
}

/** The change that a message to its MCP server asks for, as the HTTP API has it; null where it asks for none. */
function changeIn(
  message: string,
): { readonly id: unknown; readonly tool: string; readonly change: string; readonly key: string } | null {
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
  return method === 'tools/call' ? { id, tool: params?.name ?? '', change: change ?? '', key } : null;
}

/** Starts it with its demo rows in a folder, or stands before one that was started. */
export async function openShopLine(folder: string, started?: ShopSystem): Promise<ShopLine> {
  const shop: ShopSystem =
    started ?? (await startShop({ port: 0, database: join(folder, 'shop-service.db') }));
  const changes: string[] = [];
  const server = createServer(async (request, response) => {
    if (state.line === 'down') return void request.socket.destroy();
    if (state.line === 'fails') return void response.writeHead(500).end('{"error":"oops"}');
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method = 'GET', url = '/' } = request;
    const call = url === '/mcp' && body !== '' ? changeIn(body) : null;
    const lie = (): void => {
      const text = LIE_TEXTS[state.lie];
      if (!call || text === undefined) {
        answerWith(state.lie, response);
        return;
      }
      const result = { resultType: 'complete', content: [{ type: 'text', text }] };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: call.id, result }));
    };
    const isMeant = state.about.test(call?.tool ?? url);
    if (state.line === 'lies' && isMeant && (url !== '/mcp' || call)) return lie();
    const change = url === '/mcp' ? (call?.change ?? '') : method === 'GET' ? '' : `${method} ${url}`;
    const fault = change === '' ? undefined : ONCE.find((one) => one === state.line);
    if (fault) state.line = 'up';
    if (fault === 'killed before') {
      await shop.kill?.();
      return void request.socket.destroy();
    }
    const key = request.headers['idempotency-key']?.toString() ?? '';
    const passed = Object.entries(request.headers).filter(([name]) =>
      /^(?:accept|content-type|idempotency|mcp)/.test(name),
    );
    const send = () =>
      fetch(new URL(url, shop.url), {
        method,
        headers: passed.map(([name, value]): [string, string] => [name, String(value)]),
        ...(body === '' ? {} : { body }),
      });
    const sent = fault === 'comes twice' ? [send(), send()] : [send()];
    const [answer] = await Promise.all(sent).catch(() => []);
    // Its process is gone.
    if (!answer) return void request.socket.destroy();
    if (change !== '') changes.push(`${change} ${call?.key ?? key}`);
    if (fault === 'stalls after') return;
    if (fault === 'lies after') return lie();
    if (fault === 'fails after') return void response.writeHead(500).end('{"error":"oops"}');
    if (fault === 'killed after') {
      await shop.kill?.();
      return void request.socket.destroy();
    }
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
    lie: 'wrong types',
    about: /^/,
    rows: shop.rows,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await shop.close();
    },
  };
  return state;
}

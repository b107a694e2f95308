import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SCOPES } from '../src/core/domain/customer.js';
import { barred, type Measure, plain, spread } from './report.js';
import { withServer } from './server.js';
import { programToken } from './server-client.js';
import type { ServerProcess } from './server-process.js';

const SESSIONS = 100;
const TOOL = 'get_reservations';

/** A hundred clients that each hold a session with its stream, and call a tool that reads at the same time. */
export function mcpHttp(quick: boolean): Promise<readonly Measure[]> {
  return withServer((hub) => sessions(hub, quick ? 3 : 30));
}

async function sessions(hub: ServerProcess, rounds: number): Promise<readonly Measure[]> {
  const token = await programToken(hub.url, 'ana.souza@example.com', SCOPES);
  const before = hub.memoryMb();
  const began = performance.now();
  const clients = await Promise.all(Array.from({ length: SESSIONS }, () => connect(hub.url, token)));
  const openedMs = performance.now() - began;
  const times: number[] = [];
  let failed = 0;
  const called = performance.now();
  for (let round = 0; round < rounds; round += 1)
    await Promise.all(
      clients.map(async (client) => {
        const started = performance.now();
        const { isError } = await client.callTool({ name: TOOL, arguments: {} });
        times.push(performance.now() - started);
        if (isError) failed += 1;
      }),
    );
  const seconds = (performance.now() - called) / 1_000;
  const alive = await Promise.allSettled(clients.map((client) => client.ping()));
  const held = alive.filter(({ status }) => status === 'fulfilled').length;
  const memory = hub.memoryMb();
  await Promise.all(clients.map((client) => client.close()));
  const { median, p95 } = spread(times);
  return [
    barred('MCP over HTTP: sessions held at once', held, '', { atLeast: SESSIONS }),
    barred('MCP over HTTP: calls that failed', failed, '', { atMost: 0 }, `${times.length} calls`),
    plain('MCP over HTTP: opening all sessions', openedMs, 'ms'),
    plain('MCP over HTTP: calls of a tool that reads', times.length / seconds, 'calls/s'),
    plain('MCP over HTTP: a call while all call, median', median, 'ms', `p95 ${Math.round(p95)} ms`),
    plain('MCP over HTTP: memory for all sessions', memory - before, 'MB'),
  ];
}

async function connect(url: string, token: string): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  return client;
}

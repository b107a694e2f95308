import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createApp } from '../src/app/app.js';
import { parseConfig } from '../src/config/config.js';
import { SCOPES } from '../src/core/domain/customer.js';
import { barred, type Measure, plain, spread } from './report.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ANA = 'ana.souza@example.com';
const TOOL = 'get_reservations';
const WARM_UP = 20;

/** What the protocol adds to a tool that reads, on standard input and output, in the oldest and the newest way. */
export async function mcp(quick: boolean): Promise<readonly Measure[]> {
  const calls = quick ? 50 : 500;
  const dir = mkdtempSync(join(tmpdir(), 'hub-bench-'));
  try {
    const env = { HUB_DATA_DIR: dir, HUB_MODEL_PROVIDER: 'offline', HUB_ENV_FILE: 'none' };
    const direct = await directly(env, calls);
    const older = await overStdio(env, calls, 'legacy');
    const newest = await overStdio(env, calls, { pin: '2026-07-28' });
    return [
      plain(`${TOOL} called directly: median`, direct, 'ms'),
      barred(
        'over MCP stdio: median beyond the tool itself',
        older.median - direct,
        'ms',
        { atMost: 5 },
        '2025',
      ),
      barred(
        'over MCP stdio: median beyond the tool itself',
        newest.median - direct,
        'ms',
        { atMost: 5 },
        '2026',
      ),
      plain('over MCP stdio: p95', newest.p95, 'ms'),
      plain('npm run mcp: greeting after the start', older.greetedMs, 'ms'),
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function directly(env: Readonly<Record<string, string>>, calls: number): Promise<number> {
  const app = await createApp(parseConfig(env), { checkpointer: 'sqlite' });
  const identity = await app.signIn(ANA);
  const caller = { identity, scopes: SCOPES, channel: 'mcp' as const };
  const times = await timed(calls, () => app.capabilities.call({ caller, name: TOOL, input: {} }));
  await app.close();
  return spread(times).median;
}

async function overStdio(
  env: Readonly<Record<string, string>>,
  calls: number,
  mode: 'legacy' | { readonly pin: string },
): Promise<{ readonly median: number; readonly p95: number; readonly greetedMs: number }> {
  const { PATH = '', HOME = '' } = process.env;
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } });
  const started = performance.now();
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['scripts/run.mjs', 'mcp', '--as', ANA],
      cwd: ROOT,
      env: { PATH, HOME, ...env },
    }),
  );
  const greetedMs = performance.now() - started;
  await client.listTools();
  const times = await timed(calls, async () => {
    const { isError } = await client.callTool({ name: TOOL, arguments: {} });
    if (isError) throw new Error(`${TOOL} was refused`);
  });
  await client.close();
  return { ...spread(times), greetedMs };
}

async function timed(calls: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  for (let call = 0; call < WARM_UP; call += 1) await work();
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const before = performance.now();
    await work();
    times.push(performance.now() - before);
  }
  return times;
}

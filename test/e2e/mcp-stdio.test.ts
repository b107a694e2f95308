import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/cruise.js';
import { talkOf } from '../support/mcp.js';
import {
  type CliOptions,
  cliEnvironment,
  commandLine,
  finished,
  makeFolder,
  runCli,
  startCli,
} from './cli-process.js';

const ANA = 'ana.souza@example.com';

const folder = makeFolder();
afterAll(() => folder.remove());
const { dataDir } = folder;
const options: CliOptions = { dataDir };

type Message = Readonly<Record<string, unknown>> & {
  readonly id?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
};

const GREETING = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
};
const request = (id: number | string, method: string, params: unknown = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const callOf = (id: number, name: string, args: unknown = {}) =>
  request(id, 'tools/call', { name, arguments: args });
const lines = (...messages: readonly unknown[]): string =>
  messages.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('');
/** Everything on standard output; throws where a line is no message of the protocol. */
const messagesOf = (out: string): readonly Message[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const message = JSON.parse(line) as Message;
      expect(message.jsonrpc).toBe('2.0');
      return message;
    });

/** The server as a child that is talked to line by line. */
function startMcp(args: readonly string[]) {
  const child = startCli('mcp', args, options);
  const waiting = new Map<unknown, (message: Message) => void>();
  child.stdin.on('error', () => {});
  child.stdin.write(
    lines(request(0, 'initialize', GREETING), { jsonrpc: '2.0', method: 'notifications/initialized' }),
  );
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    waiting.get(message.id)?.(message);
  });
  const answer = (id: number) => new Promise<Message>((resolve) => waiting.set(id, resolve));
  const greeted = answer(0);
  return {
    child,
    greeted,
    end: finished(child),
    call(id: number, name: string, given: unknown = {}): Promise<Message> {
      const answered = answer(id);
      child.stdin.write(lines(callOf(id, name, given)));
      return answered;
    },
  };
}

const contentOf = (message: Message | undefined) =>
  (message?.result?.structuredContent ?? {}) as Readonly<Record<string, unknown>>;

describe('npm run mcp', () => {
  it('[MCP-13 MCP-14 MCP-15] writes nothing but the protocol, survives every bad line, and answers all before it ends', async () => {
    const bad = [
      'nonsense',
      '[{"jsonrpc":"2.0","id":50,"method":"ping"}]',
      '{"jsonrpc":"2.0","id":51}',
      '{"jsonrpc":"1.0","id":52,"method":"ping"}',
      'null',
      '"text"',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      `{"jsonrpc":"2.0","id":53,"method":"ping","params":{"x":"${'x'.repeat(5 * 2 ** 20)}"}}`,
      `${'['.repeat(200_000)}`,
    ];
    const input = lines(
      ...bad.slice(0, 3),
      request(1, 'initialize', GREETING),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      ...bad.slice(3),
      { jsonrpc: '2.0', method: 'notifications/nothing' },
      { jsonrpc: '2.0', id: 99, result: {} },
      request(2, 'no/such/method'),
      request(3, 'tools/call', { name: 'nothing' }),
      request(4, 'tools/call', { name: 7, arguments: [] }),
      callOf(5, 'search_knowledge', { query: 'How do I pause my plan?' }),
      callOf(6, 'get_reservations'),
      request('seven', 'ping'),
      request(8, 'initialize', { capabilities: 'all' }),
      callOf(9, 'get_subscription'),
      callOf(9, 'get_subscription'),
    );
    const { code, out, err } = await runCli('mcp', [], {
      ...options,
      input,
      env: { HUB_LOG_LEVEL: 'debug' },
    });
    const messages = messagesOf(out);
    const byId = new Map(messages.map((message) => [message.id, message]));
    expect(code, err).toBe(0);
    expect(err).not.toContain('"jsonrpc"');
    const refused = messages.filter(({ id }) => id === null || id === 51 || id === 52);
    expect(refused.map(({ error }) => error?.code).sort()).toEqual(
      [-32700, -32700, -32600, -32600, -32600, -32600, -32600, -32600, -32600].sort(),
    );
    expect(byId.get(1)?.result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'uda-hub' },
    });
    expect(byId.get(2)?.error?.code).toBe(-32601);
    expect(byId.get(3)?.error?.code).toBe(-32602);
    expect(byId.get(4)?.error?.code).toBe(-32602);
    expect(byId.get(8)?.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('Invalid params: params.protocolVersion'),
    });
    expect(contentOf(byId.get(5))).toMatchObject({ articles: expect.any(Array) });
    const twice = messages.filter(({ id }) => id === 9);
    expect(twice.map(({ error }) => error?.code)).toEqual([-32600, undefined]);
    // Nobody is signed in.
    expect(byId.get(6)?.result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'not_signed_in' } },
    });
    expect(byId.get('seven')?.result).toEqual({});
  });

  it('[MCP-02] ends with a sentence where the customer is unknown', async () => {
    const input = lines(request(1, 'initialize', GREETING), callOf(2, 'get_reservations'));
    const { code, out, err } = await runCli('mcp', ['--as', 'nobody@example.com'], { ...options, input });
    expect(code).toBe(2);
    expect(err).toBe('error: There is no customer with the address nobody@example.com.\n');
    const last = messagesOf(out).at(-1);
    expect(last).toMatchObject({ id: 2, error: { message: expect.stringContaining('nobody@example.com') } });
  });

  it('[MCP-13 MCP-15] ends with a sentence where the configuration is wrong, also where nothing was asked yet', async () => {
    const env = { HUB_MODEL_PROVIDER: 'oracle' };
    for (const input of ['', lines(request(1, 'initialize', GREETING))]) {
      const { code, out, err } = await runCli('mcp', [], { ...options, input, env });
      expect(err).toMatch(/^error: HUB_MODEL_PROVIDER is "oracle"; .*\n$/);
      expect(code).toBe(2);
      expect(messagesOf(out).length).toBeLessThanOrEqual(1);
    }
  });

  /** What a client left when it died. */
  let left = {} as { readonly pending_id: unknown; readonly status: string };

  it('[MCP-16] does what was agreed to once or not at all where its client dies in the middle', async () => {
    const { call, child, end } = startMcp(['--as', ANA]);
    const plan = contentOf(await call(1, 'cancel_reservation', { reservation_id: 'res_002' }));
    expect(plan.status).toBe('confirmation_required');
    const { confirmation_token, pending_id } = plan;
    void call(2, 'cancel_reservation', { reservation_id: 'res_002', confirmation_token });
    child.stdin.destroy();
    child.stdout.destroy();
    expect((await end).code).toBe(0);
    const db = new BetterSqlite3(join(dataDir, 'cultpass.db'), { readonly: true });
    const row = db.prepare("SELECT status FROM reservations WHERE reservation_id = 'res_002'").get();
    const refunds = db.prepare("SELECT 1 FROM refunds WHERE reservation_id = 'res_002'").all().length;
    db.close();
    const isDone = (row as { readonly status: string }).status !== 'reserved';
    expect(refunds).toBe(isDone ? 1 : 0);
    left = { pending_id, status: isDone ? 'done' : 'confirmation_required' };
  });

  it('[MCP-18 MCP-04 MCP-16] serves the newest protocol and older ones to the SDK client, asks its user, and knows what others began', async () => {
    const talk = async (mode: 'legacy' | { readonly pin: string }) => {
      const client = new Client(
        { name: 'e2e', version: '1' },
        { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
      );
      const questions: string[] = [];
      client.setRequestHandler('elicitation/create', ({ params }) => {
        questions.push(params.message);
        return { action: 'decline' };
      });
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [...commandLine('mcp'), '--as', ANA],
        cwd: ROOT,
        env: cliEnvironment(options) as Record<string, string>,
        stderr: 'ignore',
      });
      await client.connect(transport);
      const { call } = talkOf(client);
      const { tools } = await client.listTools();
      const read = await call('get_reservations');
      const begun = await call('get_action_status', { pending_id: left.pending_id });
      const refused = await call('cancel_reservation', { reservation_id: 'res_003' });
      const version = client.getNegotiatedProtocolVersion();
      await client.close();
      return { version, tools: tools.length, read, begun, refused, questions };
    };
    const [older, newest] = await Promise.all([talk('legacy'), talk({ pin: '2026-07-28' })]);
    expect(older.version).toBe('2025-11-25');
    expect(newest.version).toBe('2026-07-28');
    for (const { tools, read, begun, refused, questions } of [older, newest]) {
      expect(tools).toBeGreaterThan(20);
      expect(JSON.stringify(read.data)).toContain('res_001');
      expect(refused).toMatchObject({ isError: true, data: { error: { code: 'confirmation_rejected' } } });
      expect(begun.data.status).toBe(left.status);
      expect(questions).toHaveLength(1);
    }
  });

  it('[MCP-15] greets at once, and leaves when it is told to', async () => {
    const { greeted, end, child } = startMcp([]);
    await greeted;
    child.kill('SIGTERM');
    const { code, err } = await end;
    expect(code, err).toBe(143);
    expect(err).not.toMatch(/error/i);
  });

  it('[MCP-13] is started by npm without a word of npm', () => {
    const started = spawnSync('npm', ['run', '--silent', 'mcp', '--', '--help'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(started.status).toBe(0);
    expect(started.stdout).toMatch(/^Usage: mcp/);
    expect(started.stdout).toContain('mcpServers');
  });
});

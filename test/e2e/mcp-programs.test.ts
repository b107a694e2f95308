import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { createAgent } from 'langchain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programToken } from '../support/mcp-http.js';
import { ScriptedModel } from '../support/scripted-model.js';
import { openServer, type TestServer } from '../support/server.js';
import { cliEnvironment, commandLine } from './cli-process.js';

const ANA = 'ana.souza@example.com';
const INSPECTOR = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/inspector-cli/build/index.js',
);
const TOOLS = ['search_knowledge', 'lookup_user', 'cancel_reservation', 'cannot_reserve'];

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await openServer();
  token = await programToken(server, ANA);
});

afterAll(() => server.close());

/** Runs the inspector's command line. @returns what it prints */
function inspect(args: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  // It looks for its own package.json from where it is run. Nobody listens where the index would be.
  const env = cliEnvironment({ dataDir: server.hub.dataDir, env: { CHROMA_URL: 'http://127.0.0.1:9' } });
  const options = { cwd: dirname(INSPECTOR), env, maxBuffer: 2 ** 24 };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [INSPECTOR, ...args], options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stdout}\n${stderr}`));
      else resolve(JSON.parse(stdout) as Record<string, unknown>);
    });
  });
}

const stdio = (...wish: readonly string[]) => {
  return inspect([process.execPath, ...wish, '--', ...commandLine('mcp'), '--as', ANA]);
};
const http = (...wish: readonly string[]) =>
  inspect([
    `${server.url}/mcp`,
    '--transport',
    'http',
    '--header',
    `Authorization: Bearer ${token}`,
    ...wish,
  ]);

describe.each([
  ['stdio', stdio],
  ['HTTP', http],
])('the inspector over %s', (_transport, run) => {
  it('[MCH-16] lists the tools and calls one', async () => {
    const [list, called] = await Promise.all([
      run('--method', 'tools/list'),
      run('--method', 'tools/call', '--tool-name', 'lookup_user'),
    ]);
    const names = (list.tools as readonly { readonly name: string }[]).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(TOOLS));
    expect(JSON.stringify(called.structuredContent)).toContain(ANA);
  });
});

describe('LangChain', () => {
  it('[MCH-17] loads the tools over HTTP, and an agent uses one', async () => {
    const clients = new MultiServerMCPClient({
      mcpServers: {
        hub: { transport: 'http', url: `${server.url}/mcp`, headers: { Authorization: `Bearer ${token}` } },
      },
    });
    const tools = await clients.getTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(TOOLS));
    const model = new ScriptedModel([
      { calls: [{ id: 'call_1', name: 'get_subscription', args: {} }] },
      { text: 'You have one visit left.' },
    ]);
    const { messages } = await createAgent({ model, tools }).invoke({
      messages: [new HumanMessage('How many visits do I have left?')],
    });
    const answer = messages.find((message) => ToolMessage.isInstance(message));
    const told = JSON.stringify(answer?.content);
    expect(told, told).toContain('remaining');
    expect(messages.at(-1)?.text).toBe('You have one visit left.');
    expect(model.calls[0]?.tools).toEqual(expect.arrayContaining(TOOLS));
    model.assertExhausted();
    await clients.close();
  });
});

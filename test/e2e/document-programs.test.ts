import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readAgentFile } from '../../src/adapters/a2a/agent-file.js';
import { parseConfig } from '../../src/config/config.js';
import { SCOPES } from '../../src/core/domain/customer.js';
import { ROOT } from '../architecture/cruise.js';
import { openServer, type TestServer } from '../support/server.js';
import { cliEnvironment, type Finished, finished, makeFolder } from './cli-process.js';

const ANA = 'ana.souza@example.com';
const document = readFileSync(join(ROOT, 'docs/mcp-and-a2a.md'), 'utf8');

let at: TestServer;
let token: string;
beforeAll(async () => {
  at = await openServer();
  token = (await at.hub.app.sessions.issueFor({ email: ANA }, { scopes: SCOPES })).token;
});
afterAll(() => at.close());

/** The fenced blocks of a language below a heading. */
function blocksOf(heading: string, language: string): readonly string[] {
  const [, section = ''] = document.split(`## ${heading}\n`);
  const own = section.split(/^## /m)[0] ?? '';
  return [...own.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  );
}

/** Runs a block of the document as it is, against the test's server, and prints an expression. */
function runBlock(code: string, shown: string): Promise<Finished> {
  const here = code.replaceAll('http://127.0.0.1:3000', at.url);
  const text = `${here}\nconsole.log(JSON.stringify(${shown}));\nprocess.exit(0);`;
  const env = { ...cliEnvironment({ dataDir: at.hub.dataDir }), TOKEN: token };
  return finished(spawn(process.execPath, ['--input-type=module', '-e', text], { cwd: ROOT, env }));
}

/** The requests that `curl` would make of a block. */
function requestsOf(block: string): readonly Request[] {
  return block.split(/^\$ /m).flatMap((command) => {
    const url = /curl -s (\S+)/.exec(command)?.[1];
    if (url === undefined) return [];
    const headers = [...command.matchAll(/-H (['"])(.*?): (.*?)\1/g)].map(
      ([, , name = '', value = '']): [string, string] => [name, value.replace('$TOKEN', token)],
    );
    const body = /-d '([\s\S]*?)'/.exec(command)?.[1];
    const method = body === undefined ? {} : { method: 'POST', body };
    return [new Request(url.replace('localhost:3000', at.url), { headers, ...method })];
  });
}

async function answersOf(heading: string): Promise<readonly unknown[]> {
  const requests = blocksOf(heading, 'console').flatMap(requestsOf);
  return Promise.all(
    requests.map(async (request) => {
      const response = await fetch(request);
      expect(response.status, request.url).toBe(200);
      return response.json();
    }),
  );
}

const PLAN = { subscription: { status: 'active', tier: 'premium' } };

describe('the lines of docs/mcp-and-a2a.md that connect others', () => {
  it('[SCP-30] start the hub for Claude Desktop, from wherever it stands', async () => {
    const server = z.object({
      command: z.string(),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()),
    });
    const shape = z.object({ mcpServers: z.object({ cultpass: server }) });
    const [block = ''] = blocksOf('Claude Desktop', 'json');
    const { command, args, env } = shape.parse(JSON.parse(block)).mcpServers.cultpass;
    const there = (text: string): string => text.replace('/path/to/uda-hub', ROOT);
    expect(command).toMatch(/\/node$/);
    expect(env.HUB_DATA_DIR).toBe('/path/to/uda-hub/var');
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: args.map(there),
      cwd: '/',
      env: { ...env, HUB_DATA_DIR: at.hub.dataDir, HUB_ENV_FILE: 'none', HUB_MODEL_PROVIDER: 'offline' },
      stderr: 'ignore',
    });
    const client = new Client({ name: 'claude', version: '1.0.0' });
    await client.connect(transport);
    expect((await client.listTools()).tools.length).toBeGreaterThan(15);
    const called = await client.callTool({ name: 'get_subscription', arguments: {} });
    expect(called.structuredContent).toMatchObject(PLAN);
    await client.close();
  });

  it('[SCP-30] call a tool over HTTP, from TypeScript and with curl', async () => {
    const [block = ''] = blocksOf('An MCP client over HTTP', 'ts');
    const { code, out, err } = await runBlock(block, 'structuredContent');
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject(PLAN);
    expect(await answersOf('An MCP client over HTTP')).toMatchObject([
      { result: { structuredContent: PLAN } },
    ]);
  });

  it('[SCP-30] ask an agent and call a skill over A2A, from TypeScript and with curl', async () => {
    const [block = ''] = blocksOf('An A2A client', 'ts');
    const { code, out, err } = await runBlock(block, 'task');
    expect(code, err).toBe(0);
    expect(out).toMatch(/You have \d visits? left this month/);
    const [asked, called, ...more] = await answersOf('An A2A client');
    expect(JSON.stringify(asked)).toMatch(/You have \d visits? left this month/);
    expect(called).toMatchObject(PLAN);
    expect(more).toEqual([]);
  });

  it('[SCP-30] name other agents in a file that the hub takes', () => {
    const [block = ''] = blocksOf('Other agents', 'yaml');
    const folder = makeFolder();
    try {
      const file = join(folder.path, 'agents.yaml');
      writeFileSync(file, block);
      const { secret } = parseConfig({ PARKING_TOKEN: 'parking-token' }).remoteAgents;
      const read = (path: string) => readAgentFile(path, { secret, roster: ['hub', 'account'] });
      expect(read(file)).toMatchObject([
        { name: 'partner_parking', token: 'parking-token', share: ['language'], allowPrivate: false },
      ]);
      expect(read(join(ROOT, 'data/remote-agents.example.yaml')).length).toBeGreaterThan(1);
    } finally {
      folder.remove();
    }
  });
});

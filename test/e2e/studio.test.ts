import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ThreadState } from '@langchain/langgraph-sdk';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureWebBuilt } from '../../src/surfaces/web-build.js';
import { openBrowser, openTab } from '../support/browser.js';
import { freePort } from '../support/free-port.js';
import { openServer } from '../support/server.js';
import { until } from '../support/until.js';
import { customerSays, deskOn } from './web-desk-page.js';

const GRAPH = 'uda-hub';
const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const NO_ASSISTANT = 'no assistant was registered';

interface HubValues {
  readonly messages: readonly { readonly type: string; readonly content: string }[];
  readonly ticket_id: string | null;
  readonly user_email: string | null;
  readonly reply: { readonly citations: readonly { readonly articleId: string }[] } | null;
}

let dataDir: string;
let server: ChildProcess;
let output = '';
let url: string;
let client: Client<HubValues>;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'uda-studio-'));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _base, ...env } = process.env;
  server = spawn(process.execPath, ['--import', 'tsx', 'scripts/studio.ts', '--port', String(port)], {
    env: { ...env, HUB_DATA_DIR: dataDir, HUB_MODEL_PROVIDER: 'offline' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [server.stdout, server.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await untilReady();
  client = new Client<HubValues>({ apiUrl: url, apiKey: null, timeoutMs: 170_000 });
});

afterAll(async () => {
  if (server.exitCode === null && server.signalCode === null) {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  rmSync(dataDir, { recursive: true, force: true });
});

async function untilReady(): Promise<void> {
  await until(async () => {
    if (server.exitCode !== null) throw new Error(`Studio's server did not start:\n${output}`);
    const answer = await fetch(`${url}/ok`).catch(() => null);
    return answer?.ok;
  }, "Studio's server");
}

async function say(threadId: string, content: string, email: string | null = ANA): Promise<HubValues> {
  const input = { messages: [{ role: 'user', content }], user_email: email };
  return run(threadId, { input });
}

async function run(threadId: string, payload: Parameters<typeof client.runs.wait>[2]): Promise<HubValues> {
  // The client does not know the graph's state.
  const values: unknown = await client.runs.wait(threadId, GRAPH, payload);
  return values as HubValues;
}

async function newThread(): Promise<string> {
  return (await client.threads.create()).thread_id;
}

const lastText = ({ messages }: HubValues): string => messages.at(-1)?.content ?? '';

function pauses(state: ThreadState<HubValues>) {
  return state.tasks.flatMap((task) => task.interrupts);
}

function query(sql: string, ...values: readonly string[]): unknown {
  const database = new Database(join(dataDir, 'cultpass.db'), { readonly: true });
  try {
    return database
      .prepare(sql)
      .pluck()
      .get(...values);
  } finally {
    database.close();
  }
}

describe('Studio', () => {
  test('[STUDIO-01] starts offline and says where to open it', () => {
    expect(output).toContain(url);
    expect(output).toContain(`https://smith.langchain.com/studio?baseUrl=${url}`);
  });

  test('[STUDIO-02 GRAPH-01] draws the graph with its subgraphs', async () => {
    const [assistant] = await client.assistants.search({ graphId: GRAPH });
    const id = assistant?.assistant_id ?? NO_ASSISTANT;
    const { nodes, edges } = await client.assistants.getGraph(id, { xray: true });
    const names = nodes.map((node) => String(node.id));
    for (const name of ['intake', 'router', 'review', 'escalate', 'respond']) expect(names).toContain(name);
    for (const agent of ['triage', 'supervisor:knowledge', 'supervisor:account', 'supervisor:action']) {
      expect(names).toContain(`${agent}:model_request`);
      expect(names).toContain(`${agent}:tools`);
    }
    expect(names.some((name) => name.startsWith('supervisor:supervisor:'))).toBe(true);
    expect(edges.length).toBeGreaterThanOrEqual(names.length - 1);
  });

  test('[SKT-03] draws every decision tree of the skills', async () => {
    const [assistant] = await client.assistants.search({ graphId: 'skills' });
    const { nodes } = await client.assistants.getGraph(assistant?.assistant_id ?? NO_ASSISTANT, {
      xray: true,
    });
    const names = nodes.map((node) => String(node.id));
    for (const step of [
      'missing_refund:main_path:account',
      'missing_refund:ask_person',
      'ocean_debugging:conclude',
    ]) {
      expect(names).toContain(step);
    }
  });

  test('[SKT-03 SKT-05] runs a skill, pauses it for a person, and goes on with the option chosen', async () => {
    const threadId = await newThread();
    const input = {
      skill_id: 'missing_refund',
      input: { customer: { user_id: 'usr_007' }, message: 'my refund' },
    };
    await client.runs.wait(threadId, 'skills', { input });
    const [pause] = pauses(await client.threads.getState(threadId));
    expect(pause?.value).toMatchObject({ trigger: 'critical_decision', skill_id: 'missing_refund' });
    const resume = { [String(pause?.id)]: { choose: 'A' } };
    const values: unknown = await client.runs.wait(threadId, 'skills', { command: { resume } });
    expect(values).toMatchObject({ result: { recommended_action: { action: 'process_refund' } } });
  });

  test('[STUDIO-02 GRAPH-03 MDL-05] shows the schemas of the graph and of its subgraphs', async () => {
    const [assistant] = await client.assistants.search({ graphId: GRAPH });
    const id = assistant?.assistant_id ?? NO_ASSISTANT;
    const schemas = await client.assistants.getSchemas(id);
    expect(Object.keys(schemas.input_schema?.properties ?? {})).toEqual(['messages', 'user_email']);
    expect(Object.keys(schemas.state_schema?.properties ?? {})).toEqual(
      expect.arrayContaining(['messages', 'user_email', 'ticket_id', 'next']),
    );
    const subgraphs = await client.assistants.getSubgraphs(id, { recurse: true });
    expect(Object.keys(subgraphs)).toEqual(expect.arrayContaining(['triage', 'supervisor']));
    for (const subgraph of Object.values(subgraphs)) {
      expect(subgraph).toHaveProperty('state.properties.messages');
    }
    // Nothing is read from the types of the program, which takes seconds.
    expect(output).not.toContain('Failed to extract schema');
  });

  test('[MDL-05] names the nodes that run tools by their agents', async () => {
    const [assistant] = await client.assistants.search({ graphId: GRAPH });
    const { nodes } = await client.assistants.getGraph(assistant?.assistant_id ?? NO_ASSISTANT, {
      xray: true,
    });
    const named = nodes.filter(({ id }) => String(id).endsWith(':tools'));
    expect(named.map(({ data }) => data && typeof data === 'object' && data.name)).toEqual(
      named.map(({ id }) => `${String(id).split(':').at(-2)} tools`),
    );
  });

  test('[MDL-05] takes a yes or no that is typed as the next message for the answer', async () => {
    const status = () =>
      query('SELECT s.status FROM subscriptions s JOIN users u USING (user_id) WHERE u.email = ?', BRUNO);
    const threadId = await newThread();
    await say(threadId, 'Pause my subscription for 30 days', BRUNO);
    expect(lastText(await say(threadId, 'no, leave it', BRUNO))).not.toBe('');
    expect(status()).toBe('active');
    await say(threadId, 'Pause my subscription for 30 days', BRUNO);
    expect(pauses(await client.threads.getState(threadId))).toHaveLength(1);
    const done = await say(threadId, 'yes', BRUNO);
    expect(lastText(done)).toMatch(/paus/i);
    expect(status()).toBe('paused');
    expect(pauses(await client.threads.getState(threadId))).toEqual([]);
  });

  test('[STUDIO-04] a thread answers a question with its sources, and goes on', async () => {
    const threadId = await newThread();
    const first = await say(threadId, 'How do I pause my subscription?');
    expect(lastText(first)).toMatch(/pause/i);
    expect(first.reply?.citations.map(({ articleId }) => articleId)).toContain('kb-pause-subscription-en');
    expect(first.ticket_id).toMatch(/^tkt_/);
    expect(first.user_email).toBe(ANA);
    const second = await say(threadId, 'And how many visits do I have left this month?');
    expect(lastText(second)).toMatch(/\d+ visits? left/);
    expect(second.messages.filter(({ type }) => type === 'human')).toHaveLength(2);
    expect(second.ticket_id).toBe(first.ticket_id);
  });

  test('without user_email the session is anonymous, and an unknown address is refused', async () => {
    const stranger = await say(await newThread(), 'How many visits do I have left?', null);
    expect(lastText(stranger)).toMatch(/sign(?:ed)? in/i);
    const threadId = await newThread();
    await expect(say(threadId, 'Hello', 'nobody@example.com')).rejects.toThrow();
    expect((await client.threads.get(threadId)).status).toBe('error');
  });

  test('[STUDIO-03] an action pauses, and resumes by the id of its interrupt', async () => {
    const threadId = await newThread();
    await say(threadId, 'Please cancel my booking for Samba Night at Pedra do Sal');
    const [pause] = pauses(await client.threads.getState(threadId));
    expect(pause?.value).toMatchObject({
      kind: 'confirmation',
      tool: 'cancel_reservation',
      args: { reservation_id: expect.stringMatching(/^res_/) },
      question: expect.stringContaining('Samba Night at Pedra do Sal'),
      pending_id: expect.stringMatching(/^pnd_/),
      args_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      expires_at: expect.stringMatching(/Z$/),
    });
    const paused = pause?.value as { readonly args: { readonly reservation_id: string } } | undefined;
    const status = () =>
      query('SELECT status FROM reservations WHERE reservation_id = ?', String(paused?.args.reservation_id));
    expect(status()).toBe('reserved');
    const resume = { [String(pause?.id)]: { approved: true } };
    const done = await run(threadId, { command: { resume } });
    expect(lastText(done)).toContain('Samba Night at Pedra do Sal');
    expect(['cancelled', 'refunded']).toContain(status());
    expect(pauses(await client.threads.getState(threadId))).toEqual([]);
  });

  test('[STUDIO-03] an action resumes by a plain answer as well, and a no changes nothing', async () => {
    const status = () =>
      query('SELECT s.status FROM subscriptions s JOIN users u USING (user_id) WHERE u.email = ?', ANA);
    for (const [resume, expected] of [
      [{ approved: false }, 'active'],
      ['no, thanks', 'active'],
      [{ answer: 'sim' }, 'paused'],
    ] as const) {
      const threadId = await newThread();
      await say(threadId, 'Pause my subscription for 30 days');
      expect(pauses(await client.threads.getState(threadId))).toHaveLength(1);
      expect(status()).toBe('active');
      const done = await run(threadId, { command: { resume } });
      expect(lastText(done)).not.toBe('');
      expect(status()).toBe(expected);
    }
  });

  test('[STUDIO-03] an answer that is neither yes nor no leaves the question open', async () => {
    const threadId = await newThread();
    await say(threadId, 'Resume my subscription, please');
    await run(threadId, { command: { resume: 'which plan is that?' } });
    expect(pauses(await client.threads.getState(threadId))).toHaveLength(1);
    const done = await run(threadId, { command: { resume: 'yes' } });
    expect(lastText(done)).not.toBe('');
    expect(pauses(await client.threads.getState(threadId))).toEqual([]);
  });

  test('[SHF-118] shows a conversation that an operator opens at the desk, and no customer', async () => {
    const webDir = (await ensureWebBuilt()).dir;
    const env = { HUB_DEMO: '1', HUB_STUDIO_URL: url };
    const at = await openServer({ webDir, checkpointer: 'sqlite', env });
    const browser = await openBrowser();
    try {
      const { ticketId } = await customerSays(
        at,
        ANA,
        'How long does a refund take?',
        'What does Premium cost?',
      );
      const { context, page, errors } = await openTab(browser);
      const opened: string[] = [];
      await context.route('https://smith.langchain.com/**', (route) => {
        opened.push(route.request().url());
        return route.fulfill({ contentType: 'text/html', body: '<title>Studio</title>' });
      });
      const desk = deskOn(page, at);
      await desk.signIn('Olga');
      await desk.open(`#/tickets/${ticketId}`);
      const why = page.locator('.why').last();
      await why.locator('summary').first().click();
      for (const times of [1, 2]) {
        const tab = context.waitForEvent('page');
        await why.getByRole('button', { name: 'Open in LangGraph Studio' }).click();
        await (await tab).waitForURL('https://smith.langchain.com/**');
        expect(opened).toHaveLength(times);
      }
      const shown = new URL(opened[1] ?? '');
      expect(shown.searchParams.get('baseUrl')).toBe(url);
      const threadId = shown.pathname.split('/').at(-1) ?? '';
      const { values } = await client.threads.getState(threadId);
      expect(values.messages.map(({ type }) => type)).toEqual(['human', 'ai', 'human', 'ai']);
      expect(values).toMatchObject({
        route: [{ to: 'knowledge' }],
        trace: [{ agent: 'triage' }, { agent: 'knowledge' }],
      });
      expect([values.ticket_id, values.user_email]).toEqual([null, null]);
      expect(await client.threads.getHistory(threadId)).toHaveLength(2);
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
      await at.close();
    }
  });

  test('keeps its state in the data directory and leaves the working tree alone', async () => {
    expect(existsSync('.langgraph_api')).toBe(false);
    expect(existsSync(join(dataDir, 'studio/.langgraph_api'))).toBe(true);
    expect(readFileSync('.gitignore', 'utf8')).not.toContain('# LangGraph API');
  });

  test('stops when it is told to, and frees its port', async () => {
    server.kill('SIGTERM');
    const [code] = await once(server, 'exit');
    expect(code).toBe(143);
    await expect(fetch(`${url}/ok`)).rejects.toThrow();
  });
});

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type HeaderProxy, startHeaderProxy } from '../support/header-proxy.js';
import { programToken } from '../support/mcp-http.js';
import { openServer, type TestServer } from '../support/server.js';

const ANA = 'ana.souza@example.com';
const SUITE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');
const EXPECTED = fileURLToPath(new URL('mcp-expected-failures.yaml', import.meta.url));

/** What the suite's own server calls by these names, and how the hub's features are reached. */
const NAMES: Readonly<Record<string, (params: Params) => Params>> = {
  test_simple_text: (params) => ({ ...params, name: 'search_knowledge', arguments: { query: 'pause' } }),
  test_error_handling: (params) => ({
    ...params,
    name: 'get_article_by_id',
    arguments: { article_id: 'kb-0' },
  }),
  test_tool_with_progress: (params) => ({
    ...params,
    name: 'cannot_reserve',
    arguments: { message: 'help' },
  }),
  test_elicitation: () => ({ name: 'cancel_reservation', arguments: { reservation_id: 'res_002' } }),
  test_simple_prompt: () => ({ name: 'triage_ticket', arguments: { text: 'I was charged twice' } }),
  test_prompt_with_embedded_resource: () => ({ name: 'answer_customer', arguments: { ticket_id: ticket } }),
  test_prompt_with_arguments: () => ({
    ref: { type: 'ref/prompt', name: 'answer_customer' },
    argument: { name: 'language', value: 'e' },
  }),
  'test://static-text': () => ({ uri: 'article://kb-refund-rules-en' }),
};
const RENAMED = [
  'completion-complete',
  'tools-call-simple-text',
  'tools-call-error',
  'tools-call-with-progress',
  'tools-call-elicitation',
  'resources-read-text',
  'prompts-get-simple',
  'prompts-get-embedded-resource',
];
/** Those of features that the hub has. */
const APPLY = [
  'server-initialize',
  'ping',
  'tools-list',
  'server-sse-multiple-streams',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];

/** Seconds after which the suite gives a stream up (they stand in its code): on a machine under load they are minutes. */
const PATIENCE = `data:text/javascript,${encodeURIComponent(`
  const start = globalThis.setTimeout;
  globalThis.setTimeout = (work, ms, ...more) =>
    [2_000, 5_000, 10_000].includes(ms) ? start(work, ms * 60, ...more).unref() : start(work, ms, ...more);`)}`;

type Params = Readonly<Record<string, unknown>>;

let server: TestServer;
let proxies: readonly HeaderProxy[];
let ticket: string;
let runs: readonly [Promise<Run>, Promise<Run>];
const results = mkdtempSync(join(tmpdir(), 'hub-conformance-'));

beforeAll(async () => {
  server = await openServer();
  ticket = (await server.hub.say(ANA, 'How do I pause my plan?')).ticketId;
  // The suite sends no token.
  const authorization = `Bearer ${await programToken(server, ANA)}`;
  proxies = [
    await startHeaderProxy(server.url, { authorization }),
    await startHeaderProxy(server.url, { authorization }, withHubNames),
  ];
  const [asItIs, renamed] = proxies.map(({ url }) => url);
  runs = [runSuite(String(asItIs), ['--expected-failures', EXPECTED]), runSuite(String(renamed), [])];
});

afterAll(async () => {
  for (const proxy of proxies) await proxy.close();
  await server.close();
  rmSync(results, { recursive: true, force: true });
});

function withHubNames(body: string): string {
  if (!body.startsWith('{')) return body;
  const message = JSON.parse(body) as { readonly params?: Params };
  const { params } = message;
  const { name } = (params?.ref ?? params ?? {}) as Params;
  const renamed = NAMES[String(params?.uri ?? name)];
  return params && renamed ? JSON.stringify({ ...message, params: renamed(params) }) : body;
}

interface Run {
  readonly code: number;
  readonly output: string;
  /** Checks that passed and failed, by scenario. */
  readonly scenarios: ReadonlyMap<string, { readonly passed: number; readonly failed: number }>;
}

function runSuite(url: string, more: readonly string[]): Promise<Run> {
  const args = [
    '--import',
    PATIENCE,
    SUITE,
    'server',
    '--url',
    `${url}/mcp`,
    '--suite',
    'all',
    '-o',
    results,
    ...more,
  ];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const lines = stdout.matchAll(/^\S+ ([\w-]+): (\d+) passed, (\d+) failed/gm);
      const scenarios = new Map(
        [...lines].map(([, name = '', passed, failed]) => [
          name,
          { passed: Number(passed), failed: Number(failed) },
        ]),
      );
      const code = error ? Number(error.code ?? 1) : 0;
      resolve({ code, output: `${stdout.slice(-4_000)}${stderr}`, scenarios });
    });
  });
}

describe('the conformance suite of the protocol', () => {
  it('[MCH-15] passes but for what is listed with its reason, and nothing listed passes', async () => {
    const { code, output, scenarios } = await runs[0];
    expect(code, output).toBe(0);
    for (const name of APPLY) {
      expect(scenarios.get(name)?.failed, name).toBe(0);
      expect(scenarios.get(name)?.passed, name).toBeGreaterThan(0);
    }
    const { server: listed } = parse(readFileSync(EXPECTED, 'utf8')) as {
      readonly server: readonly string[];
    };
    const known = [...listed, ...APPLY].sort();
    expect([...scenarios.keys()].sort()).toEqual(known);
  });

  it('[MCH-15] passes where its own names are put for those of the hub', async () => {
    const { output, scenarios } = await runs[1];
    for (const name of RENAMED)
      expect({ name, ...scenarios.get(name) }, output).toEqual({ name, passed: 1, failed: 0 });
  });
});

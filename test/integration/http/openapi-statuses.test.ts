import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../../src/core/domain/customer.js';
import { ROOT } from '../../architecture/cruise.js';
import { openServer, SECRET, type TestServer } from '../../support/server.js';
import { ANA, forge } from './support.js';

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operationId?: string;
  readonly security?: readonly object[];
  readonly tags?: readonly string[];
  readonly hasBody: boolean;
  readonly statuses: readonly number[];
}
interface Document {
  readonly servers?: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
}
interface RawOperation extends Pick<Operation, 'operationId' | 'security' | 'tags'> {
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, unknown>>;
}

let at: TestServer;
let document: Document;
let operations: readonly Operation[];
beforeAll(async () => {
  at = await openServer({ env: { HUB_TURNS_PER_MINUTE: '0', HUB_TURNS_PER_MINUTE_PER_ADDRESS: '0' } });
  document = (await at.get('/openapi.json')).body as unknown as Document;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses, requestBody, ...rest }]) => ({
      ...rest,
      ...{ method: method.toUpperCase(), path, name: `${method.toUpperCase()} ${path}` },
      hasBody: requestBody !== undefined,
      statuses: Object.keys(responses).map(Number),
    })),
  );
});
afterAll(() => at.close());

type Headers = Readonly<Record<string, string>>;
const VISITOR = { role: 'visitor', sub: 'vis_x', iss: 'uda-hub', aud: 'uda-hub', exp: 4e9 };
/** Fits every request of the API, and is about nothing that is there. */
const ANY_BODY = JSON.stringify({
  ...{ tool: 'x', args: {}, until: null },
  ...{ email: 'nobody@example.com', code: '000000' },
  ...{ text: 'hello', answer: 'yes', helpful: true, choice: 'A', note: 'n', message: 'hello' },
  ...{
    decision: 'reject',
    action: 'reject',
    reason: 'because',
    scopes: ['account:read'],
    operator_id: 'op_x',
  },
  ...{ endpoint: 'https://push.example.com/wake/x1', on: true },
  ...{ name: 'A macro', macro_id: 'x1', into: 'x2', team: null, message_id: 'x1' },
  visitor_token: forge({ alg: 'HS256' }, VISITOR, SECRET),
  ...{ path: 'texts/none.yaml', before: 'x', what: 'check' },
  ...{ title: 'A title', content: 'What it says, in a sentence.', language: 'en', tags: ['one'] },
});
const JSON_TYPE = { 'content-type': 'application/json' };
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
/** What the parameters of a path are: something that is there where the test has made it. */
const filled = (path: string, values: Headers = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'x1');

const isUpload = (path: string): boolean => path.endsWith('/files');

async function statusOf(
  server: TestServer,
  { method, path, hasBody }: Operation,
  headers: Headers,
  more: {
    readonly body?: string | Uint8Array<ArrayBuffer>;
    readonly values?: Headers;
    readonly query?: string;
  } = {},
): Promise<number> {
  const sent = method === 'GET' || (!hasBody && more.body === undefined) ? {} : { body: more.body ?? '{}' };
  const abort = new AbortController();
  const query = more.query ?? (isUpload(path) ? '?name=page.html' : '');
  const response = await server.http.request(`http://localhost${filled(path, more.values)}${query}`, {
    ...{ method, headers, signal: abort.signal },
    ...sent,
  });
  // A stream that was opened is not read.
  await response.body?.cancel();
  return response.status;
}

/** Everything that went wrong with every operation, as `name status`. */
class Seen {
  readonly #seen = new Map<string, Set<number>>();
  add({ name }: Operation, status: number): void {
    this.#seen.set(name, (this.#seen.get(name) ?? new Set()).add(status));
  }
  of({ name }: Operation): ReadonlySet<number> {
    return this.#seen.get(name) ?? new Set();
  }
}

const undocumented = (seen: Seen): readonly string[] =>
  operations.flatMap((operation) =>
    [...seen.of(operation)]
      .filter((status) => !operation.statuses.includes(status))
      .map((status) => `${operation.name} answers ${status}, which it does not document`),
  );

describe('the statuses that /openapi.json documents', () => {
  it('[ATK-20] are all that wrong requests meet, and wrong requests meet them', async () => {
    const seen = new Seen();
    const [ana, operator] = [await at.token(ANA), await at.operator()];
    const { sessions } = at.hub.app;
    const program = (await sessions.issueFor({ email: ANA }, { scopes: [...SCOPES] })).token;
    const narrow = (await sessions.issueFor({ email: ANA }, { scopes: ['account:read'] })).token;
    const clerk = { operatorId: 'op_olga', name: 'Olga' };
    const staff = (await sessions.issueFor({ operator: clerk }, { scopes: [...SCOPES] })).token;
    const tokens = [ana, operator, program, narrow, staff].map(bearer);
    const thread_id = await at.thread(ana);
    const asked = await at.post(`/api/threads/${thread_id}/messages`, ana, { text: 'hello' });
    const mine = { thread_id, ticket_id: String(asked.body.ticket_id) };
    const agents = { agent: 'action', skill: 'cancel_reservation' };
    for (const operation of operations) {
      const own = operation.path.startsWith('/api/desk')
        ? operator
        : operation.path.startsWith('/api')
          ? ana
          : program;
      const good = { ...bearer(own), ...JSON_TYPE };
      const values = operation.path.startsWith('/agents') ? agents : {};
      const tried: [Headers, Parameters<typeof statusOf>[3]?][] = [
        [JSON_TYPE],
        [{ ...JSON_TYPE, authorization: 'Bearer nonsense' }],
        [{ ...JSON_TYPE, authorization: 'nonsense' }],
        ...tokens.flatMap((token): [Headers, Parameters<typeof statusOf>[3]?][] => [
          [{ ...JSON_TYPE, ...token }],
          [{ ...JSON_TYPE, ...token }, { values }],
        ]),
        [{ ...good, accept: 'image/png' }, { values }],
        [{ ...good, origin: 'https://elsewhere.example' }, { values }],
        [good, { values, query: '?path=texts/none.yaml' }],
        [good, { values, query: '?limit=x&days=x&view=x&lang=x&page_size=x&q=&token=x' }],
      ];
      if (operation.hasBody)
        tried.push(
          [good, { body: ANY_BODY }],
          [good, { values, body: ANY_BODY }],
          [good, { values, body: ANY_BODY.replace('"decision":"reject"', '"decision":"decline"') }],
          [good, { values, body: '{' }],
          [good, { values, body: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]) }],
          [good, { values, body: '['.repeat(200) + ']'.repeat(200) }],
          [good, { values, body: JSON.stringify({ text: 'x'.repeat(1_200_000) }) }],
          [
            { ...good, 'content-type': 'text/plain' },
            { values, body: 'hello' },
          ],
          [
            { ...good, 'content-type': 'application/xml' },
            { values, body: '<x/>' },
          ],
          [good, { values, body: '7' }],
          [good, { values, body: '{"nothing":"known"}' }],
          [{ ...good, 'idempotency-key': 'x'.repeat(300) }, { values }],
        );
      if (isUpload(operation.path))
        tried.push(
          [good, { values: mine, body: 'hello' }],
          [good, { values: mine, body: new Uint8Array(11_000_000) }],
        );
      for (const [headers, more] of tried) seen.add(operation, await statusOf(at, operation, headers, more));
    }
    const strict = await openServer({ env: { HUB_DEMO: '0', HUB_METRICS_TOKEN: 'a-token-of-the-tests' } });
    try {
      for (const operation of operations.filter(({ security }) => security?.length === 0)) {
        seen.add(operation, await statusOf(strict, operation, JSON_TYPE));
        for (const body of [{ email: ANA }, { email: ANA, code: '000000' }])
          seen.add(operation, await statusOf(strict, operation, JSON_TYPE, { body: JSON.stringify(body) }));
      }
    } finally {
      await strict.close();
    }
    expect(undocumented(seen)).toEqual([]);
    const unmet = operations.flatMap((operation) =>
      operation.statuses
        .filter((status) => [400, 401, 403, 404, 406, 413, 415].includes(status))
        .filter((status) => !seen.of(operation).has(status))
        .map((status) => `${operation.name} documents ${status}, which was not met`),
    );
    expect(unmet).toEqual([]);
  });

  it('[ATK-20] are also those of a key that was used, of too many requests, and of a database that is gone', async () => {
    const busy = await openServer({
      env: { HUB_TURNS_PER_MINUTE: '1', HUB_TURNS_PER_MINUTE_PER_ADDRESS: '1' },
    });
    const seen = new Seen();
    const [ana, operator] = [await busy.token(ANA), await busy.operator()];
    const { token: program } = await busy.hub.app.sessions.issueFor({ email: ANA }, { scopes: [...SCOPES] });
    const headersOf = ({ path }: Operation): Headers => {
      const own = path.startsWith('/api/desk') ? operator : path.startsWith('/api') ? ana : program;
      return { ...bearer(own), ...JSON_TYPE };
    };
    const values = { agent: 'action', skill: 'get_subscription' };
    for (const operation of operations)
      for (const body of [ANY_BODY, `${ANY_BODY} `]) {
        const headers = { ...headersOf(operation), 'idempotency-key': `key of ${operation.name}` };
        seen.add(operation, await statusOf(busy, operation, headers, { body }));
      }
    // Whoever asks this often is refused everywhere that anything is counted.
    const counted = operations.filter(({ statuses }) => statuses.includes(429));
    for (const operation of counted)
      for (let time = 0; time < 60 && !seen.of(operation).has(429); time += 1)
        for (const body of [ANY_BODY, '{"message":"How do I cancel?"}'])
          seen.add(operation, await statusOf(busy, operation, headersOf(operation), { values, body }));
    expect(counted.filter((operation) => !seen.of(operation).has(429)).map(({ name }) => name)).toEqual([]);
    for (const operation of operations)
      seen.add(operation, await statusOf(busy, operation, headersOf(operation), { values, body: ANY_BODY }));
    await busy.hub.app.close();
    for (const operation of operations)
      seen.add(operation, await statusOf(busy, operation, headersOf(operation), { values, body: ANY_BODY }));
    await busy.close();
    expect(undocumented(seen)).toEqual([]);
    const all = operations.flatMap((operation) => [...seen.of(operation)]);
    for (const status of [409, 429, 503]) expect(all).toContain(status);
  });
});

describe('/openapi.json', () => {
  it('[ATK-20] names each operation once, says which are open to everybody, and where the server is', async () => {
    const ids = operations.map(({ operationId }) => operationId ?? '');
    expect(new Set(ids).size).toBe(operations.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-zA-Z]+$/);
    const open = operations.filter(({ security }) => security?.length === 0).map(({ name }) => name);
    expect(open.sort()).toEqual([
      'GET /api/config',
      'GET /healthz',
      'GET /metrics',
      'GET /readyz',
      'POST /api/mail/unsubscribe',
      'POST /api/session',
      'POST /api/session/code',
    ]);
    expect(operations.filter(({ security }) => security === undefined)).toEqual([]);
    const tags = new Set(document.tags.map(({ name }) => name));
    for (const { name, tags: own = [] } of operations)
      expect(
        own.every((tag) => tags.has(tag)),
        name,
      ).toBe(true);
    expect(document.servers?.map(({ url }) => url)).toEqual(['/']);
    const named = await openServer({ env: { HUB_PUBLIC_URL: 'https://support.example.com' } });
    try {
      const { servers } = (await named.get('/openapi.json')).body as unknown as Document;
      expect(servers?.map(({ url }) => url)).toEqual(['https://support.example.com']);
    } finally {
      await named.close();
    }
  });

  it('[ATK-20] passes the linter without an error, and a spoilt one does not', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hub-openapi-'));
    try {
      const file = join(folder, 'openapi.json');
      const text = (await at.get('/openapi.json')).text;
      writeFileSync(file, text);
      const { ok, said } = await lint(file);
      expect(said).toContain('valid');
      expect(ok, said).toBe(true);
      writeFileSync(file, text.replace('"operationId":"getSession"', '"operationId":"openSession"'));
      expect((await lint(file)).said).toContain('operation-operationId-unique');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** Runs the linter with the rules of this repository; it tells nobody and asks nobody. */
function lint(file: string): Promise<{ readonly ok: boolean; readonly said: string }> {
  const command = join(ROOT, 'node_modules', '@redocly/cli', 'bin/cli.js');
  const config = join(ROOT, 'redocly.yaml');
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return new Promise((resolve) => {
    execFile(process.execPath, [command, 'lint', file, '--config', config], { env }, (error, out, err) =>
      resolve({ ok: error === null, said: out + err }),
    );
  });
}

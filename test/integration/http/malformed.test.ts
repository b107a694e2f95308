import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer, SECRET, type TestServer } from '../../support/server.js';
import { ANA, forge } from './support.js';

const COUNT = 10_000;
const AT_ONCE = 50;

interface Malformed {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '..',
    '../..',
    '%',
    '%00',
    '%2e%2e%2f',
    '%E0%A4%A',
    '\u202e',
    '\ud800',
    '￾',
    '💥'.repeat(50),
    "' OR 1=1 --",
    '<script>',
    '{{7*7}}',
    '__proto__',
    'constructor',
    'toString',
    '-1',
    '1e309',
    'NaN',
    'null',
    'undefined',
    'a'.repeat(3_000),
  ),
);
const segment = fc.oneof(
  oddText.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('thr_1', 'x', '%', '%zz', '%c0%ae', '*', ':id', '{id}', 'true', '0'),
);
const known = fc.constantFrom(
  '/api/session',
  '/api/session/code',
  '/api/config',
  '/api/threads',
  '/api/threads/{}',
  '/api/threads/{}/messages',
  '/api/threads/{}/pending/{}',
  '/api/threads/{}/rating',
  '/api/threads/{}/events',
  '/api/articles/{}',
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/',
  '/desk',
  '/docs',
  '/embed.js',
  '/assets/{}',
  '/api',
  '/api/',
  '//api/threads',
  '/api/desk/tickets',
  '/api/desk/tickets/{}',
  '/api/desk/tickets/{}/claim',
  '/api/desk/tickets/{}/reply',
  '/api/desk/tickets/{}/resolve',
  '/api/desk/tickets/{}/return',
  '/api/desk/tickets/{}/choose',
  '/api/desk/approvals',
  '/api/desk/approvals/{}',
  '/api/desk/customers',
  '/api/desk/customers/{}',
  '/api/desk/knowledge',
  '/api/desk/knowledge/{}',
  '/api/desk/knowledge/{}/publish',
  '/api/desk/reports',
  '/api/desk/skills',
);
const query = fc.oneof(
  fc.constant(''),
  fc
    .array(
      fc.tuple(
        fc.constantFrom('limit', 'after', 'q', 'view', 'days', 'status', '__proto__', 'limit'),
        segment,
      ),
      { maxLength: 4 },
    )
    .map((pairs) =>
      pairs.length === 0 ? '?' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`,
    ),
);
const path = fc
  .tuple(known, segment, segment, query, fc.boolean())
  .map(
    ([route, one, two, search, own]) =>
      `${route.replace('{}', own ? 'OWN' : one).replace('{}', two)}${search}`,
  );
const json = fc.oneof(
  fc.json({ maxDepth: 6 }),
  fc.object({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
  fc
    .dictionary(
      fc.constantFrom(
        'text',
        'client_message_id',
        'answer',
        'helpful',
        'comment',
        'email',
        'operator',
        'name',
        'code',
        'decision',
        'args',
        'reason',
        'title',
        'content',
        'tags',
        'language',
        'choice',
        'summary',
        '__proto__',
        'constructor',
      ),
      fc.oneof(
        oddText,
        fc.integer(),
        fc.double(),
        fc.boolean(),
        fc.constant(null),
        fc.array(oddText, { maxLength: 3 }),
        fc.object({ maxDepth: 2 }),
        fc.constantFrom<unknown>('yes', 'approve', 'edit', 'reject', ANA, 'pt-BR'),
      ),
    )
    .map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '{',
    '{"text":',
    '{"text":"a"}}',
    'nul',
    '\ufeff{}',
    '{"__proto__":{"role":"operator"}}',
    '{"a":1,"a":2}',
    '1e999',
    '[]',
    '""',
    `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`,
    '['.repeat(20_000),
    `{"text":"${'a'.repeat(70_000)}"}`,
    '{"text":"\\ud800"}',
    '{"text":"\\u0000"}',
    '{"operator":true,"email":"x"}',
    '{"args":{"constructor":{"prototype":{"x":1}}}}',
  ),
);
const body = fc.oneof(
  { weight: 4, arbitrary: json },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => new Uint8Array(bytes)) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);
const header = fc.oneof(
  fc.tuple(
    fc.constant('content-type'),
    fc.constantFrom(
      'application/json',
      'application/json; charset=utf-16',
      'text/plain',
      'multipart/form-data',
      'application/xml',
      '/',
      ';;;',
      'application/vnd.api+json',
    ),
  ),
  fc.tuple(
    fc.constant('accept'),
    fc.constantFrom(
      '*/*',
      'text/event-stream',
      'image/*',
      'application/json;q=0',
      ',,,',
      'a/b;q=x',
      'text/html',
    ),
  ),
  fc.tuple(
    fc.constant('last-event-id'),
    fc.constantFrom('1.1', '-1', '999999999999999.9', 'x', '0', '1.1.1'),
  ),
  fc.tuple(fc.constant('idempotency-key'), fc.constantFrom('k', 'x'.repeat(300), ' ', 'é', '__proto__')),
  fc.tuple(
    fc.constantFrom(
      'x-request-id',
      'x-forwarded-for',
      'origin',
      'if-none-match',
      'range',
      'cookie',
      'x-http-method-override',
      'content-encoding',
      'expect',
      'content-length',
    ),
    oddText.map((text) => text.replace(/[^\x20-\x7e]/g, '?')),
  ),
);
const malformed: fc.Arbitrary<Malformed> = fc.record({
  method: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('POST', 'GET') },
    { weight: 1, arbitrary: fc.constantFrom('PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND', 'get') },
  ),
  path,
  headers: fc.array(header, { maxLength: 2 }),
  body,
});

let at: TestServer;
const tokens: (string | undefined)[] = [];
let thread: string;
beforeAll(async () => {
  at = await openServer({ env: { HUB_TURNS_PER_MINUTE_PER_ADDRESS: '300' } });
  for (let time = 0; time < 4; time += 1) tokens.push(await at.token(ANA), await at.operator());
  tokens.push(undefined, 'garbage');
  tokens.push(
    forge({ alg: 'none' }, { role: 'operator', exp: 4e9 }, null),
    forge({ alg: 'HS256' }, { role: 'x' }, SECRET),
  );
  thread = await at.thread(tokens[0] ?? '');
});
afterAll(() => at.close());

/** Null where no client could send it either. */
function toRequest(input: Malformed, token: string | undefined): Request | null {
  try {
    const headers = new Headers(input.headers.map(([name, value]): [string, string] => [name, value]));
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    if (input.body !== undefined && !headers.has('content-type'))
      headers.set('content-type', 'application/json');
    const hasBody = input.body !== undefined && !['GET', 'HEAD', 'get'].includes(input.method);
    const url = `http://localhost${input.path.replace('OWN', thread)}`;
    return new Request(url, {
      method: input.method,
      headers,
      ...(hasBody ? { body: input.body ?? null } : {}),
    });
  } catch {
    return null;
  }
}

/** What is wrong with the answer, or null; its status is counted. */
async function faultOf(request: Request, seen: Map<number, number>): Promise<string | null> {
  const response = await at.http.fetch(request);
  const { status } = response;
  seen.set(status, (seen.get(status) ?? 0) + 1);
  const type = response.headers.get('content-type') ?? '';
  // On a machine with much to do a part answers late, and readiness says so: that is its answer, and no fault.
  const saysLate = status === 503 && new URL(request.url).pathname === '/readyz';
  if (status >= 500 && !saysLate) return `${status} ${await response.text()}`;
  if (type.startsWith('text/event-stream')) await response.body?.cancel();
  else {
    const text = await response.text();
    if (
      status >= 400 &&
      !saysLate &&
      request.method !== 'HEAD' &&
      !type.startsWith('application/problem+json')
    )
      return `${status} is no problem document: ${type} ${text.slice(0, 200)}`;
    if (text.includes('node_modules') || text.includes('SQLITE'))
      return `shows the inside: ${text.slice(0, 200)}`;
  }
  return null;
}

describe('ten thousand malformed requests', () => {
  it('[HTP-70] are all answered, none with a fault, and the server serves on', async () => {
    const inputs = fc.sample(malformed, { numRuns: COUNT, seed: 4 });
    const faults: string[] = [];
    const seen = new Map<number, number>();
    let sent = 0;
    const work = async (): Promise<void> => {
      for (let input = inputs.pop(); input !== undefined; input = inputs.pop()) {
        const request = toRequest(input, tokens[inputs.length % tokens.length]);
        if (request === null) continue;
        sent += 1;
        const fault = await faultOf(request, seen).catch((error: unknown) => `threw ${String(error)}`);
        if (fault !== null)
          faults.push(
            `${input.method} ${input.path.slice(0, 100)} ${JSON.stringify(input.headers)} ${String(input.body).slice(0, 200)}: ${fault}`,
          );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(faults.slice(0, 5)).toEqual([]);
    expect(sent).toBeGreaterThan(COUNT * 0.9);
    // That every kind of refusal is among them shows that the requests reach all parts.
    for (const status of [200, 201, 400, 401, 403, 404, 405, 406, 409, 413, 415, 422])
      expect(seen.get(status), `status ${status}`).toBeGreaterThan(0);
    expect((await at.post(`/api/threads/${thread}/messages`, tokens[0], { text: 'hello' })).status).toBe(200);
    expect((await at.post(`/api/threads/${thread}/rating`, tokens[0], { helpful: true })).status).toBe(204);
    await expect
      .poll(async () => {
        at.hub.clock.advance({ ms: 5_000 });
        return (await at.get('/readyz')).status;
      })
      .toBe(200);
  });
});

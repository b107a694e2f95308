import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_TYPES, apiTypes } from '../../../scripts/generate-api.js';
import { type Answer, openServer, type TestServer } from '../../support/server.js';
import { ANA, SAMBA } from './support.js';

interface Operation {
  readonly security?: readonly unknown[];
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: object }>>;
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly securitySchemes: object; readonly schemas: object };
}

let at: TestServer;
let document: Document;
beforeAll(async () => {
  at = await openServer();
  document = (await at.get('/openapi.json')).body as unknown as Document;
});
afterAll(() => at.close());

const operations = (): readonly (readonly [string, Operation])[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );

describe('/openapi.json', () => {
  it('[HTP-60] is a document of 3.1 whose references all lead somewhere', () => {
    expect(document.openapi).toBe('3.1.0');
    const references = JSON.stringify(document).match(/"#\/components\/[^"]+"/g) ?? [];
    expect(references.length).toBeGreaterThan(20);
    for (const reference of new Set(references)) {
      const parts = reference.slice(3, -1).split('/');
      const found = parts.reduce<unknown>(
        (value, part) => (value as Record<string, unknown>)?.[part],
        document,
      );
      expect(found, reference).toBeTypeOf('object');
    }
  });

  it('[PAGE-03] is what the types of the pages were generated from (else: npm run generate:api)', async () => {
    const types = await apiTypes(document);
    expect(readFileSync(API_TYPES, 'utf8')).toBe(types);
    expect(types).toContain('export type RecordSection = {\n  readonly id: string;');
    expect(types).not.toMatch(/\bany\b/);
  });

  it('[HTP-60] has patterns and types that JSON Schema knows', () => {
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { pattern, type } = value as { readonly pattern?: unknown; readonly type?: unknown };
      if (typeof pattern === 'string') expect(() => new RegExp(pattern, 'u'), pattern).not.toThrow();
      if (typeof pattern === 'string') expect(pattern).not.toMatch(/\/[a-z]*$/);
      if (typeof type === 'string')
        expect(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null', 'http']).toContain(type);
      for (const child of Object.values(value)) walk(child);
    };
    walk(document);
    // What may be missing at one place is no kind of nothing at all others.
    for (const name of ['Pending', 'Classification', 'Escalation', 'Reply', 'Thread'])
      expect((document.components.schemas as Record<string, { type: unknown }>)[name]?.type, name).toBe(
        'object',
      );
  });

  it('[HTP-60] has every path and method that the server answers', () => {
    const served = at.http.routes
      .filter(
        ({ method, path }) =>
          method !== 'ALL' && /^\/(api\/|healthz|readyz|metrics|agents\/:agent\/(skills|tasks))/.test(path),
      )
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(served.length).toBeGreaterThan(15);
    expect(
      operations()
        .map(([name]) => name)
        .sort(),
    ).toEqual([...new Set(served)].sort());
  });

  it('[HTP-60] says of each operation what it is, what it needs and how it fails', () => {
    const open = [
      'POST /api/session',
      'POST /api/session/code',
      'POST /api/mail/unsubscribe',
      'GET /api/config',
      'GET /healthz',
      'GET /readyz',
      'GET /metrics',
    ];
    for (const [name, { security, summary, tags, responses }] of operations()) {
      expect(summary, name).toBeTruthy();
      expect(tags, name).toHaveLength(1);
      // Programs may ask agents without a token as well as with one.
      const ways = name.includes('/agents/') ? 2 : 1;
      expect(security ?? [], name).toHaveLength(open.includes(name) ? 0 : ways);
      const problems = Object.entries(responses).filter(
        ([status]) => Number(status) >= 400 && status !== '503',
      );
      if (name.includes('/api/')) expect(problems.length, name).toBeGreaterThan(0);
      for (const [status, { content }] of problems)
        expect(Object.keys(content ?? {}), `${name} ${status}`).toEqual(['application/problem+json']);
    }
  });

  it('[HTP-60] every operation that needs a token refuses to work without one', async () => {
    for (const [name, { security }] of operations()) {
      const [method = '', path = ''] = name.split(' ');
      if ((security ?? []).length !== 1) continue;
      const answer = await at.call(method, path.replaceAll(/\{\w+\}/g, 'x1'));
      expect(answer.status, name).toBe(401);
      const own = await at.token(ANA);
      if (path.startsWith('/api/desk'))
        expect((await at.call(method, path.replaceAll(/\{\w+\}/g, 'x1'), { token: own })).status, name).toBe(
          403,
        );
    }
  });

  it('[HTP-61] is kept: real answers are what the document says', async () => {
    const conforms = conformance(document);
    const [ana, operator] = [await at.token(ANA), await at.operator()];
    const thread = await at.thread(ana);
    const said = `/api/threads/${thread}`;
    const messages = await at.post(`${said}/messages`, ana, { text: SAMBA });
    const { id } = messages.body.pending as { readonly id: string };
    const ticket = String(messages.body.ticket_id);
    const [article] = await at.hub.app.kb.list();
    conforms('POST /api/threads/{thread_id}/messages', messages);
    conforms(
      'POST /api/threads/{thread_id}/pending/{pending_id}',
      await at.post(`${said}/pending/${id}`, ana, { answer: 'yes' }),
    );
    conforms('POST /api/threads', await at.post('/api/threads', ana, {}));
    conforms('POST /api/session', await at.post('/api/session', undefined, { operator: true }));
    conforms('POST /api/session/code', await at.post('/api/session/code', undefined, { email: ANA }));
    await at.post(`${said}/messages`, ana, { text: 'I want to talk to a human' });
    const reads: readonly (readonly [string, string, string?])[] = [
      ['/api/threads', '/api/threads', ana],
      ['/api/threads/{thread_id}', said, ana],
      ['/api/threads/{thread_id}', '/api/threads/none', ana],
      ['/api/session', '/api/session', ana],
      ['/api/session', '/api/session', operator],
      ['/api/session', '/api/session'],
      ['/api/config', '/api/config'],
      ['/api/articles/{article_id}', `/api/articles/${article?.articleId}`, ana],
      ['/healthz', '/healthz'],
      ['/readyz', '/readyz'],
      ['/api/desk/tickets', '/api/desk/tickets?view=all', operator],
      ['/api/desk/tickets', '/api/desk/tickets?view=wrong', operator],
      ['/api/desk/tickets/{ticket_id}', `/api/desk/tickets/${ticket}`, operator],
      ['/api/desk/approvals', '/api/desk/approvals', operator],
      ['/api/desk/customers', '/api/desk/customers?q=ana', operator],
      ['/api/desk/customers/{customer_id}', '/api/desk/customers/usr_001', operator],
      ['/api/desk/knowledge', '/api/desk/knowledge', operator],
      ['/api/desk/reports', '/api/desk/reports?days=30', operator],
      ['/api/desk/skills', '/api/desk/skills', operator],
    ];
    for (const [route, path, token] of reads) conforms(`GET ${route}`, await at.get(path, token));
  });
});

/** A check that an answer has a declared status and the body declared for it. */
function conformance({ paths, components }: Document): (operation: string, answer: Answer) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: 'hub', components });
  return (name, { status, headers, body }) => {
    const [method = '', path = ''] = name.split(' ');
    const declared = paths[path]?.[method.toLowerCase()]?.responses[status];
    expect(declared, `${name} ${status}: ${JSON.stringify(body).slice(0, 300)}`).toBeDefined();
    const content = (declared?.content ?? {}) as Record<string, { readonly schema: object }>;
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    const text = JSON.stringify(content[type]?.schema ?? false).replaceAll('"#/', '"hub#/');
    const validate = ajv.compile(JSON.parse(text) as object);
    expect(validate(body) ? [] : validate.errors?.slice(0, 3), `${name} ${status} ${type}`).toEqual([]);
  };
}

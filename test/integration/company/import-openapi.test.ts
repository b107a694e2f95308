import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openHttp } from '../../../src/adapters/sources/http-source.js';
import { checkCompany } from '../../../src/app/company-check.js';
import { importOpenApi } from '../../../src/app/company-commands.js';
import { writeNewCompany } from '../../../src/company/company-folder.js';
import { parseConfig } from '../../../src/config/config.js';
import { makeTempDir } from '../../support/hub.js';

const SHOP = 'examples/shop-service/openapi.yaml';
const room = makeTempDir();
const folder = join(room, 'mine');
const config = parseConfig({ HUB_COMPANY: folder, HUB_DATA_DIR: join(room, 'data'), SHOP_TOKEN: 't' });
const options = { source: 'shop', identity: [], only: [] };
const read = (file: string) => parse(readFileSync(join(folder, file), 'utf8'));
const written = (name: string, text: string): string => {
  const file = join(room, name);
  writeFileSync(file, text);
  return file;
};
/** A document with these operations. */
const document = (paths: object, more: object = {}): string =>
  JSON.stringify({ openapi: '3.0.3', info: { title: 'x', version: '1' }, paths, ...more });
const ok = { 200: { description: 'OK' } };
const parameter = (name: string, where = 'query') => ({
  ...{ name, in: where, required: where === 'path', schema: { type: 'string' } },
});

beforeAll(() => void writeNewCompany(folder, { name: 'Mine', languages: ['en', 'pt-BR'] }));
afterAll(() => rmSync(room, { recursive: true, force: true }));

describe('tools from an OpenAPI document', () => {
  it('[BYO-12] are drafted so that the company passes the check, with the customer from the session', async () => {
    const drafts = await importOpenApi(config, SHOP, options);
    // How what is found is said, a document does not tell.
    const unsaid = /no sentence to answer with/;
    expect((await checkCompany(config)).filter(({ problem }) => !unsaid.test(problem))).toEqual([]);
    expect(read('reads/get_order.yaml').read.found.path).toBe(
      '/customers/{customer_id}/orders/{input.order_id}',
    );
    expect(drafts.find(({ tool }) => tool === 'get_order')).toMatchObject({ identity: ['customer_id'] });
    expect(read('actions/return_items.yaml')).toMatchObject({
      target: { input: 'order_id' },
      read: { order: { path: '/customers/{customer_id}/orders/{input.order_id}', one: true } },
      perform: { path: '/orders/{input.order_id}/returns', body: { item_ids: '{input.item_ids}' } },
      find_outcome: { path: '/operations/{idempotency_key}' },
    });
    expect(read('sources.yaml').sources.shop).toEqual({
      ...{ kind: 'http', endpoint: 'env:SHOP_URL:-http://127.0.0.1:3900' },
      ...{ auth: 'bearer', credentials: 'env:SHOP_TOKEN' },
    });
  });

  it('[BYO-12] leaves what is there, and lays aside what it cannot decide', async () => {
    const before = readFileSync(join(folder, 'actions', 'cancel_order.yaml'), 'utf8');
    const drafts = await importOpenApi(config, SHOP, options);
    expect(drafts.find(({ tool }) => tool === 'cancel_order')?.file).toBeNull();
    expect(readFileSync(join(folder, 'actions', 'cancel_order.yaml'), 'utf8')).toBe(before);
    expect(existsSync(join(folder, 'reads', 'find_products.yaml'))).toBe(false);
    expect(drafts.find(({ tool }) => tool === 'find_products')?.undecided).toContain('public');
  });

  it('[BYO-12] tells what may be repeated, who may be meant, and takes an identity that it is told of', async () => {
    const file = written(
      'api.json',
      document({
        '/refunds': {
          post: { operationId: 'makeRefund', parameters: [parameter('accountId')], responses: ok },
        },
        '/plan': { put: { operationId: 'setPlan', parameters: [parameter('rider')], responses: ok } },
        '/find': {
          get: {
            operationId: 'findRides',
            parameters: [parameter('user_id'), parameter('email')],
            responses: ok,
          },
        },
      }),
    );
    const drafts = await importOpenApi(config, file, { ...options, identity: ['rider'] });
    const by = (tool: string) => drafts.find((one) => one.tool === tool);
    expect(by('make_refund')).toMatchObject({ repeatable: false, identity: ['accountId'], undecided: null });
    expect(read('actions/make_refund.yaml').perform).toMatchObject({
      repeatable: false,
      params: { accountId: '{customer_id}' },
    });
    expect(by('set_plan')).toMatchObject({ repeatable: true, identity: ['rider'], undecided: null });
    expect(by('find_rides')?.undecided).toContain('email may say who the customer is');
  });

  it.each([
    [
      { type: 'apiKey', in: 'header', name: 'X-Key' },
      { auth: 'api_key', header: 'X-Key' },
    ],
    [
      { type: 'http', scheme: 'basic' },
      { auth: 'basic', credentials: 'env:S_USER,env:S_PASSWORD' },
    ],
    [
      {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl: 'http://x.example/token', scopes: { read: '' } } },
      },
      { auth: 'oauth2', token_url: 'http://x.example/token', scope: 'read' },
    ],
  ])('[BYO-12] takes %o for how its system knows who calls', async (scheme, expected) => {
    const other = join(room, `by-${expected.auth}`);
    writeNewCompany(other, { name: 'Other' });
    const file = written('auth.json', document({}, { components: { securitySchemes: { a: scheme } } }));
    await importOpenApi(parseConfig({ HUB_COMPANY: other }), file, { ...options, source: 's' });
    const { sources } = parse(readFileSync(join(other, 'sources.yaml'), 'utf8'));
    expect(sources.s).toMatchObject(expected);
    const findings = await checkCompany(parseConfig({ HUB_COMPANY: other, HUB_DATA_DIR: room }));
    expect(findings.filter(({ severity }) => severity === 'fault')).toEqual([]);
  });

  it.each([
    ['nothing.yaml', null, /cannot be read/],
    ['old.json', '{"swagger":"2.0"}', /no OpenAPI 3/],
    ['wrong.json', '{"openapi":"3.0.0","paths":{}}', /no valid OpenAPI document/],
    ['outside.json', document({ '/x': { $ref: './other.json' } }), /outside\.json/],
  ])('[BYO-12] says what is wrong with %s', async (name, text, told) => {
    const file = text === null ? join(room, name) : written(name, text);
    const before = readFileSync(join(folder, 'sources.yaml'), 'utf8');
    if (name === 'outside.json') {
      // What stands elsewhere is not read.
      writeFileSync(
        join(room, 'other.json'),
        JSON.stringify({ get: { operationId: 'elsewhere', responses: ok } }),
      );
      await importOpenApi(config, file, options).catch((error: unknown) =>
        expect(String(error)).toMatch(told),
      );
      expect(existsSync(join(folder, 'drafts', 'reads', 'elsewhere.yaml'))).toBe(false);
    } else
      await expect(importOpenApi(config, file, options)).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringMatching(told),
      });
    expect(readFileSync(join(folder, 'sources.yaml'), 'utf8')).toBe(before);
  });
});

describe('a system that gives tokens to client credentials', () => {
  it('[BYO-12] is asked with a token that is kept, and with another where that one was taken back', async () => {
    const asked: string[] = [];
    let token = 0;
    let valid = '';
    const server = createServer((request, response) => {
      const { url = '', headers } = request;
      asked.push(`${url} ${headers.authorization}`);
      const json = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (url !== '/token')
        return void json(headers.authorization === `Bearer ${valid}` ? 200 : 401, { fine: true });
      token += 1;
      valid = `t${token}`;
      return void json(200, { access_token: valid, expires_in: 3600 });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const values: Readonly<Record<string, string>> = { ID: 'hub', SECRET: 'a:b c' };
    const source = openHttp(
      {
        ...{ name: 's', kind: 'http', endpoint, auth: 'oauth2', token_url: `${endpoint}/token` },
        credentials: 'env:ID,env:SECRET',
      },
      (name) => values[name],
    );
    const get = () =>
      source.request({ method: 'GET', path: '/x' }, { signal: new AbortController().signal, maxRows: 1 });
    expect([(await get()).status, (await get()).status]).toEqual([200, 200]);
    valid = 'taken back';
    expect((await get()).status).toBe(200);
    await source.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const basic = `Basic ${Buffer.from('hub:a%3Ab%20c').toString('base64')}`;
    expect(asked).toEqual([
      ...[`/token ${basic}`, '/x Bearer t1', '/x Bearer t1'],
      ...['/x Bearer t1', `/token ${basic}`, '/x Bearer t2'],
    ]);
  });
});

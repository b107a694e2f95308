import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataSources } from '../../../../src/adapters/sources/data-sources.js';
import type { JsonObject } from '../../../../src/core/domain/json.js';
import { executeImplementation } from '../../../../src/skills/implementation/execute-implementation.js';
import { json, startHttpServer, type TestHttpServer } from '../../../support/http-server.js';
import { createRecordingLog } from '../../../support/recording-log.js';
import { packOf, testContext } from '../../../support/skill-context.js';

describe('[SKI-01] a skill that is a function', () => {
  const run = (handler: string, input: JsonObject, output_schema: JsonObject = {}, signal?: AbortSignal) =>
    executeImplementation(
      packOf({ implementation: { type: 'ts_function', handler }, output_schema }),
      input,
      testContext(signal && { signal }),
    );

  it('[SKI-01] gives what the function returns, checked', async () => {
    const input = { text: 'Massp', candidates: ['MASP', 'Pinacoteca'] };
    const output = {
      type: 'object',
      required: ['match'],
      properties: { match: { type: ['string', 'null'] } },
    };
    expect(await run('closest_match', input, output)).toMatchObject({
      status: 'done',
      result: { kind: 'plain', value: { match: 'MASP' } },
    });
    await expect(run('closest_match', input, { type: 'string' })).rejects.toMatchObject({
      code: 'skill_failed',
    });
  });

  it('[SKB-03] names a function that there is not, and an input that cannot be used', async () => {
    for (const name of ['nothing', 'toString', '__proto__']) {
      await expect(run(name, {})).rejects.toMatchObject({
        code: 'skill_invalid',
        message: expect.stringContaining(
          `names the ts_function ${name}, which src/skills/handlers does not have; it has: business_hours_between`,
        ),
      });
    }
    await expect(run('closest_match', { text: 1, candidates: [] })).rejects.toMatchObject({
      code: 'input_invalid',
      message: 'text must be a text.',
    });
  });

  it('[SKB-03] does not begin after the run was stopped', async () => {
    await expect(run('closest_match', {}, {}, AbortSignal.abort())).rejects.toMatchObject({
      code: 'skill_timeout',
    });
  });

  it('[SKB-03] says that there is no implementation', async () => {
    await expect(executeImplementation(packOf({}), {}, testContext())).rejects.toMatchObject({
      code: 'skill_invalid',
      message: 'skill.yaml of demo has no implementation.',
    });
  });
});

describe('[SKI-01] a skill that is a request', () => {
  let server: TestHttpServer;
  const env: Record<string, string> = {};
  const sources = createDataSources({
    dataDir: '/nowhere',
    secret: (name) => env[name],
    log: createRecordingLog(),
    scopes: {},
  });

  beforeAll(async () => {
    server = await startHttpServer();
    env.PARTNER_URL = server.url;
  });

  afterAll(async () => {
    await sources.close();
    await server.close();
  });

  const run = async (input: JsonObject, output_schema: JsonObject = {}, handler = 'order') => {
    const pack = packOf(
      {
        data_sources: {
          partner: { kind: 'http', endpoint: 'env:PARTNER_URL', retries: 0 },
          shop: { kind: 'sqlite', database: 'shop' },
        },
        implementation: { type: 'http_call', handler },
        output_schema,
      },
      {
        order: { source: 'partner', path: '/orders/{id}', params: { required: ['id'] } },
        rows: { source: 'shop', query: 'SELECT 1' },
      },
    );
    return await executeImplementation(pack, input, testContext({ sources }));
  };

  it('[SKI-01] gives the body of the answer, checked', async () => {
    server.answer((_, response) => json(response, { state: 'sent' }));
    const output = {
      type: 'object',
      required: ['state'],
      additionalProperties: false,
      properties: { state: {} },
    };
    expect(await run({ id: 'a/b' }, output)).toEqual({
      status: 'done',
      result: { kind: 'plain', value: { state: 'sent' } },
    });
    expect(server.requests[0]?.url).toBe('/orders/a%2Fb');
    await expect(run({ id: '1' }, { type: 'array' })).rejects.toMatchObject({ code: 'skill_failed' });
  });

  it('[SKB-03] fails with a request that was not answered well', async () => {
    server.answer((_, response) => json(response, {}, 404));
    await expect(run({ id: '1' })).rejects.toMatchObject({
      code: 'source_rejected',
      message: 'The request order (api_mappings.yaml of demo) was answered with HTTP 404.',
    });
    await expect(run({})).rejects.toMatchObject({ code: 'input_invalid', fields: { field: 'id' } });
    await expect(run({}, {}, 'nothing')).rejects.toMatchObject({ code: 'skill_invalid' });
    await expect(run({}, {}, 'rows')).rejects.toMatchObject({ code: 'source_unavailable' });
  });
});

import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type OpenAiServer, startOpenAiServer } from '../../support/openai-server.js';
import { modelsFor } from './support.js';

const schema = z.object({ mood: z.enum(['good', 'bad']), reason: z.string().min(3) });
const GOOD = { mood: 'good', reason: 'it works' } as const;
const ASK = [new SystemMessage('Judge.'), new HumanMessage('How is it?')];
const NO_FORMAT = { kind: 'status', status: 400, message: "'response_format' is not supported" } as const;

describe('structured output', () => {
  let server: OpenAiServer;
  beforeEach(async () => {
    server = await startOpenAiServer();
  });
  afterEach(async () => server.close());

  it('[OAI-01 TRI-01] asks by JSON schema, strictly, in one call', async () => {
    server.reply({ json: GOOD });
    const { models } = modelsFor(server.url);
    await expect(
      models.forRole('triage').withStructuredOutput(schema, { name: 'verdict' }).invoke(ASK),
    ).resolves.toEqual(GOOD);
    expect(server.requests[0]?.body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'verdict', strict: true },
    });
    expect(server.requests[0]?.body.tools).toBeUndefined();
  });

  it('leaves strict mode off for a schema that it cannot take', async () => {
    server.reply({ json: { a: 'x' } });
    const loose = z.object({ a: z.string(), b: z.string().optional() });
    await expect(
      modelsFor(server.url).models.forRole('triage').withStructuredOutput(loose).invoke(ASK),
    ).resolves.toEqual({ a: 'x' });
    expect(server.requests[0]?.body.response_format?.json_schema?.strict).toBe(false);
  });

  it('takes plain JSON schema too', async () => {
    server.reply({ json: { a: 1 } });
    const plain = {
      title: 'thing',
      type: 'object',
      properties: { a: { type: 'number' } },
      required: ['a'],
      additionalProperties: false,
    };
    await expect(
      modelsFor(server.url).models.forRole('triage').withStructuredOutput(plain).invoke(ASK),
    ).resolves.toEqual({ a: 1 });
  });

  it('asks by function where the server refuses response_format, and remembers it', async () => {
    server
      .fault(NO_FORMAT)
      .reply({ toolCalls: [{ name: 'extract', args: GOOD }] })
      .reply({ toolCalls: [{ name: 'extract', args: GOOD }] });
    const { models, log } = modelsFor(server.url);
    const model = models.forRole('triage').withStructuredOutput(schema);
    await expect(model.invoke(ASK)).resolves.toEqual(GOOD);
    await expect(model.invoke(ASK)).resolves.toEqual(GOOD);
    expect(server.requests.map((request) => request.body.tool_choice)).toEqual([
      undefined,
      { type: 'function', function: { name: 'extract' } },
      { type: 'function', function: { name: 'extract' } },
    ]);
    expect(log.actions('warn')).toEqual([]);
  });

  it('asks in words where the server knows neither', async () => {
    server
      .fault(NO_FORMAT)
      .fault({ kind: 'status', status: 422, message: 'tools are not supported' })
      .reply({ text: `Sure:\n\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\`` })
      .reply({ json: GOOD });
    const model = modelsFor(server.url).models.forRole('triage').withStructuredOutput(schema);
    await expect(model.invoke(ASK)).resolves.toEqual(GOOD);
    await expect(model.invoke(ASK)).resolves.toEqual(GOOD);
    expect(server.requests).toHaveLength(4);
    expect(server.requests[3]?.system).toMatch(/^Judge\.[\s\S]*JSON schema/);
  });

  it('asks once more for an object of the wrong shape', async () => {
    server.reply({ json: { mood: 'so-so', reason: 'x' } }).reply({ json: GOOD });
    await expect(
      modelsFor(server.url).models.forRole('triage').withStructuredOutput(schema).invoke(ASK),
    ).resolves.toEqual(GOOD);
    const last = JSON.stringify(server.requests[1]?.body.messages.at(-1));
    expect(last).toContain('mood');
    expect(last).toContain('fits this schema');
  });

  it('asks once more where the text is no JSON at all', async () => {
    server.reply({ text: 'It is good.' }).reply({ json: GOOD });
    await expect(
      modelsFor(server.url).models.forRole('triage').withStructuredOutput(schema).invoke(ASK),
    ).resolves.toEqual(GOOD);
  });

  it('takes the offline answer after two that do not fit, and says so in the raw message', async () => {
    server.reply({ json: {} }).reply({ json: { mood: 1 } });
    const { models, log } = modelsFor(
      server.url,
      {},
      { policy: () => ({ kind: 'say', text: JSON.stringify({ mood: 'bad', reason: 'offline' }) }) },
    );
    const result = await models
      .forRole('triage')
      .withStructuredOutput(schema, { includeRaw: true })
      .invoke(ASK);
    expect(result.parsed).toEqual({ mood: 'bad', reason: 'offline' });
    expect(result.raw.response_metadata).toMatchObject({
      hub_provider: 'offline',
      hub_fallback: 'bad_output',
      hub_calls: 2,
    });
    expect(log.actions('warn')).toEqual(['model_fell_back']);
  });

  it('gives no object where the offline answer does not fit either', async () => {
    server.fault({ kind: 'status', status: 401 });
    const model = modelsFor(server.url).models.forRole('triage').withStructuredOutput(schema);
    await expect(model.invoke(ASK)).rejects.toMatchObject({ code: 'model_bad_output' });
  });
});

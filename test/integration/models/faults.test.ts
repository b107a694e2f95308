import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type OpenAiServer, startOpenAiServer } from '../../support/openai-server.js';
import { modelsFor } from './support.js';

const lookup = tool(() => 'ok', {
  name: 'lookup',
  description: 'Looks up.',
  schema: z.object({ id: z.string() }),
});
const HELLO = [new HumanMessage('Hello')];

describe('a chat model whose provider misbehaves', () => {
  let server: OpenAiServer;
  beforeEach(async () => {
    server = await startOpenAiServer();
  });
  afterEach(async () => server.close());

  it('answers through the provider and says so', async () => {
    server.reply({ text: 'Hi there.', usage: { prompt: 100, completion: 10 } });
    const { models, reports } = modelsFor(server.url);
    const answer = await models.forRole('knowledge').invoke(HELLO);
    expect(answer.text).toBe('Hi there.');
    expect(answer.response_metadata).toMatchObject({
      hub_provider: 'openai',
      hub_model: 'gpt-4o-mini',
      hub_calls: 1,
    });
    expect(answer.usage_metadata).toMatchObject({ input_tokens: 100, output_tokens: 10, total_tokens: 110 });
    expect(reports).toMatchObject([
      { role: 'knowledge', provider: 'openai', attempts: 1, outcome: 'ok', costUsd: 0.000021 },
    ]);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-test-key');
    expect(server.requests[0]?.body).toMatchObject({ model: 'gpt-4o-mini', temperature: 0 });
  });

  it('[OAI-03 BATCH-04] waits as long as a 429 asks', async () => {
    server.fault({ kind: 'status', status: 429, headers: { 'retry-after': '0.2' } }).reply({ text: 'Now.' });
    const { models, reports } = modelsFor(server.url);
    expect((await models.forRole('account').invoke(HELLO)).text).toBe('Now.');
    const [first, second] = server.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(190);
    expect(reports[0]).toMatchObject({ attempts: 2, outcome: 'ok' });
  });

  it('does not wait longer than its budget', async () => {
    server.fault({ kind: 'status', status: 429, headers: { 'retry-after': '60' } });
    const { models, reports } = modelsFor(server.url, {}, { budgetMs: 500 });
    const answer = await models.forRole('account').invoke(HELLO);
    expect(answer.text).toBe('Written offline.');
    expect(answer.response_metadata).toMatchObject({
      hub_provider: 'offline',
      hub_fallback: 'rate_limited',
      hub_calls: 0,
    });
    expect(reports[0]).toMatchObject({
      provider: 'offline',
      outcome: 'fallback',
      reason: 'rate_limited',
      promptTokens: 0,
    });
  });

  it('[OAI-03 BATCH-04] tries again after 500, 503 and a dropped connection', async () => {
    server
      .fault({ kind: 'status', status: 500 })
      .fault({ kind: 'status', status: 503 })
      .reply({ text: 'Third time.' })
      .fault({ kind: 'disconnect' })
      .reply({ text: 'Again.' });
    const { models, log } = modelsFor(server.url);
    expect((await models.forRole('review').invoke(HELLO)).text).toBe('Third time.');
    expect((await models.forRole('review').invoke(HELLO)).text).toBe('Again.');
    expect(log.actions('warn')).toEqual([]);
  });

  it('gives up on 500 after its retries and answers offline', async () => {
    server.fault({ kind: 'status', status: 500 }, { times: 3 });
    const { models, log } = modelsFor(server.url);
    const answer = await models.forRole('review').invoke(HELLO);
    expect(answer.response_metadata).toMatchObject({ hub_provider: 'offline', hub_fallback: 'unavailable' });
    expect(log.actions('warn')).toEqual(['model_fell_back']);
  });

  it('[OAI-03] gives up on a server that never answers', async () => {
    server.fault({ kind: 'hang' }, { times: 2 });
    const { models } = modelsFor(server.url, { timeoutMs: 2_000, retries: 1 });
    const answer = await models.forRole('knowledge').invoke(HELLO);
    expect(answer.response_metadata).toMatchObject({ hub_provider: 'offline', hub_fallback: 'timeout' });
  });

  it('answers offline where nobody listens', async () => {
    const gone = await startOpenAiServer();
    await gone.close();
    const { models } = modelsFor(gone.url);
    const answer = await models.forRole('knowledge').invoke(HELLO);
    expect(answer.response_metadata).toMatchObject({ hub_provider: 'offline', hub_fallback: 'network' });
  });

  it('does not ask again with a refused key, and says so in the log once', async () => {
    server.fault({ kind: 'status', status: 401, message: 'Incorrect API key provided: sk-test-key' });
    const { models, log } = modelsFor(server.url);
    for (let turn = 0; turn < 3; turn += 1)
      expect((await models.forRole('action').invoke(HELLO)).text).toBe('Written offline.');
    expect(log.actions('warn')).toEqual(['model_circuit_opened', 'model_key_refused']);
    expect(server.requests).toHaveLength(1);
  });

  it('does not repeat a request that was rejected', async () => {
    server.fault({ kind: 'status', status: 400, message: 'context too long' });
    const { models, log } = modelsFor(server.url);
    const answer = await models.forRole('action').invoke(HELLO);
    expect(answer.response_metadata).toMatchObject({ hub_fallback: 'rejected' });
    expect(log.actions('warn')).toEqual(['model_fell_back']);
  });

  it('treats spent quota as no reason to wait', async () => {
    server.fault({
      kind: 'status',
      status: 429,
      code: 'insufficient_quota',
      message: 'You exceeded your current quota',
    });
    const { models } = modelsFor(server.url);
    expect((await models.forRole('action').invoke(HELLO)).response_metadata).toMatchObject({
      hub_fallback: 'quota',
    });
  });

  it('asks once more after an empty answer, and counts both as billed', async () => {
    server
      .reply({ text: '', usage: { prompt: 50, completion: 0 } })
      .reply({ text: 'Here.', usage: { prompt: 60, completion: 5 } });
    const { models } = modelsFor(server.url);
    const answer = await models.forRole('knowledge').invoke(HELLO);
    expect(answer.text).toBe('Here.');
    expect(answer.response_metadata.hub_calls).toBe(2);
    expect(answer.usage_metadata).toMatchObject({ input_tokens: 110, output_tokens: 5 });
    expect(JSON.stringify(server.requests[1]?.body.messages.at(-1))).toContain('it was empty');
  });

  it('[OAI-04] answers offline after two empty answers', async () => {
    server.reply({ text: ' ' }).reply({ text: '' });
    const { models } = modelsFor(server.url);
    const answer = await models.forRole('knowledge').invoke(HELLO);
    expect(answer.response_metadata).toMatchObject({
      hub_provider: 'offline',
      hub_fallback: 'bad_output',
      hub_calls: 2,
    });
  });

  it('[OAI-04] asks once more after malformed tool arguments', async () => {
    server
      .reply({ toolCalls: [{ name: 'lookup', args: '{"id": "r1"' }] })
      .reply({ toolCalls: [{ name: 'lookup', args: { id: 'r1' }, id: 'call_a' }] });
    const { models } = modelsFor(server.url);
    const answer = await bound(models.forRole('account')).invoke(HELLO);
    expect((answer as AIMessage).tool_calls).toMatchObject([
      { id: 'call_a', name: 'lookup', args: { id: 'r1' } },
    ]);
    expect(JSON.stringify(server.requests[1]?.body.messages.at(-1))).toContain('arguments of lookup');
  });

  it('takes no arguments for an empty object', async () => {
    server.reply({ toolCalls: [{ name: 'lookup', args: '' }] });
    const { models } = modelsFor(server.url);
    const answer = (await bound(models.forRole('account')).invoke(HELLO)) as AIMessage;
    expect(answer.tool_calls).toMatchObject([{ name: 'lookup', args: {} }]);
  });

  it('gives a new id to a call whose id was used before', async () => {
    server.reply({ toolCalls: [{ name: 'lookup', args: { id: 'b' }, id: 'call_0' }] });
    const { models } = modelsFor(server.url);
    const history = [
      new HumanMessage('one'),
      new AIMessage({ content: '', tool_calls: [{ id: 'call_0', name: 'lookup', args: { id: 'a' } }] }),
      { role: 'tool', content: 'ok', tool_call_id: 'call_0' },
      new HumanMessage('two'),
    ];
    const answer = (await bound(models.forRole('account')).invoke(history)) as AIMessage;
    expect(answer.tool_calls?.[0]?.id).toMatch(/^call_[0-9a-f-]{36}$/);
  });

  it('reads an answer that is no JSON as a failure of the provider', async () => {
    server.fault({ kind: 'garbage' }).reply({ text: 'Fine.' });
    const { models } = modelsFor(server.url);
    expect((await models.forRole('knowledge').invoke(HELLO)).text).toBe('Fine.');
  });

  it('passes on that its caller gave up', async () => {
    server.fault({ kind: 'hang' });
    const { models } = modelsFor(server.url);
    const caller = new AbortController();
    const asked = models.forRole('knowledge').invoke(HELLO, { signal: caller.signal });
    asked.catch(() => undefined);
    await expect.poll(() => server.requests.length).toBe(1);
    caller.abort();
    await expect(asked).rejects.toThrow(/abort/i);
  });

  it('allows one call at a time where a second would be lost', async () => {
    server.otherwise(() => ({ text: 'ok' }));
    const { models } = modelsFor(server.url);
    await bound(models.forRole('supervisor')).invoke(HELLO);
    await bound(models.forRole('account')).invoke(HELLO);
    expect(server.requests.map((request) => request.body.parallel_tool_calls)).toEqual([false, undefined]);
  });

  it('sends reasoning models no temperature', async () => {
    server.otherwise(() => ({ text: 'ok' }));
    const chatModel = { ...modelsForRoles('gpt-5-mini'), account: 'o4-mini' };
    const { models } = modelsFor(server.url, { chatModel });
    for (const role of ['knowledge', 'account'] as const) {
      expect((await models.forRole(role).invoke(HELLO)).response_metadata.hub_provider).toBe('openai');
    }
  });

  function modelsForRoles(model: string) {
    return {
      triage: model,
      supervisor: model,
      knowledge: model,
      account: model,
      action: model,
      investigation: model,
      review: model,
    };
  }

  function bound(model: ReturnType<ReturnType<typeof modelsFor>['models']['forRole']>) {
    const runnable = model.bindTools?.([lookup]);
    if (runnable === undefined) throw new Error('bindTools is missing');
    return runnable;
  }
});

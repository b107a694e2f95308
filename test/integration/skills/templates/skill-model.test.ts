import { tool } from '@langchain/core/tools';
import { Annotation, END, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createModelCircuit } from '../../../../src/adapters/models/circuit.js';
import { createSkillModel } from '../../../../src/adapters/models/skill-model.js';
import { createPrices, createUsageCollector } from '../../../../src/adapters/models/usage.js';
import { parseConfig } from '../../../../src/config/config.js';
import { HubError } from '../../../../src/core/errors.js';
import type { SkillModel, SkillModelCall } from '../../../../src/core/ports/chat-models.js';
import { type OpenAiServer, startOpenAiServer } from '../../../support/openai-server.js';
import { openModel, testModels } from './support.js';

const call = (parts: Partial<SkillModelCall> = {}): SkillModelCall => ({
  role: 'write',
  system: 'Write JSON.',
  prompt: 'Go.',
  json: true,
  signal: new AbortController().signal,
  ...parts,
});

describe('[SKG-04] the model of skills', () => {
  let server: OpenAiServer;
  beforeEach(async () => {
    server = await startOpenAiServer();
  });
  afterEach(async () => server.close());

  it('asks the model of the role for JSON, and tells what it cost', async () => {
    server
      .reply({ text: '{"a": 1}', usage: { prompt: 1000, completion: 100 } })
      .reply({ text: '{}', usage: { prompt: 10, completion: 1 } });
    const { model } = openModel(server.url);
    expect(await model.complete(call())).toEqual({
      text: '{"a": 1}',
      model: 'gpt-4o-mini',
      promptTokens: 1000,
      completionTokens: 100,
      costUsd: (1000 * 0.15 + 100 * 0.6) / 1e6,
    });
    expect((await model.complete(call({ role: 'review' }))).model).toBe('gpt-4o');
    const [written, reviewed] = server.requests;
    expect(written?.body).toMatchObject({
      model: 'gpt-4o-mini',
      temperature: 0,
      response_format: { type: 'json_object' },
    });
    expect(written?.body.messages.map(({ role, content }) => [role, content])).toEqual([
      ['system', 'Write JSON.'],
      ['user', 'Go.'],
    ]);
    expect(reviewed?.body.model).toBe('gpt-4o');
  });

  it('takes model, temperature and limit from the call', async () => {
    server.reply({ text: 'plain' });
    const { model } = openModel(server.url);
    await model.complete(call({ model: 'llama3', temperature: 0.7, maxTokens: 50, json: false }));
    expect(server.requests[0]?.body).toMatchObject({ model: 'llama3', temperature: 0.7, max_tokens: 50 });
    expect(server.requests[0]?.body).not.toHaveProperty('response_format');
  });

  it('does without JSON mode where a server refuses it, and remembers that', async () => {
    const refusal = { kind: 'status', status: 400, message: "unknown parameter 'response_format'" } as const;
    server.fault(refusal).reply({ text: '{"a": 1}' }).reply({ text: '{"a": 2}' }).reply({ text: '{"a": 3}' });
    const { model } = openModel(server.url);
    expect((await model.complete(call())).text).toBe('{"a": 1}');
    expect((await model.complete(call({ temperature: 1 }))).text).toBe('{"a": 2}');
    const modes = server.requests.map(({ body }) => 'response_format' in body);
    expect(modes).toEqual([true, false, false]);
    // Another model on the same server may know it.
    await model.complete(call({ model: 'other' }));
    expect(server.requests.at(-1)?.body).toHaveProperty('response_format');
  });

  it('does not blame JSON mode for a request that is refused either way', async () => {
    const tooLong = { kind: 'status', status: 400, message: 'context too long' } as const;
    server.fault(tooLong, { times: 2 }).reply({ text: '{}' });
    const { model } = openModel(server.url);
    await expect(model.complete(call())).rejects.toMatchObject({ code: 'model_unavailable' });
    await model.complete(call());
    expect(server.requests.at(-1)?.body).toHaveProperty('response_format');
  });

  it('tries again after a 500, and is unavailable when that does not help', async () => {
    const down = { kind: 'status', status: 500, message: 'secret details' } as const;
    server.fault(down).reply({ text: '{}' }).fault(down, { times: 3 });
    const { model, log } = openModel(server.url);
    expect((await model.complete(call())).text).toBe('{}');
    const error = await model.complete(call()).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(HubError);
    expect(error).toMatchObject({
      code: 'model_unavailable',
      message: 'The model gpt-4o-mini gave no answer: the provider has a fault',
    });
    expect(log.entries.filter(({ level }) => level === 'warn')).toMatchObject([
      { agent: 'skill_write', details: { reason: 'unavailable', status: 500, attempts: 3 } },
    ]);
  });

  it('never says the key, also where the provider does', async () => {
    server.fault({ kind: 'status', status: 401, message: 'Incorrect API key provided: sk-test-key' });
    const { model } = openModel(server.url);
    const error = await model.complete(call()).catch((fault: unknown) => fault);
    expect(error).toMatchObject({ code: 'model_unavailable' });
    expect(String(error) + JSON.stringify(error)).not.toContain('sk-test-key');
  });

  it('is unavailable where the provider never answers or nobody listens', async () => {
    server.fault({ kind: 'hang' });
    const hanging = openModel(server.url, { timeoutMs: 2_000, retries: 0 });
    await expect(hanging.model.complete(call())).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringContaining('took too long'),
    });
    const gone = await startOpenAiServer();
    await gone.close();
    const { model } = openModel(gone.url, { retries: 0 });
    await expect(model.complete(call())).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringContaining('cannot be reached'),
    });
  });

  it('stops waiting when the run is given up, and says why', async () => {
    server.fault({ kind: 'hang' }, { times: 2 });
    const { model, log } = openModel(server.url);
    const controller = new AbortController();
    const waiting = model.complete(call({ signal: controller.signal }));
    waiting.catch(() => undefined);
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort(new HubError('skill_timeout', 'Time is up'));
    await expect(waiting).rejects.toMatchObject({ code: 'skill_timeout', message: 'Time is up' });
    const plain = new AbortController();
    const other = model.complete(call({ signal: plain.signal }));
    other.catch(() => undefined);
    await expect.poll(() => server.requests.length).toBe(2);
    plain.abort();
    await expect(other).rejects.toMatchObject({ code: 'skill_failed' });
    expect(log.entries.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('leaves a provider alone that the rest of the hub has found down', async () => {
    const circuit = createModelCircuit(openModel(server.url).log);
    circuit.failed(circuit.enter(), true);
    const { model } = openModel(server.url, {}, { circuit });
    await expect(model.complete(call())).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringContaining('left alone'),
    });
    expect(server.requests).toHaveLength(0);
  });

  it('counts once in the usage of the turn it is a part of, and streams nothing to the customer', async () => {
    server.otherwise(() => ({ text: '{"a": 1}', usage: { prompt: 100, completion: 10 } }));
    const { model } = openModel(server.url);
    const collector = createUsageCollector(createPrices(), 'openai');
    const streamed: unknown[] = [];
    const stream = await turnThatAsks(model).stream(
      { text: '' },
      { callbacks: [collector.handler], streamMode: 'messages', configurable: { thread_id: 'outer' } },
    );
    for await (const piece of stream) streamed.push(piece);
    expect(server.requests).toHaveLength(2);
    expect(collector.usage()).toMatchObject({ llmCalls: 2, promptTokens: 200, completionTokens: 20 });
    expect(streamed).toEqual([]);
  });
});

describe('[SKG-05] the model of skills, offline', () => {
  it('answers nothing', async () => {
    const models = parseConfig({ HUB_MODEL_PROVIDER: 'offline' }).models;
    const model = createSkillModel({ models, log: openModel('').log, prices: createPrices() });
    expect(model.provider).toBe('offline');
    await expect(model.complete(call())).rejects.toMatchObject({ code: 'model_unavailable' });
  });
});

describe('[SKG-04] the size of a model', () => {
  it.each([
    ['gpt-4o-mini', 'small'],
    ['gpt-4.1-nano', 'small'],
    ['llama3.2:3b', 'small'],
    ['qwen2.5:0.5b-instruct', 'small'],
    ['mistral-7b-instruct', 'small'],
    ['meta-llama/Llama-3.1-8B-Instruct', 'small'],
    ['phi-3-small', 'small'],
    ['gpt-4o', 'large'],
    ['gemini-pro', 'large'],
    ['minimax-m1', 'large'],
    ['llama3.1:70b', 'large'],
    ['qwen2.5-72b', 'large'],
    ['gpt-oss-120b', 'large'],
  ])('%s is %s', (name, tier) => {
    expect(openModel('http://127.0.0.1:1/v1').model.tier('write', name)).toBe(tier);
  });

  it('is that of the role where no model is named', () => {
    const { model } = openModel('http://127.0.0.1:1/v1');
    expect([model.tier('write'), model.tier('review')]).toEqual(['small', 'large']);
    expect(testModels('http://127.0.0.1:1/v1').chatModel.review).toBe('gpt-4o');
  });
});

/** A graph whose node calls a tool that asks the model: once by itself, and once in a graph of its own, as trees are. */
function turnThatAsks(model: SkillModel) {
  const state = Annotation.Root({ text: Annotation<string> });
  const ask = async (): Promise<{ text: string }> => ({ text: (await model.complete(call())).text });
  const tree = new StateGraph(state)
    .addNode('step', ask)
    .addEdge(START, 'step')
    .addEdge('step', END)
    .compile({ checkpointer: new MemorySaver() });
  const runSkill = tool(
    async () => {
      await ask();
      const { text } = await tree.invoke({ text: '' }, { configurable: { thread_id: 'skill_run' } });
      return text;
    },
    { name: 'run_skill', description: 'Runs a skill.', schema: z.object({}) },
  );
  return new StateGraph(state)
    .addNode('agent', async () => ({ text: String(await runSkill.invoke({})) }))
    .addEdge(START, 'agent')
    .addEdge('agent', END)
    .compile({ checkpointer: new MemorySaver() });
}

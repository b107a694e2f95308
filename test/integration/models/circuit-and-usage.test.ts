import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CircuitBreaker } from '../../../src/adapters/models/circuit.js';
import { createPrices, createUsageCollector } from '../../../src/adapters/models/usage.js';
import { type OpenAiServer, startOpenAiServer } from '../../support/openai-server.js';
import { keptLog, modelsFor } from './support.js';

const HELLO = [new HumanMessage('Hello')];
const DOWN = { kind: 'status', status: 503 } as const;

describe('the circuit', () => {
  it('opens after three failures in a row, lets one trial through, and closes on success', () => {
    let now = 0;
    const seen: string[] = [];
    const circuit = new CircuitBreaker({
      pauseMs: 100,
      now: () => now,
      onOpen: () => seen.push('open'),
      onClose: () => seen.push('close'),
    });
    const fail = (): void => circuit.failed(circuit.enter());
    fail();
    fail();
    circuit.succeeded();
    fail();
    fail();
    expect(circuit.enter()).toBe('free');
    fail();
    expect(circuit.enter()).toBe('barred');
    now = 100;
    expect(circuit.enter()).toBe('trial');
    expect(circuit.enter()).toBe('barred');
    circuit.failed('trial');
    expect(circuit.enter()).toBe('barred');
    now = 200;
    expect(circuit.enter()).toBe('trial');
    circuit.abandoned('trial');
    expect(circuit.enter()).toBe('trial');
    circuit.succeeded();
    expect(circuit.enter()).toBe('free');
    expect(seen).toEqual(['open', 'close']);
  });
});

describe('with a provider', () => {
  let server: OpenAiServer;
  beforeEach(async () => {
    server = await startOpenAiServer();
  });
  afterEach(async () => server.close());

  it('leaves a provider that is down alone, for all roles, and returns to it', async () => {
    let now = 0;
    server.fault(DOWN, { times: 3 }).reply({ text: 'Back.' }).reply({ text: 'Still here.' });
    const { models, log, reports } = modelsFor(server.url, { retries: 0 }, { circuitNow: () => now });
    for (const role of ['triage', 'knowledge', 'account', 'action', 'review'] as const) {
      expect((await models.forRole(role).invoke(HELLO)).text).toBe('Written offline.');
    }
    expect(server.requests).toHaveLength(3);
    expect(reports.map((report) => report.reason)).toEqual([
      'unavailable',
      'unavailable',
      'unavailable',
      'circuit_open',
      'circuit_open',
    ]);
    now = 20_000;
    expect((await models.forRole('triage').invoke(HELLO)).text).toBe('Back.');
    expect((await models.forRole('action').invoke(HELLO)).text).toBe('Still here.');
    expect(log.actions('warn').filter((action) => action === 'model_circuit_opened')).toHaveLength(1);
    expect(log.actions('info').filter((action) => action !== 'model_called')).toEqual([
      'model_circuit_closed',
    ]);
  });

  it('does not take a busy provider for one that is down', async () => {
    server.fault({ kind: 'status', status: 429 }, { times: 4 }).reply({ text: 'Free again.' });
    const { models } = modelsFor(server.url, { retries: 0 });
    for (let count = 0; count < 4; count += 1) await models.forRole('triage').invoke(HELLO);
    expect((await models.forRole('triage').invoke(HELLO)).text).toBe('Free again.');
  });

  it('does not make the next agent of the turn wait for a provider that hangs', async () => {
    server.fault({ kind: 'hang' });
    const { models } = modelsFor(server.url, { timeoutMs: 2_000, retries: 0 });
    expect((await models.forRole('triage').invoke(HELLO)).response_metadata.hub_fallback).toBe('timeout');
    expect((await models.forRole('knowledge').invoke(HELLO)).response_metadata.hub_fallback).toBe(
      'circuit_open',
    );
  });

  it('survives many calls side by side with stray failures', async () => {
    const tries = new Map<string, number>();
    server.otherwise(({ body }) => {
      const text = String(body.messages[0]?.content);
      tries.set(text, (tries.get(text) ?? 0) + 1);
      return (tries.get(text) ?? 0) < 3 && Number(text) % 2 === 0
        ? { kind: 'status', status: 500 }
        : { text: 'ok' };
    });
    const { models } = modelsFor(server.url);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => models.forRole('triage').invoke(String(index))),
    );
    expect(answers.filter((answer) => answer.text === 'ok')).toHaveLength(60);
    expect(server.requests).toHaveLength(120);
  });

  it('sums what a turn cost', async () => {
    server
      .reply({ text: 'One.', usage: { prompt: 1000, completion: 100, cached: 400 } })
      .fault({ kind: 'status', status: 500 })
      .reply({ text: '', usage: { prompt: 500, completion: 0 } })
      .reply({ text: 'Two.', usage: { prompt: 600, completion: 50 } });
    const { models } = modelsFor(server.url);
    const collector = createUsageCollector(createPrices(), 'openai');
    expect(collector.provider()).toBe('openai');
    const config = { callbacks: [collector.handler] };
    await models.forRole('triage').invoke(HELLO, config);
    for await (const _ of await models.forRole('knowledge').stream(HELLO, config));
    const dollars = (1700 * 0.15 + 400 * 0.075 + 150 * 0.6) / 1e6;
    expect(collector.usage()).toEqual({
      llmCalls: 3,
      promptTokens: 2100,
      completionTokens: 150,
      costUsd: Math.round(dollars * 1e8) / 1e8,
    });
    expect(collector.provider()).toBe('openai');
  });

  it('calls a turn offline as soon as one of its answers was', async () => {
    server
      .reply({ text: 'Online.', usage: { prompt: 10, completion: 1 } })
      .fault({ kind: 'status', status: 400 });
    const { models } = modelsFor(server.url);
    const collector = createUsageCollector(createPrices(), 'openai');
    await models.forRole('triage').invoke(HELLO, { callbacks: [collector.handler] });
    await models.forRole('account').invoke(HELLO, { callbacks: [collector.handler] });
    expect(collector.provider()).toBe('offline');
    expect(collector.usage()).toMatchObject({ llmCalls: 1, promptTokens: 10 });
  });

  it('names the ticket of the run in the log', async () => {
    server.fault({ kind: 'status', status: 400 });
    const { models, log } = modelsFor(server.url);
    await models
      .forRole('account')
      .invoke(HELLO, { metadata: { ticket_id: 'tkt_7' }, callbacks: [{ handleLLMEnd: () => undefined }] });
    expect(log.entries.find((entry) => entry.level === 'warn')).toMatchObject({
      agent: 'account',
      ticketId: 'tkt_7',
    });
  });
});

describe('prices', () => {
  const million = { prompt: 1e6, completion: 1e6, cached: 0 };

  it('knows models and their dated snapshots', () => {
    const prices = createPrices();
    expect(prices.costUsd('gpt-4o-mini', million)).toBeCloseTo(0.75);
    expect(prices.costUsd('gpt-4o-mini-2024-07-18', million)).toBeCloseTo(0.75);
    expect(prices.costUsd('gpt-4.1-nano', million)).toBeCloseTo(0.5);
    expect(prices.costUsd('gpt-4o', { prompt: 1e6, completion: 0, cached: 1e6 })).toBeCloseTo(1.25);
  });

  it('prefers the override, and mentions an unknown model once', () => {
    const log = keptLog();
    expect(
      createPrices({ inputPricePerMTok: 1, outputPricePerMTok: 2, log }).costUsd('llama3', million),
    ).toBe(3);
    const prices = createPrices({ log });
    expect(prices.costUsd('llama3', million) + prices.costUsd('llama3', million)).toBe(0);
    expect(log.actions('debug')).toEqual(['model_price_unknown']);
  });

  it('counts no call for answers that no model of a provider wrote', async () => {
    const collector = createUsageCollector(createPrices());
    const message = new AIMessage('routed by a rule');
    await collector.handler.handleLLMEnd?.({ generations: [[{ text: '', message } as never]] }, 'run');
    expect(collector.usage()).toEqual({ llmCalls: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 });
    expect(collector.provider()).toBe('offline');
  });
});

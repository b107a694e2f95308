import { AIMessage, type AIMessageChunk, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { createAgent } from 'langchain';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { OfflinePolicy } from '../../../src/core/ports/chat-models.js';
import { type OpenAiServer, startOpenAiServer } from '../../support/openai-server.js';
import { type Bench, modelsFor } from './support.js';

const LONG = 'The museum opens at ten and closes at eighteen.';
const lookup = tool(({ id }) => `record ${id}`, {
  name: 'lookup',
  description: 'Looks up.',
  schema: z.object({ id: z.string() }),
});

interface Streamed {
  /** Text by message id, in order. */
  readonly shown: Map<string, string>;
  readonly restarts: number;
  readonly final: BaseMessage | undefined;
}

/** Runs an agent and keeps what a surface would see. */
async function watch(bench: Bench): Promise<Streamed> {
  const agent = createAgent({ model: bench.models.forRole('knowledge'), tools: [lookup] });
  const shown = new Map<string, string>();
  let restarts = 0;
  let final: BaseMessage | undefined;
  const input = { messages: [new HumanMessage('When does it open?')] };
  for await (const [mode, part] of await agent.stream(input, { streamMode: ['messages', 'values'] })) {
    if (mode === 'values') final = part.messages.at(-1);
    if (mode !== 'messages' || !AIMessage.isInstance(part[0])) continue;
    const chunk = part[0] as AIMessageChunk;
    if (chunk.response_metadata.hub_restarted === true && chunk.text !== final?.text) restarts += 1;
    shown.set(chunk.id ?? '', (shown.get(chunk.id ?? '') ?? '') + chunk.text);
  }
  return { shown, restarts, final };
}

describe('streaming', () => {
  let server: OpenAiServer;
  beforeEach(async () => {
    server = await startOpenAiServer();
  });
  afterEach(async () => server.close());

  it('[OAI-01] shows tokens while the provider writes, and reports its usage', async () => {
    server.reply({ text: LONG, usage: { prompt: 70, completion: 12 } });
    const { shown, final } = await watch(modelsFor(server.url));
    expect([...shown.values()]).toEqual([LONG]);
    expect([...shown.keys()]).toEqual([final?.id]);
    expect(final?.text).toBe(LONG);
    expect((final as AIMessage).usage_metadata).toMatchObject({ input_tokens: 70, output_tokens: 12 });
    expect(final?.response_metadata).not.toHaveProperty('hub_restarted');
    expect(server.requests[0]?.body.stream_options).toEqual({ include_usage: true });
  });

  it('[OAI-01] streams tool calls through an agent', async () => {
    server
      .reply({ toolCalls: [{ name: 'lookup', args: { id: 'a-long-identifier' } }] })
      .reply({ text: LONG });
    const { final } = await watch(modelsFor(server.url));
    expect(final?.text).toBe(LONG);
    expect(server.requests[1]?.body.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: 'record a-long-identifier',
    });
  });

  it('begins anew after a connection that broke in the middle, and marks it', async () => {
    server
      .fault({ kind: 'disconnect', afterPieces: 3, text: 'The museum is closed for ever.' })
      .reply({ text: LONG });
    const { shown, restarts, final } = await watch(modelsFor(server.url));
    expect(final?.text).toBe(LONG);
    expect(final?.response_metadata).toMatchObject({
      hub_provider: 'openai',
      hub_restarted: true,
      hub_calls: 1,
    });
    expect(restarts).toBe(1);
    expect([...shown.values()]).toEqual(['The museum is cl', LONG]);
    expect([...shown.keys()].at(-1)).toBe(final?.id);
  });

  it('does not take half an answer for a whole one', async () => {
    server
      .fault({ kind: 'cut_stream', afterPieces: 3, text: 'You will be refunded unless' })
      .reply({ text: LONG });
    const { final } = await watch(modelsFor(server.url));
    expect(final?.text).toBe(LONG);
    expect(final?.response_metadata).toMatchObject({ hub_restarted: true });
  });

  it('goes on offline where the provider falls silent in the middle', async () => {
    server.reply({ text: LONG, pieceDelayMs: 600_000 });
    const bench = modelsFor(server.url, { timeoutMs: 2_000, retries: 0 });
    const { shown, final } = await watch(bench);
    expect(final?.text).toBe('Written offline.');
    expect(final?.response_metadata).toMatchObject({ hub_provider: 'offline', hub_fallback: 'timeout' });
    expect(shown.get(final?.id ?? '')).toBe('Written offline.');
  });

  it('keeps the offline answer apart from the tokens that were shown before', async () => {
    server.fault({ kind: 'disconnect', afterPieces: 4, text: 'Something quite different.' });
    const { shown, restarts, final } = await watch(modelsFor(server.url, { retries: 0 }));
    expect(final?.response_metadata).toMatchObject({ hub_provider: 'offline', hub_restarted: true });
    expect(shown.get(final?.id ?? '')).toBe('Written offline.');
    expect(shown.size).toBe(2);
    expect(restarts).toBe(1);
  });

  it('does not complete broken arguments by guessing', async () => {
    server.reply({ toolCalls: [{ name: 'lookup', args: '{"id": "r1' }] }).reply({ text: LONG });
    const { final } = await watch(modelsFor(server.url));
    expect(final?.text).toBe(LONG);
    expect(JSON.stringify(server.requests[1]?.body.messages)).toContain('arguments of lookup');
  });

  it('calls tools offline in a streamed agent', async () => {
    server.fault({ kind: 'status', status: 500 }, { times: 2 });
    const policy: OfflinePolicy = ({ messages }) =>
      messages.length === 1
        ? { kind: 'call', tool: 'lookup', args: { id: 'r9' } }
        : { kind: 'say', text: `Offline: ${messages.at(-1)?.text}` };
    const { final } = await watch(modelsFor(server.url, { retries: 0 }, { policy }));
    expect(final?.text).toBe('Offline: record r9');
  });

  it('keeps structured output out of the stream', async () => {
    server.reply({ json: { mood: 'good' } });
    const model = modelsFor(server.url)
      .models.forRole('triage')
      .withStructuredOutput(z.object({ mood: z.string() }));
    const events: string[] = [];
    for await (const event of await model.stream('Hi', {
      callbacks: [{ handleLLMNewToken: (token: string) => void events.push(token) }],
    })) {
      expect(event).toEqual({ mood: 'good' });
    }
    expect(events).toEqual([]);
  });
});

import { AIMessage, HumanMessage, SystemMessage, type ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OfflineChatModel } from '../../../src/adapters/models/offline-chat-model.js';
import type { OfflinePolicy, OfflineTurn } from '../../../src/core/ports/chat-models.js';

const ping = tool(() => 'pong', { name: 'ping', description: 'Pings.', schema: z.object({}) });
const say =
  (text: string): OfflinePolicy =>
  () => ({ kind: 'say', text });
const call: OfflinePolicy = () => ({ kind: 'call', tool: 'ping', args: { a: 1 } });

async function callIdOf(
  role: string,
  messages: ConstructorParameters<typeof HumanMessage>[0][] | (HumanMessage | AIMessage | ToolMessage)[],
): Promise<string> {
  const answer = await new OfflineChatModel({ role, policy: call }).invoke(messages as HumanMessage[]);
  return answer.tool_calls?.[0]?.id ?? '';
}

describe('the offline chat model', () => {
  it('shows the policy the messages, the context of the graph and the tools', async () => {
    const seen: OfflineTurn[] = [];
    const policy: OfflinePolicy = (turn) => {
      seen.push(turn);
      return { kind: 'say', text: 'ok', metadata: { rule: 'K1' } };
    };
    const model = new OfflineChatModel({ role: 'knowledge', policy }).bindTools([ping]);
    const system = new SystemMessage({
      content: 'You know.',
      additional_kwargs: { hub: { articles: ['a1'] } },
    });
    const answer = await model.invoke([system, new HumanMessage('Hi')]);
    expect(seen[0]?.context).toEqual({ articles: ['a1'] });
    expect(seen[0]?.toolNames).toEqual(['ping']);
    expect(seen[0]?.messages).toHaveLength(2);
    expect(answer.response_metadata).toEqual({ rule: 'K1', hub_provider: 'offline' });
    expect(answer.usage_metadata).toEqual({ input_tokens: 0, output_tokens: 0, total_tokens: 0 });
  });

  it('has no context where the graph gave none', async () => {
    let context: unknown = 'unset';
    const policy: OfflinePolicy = (turn) => {
      context = turn.context;
      return { kind: 'say', text: 'ok' };
    };
    await new OfflineChatModel({ role: 'x', policy }).invoke('Hi');
    expect(context).toBeUndefined();
  });

  it('gives a call the same id for the same conversation, and another for any other', async () => {
    const one = [new HumanMessage({ id: 'm1', content: 'yes' })];
    const ids = await Promise.all([
      callIdOf('action', one),
      callIdOf('action', one),
      callIdOf('supervisor', one),
      callIdOf('action', [new HumanMessage({ id: 'm2', content: 'yes' })]),
      callIdOf('action', [new HumanMessage({ id: 'm1', content: 'no' })]),
      callIdOf('action', [...one, new AIMessage('ok'), new HumanMessage('yes')]),
    ]);
    expect(ids[0]).toMatch(/^call_[0-9a-f]{24}$/);
    expect(ids[0]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(5);
  });

  it('streams sentence by sentence without changing the text', async () => {
    const text = 'First sentence. Second one! R$ 45.50, is it?\n\n- a list\n- of things';
    const pieces: string[] = [];
    for await (const chunk of await new OfflineChatModel({ role: 'x', policy: say(text) }).stream('Hi'))
      pieces.push(chunk.text);
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join('')).toBe(text);
  });

  it('streams a call whole', async () => {
    const chunks = [];
    for await (const chunk of await new OfflineChatModel({ role: 'x', policy: call }).stream('Hi'))
      chunks.push(chunk);
    expect(chunks).toHaveLength(1);
    expect(chunks[0]?.tool_calls).toMatchObject([{ name: 'ping', args: { a: 1 } }]);
    expect(chunks[0]?.response_metadata.hub_provider).toBe('offline');
  });

  it.each(['', ' ', '...', '\n\n'])('streams %j as it is', async (text) => {
    let streamed = '';
    for await (const chunk of await new OfflineChatModel({ role: 'x', policy: say(text) }).stream('Hi'))
      streamed += chunk.text;
    expect(streamed).toBe(text);
  });

  it('reads structured output from a call or from text, and refuses what does not fit', async () => {
    const schema = z.object({ a: z.number() });
    const ask = (policy: OfflinePolicy) =>
      new OfflineChatModel({ role: 'x', policy }).withStructuredOutput(schema).invoke('Hi');
    await expect(ask(call)).resolves.toEqual({ a: 1 });
    await expect(ask(say('{"a": 2}'))).resolves.toEqual({ a: 2 });
    await expect(ask(say('{"a": "two"}'))).rejects.toMatchObject({ code: 'model_bad_output' });
    await expect(ask(say('no idea'))).rejects.toMatchObject({ code: 'model_bad_output' });
  });

  it('stops where its caller gave up', async () => {
    const model = new OfflineChatModel({ role: 'x', policy: say('ok') });
    await expect(model.invoke('Hi', { signal: AbortSignal.abort() })).rejects.toThrow();
  });
});

import { HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startOpenAiServer } from '../../support/openai-server.js';
import { scriptedModel, scriptedModels } from '../../support/scripted-model.js';

const ping = tool(() => 'pong', { name: 'ping', description: 'Pings.', schema: z.object({}) });

/** Sends a chat request as a client would. */
async function ask(url: string, body: object): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', max_tokens: 100, ...body }),
  });
  return { status: response.status, text: await response.text() };
}
const user = (content: string) => ({ role: 'user', content });
const system = (content: string) => ({ role: 'system', content });

const choice = (name: string) => ({ type: 'function', function: { name } });
const toolOf = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object' } } });
const called = (id: string, args: string) => [
  { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name: 'a', arguments: args } }] },
  { role: 'tool', tool_call_id: id, content: 'done' },
];
const strict = (properties: object, required = Object.keys(properties)) => {
  const schema = { type: 'object', properties, required, additionalProperties: false };
  return { response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } } };
};

describe('the OpenAI test server', () => {
  it('fails the test whose script ran dry', async () => {
    const server = await startOpenAiServer();
    expect((await ask(server.url, { messages: [user('hi')] })).status).toBe(400);
    await expect(server.close()).rejects.toThrow(/ran dry/);
  });

  it('fails the test whose script was not used up', async () => {
    const server = await startOpenAiServer();
    server.reply({ text: 'never' }, 'You are the accountant');
    expect(() => server.assertExhausted()).toThrow(/not used: .*never/);
    await server.close();
  });

  it('matches steps to agents by their prompt', async () => {
    const server = await startOpenAiServer();
    server.reply({ text: 'from knowledge' }, /knowledge/).reply({ text: 'from account' }, 'account');
    expect((await ask(server.url, { messages: [system('account agent'), user('hi')] })).text).toContain(
      'from account',
    );
    expect((await ask(server.url, { messages: [system('knowledge agent'), user('hi')] })).text).toContain(
      'from knowledge',
    );
    expect(server.requests.map((request) => request.system)).toEqual(['account agent', 'knowledge agent']);
    await server.close();
  });

  it.each([
    [
      'an unanswered call',
      [
        user('hi'),
        {
          role: 'assistant',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'x', arguments: '{}' } }],
        },
        user('and?'),
      ],
    ],
    ['an answer to no call', [user('hi'), { role: 'tool', tool_call_id: 'c9', content: 'x' }]],
    ['an empty assistant message', [user('hi'), { role: 'assistant', content: '' }, user('?')]],
    ['no messages', []],
  ])('refuses %s, as OpenAI does', async (_name, messages) => {
    const server = await startOpenAiServer();
    server.otherwise(() => ({ text: 'ok' }));
    expect((await ask(server.url, { messages })).status).toBe(400);
    await expect(server.close()).rejects.toThrow(/OpenAI refuses/);
  });

  it.each([
    ['without a longest answer', { max_tokens: undefined }, 'max_tokens'],
    ['with a tool of a foreign name', { tools: [toolOf('get reservations')] }, 'refused: get reservations'],
    ['with two tools of one name', { tools: [toolOf('a'), toolOf('a')] }, 'two tools are called a'],
    ['with a choice that is not offered', { tools: [toolOf('a')], tool_choice: choice('b') }, 'not offered'],
    ['with a choice and no tools', { tool_choice: choice('a') }, 'without tools'],
    ['with a long call id', { messages: [user('hi'), ...called('i'.repeat(41), '{}')] }, '41 characters'],
    ['with broken arguments', { messages: [user('hi'), ...called('c1', '{')] }, 'no JSON'],
    ['with half a character', { messages: [user('hi \ud83d')] }, 'half a character'],
    ['with optional properties', strict({ a: { type: 'string' } }, []), 'must be required'],
    ['with a default', strict({ a: { type: 'string', default: 'x' } }), 'default is not supported'],
    ['with oneOf', strict({ a: { oneOf: [{ type: 'string' }] } }), 'oneOf is not supported'],
    ['with a foreign format', strict({ a: { type: 'string', format: 'uri' } }), 'format uri'],
  ])('[MDL-04] refuses a request %s', async (_name, body, why) => {
    const server = await startOpenAiServer();
    server.otherwise(() => ({ text: 'ok' }));
    const answer = await ask(server.url, { messages: [user('hi')], ...body });
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining(why) });
    await expect(server.close()).rejects.toThrow(/OpenAI refuses/);
  });

  it('embeds texts as unit vectors, in both encodings', async () => {
    const server = await startOpenAiServer();
    const embed = async (extra: object): Promise<unknown[]> => {
      const body = JSON.stringify({
        model: 'e',
        input: ['the museum', 'a museum', 'refund'],
        dimensions: 64,
        ...extra,
      });
      const response = await fetch(`${server.url}/embeddings`, { method: 'POST', body });
      return ((await response.json()) as { data: { embedding: unknown }[] }).data.map((row) => row.embedding);
    };
    const [one = [], two = [], three = []] = (await embed({ encoding_format: 'float' })) as number[][];
    const dot = (a: number[], b: number[]): number =>
      a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
    expect(dot(one, one)).toBeCloseTo(1);
    expect(dot(one, two)).toBeGreaterThan(dot(one, three));
    const [packed] = (await embed({ encoding_format: 'base64' })) as string[];
    expect(Buffer.from(packed ?? '', 'base64')).toHaveLength(64 * 4);
    await server.close();
  });
});

describe('the scripted model', () => {
  it('says its steps in order, with ids as given, and shows what it was asked', async () => {
    const model = scriptedModel([
      { calls: [{ id: 'c1', name: 'ping', args: {} }] },
      (messages) => ({ text: `heard ${messages.at(-1)?.text}` }),
    ]);
    const bound = model.bindTools([ping]);
    expect((await bound.invoke([new HumanMessage('one')])).tool_calls).toMatchObject([
      { id: 'c1', name: 'ping' },
    ]);
    expect((await bound.invoke([new HumanMessage('two')])).text).toBe('heard two');
    expect(model.calls.map((call) => call.tools)).toEqual([['ping'], ['ping']]);
    model.assertExhausted();
  });

  it('fails when it runs dry, even if the graph swallows the error', async () => {
    const model = scriptedModel([], 'knowledge');
    await expect(model.invoke('hi')).rejects.toThrow(/knowledge ran dry/);
    expect(() => model.assertExhausted()).toThrow(/ran dry/);
  });

  it('fails when steps are left', () => {
    expect(() => scriptedModels({ account: [{ text: 'never' }] }).assertExhausted()).toThrow(
      /1 steps of account/,
    );
  });

  it('fails when it calls a tool that is not bound', async () => {
    const model = scriptedModel([{ calls: [{ id: 'c1', name: 'pong', args: {} }] }]);
    await expect(model.bindTools([ping]).invoke('hi')).rejects.toThrow(/not bound/);
  });

  it('fails when its object breaks the schema, or nobody asked for one', async () => {
    const schema = z.object({ a: z.number() });
    const model = scriptedModel([{ object: { a: 1 } }, { object: { a: 'x' } }, { object: {} }]);
    await expect(model.withStructuredOutput(schema).invoke('hi')).resolves.toEqual({ a: 1 });
    await expect(model.withStructuredOutput(schema).invoke('hi')).rejects.toThrow(/does not fit its schema/);
    await expect(model.invoke('hi')).rejects.toThrow(/none was asked for/);
    expect(() => model.assertExhausted()).toThrow(/does not fit/);
  });

  it('throws what it is told to', async () => {
    await expect(scriptedModel([{ error: new Error('provider down') }]).invoke('hi')).rejects.toThrow(
      'provider down',
    );
  });
});

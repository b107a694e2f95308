import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { MemorySaver } from '@langchain/langgraph';
import { createSupervisor } from '@langchain/langgraph-supervisor';
import { createAgent } from 'langchain';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createChatModels } from '../../src/adapters/models/openai-chat-models.js';
import { createPrices, createUsageCollector } from '../../src/adapters/models/usage.js';
import { parseConfig } from '../../src/config/config.js';
import {
  type ChatModels,
  MODEL_ROLES,
  type OfflineStep,
  type OfflineTurn,
} from '../../src/core/ports/chat-models.js';
import { keptLog, policies } from '../integration/models/support.js';
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.js';
import { scriptedModels } from '../support/scripted-model.js';
import { TEXTS } from '../support/texts.js';

const verdict = z.object({ mood: z.enum(['good', 'bad']), score: z.number().min(0).max(1) });
const lookup = tool(({ id }) => `record of ${id}`, {
  name: 'lookup',
  description: 'Looks up a record.',
  schema: z.object({ id: z.string() }),
});

/** One behaviour, as a policy, as a provider and as a script. */
interface Subject {
  readonly models: ChatModels;
  close(): Promise<void>;
}

function behave(messages: readonly BaseMessage[], toolNames: readonly string[]): OfflineStep {
  if (toolNames.includes('transfer_to_account')) {
    const done = messages.some(
      (message) => AIMessage.isInstance(message) && message.name === 'account' && message.text !== '',
    );
    return done ? { kind: 'say', text: 'Done.' } : { kind: 'call', tool: 'transfer_to_account', args: {} };
  }
  const last = messages.at(-1);
  if (toolNames.includes('lookup') && last !== undefined && !ToolMessage.isInstance(last))
    return { kind: 'call', tool: 'lookup', args: { id: 'r1' } };
  if (ToolMessage.isInstance(last))
    return { kind: 'say', text: `I found the ${last.text}. It is yours. Anything else?` };
  return { kind: 'say', text: JSON.stringify({ mood: 'good', score: 0.5 }) };
}

async function offline(): Promise<Subject> {
  const config = parseConfig({}).models;
  const policy = ({ messages, toolNames }: OfflineTurn) => behave(messages, toolNames);
  return {
    models: createChatModels({ config, offlinePolicies: policies(policy), texts: TEXTS, log: keptLog() }),
    close: async () => undefined,
  };
}

async function provider(): Promise<Subject> {
  const server: OpenAiServer = await startOpenAiServer();
  server.otherwise(({ body }) => {
    const messages = body.messages.map((message) => {
      if (message.role === 'tool')
        return new ToolMessage({
          content: String(message.content),
          tool_call_id: message.tool_call_id ?? '',
        });
      const name = (message as { readonly name?: string }).name;
      return message.role === 'assistant'
        ? new AIMessage({ content: String(message.content ?? ''), ...(name !== undefined && { name }) })
        : new HumanMessage(String(message.content));
    });
    const step = behave(
      messages,
      (body.tools ?? []).map((entry) => entry.function.name),
    );
    return step.kind === 'say' ? { text: step.text } : { toolCalls: [{ name: step.tool, args: step.args }] };
  });
  const config = parseConfig({ OPENAI_BASE_URL: server.url }).models;
  const offlinePolicies = policies(() => {
    throw new Error('the provider should have answered');
  });
  return {
    models: createChatModels({ config, offlinePolicies, texts: TEXTS, log: keptLog() }),
    close: () => server.close(),
  };
}

async function scripted(): Promise<Subject> {
  const models = scriptedModels({});
  for (const role of MODEL_ROLES) {
    let count = 0;
    const { forRole } = scriptedModels({
      [role]: Array.from({ length: 20 }, () => (messages: readonly BaseMessage[]) => {
        count += 1;
        const step = behave(
          messages,
          role === 'supervisor' ? ['transfer_to_account'] : role === 'account' ? ['lookup'] : [],
        );
        return step.kind === 'say'
          ? { text: step.text }
          : { calls: [{ id: `${role}_${count}`, name: step.tool, args: step.args }] };
      }),
    });
    Object.assign(models.models, { [role]: forRole(role) });
  }
  return { models, close: async () => undefined };
}

describe.each([
  ['offline', offline],
  ['provider', provider],
  ['scripted', scripted],
] as const)('chat models: %s', (_name, make) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await make();
  });
  afterEach(async () => subject.close());

  it('gives a real chat model for each role, always the same', () => {
    for (const role of MODEL_ROLES) {
      const model = subject.models.forRole(role);
      expect(model._modelType()).toBe('base_chat_model');
      expect(typeof model.bindTools).toBe('function');
      expect(subject.models.forRole(role)).toBe(model);
    }
  });

  it('says which mode wrote an answer, with its usage', async () => {
    const answer = await subject.models.forRole('review').invoke([new HumanMessage('Judge this.')]);
    expect(answer.response_metadata.hub_provider).toBe(subject.models.provider);
    expect(answer.usage_metadata?.total_tokens).toBeTypeOf('number');
  });

  it('validates structured output', async () => {
    const model = subject.models.forRole('triage');
    await expect(model.withStructuredOutput(verdict).invoke('How is it?')).resolves.toEqual({
      mood: 'good',
      score: 0.5,
    });
    const both = await model.withStructuredOutput(verdict, { includeRaw: true }).invoke('How is it?');
    expect(both.parsed).toEqual({ mood: 'good', score: 0.5 });
    expect(both.raw.response_metadata).toMatchObject({ hub_provider: subject.models.provider });
  });

  it('never gives out an object that does not fit', async () => {
    const strict = z.object({ mood: z.literal('awful') });
    await expect(
      subject.models.forRole('triage').withStructuredOutput(strict).invoke('How is it?'),
    ).rejects.toThrow();
  });

  it('[GRAPH-14] runs a ReAct agent, streams it, and carries the answer verbatim', async () => {
    const agent = createAgent({
      model: subject.models.forRole('account'),
      tools: [lookup],
      systemPrompt: new SystemMessage('You look up.'),
    });
    let streamed = '';
    let final: BaseMessage | undefined;
    for await (const [mode, part] of await agent.stream(
      { messages: [new HumanMessage('Find r1')] },
      { streamMode: ['messages', 'values'] },
    )) {
      if (mode === 'messages' && AIMessage.isInstance(part[0])) streamed += part[0].text;
      if (mode === 'values') final = part.messages.at(-1);
    }
    expect(final?.text).toBe('I found the record of r1. It is yours. Anything else?');
    expect(streamed).toBe(final?.text);
  });

  it('[GRAPH-01] drives a supervisor over agents, turn after turn on one thread', async () => {
    const agent = createAgent({
      model: subject.models.forRole('account'),
      tools: [lookup],
      name: 'account',
      description: 'Accounts.',
    });
    const graph = createSupervisor({
      agents: [agent.graph as never],
      llm: subject.models.forRole('supervisor'),
      addHandoffMessages: false,
    }).compile({
      checkpointer: new MemorySaver(),
    });
    const prices = createPrices();
    const collector = createUsageCollector(prices, subject.models.provider);
    const config = { configurable: { thread_id: 't1' }, callbacks: [collector.handler] };
    const first = await graph.invoke({ messages: [new HumanMessage('Find r1')] }, config);
    expect(first.messages.map((message: BaseMessage) => message.text)).toContain(
      'I found the record of r1. It is yours. Anything else?',
    );
    expect(first.messages.at(-1)?.text).toBe('Done.');
    expect(collector.provider()).toBe(subject.models.provider);
    const calls = first.messages.flatMap((message: BaseMessage) =>
      AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [],
    );
    expect(new Set(calls.map((call) => call.id)).size).toBe(calls.length);
  });
});

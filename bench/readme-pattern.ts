import { readFileSync } from 'node:fs';
import { HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { MemorySaver } from '@langchain/langgraph';
import { createSupervisor } from '@langchain/langgraph-supervisor';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';
import type { OpenAiServer, Reply } from '../test/support/openai-server.js';
import { AGENTS, TRIAGE } from '../test/support/roster.js';

type AnyTool = (typeof TRIAGE.tools)[number];

/** What a tool of the baseline returns, by its name. */
type ToolResults = Readonly<Record<string, unknown>>;

/**
 * The pattern straight from the README of @langchain/langgraph-supervisor: a model as supervisor, ReAct agents with the
 * hub's own tools and prompts, defaults everywhere. What the hub is compared with.
 */
function readmePattern(url: string, results: ToolResults) {
  const model = new ChatOpenAI({
    model: 'gpt-4o-mini',
    maxTokens: 1500,
    apiKey: 'not-needed',
    configuration: { baseURL: url },
    maxRetries: 0,
    useResponsesApi: false,
  });
  const classify = model.withStructuredOutput(FORM, { name: 'triage', method: 'jsonSchema', strict: true });
  const run = async (definition: AnyTool, args: unknown): Promise<string> => {
    if (definition.name !== 'classify_ticket')
      return JSON.stringify({ ok: true, data: results[definition.name] ?? {} });
    const prompt = readFileSync(TRIAGE.prompt, 'utf8');
    return JSON.stringify(
      await classify.invoke([{ role: 'system', content: prompt }, new HumanMessage(JSON.stringify(args))]),
    );
  };
  const agents = [TRIAGE, ...AGENTS].map((definition) =>
    createAgent({
      name: definition.name,
      model,
      systemPrompt: readFileSync(definition.prompt, 'utf8'),
      tools: definition.tools.map((entry: AnyTool) =>
        tool((args: unknown) => run(entry, args), {
          name: entry.name,
          description: entry.description,
          schema: entry.input,
        }),
      ),
    }),
  );
  return createSupervisor({
    agents: agents.map((agent) => agent.graph),
    llm: model,
    prompt: SUPERVISOR,
  }).compile({ checkpointer: new MemorySaver() });
}

const SUPERVISOR =
  'You are a team supervisor of CultPass customer support, managing a triage agent, a knowledge agent, an account agent and an action agent. ' +
  'Always let triage classify the message first. For rules, prices and how-to, use knowledge. ' +
  "For the customer's own data, use account. To change something, use action.";

const FORM = {
  title: 'triage',
  type: 'object',
  properties: {
    issue_type: { type: 'string' },
    priority: { type: 'string' },
    sentiment: { type: 'string' },
    requires_human: { type: 'boolean' },
    summary: { type: 'string' },
  },
  required: ['issue_type', 'priority', 'sentiment', 'requires_human', 'summary'],
  additionalProperties: false,
};

/** What a sensible model says in this pattern, in order, where `agent` needs the given calls for its answer. */
export function readmeScript(
  agent: string,
  calls: NonNullable<Reply['toolCalls']>,
  answer: string,
): readonly Reply[] {
  const call = (name: string, args: Readonly<Record<string, unknown>> = {}): Reply => ({
    toolCalls: [{ name, args }],
  });
  const form = {
    issue_type: 'subscription',
    priority: 'medium',
    sentiment: 'neutral',
    requires_human: false,
  };
  return [
    call('transfer_to_triage'),
    call('classify_ticket', { message: 'as written' }),
    { json: { ...form, summary: 'The customer asks about the plan.' } },
    { text: 'An ordinary question about the subscription; no person is needed.' },
    call(`transfer_to_${agent}`),
    ...calls.map((entry): Reply => ({ toolCalls: [entry] })),
    { text: answer },
    { text: answer },
  ];
}

/** Runs one message through the pattern on a thread of its own. */
export async function askReadmePattern(
  server: OpenAiServer,
  results: ToolResults,
  text: string,
  script: readonly Reply[],
): Promise<void> {
  for (const reply of script) server.reply(reply);
  await readmePattern(server.url, results).invoke(
    { messages: [new HumanMessage(text)] },
    { configurable: { thread_id: text } },
  );
}

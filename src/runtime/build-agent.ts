import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { createAgent } from 'langchain';
import type { AgentDefinition } from './agent-definition.js';
import { agentStateSchema } from './agent-state.js';
import type { ToolDeps } from './define-tool.js';
import { HubTool } from './hub-tool.js';
import { modelStep } from './model-step.js';
import { readPrompt } from './prompt-file.js';

interface BuildAgentOptions {
  readonly model: BaseChatModel;
  /** The agent's rules, for what no answer of the model may be sent of; absent where none is reviewed. */
  readonly rules?: BaseChatModel;
  readonly deps: ToolDeps;
}

/**
 * The one call that makes an agent: a ReAct subgraph of LangChain's createAgent, with
 * - what is certain done first (prefetch), and answers that need no model given without one;
 * - the prompt made from the file and the turn;
 * - at most one irreversible call at a time, so that two questions to the customer never overlap.
 */
export function buildAgent(definition: AgentDefinition, { model, rules, deps }: BuildAgentOptions) {
  const prompt = readPrompt(definition.prompt, deps.company, [], definition);
  const tools = definition.tools.map((tool) => new HubTool(tool, deps, definition.name));
  const waitsForPeople = tools.some((tool) => tool.effect === 'irreversible');
  return createAgent({
    name: definition.name,
    description: definition.description,
    model,
    tools,
    middleware: [modelStep({ definition, prompt, tools, deps, rules })],
    stateSchema: agentStateSchema,
    // Only an agent that waits for people needs its steps kept; any other begins anew where it broke off.
    ...(waitsForPeople ? {} : { checkpointer: false, version: 'v1' as const }),
  }).graph;
}

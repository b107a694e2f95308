import { createHash } from 'node:crypto';
import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { getCurrentTaskInput, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { createMiddleware } from 'langchain';
import { textsFor } from '../src/core/i18n/index.js';
import type { HubTool, ToolDeps } from '../tools/index.js';
import type { AgentDefinition } from './agent-definition.js';
import { type AgentContext, type AgentStateView, contextOf } from './agent-state.js';
import { recall, relevant } from './conversation.js';
import { systemPrompt } from './system-prompt.js';

export interface ModelStepOptions {
  readonly definition: AgentDefinition;
  readonly prompt: string;
  readonly tools: readonly HubTool[];
  readonly deps: ToolDeps;
}

/**
 * What happens each time it is the agent's turn to speak. In one step of the graph, because each further one costs
 * about a millisecond: what is certain is done or said without the model; otherwise it is asked, with the prompt of
 * this turn, the part of the conversation that matters and the tools that are of use.
 */
export function modelStep({ definition, prompt, tools, deps }: ModelStepOptions) {
  const { clock, policy, time } = deps;
  const irreversible = new Set(tools.filter((tool) => tool.effect === 'irreversible').map((tool) => tool.name));
  return createMiddleware({
    name: 'model_step',
    wrapModelCall: async (request, handler) => {
      // With a `stateSchema` the library would build and run a parser for it on every call.
      const state = getCurrentTaskInput<AgentStateView>(request.runtime as LangGraphRunnableConfig);
      const context = contextOf(state, definition.name, clock.now().toISOString());
      const certain = withoutModel(definition, context, policy.retrieval.confidence_threshold);
      if (certain) return certain;
      const recalled = recall(definition.name, tools, request.messages, context.trace);
      const messages = relevant(request.messages, policy.conversation.history_messages, recalled);
      const asked = messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? '';
      const systemMessage = new SystemMessage({
        content: systemPrompt(prompt, context, asked, time),
        additional_kwargs: { hub: context },
      });
      const spared = new Set(definition.spared?.(context) ?? []);
      const offered = request.tools.filter((tool) => !('name' in tool && spared.has(String(tool.name))));
      const response = await handler({ ...request, tools: offered, systemMessage, messages });
      return AIMessage.isInstance(response) ? oneAtATime(response, irreversible) : response;
    },
  });
}

/** The invitation to sign in, the calls that are certain to be needed, or an answer that is certain; else null. */
function withoutModel(definition: AgentDefinition, context: AgentContext, threshold: number): AIMessage | null {
  const { session, trace } = context;
  if (definition.access === 'customer' && session.identity.kind !== 'customer') {
    return answer(definition.name, textsFor(session.language).signIn(), { rule: 'sign_in' });
  }
  const calls = trace.length > 0 ? [] : definition.prefetch(context);
  if (calls.length > 0) return prefetch(definition.name, context, calls);
  const early = definition.early?.(context, threshold);
  return early ? answer(definition.name, early.text, { rule: 'early_answer', unanswered: early.unanswered }) : null;
}

function prefetch(agent: string, context: AgentContext, calls: ReturnType<AgentDefinition['prefetch']>): AIMessage {
  const toolCalls = calls.map((call, index) => ({
    name: call.tool,
    args: { ...call.args },
    id: prefetchId(context.session.turnId, agent, context.task.text, index),
    type: 'tool_call' as const,
  }));
  return new AIMessage({ content: '', name: agent, tool_calls: toolCalls });
}

/** Keeps the first irreversible call of a message; the model sees its result before it may make the next. */
function oneAtATime(message: AIMessage, irreversible: ReadonlySet<string>): AIMessage {
  const calls = message.tool_calls ?? [];
  const writes = calls.filter((call) => irreversible.has(call.name));
  if (writes.length < 2) return message;
  const kept = calls.filter((call) => !irreversible.has(call.name) || call === writes[0]);
  return new AIMessage({ ...message, content: message.content, tool_calls: kept });
}

function answer(agent: string, text: string, hub: Record<string, unknown>): AIMessage {
  return new AIMessage({ content: text, name: agent, response_metadata: { hub, hub_provider: 'rule' } });
}

function prefetchId(...parts: readonly unknown[]): string {
  return `pre_${createHash('sha1').update(JSON.stringify(parts)).digest('hex').slice(0, 20)}`;
}

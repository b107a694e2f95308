import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { createAgent, createMiddleware } from 'langchain';
import { textsFor } from '../src/core/i18n/index.js';
import { HubTool, type ToolDeps } from '../tools/index.js';
import type { AgentDefinition } from './agent-definition.js';
import { type AgentContext, agentStateSchema, type AgentStateView, contextOf } from './agent-state.js';
import { systemPrompt } from './system-prompt.js';

export interface BuildAgentOptions {
  readonly model: BaseChatModel;
  readonly deps: ToolDeps;
}

type AgentState = AgentStateView & { readonly messages: BaseMessage[] };

/**
 * The one call that makes an agent: a ReAct subgraph of LangChain's createAgent, with
 * - what is certain done first (prefetch), and answers that need no model given without one;
 * - the prompt made from the file and the turn;
 * - at most one irreversible call at a time, so that two questions to the customer never overlap.
 */
export function buildAgent(definition: AgentDefinition, options: BuildAgentOptions) {
  const { deps } = options;
  const staticPrompt = readFileSync(definition.prompt, 'utf8');
  const tools = definition.tools.map((tool) => new HubTool(tool, deps, definition.name));
  const irreversible = new Set(
    tools.filter((tool) => tool.effect === 'irreversible').map((tool) => tool.name),
  );
  const now = () => deps.clock.now().toISOString();
  const middleware = [
    prepareMiddleware(definition, now),
    ...(definition.early
      ? [earlyMiddleware(definition, deps.policy.retrieval.confidence_threshold, now)]
      : []),
    ...(irreversible.size > 0 ? [oneAtATime(irreversible)] : []),
    promptMiddleware(definition, staticPrompt, deps),
  ];
  return createAgent({
    name: definition.name,
    description: definition.description,
    model: options.model,
    tools,
    middleware,
    stateSchema: agentStateSchema,
  }).graph;
}

function prepareMiddleware(definition: AgentDefinition, now: () => string) {
  return createMiddleware({
    name: 'prepare',
    stateSchema: agentStateSchema,
    beforeAgent: {
      canJumpTo: ['tools', 'end'],
      hook: (state: AgentState) => {
        const context = contextOf(state, definition.name, now());
        if (definition.access === 'customer' && context.session.identity.kind !== 'customer') {
          const text = textsFor(context.session.language).signIn();
          return { messages: [answer(definition.name, text, { rule: 'sign_in' })], jumpTo: 'end' as const };
        }
        const calls = definition.prefetch(context);
        if (calls.length === 0) return undefined;
        const tool_calls = calls.map((call, index) => ({
          name: call.tool,
          args: { ...call.args },
          id: prefetchId(context.session.turnId, definition.name, context.task.text, context.revision, index),
          type: 'tool_call' as const,
        }));
        return {
          messages: [new AIMessage({ content: '', name: definition.name, tool_calls })],
          jumpTo: 'tools' as const,
        };
      },
    },
  });
}

function earlyMiddleware(definition: AgentDefinition, threshold: number, now: () => string) {
  return createMiddleware({
    name: 'early_answer',
    stateSchema: agentStateSchema,
    beforeModel: {
      canJumpTo: ['end'],
      hook: (state: AgentState) => {
        const early = definition.early?.(contextOf(state, definition.name, now()), threshold);
        if (!early) return undefined;
        const hub = { rule: 'early_answer', unanswered: early.unanswered };
        return { messages: [answer(definition.name, early.text, hub)], jumpTo: 'end' as const };
      },
    },
  });
}

/** Keeps the first irreversible call of a message; the model sees its result before it may make the next. */
function oneAtATime(irreversible: ReadonlySet<string>) {
  return createMiddleware({
    name: 'one_at_a_time',
    afterModel: (state: AgentState) => {
      const last = state.messages.at(-1);
      if (!last || !AIMessage.isInstance(last)) return undefined;
      const calls = last.tool_calls ?? [];
      const writes = calls.filter((call) => irreversible.has(call.name));
      if (writes.length < 2) return undefined;
      const kept = calls.filter((call) => !irreversible.has(call.name) || call === writes[0]);
      return { messages: [new AIMessage({ ...last, content: last.content, tool_calls: kept })] };
    },
  });
}

function promptMiddleware(definition: AgentDefinition, staticPrompt: string, { clock, policy, time }: ToolDeps) {
  return createMiddleware({
    name: 'prompt',
    stateSchema: agentStateSchema,
    wrapModelCall: (request, handler) => {
      const context = contextOf(request.state as AgentStateView, definition.name, clock.now().toISOString());
      const messages = relevant(request.messages, policy.conversation.history_messages, context);
      const asked = messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? '';
      const systemMessage = new SystemMessage({
        content: systemPrompt(staticPrompt, context, asked, time),
        additional_kwargs: { hub: context },
      });
      const spared = new Set(definition.spared?.(context) ?? []);
      const tools = request.tools.filter((tool) => !('name' in tool && spared.has(String(tool.name))));
      return handler({ ...request, tools, systemMessage, messages });
    },
  });
}

/**
 * What the model reads of the conversation: the newest messages of earlier turns, the customer's message, and the work
 * on this task. What other agents did in this turn stays out: it is not theirs to answer from, and costs tokens.
 */
function relevant(messages: readonly BaseMessage[], limit: number, context: AgentContext): BaseMessage[] {
  const turnStart = messages.findLastIndex((message) => HumanMessage.isInstance(message));
  const earlier = messages.slice(Math.max(0, turnStart - limit), turnStart + 1);
  const steps = handovers(messages.slice(turnStart + 1));
  const own = new Set(context.trace.map((entry) => entry.callId));
  const mine = steps.filter(
    (step, index) =>
      index === steps.length - 1 ||
      (context.revision !== null && step.some((message) => answers(message, own))),
  );
  return [...earlier.filter((message) => !isBlank(message)), ...mine.flat()];
}

/** The messages of a turn by the agents that wrote them. The supervisor ends each one's part with a blank message. */
function handovers(messages: readonly BaseMessage[]): readonly BaseMessage[][] {
  const parts: BaseMessage[][] = [[]];
  for (const message of messages) {
    if (isBlank(message)) parts.push([]);
    else parts.at(-1)?.push(message);
  }
  return parts;
}

/** An answer with neither words nor calls, which strict providers refuse to read. */
function isBlank(message: BaseMessage): boolean {
  return AIMessage.isInstance(message) && message.text === '' && (message.tool_calls ?? []).length === 0;
}

function answers(message: BaseMessage, callIds: ReadonlySet<string>): boolean {
  return ToolMessage.isInstance(message) && callIds.has(message.tool_call_id);
}

function answer(agent: string, text: string, hub: Record<string, unknown>): AIMessage {
  return new AIMessage({ content: text, name: agent, response_metadata: { hub, hub_provider: 'rule' } });
}

function prefetchId(...parts: readonly unknown[]): string {
  return `pre_${createHash('sha1').update(JSON.stringify(parts)).digest('hex').slice(0, 20)}`;
}

import { createHash } from 'node:crypto';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { Command, getCurrentTaskInput, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { createMiddleware } from 'langchain';
import type { CompanyProfile } from '../core/domain/company.js';
import { englishNameOf, inLanguage } from '../core/domain/language.js';
import type { ToolTrace } from '../core/domain/session.js';
import type { TimeFormat } from '../core/i18n/index.js';
import {
  type AgentContext,
  type AgentDefinition,
  type AgentStateView,
  contextOf,
} from './agent-definition.js';
import type { ToolDeps } from './define-tool.js';
import { hashOf } from './envelope.js';
import type { HubTool } from './hub-tool.js';
import { asksLookUp, hiddenTools } from './shown-tools.js';

/**
 * The static prompt first, so that providers can cache it, then what holds for this turn only.
 * @param message the customer's words, which the model reads anyway
 * @param takesTimes whether any tool that is offered takes a time
 */
function systemPrompt(
  definition: AgentDefinition,
  staticPart: string,
  context: AgentContext,
  message: string,
  time: TimeFormat,
  company: CompanyProfile,
  takesTimes: boolean,
): string {
  const { session, classification, task, revision } = context;
  const { identity, memory } = session;
  const lines = [
    `Time: ${time.short(context.now)} (${inLanguage(company.timeZoneName, 'en') ?? company.timeZone})${takesTimes ? `, ${context.now.slice(0, 16)}Z` : ''}.`,
    identity.kind === 'customer'
      ? `Customer: ${[session.customerName, 'signed in'].filter(Boolean).join(', ')}.`
      : 'Customer: not signed in.',
    `Answer in ${englishNameOf(session.language)}.`,
  ];
  if (session.unsupportedLanguage)
    lines.push(
      `The customer wrote another language; say that you answer in ${englishNameOf(session.language)}.`,
    );
  if (classification?.sentiment === 'frustrated')
    lines.push('The customer is frustrated: acknowledge it first, briefly.');
  for (const preference of memory?.preferences ?? [])
    lines.push(`Prefers ${preference.key}: ${preference.value}.`);
  if (session.agent !== undefined)
    lines.push(
      `You alone were addressed. Where you cannot do what is asked, say what you are for, and that the ${company.name} hub does the rest.`,
    );
  if (session.scopes !== undefined)
    lines.push(
      `The program that speaks for the customer has these rights only: ${session.scopes.join(', ') || 'none'}. What they do not cover is no fault: say that it cannot be done from there, and that the ${company.name} chat can.`,
    );
  const last = memory?.resolutions[0];
  // What is answered from articles has nothing to do with it.
  if (last && definition.access === 'customer')
    lines.push(`Earlier ticket (${last.resolutionType}): ${last.summary}`);
  if (task.text !== message) lines.push(`Your part of the request: ${task.text}`);
  if (revision) lines.push(`Your first answer was not sent: ${revision} Write it again without that fault.`);
  return `${staticPart.trim()}\n\n## This turn\n${lines.join('\n')}`;
}

/**
 * What the model reads of the conversation: the newest messages of earlier turns, the customer's message, and the work
 * on this task. What other agents did in this turn stays out: it is not theirs to answer from, and costs tokens.
 */
function relevant(
  messages: readonly BaseMessage[],
  limit: number,
  recalled: readonly BaseMessage[],
): BaseMessage[] {
  const turnStart = messages.findLastIndex((message) => HumanMessage.isInstance(message));
  const earlier = messages.slice(Math.max(0, turnStart - limit), turnStart + 1);
  // An agent's part ends with a message that calls nothing; what comes after the last one is the work at hand.
  const ownStart = messages.findLastIndex((message) => AIMessage.isInstance(message) && !callsTool(message));
  const own = messages.slice(Math.max(ownStart, turnStart) + 1);
  return [...earlier, ...recalled, ...own];
}

/**
 * The calls of this task that the conversation no longer shows: of a finished agent the supervisor keeps the last
 * message only, and an answer that is written again must be written from the same evidence, without acting twice.
 */
function recall(
  agent: string,
  tools: readonly HubTool[],
  messages: readonly BaseMessage[],
  trace: readonly ToolTrace[],
) {
  const shown = new Set(messages.map((message) => ToolMessage.isInstance(message) && message.tool_call_id));
  return trace.flatMap((entry) => {
    const tool = tools.find((candidate) => candidate.name === entry.tool);
    if (!tool || shown.has(entry.callId)) return [];
    const call = { id: entry.callId, name: entry.tool, args: { ...entry.args }, type: 'tool_call' as const };
    return [new AIMessage({ content: '', name: agent, tool_calls: [call] }), tool.resultMessage(entry)];
  });
}

function callsTool(message: AIMessage): boolean {
  return (message.tool_calls ?? []).length > 0;
}

interface ModelStepOptions {
  readonly definition: AgentDefinition;
  readonly prompt: string;
  readonly tools: readonly HubTool[];
  readonly deps: ToolDeps;
  /** Answer instead of the model where nothing that it wrote may be sent. */
  readonly rules: BaseChatModel | undefined;
}

/**
 * What happens each time it is the agent's turn to speak. In one step of the graph, because each further one costs
 * about a millisecond: what is certain is done or said without the model; otherwise it is asked, with the prompt of
 * this turn, the part of the conversation that matters and the tools that are of use.
 */
export function modelStep({ definition, prompt, tools, deps, rules }: ModelStepOptions) {
  const { clock, policy, time, company } = deps;
  const known = tools.flatMap(({ name }) => deps.roster.all.get(name) ?? []);
  return createMiddleware({
    name: 'model_step',
    // Without this the library turns whatever a tool throws into words for the model, which would then try again.
    wrapToolCall: (request, handler) => handler(request),
    wrapModelCall: async (request, handler) => {
      // With a `stateSchema` the library would build and run a parser for it on every call.
      const state = getCurrentTaskInput<AgentStateView>(request.runtime as LangGraphRunnableConfig);
      const before = contextOf(state, definition.name, clock.now().toISOString(), company);
      const texts = deps.texts.for(before.session.language);
      if (definition.access === 'customer' && before.session.identity.kind !== 'customer') {
        return answer(definition.name, texts.sayOf('refusal', 'not_signed_in'), { rule: 'sign_in' });
      }
      const advised = proposedCall(before);
      if (advised) return advised;
      const { signal } = request.runtime as LangGraphRunnableConfig;
      const fetched =
        before.trace.length > 0
          ? []
          : await fetchAhead({ definition, tools, context: before, state, signal });
      // For live events: the graph itself publishes this step only when the model has answered.
      if (fetched.length > 0) request.runtime.writer?.({ trace: fetched });
      const context = { ...before, trace: [...before.trace, ...fetched] };
      const early = asksLookUp(known, definition, context, deps)
        ? null
        : definition.early?.(context, policy.retrieval.confidence_threshold, texts);
      if (early) {
        const { text, ...about } = early;
        const hub = { rule: 'early_answer', ...about };
        return new Command({ update: { messages: [answer(definition.name, text, hub)], trace: fetched } });
      }
      const recalled = recall(definition.name, tools, request.messages, context.trace);
      const messages = relevant(request.messages, policy.conversation.history_messages, recalled);
      const asked = messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? '';
      const spared = new Set([...(definition.spared?.(context) ?? []), ...hiddenTools(known, context, deps)]);
      const offered = request.tools.filter((tool) => !('name' in tool && spared.has(String(tool.name))));
      const takesTimes = tools.some((tool) => tool.takesTimes && !spared.has(tool.name));
      const systemMessage = new SystemMessage({
        content: systemPrompt(definition, prompt, context, asked, time, company, takesTimes),
        additional_kwargs: { hub: context },
      });
      const model = (context.task.withoutModel && rules) || request.model;
      const response = await handler({ ...request, model, tools: offered, systemMessage, messages });
      if (AIMessage.isInstance(response)) keepOneChange(response, tools);
      // The library adds the model's message by itself.
      return new Command({ update: { trace: fetched } });
    },
  });
}

/** A change that an investigation advises goes to the gate as it is, once; no model chooses its arguments again. */
function proposedCall({ session, task, trace }: AgentContext): AIMessage | null {
  const { proposal } = task;
  if (!proposal || trace.some((entry) => entry.tool === proposal.tool)) return null;
  const id = `advised_${hash(session.turnId, proposal.tool, proposal.args)}`;
  const call = { id, name: proposal.tool, args: { ...proposal.args }, type: 'tool_call' as const };
  return new AIMessage({ content: '', tool_calls: [call], response_metadata: { hub_provider: 'rule' } });
}

interface Ahead {
  readonly definition: AgentDefinition;
  readonly tools: readonly HubTool[];
  readonly context: AgentContext;
  readonly state: AgentStateView;
  readonly signal: AbortSignal | undefined;
}

/** Makes the calls that are certain to be needed. They only read, so no confirmation is asked for. */
async function fetchAhead({
  definition,
  tools,
  context,
  state,
  signal,
}: Ahead): Promise<readonly ToolTrace[]> {
  const calls = definition.prefetch(context).map((planned, index) => {
    const tool = tools.find((candidate) => candidate.name === planned.tool && candidate.effect === 'read');
    if (!tool) throw new Error(`${definition.name} cannot fetch ahead with ${planned.tool}`);
    const id = `pre_${hash(context.session.turnId, definition.name, context.task.text, index)}`;
    return tool.trace({ id, args: planned.args }, state, signal);
  });
  return Promise.all(calls);
}

/**
 * Keeps the first irreversible call of a message, and beside it only what reads: the model sees its result before it
 * may make the next. In a subgraph, calls that are done run again when the one beside them is resumed. Of
 * calls that write the same, the first is kept.
 */
function keepOneChange(message: AIMessage, tools: readonly HubTool[]): void {
  const effectOf = (name: string) => tools.find((tool) => tool.name === name)?.effect;
  const calls = message.tool_calls ?? [];
  const change = calls.find((call) => effectOf(call.name) === 'irreversible');
  if (change) {
    message.tool_calls = calls.filter((call) => call === change || effectOf(call.name) === 'read');
    return;
  }
  const seen = new Set<string>();
  message.tool_calls = calls.filter((call) => {
    const key = hashOf(call.name, call.args);
    return effectOf(call.name) === 'read' || (!seen.has(key) && seen.add(key));
  });
}

function answer(agent: string, text: string, hub: Record<string, unknown>): AIMessage {
  return new AIMessage({ content: text, name: agent, response_metadata: { hub, hub_provider: 'rule' } });
}

function hash(...parts: readonly unknown[]): string {
  return createHash('sha1').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { ToolTrace } from '../core/domain/session.js';
import type { HubTool } from './hub-tool.js';

/**
 * What the model reads of the conversation: the newest messages of earlier turns, the customer's message, and the work
 * on this task. What other agents did in this turn stays out: it is not theirs to answer from, and costs tokens.
 */
export function relevant(
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
export function recall(
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

import { readFileSync } from 'node:fs';
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import type { MessagesAnnotation } from '@langchain/langgraph';
import { createSupervisor } from '@langchain/langgraph-supervisor';
import { AGENTS, agentForRoute, buildAgent } from '../../agents/index.js';
import type { GraphDeps } from './graph-deps.js';
import { BY_MODEL } from './route.js';
import { orderMessage, RouterModel, type RouterOrder } from './router-model.js';
import { HubState, type HubStateType } from './state.js';

const PROMPT = new URL('../../agents/supervisor/prompt.md', import.meta.url);

/**
 * The supervisor with its agents. Its "model" hands over as the router decided, asks the chat model where the router
 * could not decide, and ends when the agent has answered.
 */
export function buildSupervisor(deps: GraphDeps) {
  const agents = AGENTS.map((definition) =>
    buildAgent(definition, { model: deps.models.forRole(definition.role), deps: deps.tools }),
  );
  return createSupervisor({
    agents,
    llm: new RouterModel(deps.models.forRole('supervisor')),
    stateSchema: HubState,
    addHandoffMessages: false,
    prompt: orderPrompt(readFileSync(PROMPT, 'utf8')),
  }).compile({ name: 'supervisor' });
}

function orderPrompt(prompt: string) {
  return (given: typeof MessagesAnnotation.State): BaseMessage[] => {
    // createSupervisor types the state by its messages alone; at run time it is the whole of `stateSchema`.
    const state = given as HubStateType;
    const text = state.messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? '';
    return [orderMessage(prompt, orderOf(state)), new HumanMessage(text)];
  };
}

function orderOf(state: HubStateType): RouterOrder {
  if (state.messages.length > state.handoff_at) return { kind: 'finish' };
  const agent = state.next ?? BY_MODEL;
  const callId = `handoff_${state.session?.turnId}_${state.route.length}`;
  if (agent !== BY_MODEL) return { kind: 'transfer', agent, callId };
  const task = state.tasks.find((candidate) => candidate.status === 'active');
  return { kind: 'ask', fallback: agentForRoute(task?.route ?? 'knowledge'), callId };
}

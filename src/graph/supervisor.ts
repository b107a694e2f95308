import { readFileSync } from 'node:fs';
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { END, type MessagesAnnotation } from '@langchain/langgraph';
import { createSupervisor } from '@langchain/langgraph-supervisor';
import { AGENTS, agentForRoute, buildAgent } from '../../agents/index.js';
import type { GraphDeps } from './graph-deps.js';
import { BY_MODEL } from './route.js';
import { orderMessage, RouterModel, type RouterOrder } from './router-model.js';
import { HubState, type HubStateType } from './state.js';

const PROMPT = new URL('../../agents/supervisor/prompt.md', import.meta.url);

/**
 * The supervisor with its agents. Its "model" hands over as the router decided, or asks the chat model where the router
 * could not decide.
 */
export function buildSupervisor(deps: GraphDeps) {
  const agents = AGENTS.map((definition) =>
    buildAgent(definition, { model: deps.models.forRole(definition.role), deps: deps.tools }),
  );
  const builder = createSupervisor({
    agents,
    llm: new RouterModel(deps.models.forRole('supervisor')),
    stateSchema: HubState,
    addHandoffMessages: false,
    prompt: orderPrompt(readFileSync(PROMPT, 'utf8')),
  });
  return withoutReturn(
    builder,
    agents.map((agent) => agent.name ?? ''),
  ).compile({ name: 'supervisor' });
}

/**
 * The library lets every agent report back to the supervisor, which would then be asked what to do next. Here the
 * router outside knows that by its rules, so an agent's answer ends the supervisor's part: one run of it saved a turn.
 * The supervisor itself never pauses, so nothing of its one step needs to be kept.
 */
function withoutReturn(builder: ReturnType<typeof createSupervisor>, agents: readonly string[]) {
  const edges: Set<[string, string]> = builder.edges;
  for (const edge of edges) if (agents.includes(edge[0])) edges.delete(edge);
  const nodes: Record<string, { readonly runnable: object }> = builder.nodes;
  const supervisor = nodes.supervisor?.runnable;
  if (supervisor && 'checkpointer' in supervisor) supervisor.checkpointer = false;
  for (const agent of agents) builder.addEdge(agent as '__start__', END);
  return builder;
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
  const agent = state.next ?? BY_MODEL;
  const callId = `handoff_${state.session?.turnId}_${state.route.length}`;
  if (agent !== BY_MODEL) return { kind: 'transfer', agent, callId };
  const task = state.tasks.find((candidate) => candidate.status === 'active');
  return {
    kind: 'ask',
    fallback: agentForRoute(task?.route ?? 'knowledge'),
    callId,
    ticketId: state.ticket_id,
  };
}

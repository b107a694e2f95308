import { HumanMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { type BaseCheckpointSaver, END, START, StateGraph } from '@langchain/langgraph';
import { triageAgent } from '../../agents/triage/agent.js';
import type { Session } from '../core/domain/session.js';
import type { Classification } from '../core/domain/ticket.js';
import type { RouteStep } from '../core/domain/turn.js';
import type { Clock } from '../core/ports/system.js';
import { buildAgent } from '../runtime/build-agent.js';
import { nameWaiting, saveTriage } from './escalate-ticket.js';
import { escalateNode } from './escalation.js';
import type { GraphDeps } from './graph-deps.js';
import { intakeNode } from './intake.js';
import { isReply } from './open-question.js';
import { respondNode } from './respond.js';
import { reviewNode } from './review.js';
import { routeNode } from './route.js';
import { HubState, type HubStateType, type HubUpdate } from './state.js';
import { ANSWERED } from './studio.js';
import { buildSupervisor } from './supervisor.js';

/**
 * The whole hub: intake, triage, route and supervisor until every part is answered, review, escalation,
 * respond.
 * @param checkpointer absent where the server that runs the graph brings its own (Studio)
 */
export function buildHubGraph(deps: GraphDeps, checkpointer?: BaseCheckpointSaver) {
  const triage = buildAgent(triageAgent, { model: deps.models.forRole('triage'), deps: deps.tools });

  const triageNode = async (state: HubStateType, config: RunnableConfig): Promise<HubUpdate> => {
    const started = performance.now();
    const { messages, session, tasks } = state;
    const said = session?.meant ? [new HumanMessage(session.meant.text)] : messages.slice(-1);
    const result = await triage.invoke({ messages: said, session, tasks }, config);
    const entry = result.trace.find((candidate) => candidate.tool === 'classify_ticket');
    if (!session || !entry?.ok) throw new Error('Triage gave no classification');
    const classification = entry.result as Classification;
    await deps.ownership.check(session);
    await saveTriage(deps, session.ticketId, classification, answersQuestion(deps, state, session));
    await nameWaiting(deps, session, classification);
    const { requests, summary: _summary, ...details } = classification;
    deps.tools.log.info({
      agent: 'triage',
      action: 'classified',
      ticketId: session.ticketId,
      details: { ...details, requests: requests.length },
    });
    return {
      classification,
      trace: [entry],
      tasks: [],
      next: 'router',
      timings: { triage: performance.now() - started },
    };
  };

  return new StateGraph(HubState)
    .addNode('intake', intakeNode(deps))
    .addNode('triage', triageNode, { subgraphs: [triage] })
    .addNode('router', timed(routeNode(deps), deps.tools.clock))
    .addNode('supervisor', buildSupervisor(deps))
    .addNode('review', reviewNode(deps))
    .addNode('escalate', escalateNode(deps))
    .addNode('respond', respondNode(deps))
    .addEdge(START, 'intake')
    .addConditionalEdges('intake', ({ next }) => (next === ANSWERED ? END : 'triage'), ['triage', END])
    .addEdge('triage', 'router')
    .addConditionalEdges('router', afterRoute, ['supervisor', 'escalate', 'review'])
    .addEdge('supervisor', 'router')
    .addConditionalEdges('review', (state) => state.next ?? 'respond', ['router', 'escalate', 'respond'])
    .addEdge('escalate', 'respond')
    .addEdge('respond', END)
    .compile({ name: 'uda-hub', ...(checkpointer ? { checkpointer } : {}) });
}

/** True where the message answers what the hub asked last, so that it says nothing new of what the ticket is about. */
function answersQuestion(deps: GraphDeps, { focus, messages }: HubStateType, session: Session): boolean {
  const text = messages.at(-1)?.text ?? '';
  return isReply(deps, focus, text, session);
}

function afterRoute({ next }: HubStateType): 'supervisor' | 'escalate' | 'review' {
  return next === 'escalate' || next === 'review' ? next : 'supervisor';
}

export type HubGraph = ReturnType<typeof buildHubGraph>;

/** Notes when each step was decided; one that a model has put in the place of another keeps its moment. */
function timed(decide: ReturnType<typeof routeNode>, clock: Clock): ReturnType<typeof routeNode> {
  return async (state) => {
    const update = await decide(state);
    if (!Array.isArray(update.route)) return update;
    const steps: readonly RouteStep[] = update.route;
    const at = clock.now().toISOString();
    const route = steps.map((step, index) => ({ ...step, at: step.at ?? state.route[index]?.at ?? at }));
    return { ...update, route };
  };
}

import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { AGENTS, agentForRoute, agentWithoutSkill, isForCustomers } from '../../agents/index.js';
import type { Draft, Focus, Session, Task, ToolTrace } from '../core/domain/session.js';
import type { Classification } from '../core/domain/ticket.js';
import type { RouteStep } from '../core/domain/turn.js';
import { textsFor } from '../core/i18n/index.js';
import type { GraphDeps } from './graph-deps.js';
import { proposalIn, waitsForPerson } from './investigation.js';
import { decideRoute, type RoutingDecision, tasksOf } from './routing-rules.js';
import type { HubStateType, HubUpdate } from './state.js';

/** Stands for the agent until the chat model has chosen one. */
export const BY_MODEL = 'model';

const AGENT_NAMES = new Set(AGENTS.map((agent) => agent.name));

/**
 * The router: takes in what the last agent answered, and decides by rules where the turn goes next. The supervisor
 * carries the decision out.
 */
export function routeNode(deps: GraphDeps) {
  return (state: HubStateType): HubUpdate => {
    const { classification, session } = state;
    if (!classification || !session) throw new Error('The router was called before triage');
    const text = state.messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? '';
    const harvested = harvest(state);
    for (const draft of harvested.drafts.slice(state.drafts.length)) {
      const details = {
        provider: draft.provider,
        characters: draft.text.length,
        unanswered: draft.unanswered,
      };
      deps.tools.log.info({ agent: draft.agent, action: 'answered', ticketId: session.ticketId, details });
    }
    const tasks =
      harvested.tasks.length > 0
        ? harvested.tasks
        : within(deps, session, classification, tasksOf(text, classification));
    const decision = decideRoute({
      text,
      classification,
      tasks,
      focus: state.focus,
      isReply: isReply(deps, state.focus, text, session),
      hops: harvested.route.length,
      maxHops: deps.maxHops,
      canAskModel: deps.models.provider === 'openai',
      settledReasons: session.settledReasons,
    });
    deps.tools.log.info({
      agent: 'supervisor',
      action: 'routed',
      ticketId: session.ticketId,
      details: { ...decision },
    });
    return applyDecision(decision, { ...harvested, tasks }, session, text);
  };
}

/**
 * Where nobody is signed in there is no record to look a symptom up in: the help centre may know what to do. A symptom
 * that no skill is for goes to who knows most about it.
 */
function within(
  deps: GraphDeps,
  { identity, language }: Session,
  classification: Classification,
  tasks: readonly Task[],
): readonly Task[] {
  return tasks.map((task) => {
    if (task.route !== 'investigation') return task;
    if (identity.kind !== 'customer') return { ...task, agent: agentForRoute('knowledge') };
    return hasSkill(deps, task.text, language, classification)
      ? task
      : { ...task, agent: agentWithoutSkill(classification.issueType) };
  });
}

/** Whether the triggers of any skill claim the symptom. Without a model nobody else can tell; with one, it may. */
function hasSkill(
  { tools, models }: GraphDeps,
  text: string,
  language: Session['language'],
  { issueType }: Classification,
): boolean {
  const among = tools.skills
    .list()
    .filter(isForCustomers)
    .map((skill) => skill.id);
  if (among.length === 0) return false;
  const intents = tools.language.requests(text, language).map((request) => request.intent);
  const pick = tools.skills.pick({ text, intents, issueCategory: issueType, among });
  return pick.kind !== 'none' || (models.provider === 'openai' && pick.ranked.length > 0);
}

function isReply(deps: GraphDeps, focus: Focus | null, text: string, session: Session): boolean {
  if (focus === null) return false;
  const now = deps.tools.clock.now();
  return deps.language.isReply(text, session.language, { choices: focus.choices, now });
}

interface Harvest {
  readonly tasks: readonly Task[];
  readonly drafts: readonly Draft[];
  readonly route: readonly RouteStep[];
}

/** Turns what the active agent answered into a draft and marks its task done. */
function harvest(state: HubStateType): Harvest {
  const { tasks, drafts, route } = state;
  const index = tasks.findIndex((task) => task.status === 'active');
  const task = tasks[index];
  const last = state.messages.findLast(isAgentMessage);
  if (!task || !last) return { tasks, drafts, route };
  const agent = last.name ?? task.agent;
  const chosenByModel = task.agent === BY_MODEL;
  const trace = state.trace.filter((entry) => entry.task === index);
  const draft = toDraft(last, agent, trace);
  const done = tasks.map((candidate, at) =>
    at === index ? { ...candidate, agent, status: 'done' as const } : candidate,
  );
  return {
    tasks: [...withoutRepeats(done, state.trace), ...advised(task, trace)],
    drafts: [...drafts, draft],
    route: chosenByModel ? [...route.slice(0, -1), { to: agent, by: 'model:no rule was certain' }] : route,
  };
}

/** What an investigation advises to change is a task of its own, which passes the same gates as any other. */
function advised({ text }: Task, trace: readonly ToolTrace[]): readonly Task[] {
  const proposal = proposalIn(trace);
  if (!proposal) return [];
  return [{ text, route: 'action', agent: agentForRoute('action'), status: 'todo', proposal }];
}

/** What is advised and was put to the customer anyway, because they asked for it, is not put a second time. */
function withoutRepeats(tasks: readonly Task[], trace: readonly ToolTrace[]): readonly Task[] {
  return tasks.filter(({ status, proposal }) => {
    if (status !== 'todo' || !proposal) return true;
    const args = JSON.stringify(proposal.args);
    return !trace.some((entry) => entry.tool === proposal.tool && JSON.stringify(entry.args) === args);
  });
}

function isAgentMessage(message: BaseMessage): message is AIMessage {
  return AIMessage.isInstance(message) && AGENT_NAMES.has(message.name ?? '');
}

interface HubMetadata {
  readonly focus?: Focus | null;
  readonly unanswered?: boolean;
}

function toDraft(message: AIMessage, agent: string, trace: readonly ToolTrace[]): Draft {
  const hub = (message.response_metadata.hub ?? {}) as HubMetadata;
  const provider = message.response_metadata.hub_provider;
  const text = message.text.trim();
  return {
    agent,
    text,
    provider: provider === 'offline' || provider === 'rule' ? 'offline' : 'openai',
    focus: hub.focus ?? (text.endsWith('?') ? { agent, intent: 'question', choices: [], attempts: 1 } : null),
    unanswered: hub.unanswered ?? false,
    paused: trace.some((entry) => entry.paused),
    needsPerson: waitsForPerson(trace),
  };
}

function applyDecision(
  decision: RoutingDecision,
  harvest: Harvest,
  session: Session,
  text: string,
): HubUpdate {
  const { tasks, drafts, route } = harvest;
  const by = `rule:${decision.rule}`;
  switch (decision.kind) {
    case 'agent':
      return {
        drafts,
        tasks: activate(tasks, decision.task, decision.agent, decision.verbatim ? text : null),
        route: [...route, { to: decision.agent, by }],
        next: decision.agent,
      };
    case 'ask_model':
      return {
        drafts,
        tasks: activate(tasks, decision.task, BY_MODEL, null),
        route: [...route, { to: BY_MODEL, by }],
        next: BY_MODEL,
      };
    case 'clarify': {
      const focus = { agent: 'supervisor', intent: 'clarify', choices: [], attempts: 1 };
      const question = textsFor(session.language).clarify();
      const draft: Draft = {
        agent: 'supervisor',
        text: question,
        provider: 'offline',
        focus,
        unanswered: false,
        paused: false,
      };
      return { tasks, drafts: [draft], route: [...route, { to: 'customer', by }], next: 'review' };
    }
    case 'escalate':
      return {
        tasks,
        drafts,
        route: [...route, { to: 'escalation', by: `${by}:${decision.reason}` }],
        next: 'escalate',
      };
    default:
      return { tasks, drafts, route, next: 'review' };
  }
}

/** @param words replaces the task's text, where the customer's own words count */
function activate(
  tasks: readonly Task[],
  index: number,
  agent: string,
  words: string | null,
): readonly Task[] {
  return tasks.map((task, at) =>
    at === index ? { ...task, agent, text: words ?? task.text, status: 'active' as const } : task,
  );
}

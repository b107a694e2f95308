import type { Draft, Session } from '../core/domain/session.js';
import type { Route } from '../core/domain/taxonomy.js';
import type { Sentences, Texts } from '../core/i18n/index.js';
import type { AgentRoster } from '../runtime/agent-definition.js';
import type { AgentResults } from './agent-results.js';

/** The one agent that a conversation is held to. */
export interface Addressed {
  readonly name: string;
  /** The routes whose requests it answers, its own first. */
  readonly routes: readonly Route[];
}

/** Null where the supervisor chooses. */
export function addressedIn({ agent }: Pick<Session, 'agent'>, agents: AgentRoster): Addressed | null {
  const found = agent === undefined ? null : agents.find(agent);
  return found ? { name: found.name, routes: [found.route, ...(found.alsoTakes ?? [])] } : null;
}

/**
 * An agent that was addressed with something another one is for, and found nothing it could say about it, says what it is
 * for instead: a person is needed only for what would be its own.
 */
export function asFarAsItCan(
  harvested: AgentResults,
  session: Session,
  agents: AgentRoster,
  texts: Texts,
): AgentResults {
  const addressed = addressedIn(session, agents);
  const task = harvested.tasks[harvested.answered];
  const draft = harvested.drafts.at(-1);
  if (!addressed || !task || !draft?.unanswered || task.route === addressed.routes[0]) return harvested;
  const said = whatFor(addressed.name, agents.forRoute(task.route), session, texts);
  return { ...harvested, drafts: [...harvested.drafts.slice(0, -1), said] };
}

/** Answers a task that the addressed agent cannot do with what it is for, and who does it. */
export function sayWhatFor(
  decision: {
    readonly task: number;
    readonly agent: string;
    readonly other: string | null;
    readonly rule: string;
  },
  harvested: AgentResults,
  session: Session,
  texts: Texts,
): AgentResults {
  const { task, agent, other, rule } = decision;
  const tasks = harvested.tasks.map((candidate, index) =>
    index === task ? { ...candidate, agent, status: 'done' as const } : candidate,
  );
  return {
    ...harvested,
    tasks,
    drafts: [...harvested.drafts, whatFor(agent, other, session, texts)],
    route: [...harvested.route, { to: 'customer', by: `rule:${rule}` }],
  };
}

function whatFor(agent: string, other: string | null, { language }: Session, texts: Texts): Draft {
  const text = onlyText(texts.for(language), agent, other);
  return { agent, text, provider: 'offline', focus: null, unanswered: false, paused: false };
}

/** What an agent is for, and who does what it is not for. */
export function onlyText(texts: Sentences, agent: string, other: string | null): string {
  return `${texts.sayOf('purpose', agent)} ${texts.say('elsewhere', { other })}`;
}

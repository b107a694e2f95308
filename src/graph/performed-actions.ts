import type { Draft, Session, ToolTrace } from '../core/domain/session.js';
import type { ToolDeps } from '../runtime/define-tool.js';
import type { AgentResults } from './agent-results.js';

interface Deps {
  readonly tools: Pick<ToolDeps, 'roster' | 'texts' | 'time'>;
}

/**
 * What was performed for the customer in this turn, in the actions' own sentences. It is done whatever fails afterwards,
 * so it is said without a model wherever the words of one are missing. What a model says of it is checked elsewhere.
 */
export function performedActions(
  { tools }: Deps,
  trace: readonly ToolTrace[],
  { language }: Pick<Session, 'language'>,
): readonly string[] {
  const texts = tools.texts.for(language);
  const said = trace.flatMap(({ ok, tool: name, result }) => {
    const tool = ok ? tools.roster.findAction(name) : null;
    return tool ? [tool.describe(tool.output.parse(result), texts, tools.time)] : [];
  });
  return [...new Set(said)];
}

/** An agent that performed something and broke off before it could say so: what was done is its answer. */
export function withPerformedActions(
  deps: Deps,
  heard: AgentResults,
  trace: readonly ToolTrace[],
  session: Session,
): AgentResults {
  const index = heard.answered === -1 ? heard.tasks.findIndex(({ status }) => status === 'active') : -1;
  const task = heard.tasks[index];
  const deeds = performedActions(
    deps,
    trace.filter((entry) => entry.task === index),
    session,
  );
  if (!task || deeds.length === 0) return heard;
  const text = deeds.join('\n');
  const about = { focus: null, unanswered: false, paused: true } as const;
  const draft: Draft = { agent: task.agent, text, provider: 'offline', ...about };
  const tasks = heard.tasks.map((one, at) => (at === index ? { ...one, status: 'done' as const } : one));
  return { ...heard, tasks, drafts: [...heard.drafts, draft], answered: index };
}

/** What the hub changes for a customer who asks, as operators call it; nothing for visitors. */
export function changesMade(
  { tools }: { readonly tools: Pick<ToolDeps, 'roster'> },
  { identity, language }: Pick<Session, 'identity' | 'language'>,
): readonly string[] {
  if (identity.kind !== 'customer') return [];
  return tools.roster.actions.flatMap(({ label }) => label?.[language] ?? []);
}

import type { Contradiction } from '../core/contradictions.js';
import type { Draft, Proposal, Task, ToolTrace } from '../core/domain/session.js';
import type { Sentences } from '../core/i18n/index.js';
import type { AgentResults } from './agent-results.js';
import { contradictionsIn, type TaskFinding } from './investigation.js';

/** As much of a request as tells the customer which one is meant. */
const MATTER_CHARS = 100;

/**
 * Where what was found just now contradicts another finding of the turn: the answer says so, an operator decides, and
 * nothing of what is advised is put to the customer.
 */
export function nameContradictions(
  harvested: AgentResults,
  trace: readonly ToolTrace[],
  texts: Sentences,
): AgentResults {
  const { tasks, drafts, answered } = harvested;
  const last = drafts.at(-1);
  const found = contradictionsIn(trace).filter(({ between }) =>
    between.some(({ task }) => task === answered),
  );
  if (!last || found.length === 0) return harvested;
  const note = found.map((one) => sentenceOf(one, tasks, texts)).join(' ');
  const told: Draft = { ...last, needsPerson: true, note };
  return {
    ...harvested,
    drafts: [...drafts.slice(0, -1), told],
    tasks: tasks.filter(({ status, proposal }) => status !== 'todo' || !proposal || !isIn(proposal, found)),
  };
}

function sentenceOf(
  { about, between }: Contradiction<TaskFinding>,
  tasks: readonly Task[],
  texts: Sentences,
): string {
  const matters = new Set(between.flatMap(({ task }) => tasks[task]?.text ?? []).map(quoted));
  return texts.say('findings_disagree', { matters: texts.list([...matters]), about });
}

function quoted(text: string): string {
  const whole = text.trim().replace(/[\s.,;:!?…]+$/u, '');
  if (whole.length <= MATTER_CHARS) return `"${whole}"`;
  const cut = whole.slice(0, MATTER_CHARS);
  return `"${cut.slice(0, cut.lastIndexOf(' ') + 1).trim() || cut}…"`;
}

/** Whether a change is one of those that the findings do not agree on. */
function isIn({ tool, args }: Proposal, found: readonly Contradiction<TaskFinding>[]): boolean {
  return found.some(({ between }) =>
    between.some(
      ({ action }) =>
        action?.action === tool &&
        Object.entries(args).every(
          ([name, value]) => JSON.stringify(action.arguments[name]) === JSON.stringify(value),
        ),
    ),
  );
}

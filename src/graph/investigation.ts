import {
  type Advised,
  type Contradiction,
  contradictionsAmong,
  sayContradictions,
  whatIsSaid,
} from '../core/contradictions.js';
import type { Proposal, ToolTrace } from '../core/domain/session.js';
import { type Finding, investigationShape } from '../runtime/read-run.js';

/** What investigations of these calls came to, in order; undecided ones left out. */
function investigationsIn(trace: readonly ToolTrace[]): readonly Finding[] {
  return trace.flatMap((entry) => {
    const parsed =
      entry.tool === 'investigate' && entry.ok ? investigationShape.safeParse(entry.result) : null;
    return parsed?.success && parsed.data.status !== 'undecided' ? [parsed.data] : [];
  });
}

/** A finding of a turn, and the task that it was looked for. */
export interface TaskFinding extends Advised {
  readonly task: number;
}

/**
 * Where findings of one turn contradict each other, those that wait for an operator among them: the causes that several
 * skills name for one task, and what is advised for one record.
 */
export function contradictionsIn(trace: readonly ToolTrace[]): readonly Contradiction<TaskFinding>[] {
  const each = trace.flatMap((entry) =>
    investigationsIn([entry]).map(
      (finding): TaskFinding => ({
        task: entry.task,
        step: finding.skill_id,
        cause: finding.root_cause,
        action: finding.advice,
      }),
    ),
  );
  // A skill that ran twice for one task was told more the second time.
  const found = [...new Map(each.map((one) => [`${one.task} ${one.step}`, one])).values()];
  const tasks = [...new Set(found.map(({ task }) => task))];
  return contradictionsAmong(
    found,
    tasks.map((task) => found.filter((finding) => finding.task === task)),
  );
}

/** The change that the last finding advises, as a task for the action agent. */
export function proposalIn(trace: readonly ToolTrace[]): Proposal | null {
  const last = investigationsIn(trace).at(-1);
  if (last?.status !== 'concluded' || !last.proposal) return null;
  const { tool, args, needs_operator: needsOperator } = last.proposal;
  return { tool, args, needsOperator };
}

/** True where an operator has to decide how the last investigation goes on, or do what it advises. */
export function waitsForPerson(trace: readonly ToolTrace[]): boolean {
  const last = investigationsIn(trace).at(-1);
  if (last?.status !== 'concluded') return last?.status === 'needs_person';
  return last.recommended_action !== null && last.proposal === null;
}

/** What an operator is told of the investigations of a turn. */
export function investigationReport(trace: readonly ToolTrace[]): {
  readonly found: readonly string[];
  readonly tried: readonly string[];
  readonly options: readonly string[];
} {
  const all = investigationsIn(trace);
  const disagree = sayContradictions(contradictionsIn(trace).map(whatIsSaid));
  return {
    found: [
      ...(disagree === '' ? [] : [disagree]),
      ...all.flatMap((one) => [
        `${one.skill_id} ${one.skill_version}: ${one.root_cause ?? 'no cause found'} (confidence ${one.confidence.toFixed(2)})`,
        ...one.checks.map(({ check, finding }) => `${check}: ${finding}`),
      ]),
    ],
    tried: all.flatMap((one) =>
      one.status === 'needs_person'
        ? [`${one.skill_id}: ${one.tried.join(' > ')}; asks: ${one.question}`]
        : [],
    ),
    options: all.flatMap((one) =>
      one.status === 'needs_person'
        ? one.options.map(({ id, label }) => `${id}: ${label} (run ${one.run_id})`)
        : [],
    ),
  };
}

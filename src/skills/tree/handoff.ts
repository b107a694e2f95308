import type { HandoffOption, HandoffRecord, SkillAnswer, SkillHandoff } from '../../core/domain/skill.js';
import { HubError } from '../../core/errors.js';
import type { Pack } from '../pack/pack.js';
import type { OpenHandoff, TreeStateType, TreeUpdate } from './tree-state.js';

/** The question as a person gets it, with everything on the table. */
export function toHandoff(pack: Pack, runId: string, state: TreeStateType, open: OpenHandoff): SkillHandoff {
  if (open.part) return open.part;
  const { finding } = open;
  return {
    run_id: runId,
    skill_id: pack.id,
    at: open.at,
    trigger: open.trigger,
    question: open.question,
    advice: open.advice,
    found: [...state.evidence, ...Object.values(state.checks).map((check) => check.evidence)],
    tried: [...state.path, ...Object.keys(state.checks)],
    options: optionsOf(pack, open),
    proposal: finding && {
      root_cause: finding.rootCause,
      confidence: finding.confidence,
      recommended_action: finding.recommendedAction,
      explanation: finding.explanation,
      customer_message: finding.customerMessage,
    },
  };
}

function optionsOf(pack: Pack, { at, finding, nextStep }: OpenHandoff): readonly HandoffOption[] {
  const steps = pack.tree?.steps ?? {};
  const options: HandoffOption[] = [];
  const own = steps[at]?.options ?? [];
  if (finding) options.push({ id: 'A', label: `Accept the finding: ${finding.rootCause}` });
  else if (own.length === 0) options.push({ id: 'A', label: 'Accept what was found so far and end here' });
  if (nextStep !== null) options.push({ id: 'B', label: `Go on with: ${steps[nextStep]?.name ?? nextStep}` });
  options.push({ id: 'C', label: 'A person takes over' });
  for (const { id, label } of own) {
    const known = options.findIndex((option) => option.id === id);
    if (known === -1) options.push({ id, label });
    else options[known] = { id, label };
  }
  return options.sort((left, right) => (left.id < right.id ? -1 : 1));
}

/**
 * The option an answer means.
 * @throws HubError `choice_unknown`, naming what there is
 */
export function demandOption(handoff: SkillHandoff, choice: string): HandoffOption {
  const wanted = choice.trim().toUpperCase();
  const option = handoff.options.find(({ id }) => id.toUpperCase() === wanted);
  if (option) return option;
  const known = handoff.options.map(({ id, label }) => `${id} (${label})`).join(', ');
  throw new HubError('choice_unknown', `There is no option "${choice.slice(0, 40)}"; there is: ${known}.`, {
    choice: choice.slice(0, 40),
    options: handoff.options.map(({ id }) => id),
  });
}

/** Where the person's choice leads. */
export function applyAnswer(
  pack: Pack,
  state: TreeStateType,
  open: OpenHandoff,
  answer: SkillAnswer,
): TreeUpdate {
  const choice = answer.choice.trim().toUpperCase();
  const record: HandoffRecord = { at: open.at, trigger: open.trigger, choice, by: answer.by };
  const update: TreeUpdate = {
    open: null,
    sinceAnswer: 0,
    handoffs: [...state.handoffs, record],
    settled: [...state.settled, `${open.trigger}:${open.at}`],
  };
  // The step of a part that waited runs again, and hands the answer on to it.
  if (open.part) return { ...update, next: open.at };
  const step = pack.tree?.steps[open.at];
  if (open.trigger === 'question' && step && Object.keys(step.decisions).length > 0 && choice !== 'C') {
    const answered = { ...answer.input, count: 1, choice };
    return { ...update, next: open.at, answers: { ...state.answers, [open.at]: answered } };
  }
  const named = step?.options.find((option) => option.id === choice);
  if (named) {
    const next = named.next_step ?? null;
    return next === null
      ? { ...update, next: null, finding: open.finding }
      : { ...update, next, finding: null };
  }
  if (choice === 'B' && open.nextStep !== null) return { ...update, next: open.nextStep, finding: null };
  if (choice === 'C') return { ...update, next: null, finding: open.finding, takenOver: true };
  return { ...update, next: null, finding: open.finding };
}

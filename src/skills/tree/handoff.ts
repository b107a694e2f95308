import { deskSays } from '../../core/desk-notes.js';
import type { HandoffOption, HandoffRecord, SkillAnswer, SkillHandoff } from '../../core/domain/skill.js';
import { HubError } from '../../core/errors.js';
import type { Pack } from '../pack/pack.js';
import {
  type Finding,
  type OpenHandoff,
  type TreeStateType,
  type TreeUpdate,
  wordsOf,
} from './tree-state.js';

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
    ...wordsOf(pack, state.words),
    tried: [...state.path, ...Object.keys(state.checks)],
    options: optionsOf(pack, state, open),
    proposal: finding && {
      root_cause: finding.rootCause,
      confidence: finding.confidence,
      recommended_action: finding.recommendedAction,
      explanation: finding.explanation,
      customer_message: finding.customerMessage,
    },
  };
}

function optionsOf(pack: Pack, state: TreeStateType, open: OpenHandoff): readonly HandoffOption[] {
  const { at, finding, nextStep } = open;
  const steps = pack.tree?.steps ?? {};
  const options: HandoffOption[] = [];
  const own = steps[at]?.options ?? [];
  if (finding) options.push({ id: 'A', label: deskSays('accept_finding', finding.rootCause) });
  else if (decidesOnAnswer(pack, open) && own.length === 0)
    options.push({ id: 'A', label: deskSays('go_on_answer') });
  else if (own.length === 0 && state.evidence.some(({ decision }) => decision !== null))
    options.push({ id: 'A', label: deskSays('accept_so_far') });
  if (nextStep !== null)
    options.push({ id: 'B', label: deskSays('go_on_step', steps[nextStep]?.name ?? nextStep) });
  options.push({ id: 'C', label: deskSays('person') });
  for (const { id, label } of own) {
    const known = options.findIndex((option) => option.id === id);
    if (known === -1) options.push({ id, label });
    else options[known] = { id, label };
  }
  return options.sort((left, right) => (left.id < right.id ? -1 : 1));
}

/** True for a question whose answer is what the step's decisions look at. */
function decidesOnAnswer(pack: Pack, { at, trigger }: OpenHandoff): boolean {
  return trigger === 'question' && Object.keys(pack.tree?.steps[at]?.decisions ?? {}).length > 0;
}

/** The option an answer means, undefined where it means none. */
export function optionOf(handoff: SkillHandoff, choice: string): HandoffOption | undefined {
  const wanted = choice.trim().toUpperCase();
  return handoff.options.find(({ id }) => id.toUpperCase() === wanted);
}

/** The option an answer means. @throws HubError `choice_unknown`, naming what there is */
export function demandOption(handoff: SkillHandoff, choice: string): HandoffOption {
  const option = optionOf(handoff, choice);
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
  const update: TreeUpdate = { open: null, sinceAnswer: 0, handoffs: [...state.handoffs, record] };
  // The step of a part that waited runs again, and hands the answer on to it.
  if (open.part) return { ...update, next: open.at };
  const continueAt = (next: string): TreeUpdate => ({ ...update, next, finding: null });
  const named = pack.tree?.steps[open.at]?.options.find((option) => option.id === choice);
  if (named?.next_step) return continueAt(named.next_step);
  const ends = named !== undefined && named.next_step !== undefined;
  if (!ends && decidesOnAnswer(pack, open) && (named || choice === 'A')) {
    const answered = { ...answer.input, count: 1, choice };
    return { ...update, next: open.at, answers: { ...state.answers, [open.at]: answered } };
  }
  if (!named && choice === 'B' && open.nextStep !== null) return continueAt(open.nextStep);
  const takenOver = !named && choice === 'C';
  return {
    ...update,
    next: null,
    finding: agreed(open, choice, takenOver),
    takenOver,
    // Only what ends here is settled: a path that comes by again asks again.
    settled: [...state.settled, `${open.trigger}:${open.finding?.step ?? open.at}`],
  };
}

/** What was found is given out; what nobody agreed to do is not advised. */
function agreed({ finding, trigger }: OpenHandoff, choice: string, takenOver: boolean): Finding | null {
  const refused = takenOver || (trigger === 'critical_decision' && choice !== 'A');
  return finding && refused ? { ...finding, recommendedAction: null } : finding;
}

/** What is looked at when findings are put together. */
interface Considered {
  readonly pack: Pack;
  readonly state: TreeStateType;
  readonly gatedActions: readonly string[];
}

/**
 * The reason to ask a person before the finding is given out, null where there is none: findings that contradict each
 * other, too little confidence, or a decision that the pack calls critical and that nobody else puts to people.
 */
export function reasonToAsk(considered: Considered): OpenHandoff | null {
  const { pack, state } = considered;
  const finding = concludedFinding(state);
  if (!finding || state.takenOver) return null;
  // Whoever has accepted a contradiction or a doubt has seen all that a later doubt would say; a critical decision is
  // another question.
  const answered = state.settled.some((key) => key.endsWith(`:${finding.step}`));
  const agreed = state.settled.includes(`critical_decision:${finding.step}`);
  const doubt = answered ? null : (contradiction(state) ?? lowConfidence(considered, finding));
  const found = doubt ?? (agreed ? null : critical(considered, finding));
  if (!found) return null;
  const triggers = pack.descriptor.human_handoff?.triggers;
  return {
    at: finding.step,
    trigger: found.trigger,
    question: found.question,
    advice: triggers?.[found.trigger]?.action ?? null,
    finding,
    nextStep: finding.nextStep,
    part: null,
  };
}

/** The main path's finding; where it has none, the most certain of the checks. */
export function concludedFinding({ finding, checks }: TreeStateType): Finding | null {
  if (finding) return finding;
  const others = Object.values(checks).flatMap((check) => check.finding ?? []);
  return others.reduce<Finding | null>(
    (best, other) => (best === null || other.confidence > best.confidence ? other : best),
    null,
  );
}

interface Reason {
  readonly trigger: 'contradictory_data' | 'low_confidence' | 'critical_decision';
  readonly question: string;
}

function contradiction(state: TreeStateType): Reason | null {
  const findings = [state.finding, ...Object.values(state.checks).map((check) => check.finding)];
  const causes = new Map<string, string>();
  for (const finding of findings) if (finding) causes.set(finding.rootCause, finding.step);
  if (causes.size < 2) return null;
  const list = [...causes].map(([cause, step]) => `${step} says ${cause}`).join(', ');
  return { trigger: 'contradictory_data', question: deskSays('contradiction', list) };
}

function lowConfidence({ pack }: Considered, finding: Finding): Reason | null {
  const threshold = pack.descriptor.human_handoff?.triggers.low_confidence?.threshold ?? 0;
  if (finding.confidence >= threshold) return null;
  const figures = `${finding.confidence.toFixed(2)} < ${threshold.toFixed(2)}`;
  return { trigger: 'low_confidence', question: deskSays('low_confidence', finding.rootCause, figures) };
}

function critical({ pack, gatedActions }: Considered, finding: Finding): Reason | null {
  const actions = pack.descriptor.human_handoff?.triggers.critical_decision?.actions ?? [];
  const action = finding.recommendedAction?.action;
  if (action === undefined || !actions.includes(action) || gatedActions.includes(action)) return null;
  return { trigger: 'critical_decision', question: deskSays('critical', finding.rootCause, action) };
}

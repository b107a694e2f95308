import { deskSays } from '../../core/desk-sentences.js';
import type { Pack } from '../pack/pack.js';
import type { Finding, OpenHandoff, TreeStateType } from './tree-state.js';

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
  return {
    trigger: 'contradictory_data',
    question: deskSays('contradiction', list),
  };
}

function lowConfidence({ pack }: Considered, finding: Finding): Reason | null {
  const threshold = pack.descriptor.human_handoff?.triggers.low_confidence?.threshold ?? 0;
  if (finding.confidence >= threshold) return null;
  const figures = `${finding.confidence.toFixed(2)} of ${threshold.toFixed(2)}`;
  return {
    trigger: 'low_confidence',
    question: deskSays('low_confidence', finding.rootCause, figures),
  };
}

function critical({ pack, gatedActions }: Considered, finding: Finding): Reason | null {
  const actions = pack.descriptor.human_handoff?.triggers.critical_decision?.actions ?? [];
  const action = finding.recommendedAction?.action;
  if (action === undefined || !actions.includes(action) || gatedActions.includes(action)) return null;
  return {
    trigger: 'critical_decision',
    question: deskSays('critical', finding.rootCause, action),
  };
}

import type { JsonObject } from '../../core/domain/json.js';
import type { RemoteCard, RemoteSkill } from '../../core/ports/remote-agents.js';
import type { RemoteReasoner } from '../../core/ports/remote-reasoner.js';
import { fillInput, isFromRequest, type RemoteGoal } from './fill-input.js';
import { rankSkills, SKILL_FITS } from './match-skill.js';

/** How another agent is asked. */
export type CallPlan =
  | {
      readonly kind: 'specific';
      readonly skill: RemoteSkill;
      readonly input: JsonObject;
      readonly by: 'rule' | 'model';
      readonly reason: string;
    }
  | { readonly kind: 'generic' | 'give_up'; readonly by: 'rule' | 'model'; readonly reason: string };

export interface PlanParts {
  readonly goal: RemoteGoal;
  readonly reasoner: RemoteReasoner | undefined;
  readonly ticketId: string;
  readonly signal: AbortSignal;
}

/** Skills that are tried by rules, and shown to a model. */
const TRIED = 3;
const SHOWN = 8;

/**
 * Rules first: the best skill that fits and whose input can be read from the request. A model is asked only where a skill
 * fits but its input needs understanding, or where there is no other way than a skill.
 */
export async function planCall(parts: PlanParts, card: RemoteCard): Promise<CallPlan> {
  const { goal, reasoner, ticketId, signal } = parts;
  const ranked = rankSkills(goal.text, card).filter(({ skill }) => skill.specific !== null);
  const fitting = ranked.filter(({ score }) => score >= SKILL_FITS).slice(0, TRIED);
  for (const { skill, score } of fitting) {
    const input = fillInput(skill, goal);
    if (input) return { kind: 'specific', skill, input, by: 'rule', reason: `fits ${score.toFixed(2)}` };
  }
  const offered = fitting.length > 0 ? fitting : card.generic ? [] : ranked.slice(0, SHOWN);
  const skills = offered.map(({ skill }) => skill);
  const filled =
    skills.length > 0 ? await reasoner?.fill({ goal: goal.text, ticketId, signal }, skills) : null;
  const chosen = filled && skills.find(({ id }) => id === filled.skill);
  if (chosen && isFromRequest(filled.input, goal, chosen)) {
    return {
      kind: 'specific',
      skill: chosen,
      input: filled.input,
      by: 'model',
      reason: 'read from the request',
    };
  }
  const reason = fitting.length > 0 ? 'input_not_in_request' : 'no_skill_fits';
  return { kind: card.generic ? 'generic' : 'give_up', by: 'rule', reason };
}

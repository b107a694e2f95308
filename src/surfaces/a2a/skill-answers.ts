import type { Capability, CapabilityError, CapabilityOutcome } from '../../core/capabilities.js';
import type { JsonObject } from '../../core/domain/json.js';
import type { ErrorCode } from '../../core/errors.js';
import { type Problem, problemOf, statusOf } from '../http/problem.js';
import { TOKEN_FIELD, takesToken } from './skill-schemas.js';

/** What a call is answered with. */
export interface SkillAnswer {
  /** 202 where a person has to say something before it is done. */
  readonly status: 200 | 202;
  readonly body: JsonObject;
}

/**
 * What an outcome is answered with, as the output schema of the capability says.
 * @param statusUrl where the state of a question, or of a run that waits, is asked for
 */
export function toSkillAnswer(
  capability: Capability,
  outcome: CapabilityOutcome,
  statusUrl: (id: string) => string,
): SkillAnswer {
  const over = outcome.kind === 'done' || outcome.kind === 'refused';
  const saysItself = outcome.kind === 'done' && !takesToken(capability);
  return {
    status: over ? 200 : 202,
    body: saysItself ? outcome.data : toStateJson(outcome, statusUrl),
  };
}

/** The outcome as one object that names its status. */
function toStateJson(outcome: CapabilityOutcome, statusUrl: (id: string) => string): JsonObject {
  switch (outcome.kind) {
    case 'done':
      return { status: 'done', result: outcome.data };
    case 'refused':
      return { status: 'refused', error: { ...outcome.error } };
    case 'confirmation':
      return {
        status: 'confirmation_required',
        question: outcome.question,
        tool: outcome.tool,
        input: outcome.input,
        terms: outcome.terms,
        [TOKEN_FIELD]: outcome.token,
        pending_id: outcome.pendingId,
        ticket_id: outcome.ticketId,
        expires_at: outcome.expiresAt,
        status_url: statusUrl(outcome.pendingId),
      };
    case 'awaiting_operator':
      return {
        status: 'awaiting_operator',
        message: outcome.message,
        pending_id: outcome.pendingId,
        ticket_id: outcome.ticketId,
        expires_at: outcome.expiresAt,
        status_url: statusUrl(outcome.pendingId),
      };
    case 'awaiting_choice':
      return {
        status: 'awaiting_choice',
        message: outcome.message,
        run_id: outcome.runId,
        ticket_id: outcome.ticketId,
        handoff: outcome.handoff as unknown as JsonObject,
        status_url: statusUrl(outcome.runId),
      };
  }
}

/** A refusal as a problem; 409 where the state of things is against it, 422 where the rules are. */
export function refusalProblem({ code, message, reason }: CapabilityError, instance: string): Problem {
  const known = code === 'not_owner' ? 'not_found' : code;
  const problem = problemOf(statusOf(known as ErrorCode), known, message, instance);
  return reason === undefined ? problem : { ...problem, detail: `${message} ${reason}` };
}

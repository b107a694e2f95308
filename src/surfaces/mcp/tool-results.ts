import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Capability, CapabilityOutcome } from '../../core/capabilities.js';
import type { JsonObject } from '../../core/domain/json.js';
import type { HubError } from '../../core/errors.js';
import { toProblem } from '../http/problem.js';
import { mayPause, TOKEN_ARGUMENT } from './tool-schemas.js';

/** What a call came to, as its tool's output schema says. */
export function toResult(capability: Capability, outcome: CapabilityOutcome): CallToolResult {
  const saysItself = capability.kind === 'skill' || !mayPause(capability);
  if (outcome.kind === 'done' && saysItself) return structured(outcome.data);
  return outcomeResult(outcome);
}

/**
 * The same in the form that names its status.
 * @param options `withToken`: false leaves out what a plan is agreed to with
 */
export function outcomeResult(
  outcome: CapabilityOutcome,
  { withToken = true }: { readonly withToken?: boolean } = {},
): CallToolResult {
  const { [TOKEN_ARGUMENT]: token, ...json } = toOutcomeJson(outcome);
  const result = structured(withToken && token !== undefined ? { ...json, [TOKEN_ARGUMENT]: token } : json);
  return outcome.kind === 'refused' ? { ...result, isError: true } : result;
}

/** A call that did not take place. */
export function errorResult(failed: HubError): CallToolResult {
  const { code, detail, errors } = toProblem(failed);
  const fields = errors?.map(({ field, message }) => ({ field, message }));
  const error = { code, message: detail, ...(fields === undefined ? {} : { errors: fields }) };
  return { ...structured({ status: 'refused', error }), isError: true };
}

function toOutcomeJson(outcome: CapabilityOutcome): JsonObject {
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
        arguments: outcome.input,
        terms: outcome.terms,
        [TOKEN_ARGUMENT]: outcome.token,
        pending_id: outcome.pendingId,
        ticket_id: outcome.ticketId,
        expires_at: outcome.expiresAt,
      };
    case 'awaiting_operator':
      return {
        status: 'awaiting_operator',
        message: outcome.message,
        pending_id: outcome.pendingId,
        ticket_id: outcome.ticketId,
        expires_at: outcome.expiresAt,
      };
    case 'awaiting_choice':
      return {
        status: 'awaiting_choice',
        message: outcome.message,
        run_id: outcome.runId,
        ticket_id: outcome.ticketId,
        handoff: outcome.handoff as unknown as JsonObject,
      };
  }
}

/** Both forms that clients read: the object, and the same as text. */
function structured(data: JsonObject): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
}

import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Capability, CapabilityOutcome } from '../../core/capabilities.js';
import type { JsonObject } from '../../core/domain/json.js';
import type { HubError } from '../../core/errors.js';
import {
  oneOfStatuses,
  statusSchema,
  TOKEN_FIELD,
  takesToken,
  text,
  toCapabilityJson,
  waitingSchemas,
} from '../capability-json.js';
import { toProblem } from '../http/problem.js';

/** True for what may end otherwise than with its data: a person is asked, by it or before it. */
function mayPause({ effect, kind }: Capability): boolean {
  return effect === 'irreversible' || kind === 'skill';
}

/** The schema of a tool's arguments: the capability's, and the token of a plan where there can be one. */
export function inputSchemaOf(capability: Capability): JsonObject {
  const { inputSchema } = capability;
  if (!takesToken(capability)) return inputSchema;
  const token = text(
    'Only on a second call: the token of the plan that the user has agreed to. The other arguments stay as they were.',
  );
  return {
    ...inputSchema,
    properties: { ...(inputSchema.properties as JsonObject | undefined), [TOKEN_FIELD]: token },
  };
}

/** The schema of a tool's structured content: the data itself, or, where people may be asked, one object a status. */
export function outputSchemaOf(capability: Capability): JsonObject {
  const { kind, outputSchema } = capability;
  if (!mayPause(capability)) return outputSchema;
  // What a skill gives back says that it is done by itself.
  if (kind === 'skill') return oneOfStatuses(outputSchema, (data) => [data, WAITING.choice, REFUSED]);
  return oneOfStatuses(outputSchema, (data) => [
    statusSchema('done', { result: data }),
    WAITING.confirmation,
    WAITING.operator,
    REFUSED,
  ]);
}

const WAITING = waitingSchemas({ input: 'arguments', idIsFor: 'For get_action_status.', hasToken: false });

const REFUSED = statusSchema('refused', {
  error: {
    type: 'object',
    properties: {
      code: text('For programs.'),
      message: text('For people.'),
      reason: text("An operator's words."),
      said: text('Why, for the user, in their language; where there is one, say this.'),
      rule: text('The name of the rule that denies it.'),
    },
    required: ['code', 'message'],
  },
});

/** The schema of the status tool: whatever was planned, in the same form. */
export const ANY_STATUS = oneOfStatuses({ type: 'object' }, (data) => [
  statusSchema('done', { result: data }),
  WAITING.confirmation,
  WAITING.operator,
  WAITING.choice,
  REFUSED,
]);

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
  const { [TOKEN_FIELD]: token, ...json } = toCapabilityJson(outcome, 'arguments');
  const result = structured(withToken && token !== undefined ? { ...json, [TOKEN_FIELD]: token } : json);
  return outcome.kind === 'refused' ? { ...result, isError: true } : result;
}

/** A call that did not take place. */
export function errorResult(failed: HubError): CallToolResult {
  const { code, detail, errors } = toProblem(failed);
  const fields = errors?.map(({ field, message }) => ({ field, message }));
  const error = { code, message: detail, ...(fields === undefined ? {} : { errors: fields }) };
  return { ...structured({ status: 'refused', error }), isError: true };
}

/** Both forms that clients read: the object, and the same as text. */
function structured(data: JsonObject): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
}

import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Capability, CapabilityOutcome } from '../../core/capabilities.js';
import type { JsonObject } from '../../core/domain/json.js';
import type { HubError } from '../../core/errors.js';
import { toProblem } from '../http/problem.js';
import { toCapabilityJson } from '../reply-json.js';

/** The argument that a planned change is agreed to with. */
export const TOKEN_ARGUMENT = 'confirmation_token';

/** True for what may end otherwise than with its data: a person is asked, by it or before it. */
function mayPause({ effect, kind }: Capability): boolean {
  return effect === 'irreversible' || kind === 'skill';
}

/** True for what may come back with a question whose answer is a token. */
export function takesToken({ effect }: Capability): boolean {
  return effect === 'irreversible';
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
    properties: { ...(inputSchema.properties as JsonObject | undefined), [TOKEN_ARGUMENT]: token },
  };
}

/** The schema of a tool's structured content: the data itself, or, where people may be asked, one object a status. */
export function outputSchemaOf(capability: Capability): JsonObject {
  const { kind, outputSchema } = capability;
  if (!mayPause(capability)) return outputSchema;
  // What a skill gives back says that it is done by itself.
  if (kind === 'skill') return withStatus(outputSchema, (data) => [data, AWAITING_CHOICE, REFUSED]);
  return withStatus(outputSchema, (data) => [
    status('done', { result: data }),
    CONFIRMATION_REQUIRED,
    AWAITING_OPERATOR,
    REFUSED,
  ]);
}

const CONFIRMATION_REQUIRED = status(
  'confirmation_required',
  {
    question: text('What the user is asked, in their language.'),
    tool: text('The tool that would act.'),
    arguments: { type: 'object' },
    terms: { type: 'object', description: 'The exact effects.' },
    pending_id: text('For get_action_status.'),
    ticket_id: text('The ticket that this belongs to.'),
    expires_at: nullable('Until when the token holds, ISO 8601 UTC.'),
  },
  { [TOKEN_ARGUMENT]: text('Call the tool again with it once the user has agreed.') },
);

const AWAITING_OPERATOR = status('awaiting_operator', {
  message: text('For the user.'),
  pending_id: text('For get_action_status and withdraw_action.'),
  ticket_id: text('The ticket that this belongs to.'),
  expires_at: nullable('When the question expires, ISO 8601 UTC.'),
});

const AWAITING_CHOICE = status('awaiting_choice', {
  message: text('For the user.'),
  run_id: text('The run of the skill; for get_action_status.'),
  ticket_id: nullable('The ticket that this belongs to.'),
  handoff: { type: 'object', description: 'What was found so far, and the ways to go on.' },
});

const REFUSED = status('refused', {
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
export const ANY_STATUS = withStatus({ type: 'object' }, (data) => [
  status('done', { result: data }),
  CONFIRMATION_REQUIRED,
  AWAITING_OPERATOR,
  AWAITING_CHOICE,
  REFUSED,
]);

/**
 * One object a status.
 * @param result of what is done; its definitions move to the root, where references look for them
 */
function withStatus(result: JsonObject, forms: (data: JsonObject) => readonly JsonObject[]): JsonObject {
  const { $schema: _dialect, $id: _id, $defs, definitions, ...data } = result;
  return {
    type: 'object',
    properties: { status: { type: 'string' } },
    required: ['status'],
    oneOf: forms(data),
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}

function status(name: string, required: JsonObject, optional: JsonObject = {}): JsonObject {
  return {
    type: 'object',
    properties: { status: { const: name }, ...required, ...optional },
    required: ['status', ...Object.keys(required)],
  };
}

function text(description: string): JsonObject {
  return { type: 'string', description };
}

function nullable(description: string): JsonObject {
  return { type: ['string', 'null'], description };
}

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
  const { [TOKEN_ARGUMENT]: token, ...json } = toCapabilityJson(outcome, 'arguments');
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

/** Both forms that clients read: the object, and the same as text. */
function structured(data: JsonObject): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
}

import type { Capability } from '../../core/capabilities.js';
import type { JsonObject } from '../../core/domain/json.js';

/** The field of a body that agrees to a plan, or declines it. */
export const TOKEN_FIELD = 'confirmation_token';
export const APPROVED_FIELD = 'approved';

const text = (description: string): JsonObject => ({ type: 'string', description });
const orNull = (description: string): JsonObject => ({ type: ['string', 'null'], description });

/** True for what is planned first, and done when its token comes back. */
export function takesToken({ effect }: Capability): boolean {
  return effect === 'irreversible';
}

/** The schema of the body of a call. */
export function bodySchema(capability: Capability): JsonObject {
  const { inputSchema } = capability;
  if (!takesToken(capability)) return inputSchema;
  return {
    ...inputSchema,
    properties: {
      ...(inputSchema.properties as JsonObject | undefined),
      [TOKEN_FIELD]: text(
        'Only on the second call: the token of the plan, once the customer has agreed to its question. The rest stays as it was.',
      ),
      [APPROVED_FIELD]: {
        type: 'boolean',
        default: true,
        description: 'With a token: false where the customer has declined.',
      },
    },
  };
}

/**
 * The schema of every successful answer to a call: the data itself. Where people may be asked one object a status; of a
 * skill the data names its status by itself, of a change it is the `result`.
 */
export function answerSchema(capability: Capability): JsonObject {
  const { $schema: _dialect, $id: _id, $defs, definitions, ...data } = capability.outputSchema;
  const states = takesToken(capability)
    ? [state('done', { result: data }), CONFIRMATION, OPERATOR]
    : capability.kind === 'skill'
      ? [data, CHOICE]
      : null;
  if (states === null) return capability.outputSchema;
  return {
    type: 'object',
    properties: { status: { type: 'string' } },
    required: ['status'],
    oneOf: states,
    // Definitions move to the root, where references look for them.
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}

const CONFIRMATION = state('confirmation_required', {
  question: text('For the customer, in their language, word for word.'),
  tool: text('What would be done.'),
  input: { type: 'object', description: 'What it would be done with.' },
  terms: { type: 'object', description: 'The exact effects that are agreed to.' },
  [TOKEN_FIELD]: text('Send it with the same input once the customer has agreed. It works once.'),
  pending_id: text('Names the question.'),
  ticket_id: text('The ticket that this belongs to.'),
  expires_at: text('Until when the token holds, ISO 8601 UTC.'),
  status_url: text('Tells what became of it.'),
});
const OPERATOR = state('awaiting_operator', {
  message: text('For the customer.'),
  pending_id: text('Names the question.'),
  ticket_id: text('The ticket that this belongs to.'),
  expires_at: orNull('When nobody is asked any more, ISO 8601 UTC.'),
  status_url: text('Tells what became of it.'),
});
const CHOICE = state('awaiting_choice', {
  message: text('For the customer.'),
  run_id: text('The run of the skill, which waits.'),
  ticket_id: orNull('The ticket that this belongs to.'),
  handoff: { type: 'object', description: 'What was found so far, and the ways to go on.' },
  status_url: text('Tells what became of it.'),
});

function state(name: string, fields: JsonObject): JsonObject {
  return {
    type: 'object',
    properties: { status: { const: name }, ...fields },
    required: ['status', ...Object.keys(fields)],
  };
}

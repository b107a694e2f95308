import type { Capability, CapabilityOutcome } from '../core/capabilities.js';
import { type JsonObject, snaked } from '../core/domain/json.js';

// What other software is answered by a tool or skill, over MCP and over A2A: the object, and the schema that says so.

/** The field that agrees to a plan. */
export const TOKEN_FIELD = 'confirmation_token';

/** True for what is planned first, and done when its token comes back. */
export function takesToken({ effect }: Capability): boolean {
  return effect === 'irreversible';
}

/**
 * What a call of a capability came to, as one object that names its status.
 * @param input what the protocol calls what a call is given
 */
export function toCapabilityJson(outcome: CapabilityOutcome, input: 'input' | 'arguments'): JsonObject {
  switch (outcome.kind) {
    case 'done':
      return { status: 'done', result: outcome.data };
    case 'refused':
      return { status: 'refused', error: { ...outcome.error } };
    case 'confirmation': {
      const { question, tool, terms, token, pendingId, ticketId, expiresAt } = outcome;
      return {
        ...{ status: 'confirmation_required', question, tool, [input]: outcome.input, terms },
        [TOKEN_FIELD]: token,
        ...snaked({ pendingId, ticketId, expiresAt }),
      };
    }
    case 'awaiting_operator': {
      const { message, pendingId, ticketId, expiresAt } = outcome;
      return { status: 'awaiting_operator', ...snaked({ message, pendingId, ticketId, expiresAt }) };
    }
    case 'awaiting_choice': {
      const { message, runId, ticketId } = outcome;
      const handoff = outcome.handoff as unknown as JsonObject;
      return { status: 'awaiting_choice', ...snaked({ message, runId, ticketId, handoff }) };
    }
  }
}

/** What differs between the protocols. */
interface WaitingForm {
  readonly input: 'input' | 'arguments';
  /** What the ids of questions and runs are for. */
  readonly idIsFor: string;
  /** False where a token may be kept from the client. */
  readonly hasToken: boolean;
  /** More fields of each answer that waits for somebody. */
  readonly more?: JsonObject;
}

/** The schemas of answers that wait for somebody. */
export function waitingSchemas({ input, idIsFor, hasToken, more = {} }: WaitingForm) {
  const ticket_id = text('The ticket that this belongs to.');
  const pending_id = text(`Names the question. ${idIsFor}`);
  const token = {
    [TOKEN_FIELD]: text('Send it with the same input once the customer has agreed. It works once.'),
  };
  return {
    confirmation: statusSchema(
      'confirmation_required',
      {
        question: text('For the customer, in their language, word for word.'),
        tool: text('What would be done.'),
        [input]: { type: 'object', description: 'What it would be done with.' },
        terms: { type: 'object', description: 'The exact effects that are agreed to.' },
        ...(hasToken && token),
        ...{ pending_id, ticket_id, expires_at: text('Until when the token holds, ISO 8601 UTC.') },
        ...more,
      },
      hasToken ? {} : token,
    ),
    operator: statusSchema('awaiting_operator', {
      message: text('For the customer.'),
      ...{ pending_id, ticket_id, expires_at: orNull('When the question expires, ISO 8601 UTC.') },
      ...more,
    }),
    choice: statusSchema('awaiting_choice', {
      message: text('For the customer.'),
      run_id: text(`The run of the skill, which waits. ${idIsFor}`),
      ticket_id: orNull('The ticket that this belongs to.'),
      handoff: { type: 'object', description: 'What was found so far, and the ways to go on.' },
      ...more,
    }),
  };
}

/** The schema of an answer with this status. */
export function statusSchema(name: string, required: JsonObject, optional: JsonObject = {}): JsonObject {
  return {
    type: 'object',
    properties: { status: { const: name }, ...required, ...optional },
    required: ['status', ...Object.keys(required)],
  };
}

/**
 * The schema of an object that names its status.
 * @param result of what is done; its definitions move to the root, where references look for them
 * @param forms one for each status
 */
export function oneOfStatuses(
  result: JsonObject,
  forms: (data: JsonObject) => readonly JsonObject[],
): JsonObject {
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

/** The schema of a text. */
export function text(description: string): JsonObject {
  return { type: 'string', description };
}

function orNull(description: string): JsonObject {
  return { type: ['string', 'null'], description };
}

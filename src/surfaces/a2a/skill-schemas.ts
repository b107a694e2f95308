import type { Capability } from '../../core/capabilities.js';
import type { JsonObject } from '../../core/domain/json.js';
import { wrongField } from '../../core/errors.js';
import {
  oneOfStatuses,
  statusSchema,
  TOKEN_FIELD,
  takesToken,
  text,
  waitingSchemas,
} from '../capability-json.js';

/** The field of a body that declines a plan, with its token. */
const APPROVED_FIELD = 'approved';

const WAITING = waitingSchemas({
  input: 'input',
  idIsFor: 'It is also in status_url.',
  hasToken: true,
  more: { status_url: text('Tells what became of it.') },
});

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
  const { kind, outputSchema } = capability;
  if (takesToken(capability))
    return oneOfStatuses(outputSchema, (data) => [
      statusSchema('done', { result: data }),
      WAITING.confirmation,
      WAITING.operator,
    ]);
  return kind === 'skill' ? oneOfStatuses(outputSchema, (data) => [data, WAITING.choice]) : outputSchema;
}

/** The body of a call, read. */
export interface SkillCallBody {
  readonly input: JsonObject;
  /** Set where it answers a plan. */
  readonly confirmation: {
    readonly token: string;
    readonly approved: boolean;
    /** True where the input came again with it; then it must be the same. */
    readonly repeated: boolean;
  } | null;
}

/**
 * Tells the input from the answer to a plan. The token stands beside the input or in a header.
 * @throws HubError `input_invalid` (fields.errors)
 */
export function readSkillCall(
  capability: Capability,
  body: JsonObject,
  header: string | undefined,
): SkillCallBody {
  if (!takesToken(capability)) return { input: body, confirmation: null };
  const { [TOKEN_FIELD]: field, [APPROVED_FIELD]: approved = true, ...input } = body;
  if (field !== undefined && typeof field !== 'string') throw wrongField(TOKEN_FIELD, 'must be a text');
  if (typeof approved !== 'boolean') throw wrongField(APPROVED_FIELD, 'must be true or false');
  const token = field ?? header;
  if (field !== undefined && header !== undefined && field !== header)
    throw wrongField(TOKEN_FIELD, 'is not the one of the header Confirmation-Token');
  if (token === undefined) {
    if (APPROVED_FIELD in body) throw wrongField(APPROVED_FIELD, `needs the ${TOKEN_FIELD} that it answers`);
    return { input, confirmation: null };
  }
  return { input, confirmation: { token, approved, repeated: Object.keys(input).length > 0 } };
}

/** How staff continues with a run that waits. */
interface ChoiceBody {
  /** The id of one of the hand-off's options. */
  readonly choice: string;
  /** Values for what was missing. */
  readonly input: JsonObject;
}

/** @throws HubError `input_invalid` (fields.errors) */
export function readChoice({ choice, input = {}, ...rest }: JsonObject): ChoiceBody {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw wrongField(unknown.slice(0, 80), 'is not known; there are choice and input');
  if (typeof choice !== 'string' || choice === '') throw wrongField('choice', 'must be the id of an option');
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw wrongField('input', 'must be an object');
  return { choice, input: input as JsonObject };
}

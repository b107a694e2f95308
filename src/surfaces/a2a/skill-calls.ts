import type { Capability } from '../../core/capabilities.js';
import type { JsonObject } from '../../core/domain/json.js';
import { HubError } from '../../core/errors.js';
import { APPROVED_FIELD, TOKEN_FIELD, takesToken } from './skill-schemas.js';

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
  if (field !== undefined && typeof field !== 'string') throw wrong(TOKEN_FIELD, 'must be a text');
  if (typeof approved !== 'boolean') throw wrong(APPROVED_FIELD, 'must be true or false');
  const token = field ?? header;
  if (field !== undefined && header !== undefined && field !== header)
    throw wrong(TOKEN_FIELD, 'is not the one of the header Confirmation-Token');
  if (token === undefined) {
    if (APPROVED_FIELD in body) throw wrong(APPROVED_FIELD, `needs the ${TOKEN_FIELD} that it answers`);
    return { input, confirmation: null };
  }
  return { input, confirmation: { token, approved, repeated: Object.keys(input).length > 0 } };
}

/** How staff goes on with a run that waits. */
export interface ChoiceBody {
  /** The id of one of the hand-off's options. */
  readonly choice: string;
  /** Values for what was missing. */
  readonly input: JsonObject;
}

/** @throws HubError `input_invalid` (fields.errors) */
export function readChoice({ choice, input = {}, ...rest }: JsonObject): ChoiceBody {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw wrong(unknown.slice(0, 80), 'is not known; there are choice and input');
  if (typeof choice !== 'string' || choice === '') throw wrong('choice', 'must be the id of an option');
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw wrong('input', 'must be an object');
  return { choice, input: input as JsonObject };
}

function wrong(field: string, message: string): HubError {
  return new HubError('input_invalid', `${field} ${message}.`, { errors: [{ field, message }] });
}

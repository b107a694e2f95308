import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { HubError } from '../../core/errors.js';
import type { HubRequest } from './hub-requests.js';
import { ANY_STATUS, outcomeResult } from './tool-schemas.js';

const ARGUMENT = 'pending_id';
const REASON = 'reason';
const MAX_CHARS = 200;
const MAX_REASON_CHARS = 500;

/** Looks up what people decided. It belongs to this protocol: the chat tells a customer by itself. */
export const STATUS_TOOL: Tool = {
  name: 'get_action_status',
  title: 'Status of a planned change',
  description:
    'Tells what became of a change or a skill that waits for the user or for an operator: done, refused, or still waiting. Takes the pending_id of the result that said so, or the run_id of a skill.',
  inputSchema: {
    type: 'object',
    properties: { [ARGUMENT]: { type: 'string', minLength: 1, maxLength: MAX_CHARS } },
    required: [ARGUMENT],
    additionalProperties: false,
  },
  outputSchema: ANY_STATUS as NonNullable<Tool['outputSchema']>,
  annotations: {
    title: 'Status of a planned change',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
};

/** Takes a change back that was planned or waits for an operator, where the user has changed their mind. */
export const WITHDRAW_TOOL: Tool = {
  name: 'withdraw_action',
  title: 'Withdraw a planned change',
  description:
    'Takes back a change that waits for the user or for an operator, when the user does not want it any more. Nothing is changed by it. Takes the pending_id of the result that said that it waits. Refused where an operator has decided first.',
  inputSchema: {
    type: 'object',
    properties: {
      [ARGUMENT]: { type: 'string', minLength: 1, maxLength: MAX_CHARS },
      [REASON]: { type: 'string', maxLength: MAX_REASON_CHARS, description: 'Why, for the operators.' },
    },
    required: [ARGUMENT],
    additionalProperties: false,
  },
  outputSchema: ANY_STATUS as NonNullable<Tool['outputSchema']>,
  annotations: {
    title: 'Withdraw a planned change',
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
};

/** @throws HubError `input_invalid`, `not_found` */
export async function actionStatus(
  input: Readonly<Record<string, unknown>>,
  { app, caller, canAsk }: HubRequest,
): Promise<CallToolResult> {
  const outcome = await app.capabilities.status(caller, pendingIdIn(input, STATUS_TOOL, [ARGUMENT]));
  // Where the client asks its user, only the user's own answer counts: a model is not handed the means to agree.
  return outcomeResult(outcome, { withToken: !canAsk });
}

/** @throws HubError `input_invalid`, `not_found`, `pending_decided`, `pending_withdrawn`, `pending_expired` */
export async function withdrawAction(
  input: Readonly<Record<string, unknown>>,
  { app, caller, ctx }: HubRequest,
): Promise<CallToolResult> {
  const id = pendingIdIn(input, WITHDRAW_TOOL, [ARGUMENT, REASON]);
  const { [REASON]: reason } = input;
  if (reason !== undefined && (typeof reason !== 'string' || reason.length > MAX_REASON_CHARS))
    throw wrong(REASON, `must be a text of at most ${MAX_REASON_CHARS} characters`);
  const { signal } = ctx.mcpReq;
  const said = reason === undefined ? {} : { reason };
  const outcome = await app.capabilities.withdraw({ caller, id, ...said, signal });
  // The change is refused, which is what was asked for.
  return { ...outcomeResult(outcome), isError: false };
}

function pendingIdIn(input: Readonly<Record<string, unknown>>, tool: Tool, known: readonly string[]): string {
  const unknown = Object.keys(input).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw wrong(
      unknown.slice(0, MAX_CHARS),
      `is no argument of ${tool.name}, which takes ${known.join(', ')}`,
    );
  const { [ARGUMENT]: pendingId } = input;
  if (typeof pendingId !== 'string' || pendingId === '' || pendingId.length > MAX_CHARS)
    throw wrong(ARGUMENT, `must be a text of 1 to ${MAX_CHARS} characters`);
  return pendingId;
}

function wrong(field: string, message: string): HubError {
  return new HubError('input_invalid', `${field} ${message}.`, { errors: [{ field, message }] });
}

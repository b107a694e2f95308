import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { HubError } from '../../core/errors.js';
import type { HubRequest } from './hub-requests.js';
import { outcomeResult } from './tool-results.js';
import { ANY_STATUS } from './tool-schemas.js';

const ARGUMENT = 'pending_id';
const MAX_CHARS = 200;

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

/** @throws HubError `input_invalid`, `not_found` */
export async function actionStatus(
  input: Readonly<Record<string, unknown>>,
  { app, caller, canAsk }: HubRequest,
): Promise<CallToolResult> {
  const unknown = Object.keys(input).find((name) => name !== ARGUMENT);
  if (unknown !== undefined)
    throw wrong(
      unknown.slice(0, MAX_CHARS),
      `is no argument of ${STATUS_TOOL.name}, which takes ${ARGUMENT}`,
    );
  const { [ARGUMENT]: pendingId } = input;
  if (typeof pendingId !== 'string' || pendingId === '' || pendingId.length > MAX_CHARS)
    throw wrong(ARGUMENT, `must be a text of 1 to ${MAX_CHARS} characters`);
  const outcome = await app.capabilities.status(caller, pendingId);
  // Where the client asks its user, only the user's own answer counts: a model is not handed the means to agree.
  return outcomeResult(outcome, { withToken: !canAsk });
}

function wrong(field: string, message: string): HubError {
  return new HubError('input_invalid', `${field} ${message}.`, { errors: [{ field, message }] });
}

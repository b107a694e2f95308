import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { HubError } from '../../core/errors.js';
import type { HubRequest } from './hub-requests.js';
import { outcomeResult } from './tool-results.js';
import { ANY_STATUS } from './tool-schemas.js';

/** Looks up what people decided. It belongs to this protocol: the chat tells a customer by itself. */
export const STATUS_TOOL: Tool = {
  name: 'get_action_status',
  title: 'Status of a planned change',
  description:
    'Tells what became of a change that waits for the user or for an operator: done, refused, or still waiting. Takes the pending_id of the result that said so.',
  inputSchema: {
    type: 'object',
    properties: { pending_id: { type: 'string', minLength: 1, maxLength: 200 } },
    required: ['pending_id'],
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
  const { pending_id: pendingId } = input;
  if (typeof pendingId !== 'string' || pendingId === '')
    throw new HubError('input_invalid', 'pending_id must be a text.', {
      errors: [{ field: 'pending_id', message: 'must be a text' }],
    });
  const outcome = await app.capabilities.status(caller, pendingId);
  // Where the client asks its user, only the user's own answer counts: a model is not handed the means to agree.
  return outcomeResult(outcome, { withToken: !canAsk });
}

import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ConfirmationNeeded } from '../../core/capabilities.js';

const KEY = 'confirmation';

/**
 * Has the client put the plan's question before its user. The client brings the plan's token back with the answer; older
 * clients are asked by the SDK in the middle of the call, which ends here as well.
 */
export function askUser({ question, token }: ConfirmationNeeded): InputRequiredResult {
  return inputRequired({
    requestState: token,
    inputRequests: {
      [KEY]: inputRequired.elicit({
        message: question,
        requestedSchema: {
          type: 'object',
          properties: { confirm: { type: 'boolean', title: 'Yes / Sim' } },
          required: ['confirm'],
        },
      }),
    },
  });
}

/** An answer to a plan. */
export interface UserAnswer {
  readonly token: string;
  /** False also where the user has closed the form, or it came back without an answer: the plan is void then. */
  readonly approved: boolean;
}

/**
 * The user's answer, where this request brings one; null otherwise. What stands in it comes from the client: the token is
 * checked where it is used.
 */
export function userAnswer({ mcpReq }: ServerContext): UserAnswer | null {
  const token = mcpReq.requestState<string>();
  if (token === undefined) return null;
  const response = inputResponse(mcpReq.inputResponses, KEY);
  const isYes =
    response.kind === 'elicit' && response.action === 'accept' && response.content?.confirm === true;
  return { token, approved: isYes };
}

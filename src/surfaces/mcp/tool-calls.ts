import type { ServerContext } from '@modelcontextprotocol/server';
import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type {
  Capability,
  CapabilityOutcome,
  CapabilityProgress,
  ConfirmationNeeded,
} from '../../core/capabilities.js';
import type { JsonObject } from '../../core/domain/json.js';
import { HubError, toHubError } from '../../core/errors.js';
import { type HubRequest, isFault } from './hub-requests.js';
import { actionStatus, STATUS_TOOL, WITHDRAW_TOOL, withdrawAction } from './status-tool.js';
import { errorResult, TOKEN_ARGUMENT, takesToken, toResult } from './tool-schemas.js';

const KEY = 'confirmation';

/**
 * Has the client put the plan's question before its user. The client brings the plan's token back with the answer; older
 * clients are asked by the SDK in the middle of the call, which ends here as well.
 */
function askUser({ question, token }: ConfirmationNeeded): InputRequiredResult {
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
interface UserAnswer {
  readonly token: string;
  /** False also where the user has closed the form, or it came back without an answer: the plan is void then. */
  readonly approved: boolean;
}

/**
 * The user's answer, where this request brings one; null otherwise. What stands in it comes from the client: the token is
 * checked where it is used.
 */
function userAnswer({ mcpReq }: ServerContext): UserAnswer | null {
  const token = mcpReq.requestState<string>();
  if (token === undefined) return null;
  const response = inputResponse(mcpReq.inputResponses, KEY);
  const isYes =
    response.kind === 'elicit' && response.action === 'accept' && response.content?.confirm === true;
  return { token, approved: isYes };
}

/** Tells the client how far its call has come, where it asked to be told; undefined where it did not. */
function progressTo({ mcpReq }: ServerContext): ((progress: CapabilityProgress) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let told = Number.NEGATIVE_INFINITY;
  return ({ done, total, message }) => {
    // The protocol wants it to grow, and nothing for a call that is over.
    if (done <= told || mcpReq.signal.aborted) return;
    told = done;
    const params = { progressToken, progress: done, message, ...(total === null ? {} : { total }) };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/**
 * Calls a tool. What is wrong with the call, and what the rules refuse, is a result that says so and that a model can
 * act on; a tool that does not exist is an error of the protocol.
 */
export async function callTool(
  { params }: CallToolRequest,
  hub: HubRequest,
): Promise<CallToolResult | InputRequiredResult> {
  const { name } = params;
  const input = (params.arguments ?? {}) as JsonObject;
  try {
    if (name === STATUS_TOOL.name) return await actionStatus(input, hub);
    if (name === WITHDRAW_TOOL.name) return await withdrawAction(input, hub);
    const capability = hub.app.capabilities.list(hub.caller).find((one) => one.name === name);
    if (!capability) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
    const outcome = await carryOut(capability, input, hub);
    return outcome.kind === 'confirmation' && hub.canAsk ? askUser(outcome) : toResult(capability, outcome);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    return refusal(error, name, hub);
  }
}

/** A first call, or the one that agrees to a plan. */
function carryOut(
  capability: Capability,
  input: JsonObject,
  { app, caller, ctx }: HubRequest,
): Promise<CapabilityOutcome> {
  const { name } = capability;
  const { signal } = ctx.mcpReq;
  const { [TOKEN_ARGUMENT]: token, ...rest } = input;
  if (token !== undefined && takesToken(capability)) {
    if (typeof token !== 'string') {
      const errors = [{ field: TOKEN_ARGUMENT, message: 'must be a text' }];
      throw new HubError('input_invalid', `${TOKEN_ARGUMENT} must be a text.`, { errors });
    }
    return app.capabilities.confirm({ caller, token, approved: true, name, input: rest, signal });
  }
  const answer = userAnswer(ctx);
  if (answer) return app.capabilities.confirm({ caller, ...answer, name, input, signal });
  const onProgress = progressTo(ctx);
  return app.capabilities.call({ caller, name, input, signal, ...(onProgress ? { onProgress } : {}) });
}

function refusal(error: unknown, tool: string, { app, caller }: HubRequest): CallToolResult {
  const hubError = toHubError(error);
  const { code } = hubError;
  if (isFault(code)) {
    const { program } = caller;
    app.log.error({ agent: 'mcp', action: 'tool_failed', details: { tool, code, program } }, error);
  }
  return errorResult(hubError);
}

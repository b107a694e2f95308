import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { Capability, CapabilityOutcome } from '../../core/capabilities.js';
import type { JsonObject } from '../../core/domain/json.js';
import { HubError, toHubError } from '../../core/errors.js';
import { askUser, userAnswer } from './elicitation.js';
import type { HubRequest } from './hub-requests.js';
import { progressTo } from './progress.js';
import { isFault } from './protocol-errors.js';
import { actionStatus, STATUS_TOOL, WITHDRAW_TOOL, withdrawAction } from './status-tool.js';
import { errorResult, toResult } from './tool-results.js';
import { TOKEN_ARGUMENT, takesToken } from './tool-schemas.js';

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

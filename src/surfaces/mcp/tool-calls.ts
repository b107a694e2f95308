import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import type {
  Capability,
  CapabilityOutcome,
  CapabilityProgress,
  ConfirmationNeeded,
} from '../../core/capabilities.js';
import type { JsonObject } from '../../core/domain/json.js';
import { toHubError, wrongField } from '../../core/errors.js';
import { TOKEN_FIELD, takesToken } from '../capability-json.js';
import { type HubRequest, isFault } from './hub-requests.js';
import { ANY_STATUS, errorResult, outcomeResult, toResult } from './tool-schemas.js';

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
async function actionStatus(
  input: Readonly<Record<string, unknown>>,
  { app, caller, canAsk }: HubRequest,
): Promise<CallToolResult> {
  const outcome = await app.capabilities.status(caller, pendingIdIn(input, STATUS_TOOL, [ARGUMENT]));
  // Where the client asks its user, only the user's own answer counts: a model does not get the means to agree.
  return outcomeResult(outcome, { withToken: !canAsk });
}

/** @throws HubError `input_invalid`, `not_found`, `pending_decided`, `pending_withdrawn`, `pending_expired` */
async function withdrawAction(
  input: Readonly<Record<string, unknown>>,
  { app, caller, ctx }: HubRequest,
): Promise<CallToolResult> {
  const id = pendingIdIn(input, WITHDRAW_TOOL, [ARGUMENT, REASON]);
  const { [REASON]: reason } = input;
  if (reason !== undefined && (typeof reason !== 'string' || reason.length > MAX_REASON_CHARS))
    throw wrongField(REASON, `must be a text of at most ${MAX_REASON_CHARS} characters`);
  const { signal } = ctx.mcpReq;
  const said = reason === undefined ? {} : { reason };
  const outcome = await app.capabilities.withdraw({ caller, id, ...said, signal });
  // The change is refused, which is what was asked for.
  return { ...outcomeResult(outcome), isError: false };
}

function pendingIdIn(input: Readonly<Record<string, unknown>>, tool: Tool, known: readonly string[]): string {
  const unknown = Object.keys(input).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw wrongField(
      unknown.slice(0, MAX_CHARS),
      `is no argument of ${tool.name}, which takes ${known.join(', ')}`,
    );
  const { [ARGUMENT]: pendingId } = input;
  if (typeof pendingId !== 'string' || pendingId === '' || pendingId.length > MAX_CHARS)
    throw wrongField(ARGUMENT, `must be a text of 1 to ${MAX_CHARS} characters`);
  return pendingId;
}

const KEY = 'confirmation';

/**
 * Has the client put the plan's question before its user. The client brings the plan's token back with the answer; older
 * clients are asked by the SDK in the middle of the call, which ends here as well.
 */
function askUser({ question, yes, token }: ConfirmationNeeded): InputRequiredResult {
  return inputRequired({
    requestState: token,
    inputRequests: {
      [KEY]: inputRequired.elicit({
        message: question,
        requestedSchema: {
          type: 'object',
          properties: { confirm: { type: 'boolean', title: yes } },
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
 * The user's answer, where this request brings one; null otherwise. What is in it comes from the client: the token is
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
  let reported = Number.NEGATIVE_INFINITY;
  return ({ done, total, message }) => {
    // The protocol wants it to grow, and nothing for a call that is over.
    if (done <= reported || mcpReq.signal.aborted) return;
    reported = done;
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
  const { [TOKEN_FIELD]: token, ...rest } = input;
  if (token !== undefined && takesToken(capability)) {
    if (typeof token !== 'string') throw wrongField(TOKEN_FIELD, 'must be a text');
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

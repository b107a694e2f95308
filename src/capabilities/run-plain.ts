import type { CapabilityError, CapabilityOutcome } from '../core/capabilities.js';
import type { JsonObject } from '../core/domain/json.js';
import { type ErrorCode, HubError } from '../core/errors.js';
import type { ThreadRecord } from '../core/ports/index.js';
import { isStorageFault } from '../runtime/audit-refusal.js';
import type { PlainTool } from '../runtime/define-tool.js';
import type { ToolEnvelope } from '../runtime/envelope.js';
import { runTool } from '../runtime/run-tool.js';
import { type CapabilityDeps, sessionOf } from './caller-session.js';
import { type CheckedCall, demandGoingOn, untilCancelled } from './checked-call.js';
import { wireData } from './tool-schema.js';

/** Tools that note something about the ticket of the turn; a call from outside has none, so it is the last one. */
const ABOUT_A_TICKET = new Set(['record_resolution']);

/** Runs a tool that reads, or writes something harmless, behind the checks that an agent's call passes. */
export async function runPlain(
  deps: CapabilityDeps,
  tool: PlainTool,
  { call, input, language, callId }: CheckedCall,
): Promise<CapabilityOutcome> {
  const { caller, signal } = call;
  demandGoingOn(signal);
  const place = { turnId: callId, threadId: callId, graphThreadId: callId };
  const ticketId = ABOUT_A_TICKET.has(tool.name) ? await presentTicket(deps, caller) : callId;
  if (ticketId === null) return refused('not_found', 'There is no ticket of this customer to note it for.');
  const session = sessionOf(caller, language, { ...place, ticketId });
  const agent = caller.operator ? 'desk' : caller.channel;
  const { tools } = deps;
  const run = runTool(tool, tools, input, { session, agent, callId });
  // A write that has begun is not left alone: its caller hears what came of it.
  const { envelope } = await (tool.effect === 'read' ? untilCancelled(run, signal) : run);
  return outcomeOf(envelope);
}

/** The ticket that the customer's last conversation is about. */
async function presentTicket(
  { threads }: CapabilityDeps,
  { identity }: CheckedCall['call']['caller'],
): Promise<string | null> {
  if (identity.kind !== 'customer') return null;
  const [last] = await threads.list({ customerId: identity.customerId }, 1);
  return last?.ticketId ?? null;
}

/** An outcome that says no. */
export function refused(code: ErrorCode, message: string, reason?: string): CapabilityOutcome {
  return { kind: 'refused', error: { code, message, ...(reason === undefined ? {} : { reason }) } };
}

/** What a program hears whose customer's conversation an operator has claimed. */
export function refusedAsClaimed(thread: Pick<ThreadRecord, 'operator'> | null): CapabilityOutcome {
  const operator = thread?.operator;
  const who = operator ? `${operator.name} from the support team has` : 'A person of the support team has';
  return refused(
    'taken_over',
    `${who} this conversation in hand now. Nothing was changed; they answer there.`,
  );
}

function outcomeOf(envelope: ToolEnvelope): CapabilityOutcome {
  if (envelope.ok) return { kind: 'done', data: wireData(envelope.data) as JsonObject };
  return { kind: 'refused', error: refusalOf(envelope.error) };
}

/** @throws HubError where the storage failed: that is no answer */
export function refusalOf(error: CapabilityError & { readonly code: HubError['code'] }): CapabilityError {
  if (isStorageFault(error.code)) throw new HubError(error.code, error.message);
  return error;
}

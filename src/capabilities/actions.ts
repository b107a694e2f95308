import type { CapabilityOutcome } from '../core/capabilities.js';
import type { PendingAction } from '../core/domain/pending.js';
import { auditDenied } from '../runtime/audit-refusal.js';
import type { ActionTool } from '../runtime/define-tool.js';
import { failure, wordsOf } from '../runtime/envelope.js';
import { askCustomer, planAction } from '../runtime/plan-action.js';
import { confirmationPlace } from '../runtime/question.js';
import { type CapabilityDeps, demandCustomer, sessionOf } from './caller-session.js';
import { type CheckedCall, demandGoingOn, refusalOf } from './checked-call.js';
import type { Confirmations } from './confirm.js';
import { openConversation, tell, threadOf } from './open-conversation.js';

const AGENT = 'action';

/**
 * Puts a change to its customer: planned by the rules as they stand, stored as the same question as in a chat, on a
 * conversation of its own. Nothing is changed by this; a plan that the rules refuse leaves a line in the audit only.
 */
export async function proposeAction(
  deps: CapabilityDeps,
  { status }: Pick<Confirmations, 'status'>,
  tool: ActionTool,
  checked: CheckedCall,
): Promise<CapabilityOutcome> {
  const { call, input, language, callId } = checked;
  const { tools } = deps;
  const customerId = demandCustomer(call.caller);
  const threadId = threadOf(callId);
  const place = { turnId: callId, threadId, graphThreadId: threadId };
  const session = sessionOf(call.caller, language, { ...place, ticketId: '' });
  const { pendingId } = confirmationPlace(tool.name, input, { session, callId });
  const asked = await tools.pending.get(pendingId);
  if (asked) {
    await showQuestion(deps, asked);
    return status(customerId, pendingId);
  }
  demandGoingOn(call.signal);
  const action = { tool, deps: tools, input, customerId, context: { session, agent: AGENT, callId } };
  const plan = await planAction(action);
  if (plan.kind === 'denied') {
    const { error } = failureOf(plan.code);
    const refusal = refusalOf({ ...error, ...wordsOf(plan) });
    await auditDenied(tools, tool.name, input, { session: { ...session, ticketId: null }, callId }, plan);
    return { kind: 'refused', error: refusal };
  }
  demandGoingOn(call.signal);
  const { ticketId } = await openConversation(deps, {
    ...{ caller: call.caller, customerId, language, callId, agent: AGENT, route: AGENT },
    what: tool.request(input, deps.tools.texts.for(language)),
    issueType: tool.issueType,
  });
  const row = await askCustomer(action, plan, { pendingId, threadId, graphThreadId: threadId, ticketId });
  await showQuestion(deps, row);
  return status(customerId, pendingId);
}

/** The customer reads the question on the conversation too, also where the process stopped before it was written. */
async function showQuestion(
  deps: CapabilityDeps,
  { status, ticketId, question }: PendingAction,
): Promise<void> {
  if (status !== 'pending') return;
  await tell(deps, ticketId, question);
  const ticket = await deps.tickets.get(ticketId);
  if (ticket?.owner === 'hub') await deps.tickets.setStatus(ticketId, 'waiting_customer', 'hub');
}

function failureOf(code: Parameters<typeof failure>[0]): Extract<ReturnType<typeof failure>, { ok: false }> {
  return failure(code) as Extract<ReturnType<typeof failure>, { ok: false }>;
}

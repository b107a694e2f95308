import type { CapabilityOutcome, ConfirmationAnswer, WithdrawalCall } from '../core/capabilities.js';
import { deskNotes } from '../core/desk-notes.js';
import { closedQuestion, type PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import { HubError, toHubError } from '../core/errors.js';
import type { ThreadRecord } from '../core/ports/index.js';
import { cleanText } from '../core/text.js';
import { carryOutDecision, reopenDecision, withdrawDropped } from '../runtime/decided-action.js';
import type { ActionTool, ToolRoster } from '../runtime/define-tool.js';
import { auditDenied, failure, hashOf, isStorageFault, wordsOf } from '../runtime/envelope.js';
import { approvalPlace, askCustomer, confirmationPlace, planAction } from '../runtime/plan-action.js';
import {
  type CapabilityDeps,
  demandCustomer,
  openConversation,
  sayToCustomer,
  sessionOf,
  threadOf,
} from './caller-session.js';
import { type CheckedCall, demandNotCancelled, refusalOf, refusedAsClaimed } from './checked-call.js';
import type { ConfirmationTokens, Questions } from './questions.js';
import { toolInput } from './tool-schema.js';

/* Actions asked for by other software: proposed, confirmed by the customer, carried out once. */

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
  demandNotCancelled(call.signal);
  const action = { tool, deps: tools, input, customerId, context: { session, agent: AGENT, callId } };
  const plan = await planAction(action);
  if (plan.kind === 'denied') {
    const { error } = failureOf(plan.code);
    const refusal = refusalOf({ ...error, ...wordsOf(plan) });
    await auditDenied(tools, tool.name, input, { session: { ...session, ticketId: null }, callId }, plan);
    return { kind: 'refused', error: refusal };
  }
  demandNotCancelled(call.signal);
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
  await sayToCustomer(deps, ticketId, question);
  const ticket = await deps.tickets.get(ticketId);
  if (ticket?.owner === 'hub') await deps.tickets.setStatus(ticketId, 'waiting_customer', 'hub');
}

function failureOf(code: Parameters<typeof failure>[0]): Extract<ReturnType<typeof failure>, { ok: false }> {
  return failure(code) as Extract<ReturnType<typeof failure>, { ok: false }>;
}

/** As much of a reason as operators read. */
const REASON_CHARS = 500;

/** Answers plans, and finishes what was answered. */
interface Confirmations {
  /** @throws HubError `confirmation_invalid`, `pending_decided`, `pending_expired`, `cancelled`, `thread_busy` */
  answer(answer: ConfirmationAnswer): Promise<CapabilityOutcome>;
  /**
   * Takes a request back that waits for its customer or for an operator.
   * @throws HubError `not_found`, `pending_decided`, `pending_withdrawn`, `pending_expired`, `thread_busy`
   */
  withdraw(withdrawal: WithdrawalCall): Promise<CapabilityOutcome>;
  /** What became of a question of this customer; one that was left in the middle is finished first. @throws HubError `not_found` */
  status(customerId: string, pendingId: string): Promise<CapabilityOutcome>;
}

/** @param questions and tokens: those the plans were made with */
export function createConfirmations(
  deps: CapabilityDeps,
  questions: Questions,
  tokens: ConfirmationTokens,
): Confirmations {
  const { pending } = deps.tools;
  return {
    async answer(answer) {
      const customerId = demandCustomer(answer.caller);
      const known = await pending.get(tokens.pendingIdOf(answer.token));
      const row = tokens.verify(answer.token, known, customerId);
      demandSameCall(deps.tools.roster, row, answer);
      return deps.locks.withThread(row.threadId, deps.waitMs, () => decide(deps, questions, row, answer));
    },
    async withdraw(withdrawal) {
      const customerId = demandCustomer(withdrawal.caller);
      const row = await pending.get(withdrawal.id);
      if (row?.customerId !== customerId || !questions.standsAlone(row))
        throw new HubError('not_found', 'There is no such question of yours.');
      return deps.locks.withThread(row.threadId, deps.waitMs, () =>
        takeBack(deps, questions, row, withdrawal),
      );
    },
    async status(customerId, pendingId) {
      const row = await pending.get(pendingId);
      if (row?.customerId !== customerId || !questions.standsAlone(row))
        throw new HubError('not_found', 'There is no such question of yours.');
      if (row.status !== 'approved') return questions.outcomeOf(row);
      // Agreed to and under way; where nobody is at it, it is finished now.
      return deps.locks.withThread(row.threadId, deps.waitMs, async () => {
        const unreleased = await pending.listUnreleased(row.threadId);
        const left = unreleased.find((other) => other.pendingId === pendingId);
        const thread = await deps.threads.get(row.threadId);
        if (left && thread && !thread.operator) return finish(deps, questions, left, thread);
        return questions.outcomeOf((await pending.get(pendingId)) ?? row);
      });
    },
  };
}

/** A client may repeat what it thinks it confirms: then that must be it. @throws HubError `confirmation_invalid` */
function demandSameCall(roster: ToolRoster, row: PendingAction, { name, input }: ConfirmationAnswer): void {
  const tool = roster.findAction(row.tool);
  const otherTool = name !== undefined && name !== row.tool;
  if (!otherTool && (input === undefined || tool === null)) return;
  if (!otherTool && tool && input && hashOf(toolInput(tool, input)) === hashOf(tool.input.parse(row.args)))
    return;
  throw new HubError(
    'confirmation_invalid',
    'This confirmation was given for another call than the one it is repeated with. Nothing was changed.',
  );
}

/** The caller holds the thread. */
async function decide(
  deps: CapabilityDeps,
  questions: Questions,
  { pendingId, threadId, customerId }: PendingAction,
  { approved, caller, signal }: ConfirmationAnswer,
): Promise<CapabilityOutcome> {
  const { pending } = deps.tools;
  const thread = await deps.threads.get(threadId);
  const row = await pending.get(pendingId);
  if (!thread || !row) throw new HubError('not_found', 'There is no such question.', { pendingId });
  // Whoever has claimed the conversation has withdrawn the question, or is about to.
  const withdrawn = row.status === 'superseded' || row.status === 'pending';
  if (thread.operator && withdrawn) return refusedAsClaimed(thread);
  demandNotCancelled(signal);
  const decided = await pending.decide(pendingId, { approved, by: `customer:${customerId}` });
  await note(deps, decided, caller.channel);
  const outcome = await finish(deps, questions, decided, thread);
  const over = outcome.kind === 'done' || outcome.kind === 'refused';
  if (over) deps.metrics.toolCall('action', decided.tool, outcome.kind === 'done');
  return outcome;
}

/** What was agreed to may wait for an operator by now: then that is what is taken back. The caller holds the thread. */
async function takeBack(
  deps: CapabilityDeps,
  questions: Questions,
  asked: PendingAction,
  { caller, reason, signal }: WithdrawalCall,
): Promise<CapabilityOutcome> {
  const { pending } = deps.tools;
  const approval = asked.kind === 'confirmation' ? await pending.get(approvalPlace(asked).pendingId) : null;
  const row = approval ?? (await pending.get(asked.pendingId)) ?? asked;
  const thread = await deps.threads.get(row.threadId);
  if (!thread) throw new HubError('not_found', 'There is no such question.', { pendingId: row.pendingId });
  if (row.status !== 'pending') throw closedQuestion(row);
  demandNotCancelled(signal);
  const by = `customer:${row.customerId}`;
  const words = cleanText(reason ?? '').slice(0, REASON_CHARS) || `withdrawn over ${caller.channel}`;
  const decided =
    row.kind === 'approval'
      ? await pending.withdraw(row.pendingId, { by, words })
      : await pending.decide(row.pendingId, { approved: false, by });
  await note(deps, decided, caller.channel);
  if (decided.status === 'withdrawn') {
    deps.metrics.approval('withdrawn');
    await deps.tickets.addMessage(row.ticketId, 'system', deskNotes.withdrawn(decided));
  }
  return finish(deps, questions, decided, thread);
}

/** Carries out what was decided, and says what came of it. The caller holds the thread. */
async function finish(
  deps: CapabilityDeps,
  questions: Questions,
  decided: PendingAction,
  thread: ThreadRecord,
): Promise<CapabilityOutcome> {
  const { threadId, pendingId } = decided;
  try {
    await carryOut(deps, decided, thread);
  } catch (error) {
    if (toHubError(error).code !== 'taken_over') throw error;
    await withdrawDropped(deps, threadId);
    return refusedAsClaimed(await deps.threads.get(threadId));
  }
  return questions.outcomeOf((await deps.tools.pending.get(pendingId)) ?? decided);
}

/**
 * Where a fault of the storage stops it before anything was done, the question is open again: the same yes may be given
 * once more. The caller holds the thread.
 * @throws HubError `disk_full`, `database_failed`, `taken_over`
 */
async function carryOut(deps: CapabilityDeps, decided: PendingAction, thread: ThreadRecord): Promise<void> {
  const { threadId, claim } = thread;
  const stillOurs = async (): Promise<void> => {
    const now = await deps.threads.get(threadId);
    if (now && now.claim !== claim)
      throw new HubError('taken_over', 'A person has taken this conversation over.', { threadId });
  };
  try {
    await carryOutDecision(deps, decided, stillOurs);
  } catch (error) {
    const { log } = deps.tools;
    const { ticketId, pendingId } = decided;
    if (isStorageFault(toHubError(error).code)) {
      await reopenDecision(deps, decided).catch((fault: unknown) => {
        log.error(
          { agent: 'capabilities', action: 'reopen_failed', ticketId, details: { pendingId } },
          fault,
        );
      });
    }
    throw error;
  }
}

/** What the customer's program has answered stands on the conversation; the decision is taken whatever becomes of that. */
async function note(
  deps: CapabilityDeps,
  { ticketId, pendingId, status }: PendingAction,
  channel: string,
): Promise<void> {
  const language: Language = (await deps.tickets.getClassification(ticketId))?.language ?? deps.locale;
  const value = { protocol: channel.toUpperCase(), approved: status === 'approved' };
  try {
    await deps.tickets.addMessage(
      ticketId,
      'customer',
      deps.tools.texts.for(language).say('answered_by_program', value),
    );
  } catch (error) {
    deps.tools.log.error(
      { agent: 'capabilities', action: 'answer_not_noted', ticketId, details: { pendingId } },
      error,
    );
  }
}

import { deskNotes } from '../core/desk-notes.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import { HubError } from '../core/errors.js';
import { declinedText } from '../core/i18n/index.js';
import type { TicketStore } from '../core/ports/index.js';
import type { ToolDeps } from './define-tool.js';
import { auditRefused, isStorageFault } from './envelope.js';
import { approvalPlace, waitFor } from './plan-action.js';
import { askOperator, releaseAction, withdrawnText } from './release-action.js';

/**
 * The last steps of the gate after a decision: perform once, record, report. They are the same for agents, operators at the
 * desk, programs and the recovery after a crash.
 */
interface DecisionDeps {
  readonly tickets: TicketStore;
  readonly tools: ToolDeps;
}

const RECENT_MESSAGES = 20;

interface Outcome {
  readonly text: string;
  /** True where an operator has to agree next. */
  readonly waiting: boolean;
}

/** The answer to the customer, and the message it is stored as. */
interface Notice {
  readonly text: string;
  readonly messageId: string;
}

/**
 * Completes a decided question from its stored row alone, where no process holds the graph that asked it: performs the
 * action, asks an operator, or says that it was declined, and stores the answer to the customer.
 * The caller holds the thread's lease.
 * @param beforeEffect the last word on whether it may be done; throws `taken_over` where not
 * @throws HubError `disk_full`, `database_failed`; the row stays approved and is tried again later; `taken_over`
 */
export async function carryOutDecision(
  deps: DecisionDeps,
  decided: PendingAction,
  beforeEffect?: () => Promise<void>,
): Promise<Notice> {
  const { tickets, tools } = deps;
  const language: Language = (await tickets.getClassification(decided.ticketId))?.language ?? 'en';
  const { text, waiting } = await outcomeOf(deps, decided, language, beforeEffect);
  let messageId = await findNotice(deps, decided, text);
  if (messageId === null) {
    // What an operator chose to do answers the customer; a decision on their request leaves what else they wrote.
    const extras = decided.kind === 'approval' && beforeEffect ? ({ countsAs: 'answer' } as const) : {};
    messageId = (await tickets.addMessage(decided.ticketId, 'hub', text, extras)).messageId;
    await waitFor(deps, decided.ticketId, waiting ? 'waiting_operator' : 'waiting_customer');
  }
  // Only now: a row that is still approved is tried again after a crash.
  await tools.pending.release(decided.pendingId);
  tools.log.info({
    agent: 'hub',
    action: 'decision_carried_out',
    ticketId: decided.ticketId,
    details: { pendingId: decided.pendingId, status: decided.status },
  });
  return { text, messageId };
}

/** The answer where it was stored already: the process may have stopped before it closed the row. */
async function findNotice(
  { tickets }: DecisionDeps,
  decided: PendingAction,
  text: string,
): Promise<string | null> {
  const messages = await tickets.listMessages(decided.ticketId, RECENT_MESSAGES);
  const since = decided.decidedAt ?? decided.createdAt;
  const stored = messages.find(
    ({ role, createdAt, content }) => role === 'hub' && createdAt >= since && content.includes(text),
  );
  return stored?.messageId ?? null;
}

async function outcomeOf(
  deps: DecisionDeps,
  decided: PendingAction,
  language: Language,
  beforeEffect?: () => Promise<void>,
): Promise<Outcome> {
  const texts = deps.tools.texts.for(language);
  if (decided.status === 'approved') return perform(deps, decided, language, beforeEffect);
  if (decided.status === 'withdrawn') {
    await auditRefused(deps.tools, decided, 'pending_withdrawn');
    const tool = deps.tools.roster.findAction(decided.tool);
    const text = tool
      ? await withdrawnText(tool, deps.tools, decided, language)
      : texts.say('nothing_changed');
    return { text, waiting: false };
  }
  const byOperator = decided.kind === 'approval';
  await auditRefused(deps.tools, decided, byOperator ? 'approval_rejected' : 'confirmation_rejected');
  const text = byOperator ? declinedText(texts, decided.reason) : texts.say('nothing_changed');
  return { text, waiting: false };
}

async function perform(
  deps: DecisionDeps,
  decided: PendingAction,
  language: Language,
  beforeEffect?: () => Promise<void>,
): Promise<Outcome> {
  const tool = deps.tools.roster.findAction(decided.tool);
  if (!tool) throw new HubError('not_found', `There is no action ${decided.tool}.`);
  const texts = deps.tools.texts.for(language);
  try {
    const approval = await askOperator(tool, deps.tools, decided, language);
    if (approval) return { text: texts.say('waiting_for_approval'), waiting: approval.status === 'pending' };
    const data = await releaseAction(tool, deps.tools, decided, language, beforeEffect);
    return { text: tool.describe(tool.output.parse(data), texts, deps.tools.time), waiting: false };
  } catch (error) {
    if (!(error instanceof HubError) || isStorageFault(error.code) || error.code === 'taken_over')
      throw error;
    await auditRefused(deps.tools, decided, error.code, error.fields);
    const { said } = error.fields;
    return { text: typeof said === 'string' ? said : texts.sayOf('refusal', error.code), waiting: false };
  }
}

/**
 * A turn broke off after a customer's yes (a full disk, a database that was held). Where nothing was done yet, the
 * question is open again: the customer has read that it failed, and may answer differently now.
 * The caller holds the thread.
 */
export async function reopenDecision(deps: DecisionDeps, decided: PendingAction): Promise<void> {
  if (decided.kind !== 'confirmation' || decided.status !== 'approved') return;
  if (!(await hasTakenEffect(deps, decided))) await deps.tools.pending.reopen(decided.pendingId);
}

/** The same for what an earlier turn of the thread could not even take back. */
export async function reopenUnreleased(deps: DecisionDeps, threadId: string): Promise<void> {
  for (const row of await deps.tools.pending.listUnreleased(threadId)) await reopenDecision(deps, row);
}

/**
 * Closes a decision after the customer has the outcome. Where it had none, the row says so: an effect that only the ledger
 * does not know is another matter, see `reconcile-effects.ts`.
 */
export async function releaseDecision(deps: DecisionDeps, decided: PendingAction): Promise<void> {
  if (decided.status === 'approved' && !(await hasTakenEffect(deps, decided)))
    await auditRefused(deps.tools, decided, 'internal');
  await deps.tools.pending.release(decided.pendingId);
}

/** True where the decision had an outcome that cannot be undone: it was performed, or operators were asked. */
export async function hasTakenEffect({ tools }: DecisionDeps, decided: PendingAction): Promise<boolean> {
  if (await tools.effects.findOutcome(decided.pendingId)) return true;
  return (
    decided.kind === 'confirmation' && (await tools.pending.get(approvalPlace(decided).pendingId)) !== null
  );
}

/**
 * Stops what the hub was about to do for the customer when an operator claimed the ticket. What was done by then is recorded
 * for the desk, which has to inform the customer. Approvals stay open. Idempotent; the caller holds the thread's lease.
 */
export async function withdrawDropped(deps: DecisionDeps, threadId: string): Promise<void> {
  const { pending, log } = deps.tools;
  for (const row of await pending.listUnreleased(threadId)) {
    if (row.kind !== 'confirmation') continue;
    const { ticketId, pendingId, tool } = row;
    const became = await settle(deps, row);
    await deps.tickets.addMessage(ticketId, 'system', deskNotes.became(became, row));
    log.info({ agent: 'hub', action: 'turn_dropped', ticketId, details: { pendingId, tool } });
  }
}

/** The operator's claim stands even where this fails. */
function notKnown(error: unknown): undefined {
  if (error instanceof HubError && error.code === 'outcome_unknown') return undefined;
  throw error;
}

async function settle(
  { tools }: DecisionDeps,
  row: PendingAction,
): Promise<Parameters<typeof deskNotes.became>[0]> {
  const { pendingId, status } = row;
  const effect = await tools.effects.findOutcome(pendingId).catch(notKnown);
  // The row stays: it is completed under its key once the outcome is known.
  if (effect === undefined) return 'agreed_unknown';
  if (effect || status !== 'approved') {
    await tools.pending.release(pendingId);
    return effect ? 'done' : 'declined';
  }
  if (await tools.pending.get(approvalPlace(row).pendingId)) {
    await tools.pending.release(pendingId);
    return 'agreed_open';
  }
  // Taken back, so that nothing carries it out later: a yes of an hour ago is none to what people agree on meanwhile.
  if (await tools.pending.reopen(pendingId)) await tools.pending.supersede(pendingId);
  else {
    await auditRefused(tools, row, 'taken_over');
    await tools.pending.release(pendingId);
  }
  return 'agreed_undone';
}

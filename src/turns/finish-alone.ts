import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import { HubError } from '../core/errors.js';
import { declinedText } from '../core/i18n/index.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { waitFor } from '../graph/ticket-status.js';
import { auditRefused, isStorageFault } from '../runtime/audit-refusal.js';
import { withdrawnText } from '../runtime/matter.js';
import { askOperator, releaseAction } from '../runtime/release-action.js';

const RECENT_MESSAGES = 20;

interface Outcome {
  readonly text: string;
  /** True where an operator has to agree next. */
  readonly waiting: boolean;
}

/** What the customer was told, and the message it is stored as. */
export interface Told {
  readonly text: string;
  readonly messageId: string;
}

/**
 * Finishes a decided question from its stored row alone, where no process holds the graph that asked it: carries the
 * action out, asks an operator, or says that it was declined, and stores what the customer is told.
 * The caller holds the thread.
 * @param beforeEffect the last word on whether it may be done; throws `taken_over` where not
 * @throws HubError `disk_full`, `database_failed`; the row stays approved and is tried again later; `taken_over`
 */
export async function finishAlone(
  graph: GraphDeps,
  decided: PendingAction,
  beforeEffect?: () => Promise<void>,
): Promise<Told> {
  const { tickets, tools } = graph;
  const language: Language = (await tickets.getClassification(decided.ticketId))?.language ?? 'en';
  const { text, waiting } = await outcomeOf(graph, decided, language, beforeEffect);
  let messageId = await toldIn(graph, decided, text);
  if (messageId === null) {
    messageId = (await tickets.addMessage(decided.ticketId, 'hub', text)).messageId;
    await waitFor(graph, decided.ticketId, waiting ? 'waiting_operator' : 'waiting_customer');
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

/** The process may have stopped between telling the customer and noting that down. */
async function toldIn({ tickets }: GraphDeps, decided: PendingAction, text: string): Promise<string | null> {
  const messages = await tickets.listMessages(decided.ticketId, RECENT_MESSAGES);
  const since = decided.decidedAt ?? decided.createdAt;
  const told = messages.find(
    ({ role, createdAt, content }) => role === 'hub' && createdAt >= since && content.includes(text),
  );
  return told?.messageId ?? null;
}

async function outcomeOf(
  graph: GraphDeps,
  decided: PendingAction,
  language: Language,
  beforeEffect?: () => Promise<void>,
): Promise<Outcome> {
  const texts = graph.tools.texts.for(language);
  if (decided.status === 'approved') return perform(graph, decided, language, beforeEffect);
  if (decided.status === 'withdrawn') {
    await auditRefused(graph.tools, decided, 'pending_withdrawn');
    const tool = graph.tools.roster.findAction(decided.tool);
    const text = tool
      ? await withdrawnText(tool, graph.tools, decided, language)
      : texts.say('nothing_changed');
    return { text, waiting: false };
  }
  const byOperator = decided.kind === 'approval';
  await auditRefused(graph.tools, decided, byOperator ? 'approval_rejected' : 'confirmation_rejected');
  const text = byOperator ? declinedText(texts, decided.reason) : texts.say('nothing_changed');
  return { text, waiting: false };
}

async function perform(
  graph: GraphDeps,
  decided: PendingAction,
  language: Language,
  beforeEffect?: () => Promise<void>,
): Promise<Outcome> {
  const tool = graph.tools.roster.findAction(decided.tool);
  if (!tool) throw new HubError('not_found', `There is no action ${decided.tool}.`);
  const texts = graph.tools.texts.for(language);
  try {
    const approval = await askOperator(tool, graph.tools, decided, language);
    if (approval) return { text: texts.say('waiting_for_approval'), waiting: approval.status === 'pending' };
    const data = await releaseAction(tool, graph.tools, decided, language, beforeEffect);
    return { text: tool.describe(tool.output.parse(data), texts, graph.tools.time), waiting: false };
  } catch (error) {
    if (!(error instanceof HubError) || isStorageFault(error.code) || error.code === 'taken_over')
      throw error;
    await auditRefused(graph.tools, decided, error.code);
    return { text: texts.sayOf('refusal', error.code), waiting: false };
  }
}

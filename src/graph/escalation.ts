import type { ToolTrace } from '../core/domain/session.js';
import type { EscalationReason } from '../core/domain/taxonomy.js';
import type { Classification, Escalation } from '../core/domain/ticket.js';
import { textsFor } from '../core/i18n/index.js';
import type { GraphDeps } from './graph-deps.js';
import { investigationReport } from './investigation.js';
import { isOutOfHours } from './office-hours.js';
import { retrievedArticles } from './review-rules.js';
import type { HubStateType, HubUpdate } from './state.js';

const MAX_FOUND = 6;

/**
 * Hands the ticket to the operators with everything on the table. The customer is told in the respond node.
 */
export function escalateNode(deps: GraphDeps) {
  return async (state: HubStateType): Promise<HubUpdate> => {
    const { session, classification } = state;
    if (!session) throw new Error('Escalation was called outside a turn');
    const escalation = describe(
      reasonOf(state),
      classification,
      state.trace,
      state.drafts.map((draft) => draft.text),
    );
    await handOver(deps, session.ticketId, escalation);
    return { escalation };
  };
}

/** Gives the ticket to the operators, once for the same reason: a turn that paused in between has done so already. */
async function handOver(deps: GraphDeps, ticketId: string, escalation: Escalation): Promise<void> {
  const known = await deps.tickets.listEscalations(ticketId);
  if (known.some(({ status, reason }) => status === 'open' && reason === escalation.reason)) return;
  await deps.tickets.escalate(ticketId, escalation);
  const details = { reason: escalation.reason };
  deps.tools.log.info({ agent: 'supervisor', action: 'escalated', ticketId, details });
}

/**
 * A turn pauses for the customer's yes while another part of it needs an operator: that one does not wait for an answer
 * that may never come. The customer is told with the end of the turn.
 */
export async function escalateWhilePaused(deps: GraphDeps, state: HubStateType): Promise<void> {
  const { session, classification, drafts, trace } = state;
  if (!session || !drafts.some((draft) => draft.needsPerson)) return;
  const said = drafts.map((draft) => draft.text);
  await handOver(deps, session.ticketId, describe('requires_human', classification, trace, said));
}

function reasonOf(state: HubStateType): EscalationReason {
  const step = state.route.at(-1);
  if (step?.to === 'escalation') return step.by.split(':').at(-1) as EscalationReason;
  if (state.drafts.some((draft) => draft.needsPerson)) return 'requires_human';
  return state.drafts.some((draft) => draft.unanswered) ? 'low_confidence' : 'fault';
}

/** What an operator needs to go on: what it is about, what was found and tried, and what can be done now. */
export function describe(
  reason: EscalationReason,
  classification: Classification | null,
  trace: readonly ToolTrace[],
  drafts: readonly string[],
): Escalation {
  const found = [...retrievedArticles(trace)].map(
    ([id, article]) => `Article ${id} "${article.title}" (confidence ${article.confidence.toFixed(2)})`,
  );
  const refusals = trace
    .filter((entry) => !entry.ok)
    .map((entry) => `${entry.tool} was refused: ${entry.code}`);
  const said = drafts
    .filter((draft) => draft !== '')
    .map((draft) => `Answered so far: ${draft.slice(0, 200)}`);
  const tried = trace
    .filter((entry) => entry.tool !== 'classify_ticket')
    .map((entry) => `${entry.agent}: ${entry.tool}(${JSON.stringify(entry.args).slice(0, 120)})`);
  const investigated = investigationReport(trace);
  return {
    reason,
    summary: classification?.summary ?? 'A message that could not be classified.',
    found: [...investigated.found, ...[...found, ...refusals, ...said].slice(0, MAX_FOUND)],
    tried: [...tried, ...investigated.tried],
    options: [...investigated.options, ...optionsFor(reason, classification)],
  };
}

function optionsFor(reason: EscalationReason, classification: Classification | null): readonly string[] {
  const options = ['Reply to the customer', 'Ask the customer for more details'];
  if (reason === 'low_confidence')
    options.push('Add or correct an article in the knowledge base, then reply');
  if (reason === 'legal') options.push('Pass on to the data protection officer or to legal');
  if (reason === 'fault' || reason === 'hop_limit') options.push('Do the requested change by hand');
  if (classification?.issueType === 'refund' || classification?.issueType === 'billing') {
    options.push('Check payments and refunds of the customer');
  }
  return [...options, 'Resolve without a reply'];
}

/** The graph broke off: hands over what there is, and says what the customer is told. */
export async function escalateFault(
  deps: GraphDeps,
  values: HubStateType,
  tooManySteps: boolean,
): Promise<{ readonly text: string; readonly escalation: Escalation }> {
  const { session, classification, trace, drafts } = values;
  if (!session) throw new Error('A fault was escalated outside a turn');
  const reason = tooManySteps ? 'hop_limit' : 'fault';
  const escalation = describe(
    reason,
    classification,
    trace ?? [],
    (drafts ?? []).map((draft) => draft.text),
  );
  await deps.tickets.escalate(session.ticketId, escalation);
  const outOfHours = isOutOfHours(deps.tools.clock.now(), deps.tools.time.timeZone);
  const text = textsFor(session.language).escalated({ reason, outOfHours });
  await deps.tickets.addMessage(session.ticketId, 'hub', text);
  return { text, escalation };
}

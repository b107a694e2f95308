import type { ChoiceOutcome } from '../core/app.js';
import { deskNotes } from '../core/desk-notes.js';
import type { Operator } from '../core/domain/customer.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { SkillRun } from '../core/domain/skill.js';
import type { EscalationReason, Language } from '../core/domain/taxonomy.js';
import type { Ticket, TicketStatus } from '../core/domain/ticket.js';
import { HubError } from '../core/errors.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { adviseAction } from '../runtime/plan-action.js';
import { type Finding, readRun } from '../runtime/read-run.js';
import { demandClaim, known, returnThread, type TicketDeps } from './ticket-actions.js';

/* An operator chooses how a waiting investigation continues. */

const RECENT = 20;
/** Why an investigation escalates. */
const INVESTIGATED: EscalationReason = 'requires_human';

/** See `Desk.choose`. The choice itself is taken once, by the one who is first; what follows from it holds the thread. */
export async function choose(
  deps: TicketDeps,
  ticketId: string,
  choice: string,
  operator: Operator,
): Promise<ChoiceOutcome> {
  const { graph, locks, waitMs } = deps;
  const before = await known(deps, ticketId);
  return locks.withThread(before.threadId, waitMs, async () => {
    const { skills } = graph.tools;
    // Somebody else may have chosen, or resolved the ticket, while the thread was waited for.
    const ticket = (await graph.tickets.get(ticketId)) ?? before;
    if (ticket.status === 'resolved') {
      throw new HubError(
        'run_not_waiting',
        `The ticket ${ticketId} is resolved; nothing of it waits for a choice.`,
      );
    }
    const holder = (await deps.threads.get(ticket.threadId))?.operator;
    if (holder) await demandClaim(deps, ticketId, operator);
    const runs = await skills.forTicket(ticketId);
    const chosen = choice.trim().toUpperCase();
    const waiting = runs.findLast((run) => run.status === 'waiting');
    if (!waiting) {
      const unpublished = runs.at(-1);
      if (unpublished && isUnpublished(ticket, unpublished, chosen))
        return publishFinding(deps, ticket, unpublished);
      throw new HubError('run_not_waiting', `No investigation of ticket ${ticketId} waits for a choice.`);
    }
    const by = `operator:${operator.operatorId}`;
    const run = await skills.resume(waiting.runId, { choice, by });
    graph.tools.log.info({
      agent: 'desk',
      action: 'investigation_answered',
      ticketId,
      details: { runId: run.runId, choice: chosen, by, status: run.status },
    });
    await graph.tickets.addMessage(ticketId, 'system', deskNotes.chose(operator.name, chosen));
    return publishFinding(deps, ticket, run);
  });
}

/**
 * A finding goes to the customer, and what it advises is put to the one who has to agree: the customer, or the operators. The
 * ticket goes back to the hub where that is all; where something is left that only a person can do, it stays with them.
 */
async function publishFinding(deps: TicketDeps, ticket: Ticket, run: SkillRun): Promise<ChoiceOutcome> {
  const { graph, threads } = deps;
  const { ticketId, threadId } = ticket;
  const language: Language = (await graph.tickets.getClassification(ticketId))?.language ?? 'en';
  const { actions, operatorActions } = graph.tools.roster;
  const finding =
    run.status === 'done' && !takenOver(run)
      ? readRun(run, language, [...actions, ...operatorActions])
      : null;
  const words = finding?.customer_message ?? null;
  if (finding?.status !== 'concluded' || words === null) return { run, reply: null, pending: null };
  // A thread has one open question: the newer one takes its place, and the customer gets a message about it.
  const open = await graph.tools.pending.findOpenConfirmation(threadId);
  const pending = await ask(graph, ticket, run, finding, language);
  const left = finding.recommended_action !== null && pending === null;
  // The hub continues with it, also where the operator had claimed it: what it asks, only the hub takes an answer to.
  const holder = left ? null : (await threads.get(threadId))?.operator;
  if (holder) await returnThread(deps, ticket, holder, null);
  const confirmation = pending?.kind === 'confirmation' ? pending : null;
  const lapsed = open && confirmation && open.pendingId !== confirmation.pendingId;
  const texts = graph.tools.texts.for(language);
  const parts = [
    lapsed ? texts.say('question_expired') : null,
    words,
    confirmation?.question ?? null,
    pending?.kind === 'approval' ? texts.say('waiting_for_approval') : null,
    left ? texts.say('operators_go_on') : null,
  ];
  const reply = parts.filter((part) => part !== null).join('\n\n');
  const said = await graph.tickets.listMessages(ticketId, RECENT);
  if (!said.some(({ role, content }) => role === 'hub' && content === reply)) {
    await graph.tickets.addMessage(ticketId, 'hub', reply);
    if (left) await graph.tickets.addMessage(ticketId, 'system', deskNotes.leftToDo(finding));
  }
  if (!left)
    await returnTicketToHub(
      graph,
      ticketId,
      pending?.kind === 'approval' ? 'waiting_operator' : 'waiting_customer',
    );
  return { run, reply, pending };
}

/** The ticket is the hub's again, unless the customer waits for a person for another reason too. */
async function returnTicketToHub(
  { tickets }: GraphDeps,
  ticketId: string,
  status: TicketStatus,
): Promise<void> {
  const open = (await tickets.listEscalations(ticketId)).filter((one) => one.status === 'open');
  if (open.every(({ reason }) => reason === INVESTIGATED)) {
    return tickets.setStatus(ticketId, status, 'hub');
  }
  await tickets.closeEscalations(ticketId, INVESTIGATED);
}

/**
 * True where this choice was taken, but the process stopped before the customer had the answer: the ticket would have come
 * back to the hub with that.
 */
function isUnpublished(ticket: Ticket, run: SkillRun, chosen: string): boolean {
  if (ticket.owner !== 'operator' || run.status !== 'done' || chosen === 'C') return false;
  return run.result?.kind === 'investigation' && run.result.value.handoffs.at(-1)?.choice === chosen;
}

/** True where the operator chose to continue without the skill. */
function takenOver({ result }: SkillRun): boolean {
  return result?.kind === 'investigation' && result.value.handoffs.at(-1)?.choice === 'C';
}

async function ask(
  graph: GraphDeps,
  { ticketId, threadId, customerId }: Ticket,
  { runId }: SkillRun,
  finding: Extract<Finding, { status: 'concluded' }>,
  language: Language,
): Promise<PendingAction | null> {
  const { proposal } = finding;
  const tool = proposal && graph.tools.roster.findAction(proposal.tool);
  if (!tool || customerId === null) return null;
  const call = {
    args: proposal.args,
    customerId,
    needsOperator: proposal.needs_operator,
    session: { language },
  };
  // No graph waits for this question; one question a run, however often this is tried.
  const place = { pendingId: `pnd_${runId}`, threadId, graphThreadId: `${threadId}~${runId}`, ticketId };
  return adviseAction(tool, graph.tools, call, place);
}

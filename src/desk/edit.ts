import type { ApprovalOutcome, OperatorAction } from '../core/app.js';
import type { Operator } from '../core/domain/customer.js';
import type { PendingAction } from '../core/domain/pending.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { Ticket } from '../core/domain/ticket.js';
import { HubError, toHubError } from '../core/errors.js';
import { declinedText } from '../core/i18n/index.js';
import type { ActionTool } from '../runtime/define-tool.js';
import { auditRefused, hashOf } from '../runtime/envelope.js';
import { adviseAction, openQuestion, waitFor } from '../runtime/plan-action.js';
import { refusedWords } from './offered-actions.js';
import { demandClaim, returnThread, type TicketDeps, unresolved } from './ticket-actions.js';

/** What an operator decides on, with other arguments than the customer agreed to. */
interface Edit {
  readonly row: PendingAction;
  readonly tool: ActionTool;
  readonly args: Readonly<Record<string, unknown>>;
  readonly operator: Operator;
  readonly reason: string | undefined;
}

/**
 * Another action than the one the customer agreed to needs the customer's own yes, however small the difference: no tool has
 * an amount among its arguments that could merely become less. So the old question is declined, and the new one is put to
 * the customer, who may say no to it. The same arguments are a plain approval.
 * @param approve carries out the approval as it is
 * @throws HubError `pending_not_found`, `pending_decided`, `pending_expired`, `input_invalid`, `policy_denied`, `not_claimed`
 */
export async function editApproval(
  deps: TicketDeps,
  {
    pendingId,
    args,
    operator,
    reason,
  }: {
    pendingId: string;
    args: Readonly<Record<string, unknown>>;
    operator: Operator;
    reason?: string | undefined;
  },
  approve: () => Promise<ApprovalOutcome>,
): Promise<ApprovalOutcome> {
  const { pending } = deps.graph.tools;
  const row = await pending.get(pendingId);
  const tool = row && deps.graph.tools.roster.findAction(row.tool);
  if (row?.kind !== 'approval' || !tool) {
    throw new HubError('pending_not_found', `There is no approval ${pendingId}.`, { pendingId });
  }
  const parsed = parsedArgs(tool, args);
  if (hashOf(parsed) === hashOf(tool.input.parse(row.args))) return approve();
  // What only operators decide is nothing to ask the customer about: it is approved as it is, or not.
  if (deps.graph.tools.roster.operatorActions.includes(tool)) {
    throw new HubError(
      'policy_denied',
      'A correction is approved or rejected as it is; it has no other arguments.',
    );
  }
  const edit: Edit = { row, tool, args: parsed, operator, reason };
  if (row.status === 'pending') await mustBeAllowed(deps, edit);
  const decided = await pending.decide(pendingId, {
    approved: false,
    by: `operator:${operator.operatorId}`,
    reason: reason ?? 'we suggest something else instead',
  });
  return deps.locks.withThread(row.threadId, deps.waitMs, () => askInstead(deps, edit, decided));
}

/** What no schema knows is refused rather than left out: an operator must not believe in an argument that counts for nothing. */
function parsedArgs(tool: ActionTool, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const unknown = Object.keys(args).filter((name) => !(name in tool.input.shape));
  const parsed = tool.input.safeParse(args);
  if (parsed.success && unknown.length === 0) return parsed.data;
  const issues = parsed.success
    ? unknown.map((name) => `${name} is no argument of ${tool.name}`)
    : parsed.error.issues.map((issue) => `${issue.path.join('.') || 'args'}: ${issue.message}`);
  throw new HubError('input_invalid', `${issues.join('; ')}.`, { field: 'args' });
}

/** Nothing is decided where the new question could not be put anyway. */
async function mustBeAllowed(deps: TicketDeps, { row, tool, args, operator }: Edit): Promise<void> {
  await planFor(deps, tool, args, row);
  const thread = await deps.threads.get(row.threadId);
  if (thread?.operator) await demandClaim(deps, row.ticketId, operator);
}

/** The caller holds the thread. */
async function askInstead(deps: TicketDeps, edit: Edit, decided: PendingAction): Promise<ApprovalOutcome> {
  const { graph, threads } = deps;
  const { row, tool, args, operator } = edit;
  const { pendingId, threadId, ticketId, customerId } = row;
  const language: Language = (await graph.tickets.getClassification(ticketId))?.language ?? 'en';
  const thread = await threads.get(threadId);
  // The hub asks, and only the hub takes the answer.
  if (thread?.operator)
    await returnThread(deps, { ticketId, threadId }, thread.operator, edit.reason ?? null);
  const id = `pnd_${hashOf(pendingId, args).slice(0, 20)}`;
  const place = { pendingId: id, threadId, graphThreadId: `${threadId}~${id}`, ticketId };
  const call = { args, customerId, needsOperator: false, session: { language } };
  const asked = await adviseAction(tool, graph.tools, call, place);
  const texts = graph.tools.texts.for(language);
  const reply = asked
    ? texts.say('operator_changed', { question: asked.question })
    : declinedText(texts, decided.reason);
  await graph.tickets.addMessage(ticketId, 'hub', reply);
  await waitFor(graph, ticketId, 'waiting_customer');
  await auditRefused(graph.tools, decided, 'approval_rejected');
  await graph.tools.pending.release(pendingId);
  graph.tools.log.info({
    agent: 'desk',
    action: 'approval_edited',
    ticketId,
    details: { pendingId, asked: asked?.pendingId ?? null, operatorId: operator.operatorId },
  });
  return { pending: (await graph.tools.pending.get(pendingId)) ?? decided, reply };
}

/**
 * See `Desk.act`. It goes the way of every change: planned by the company's rules, stored as a question that this operator
 * agrees to, carried out once from there, audited, and reported to the customer. The operator must still hold the conversation
 * when it is carried out: where a colleague has taken it over meanwhile, nothing is done.
 * @param approve agrees to the stored question, and asks once more just before anything is done
 */
export async function act(
  deps: TicketDeps,
  ticketId: string,
  operator: Operator,
  { tool: name, args, language, perform }: OperatorAction,
  approve: (pendingId: string, beforeEffect: () => Promise<void>) => Promise<ApprovalOutcome>,
) {
  const { tools, ids } = deps.graph;
  const ticket = await unresolved(deps, ticketId);
  await demandClaim(deps, ticketId, operator);
  const tool = tools.roster.findAction(name);
  if (!tool || ticket.customerId === null)
    throw new HubError('input_invalid', `There is no action ${name} here.`, { field: 'tool' });
  const { customerId } = ticket;
  const input = parsedArgs(tool, args);
  const plan = await tool.plan(tools, input, customerId, { language });
  if (plan.kind === 'denied') {
    throw new HubError('policy_denied', refusedWords(tools, tool, plan, language), { code: plan.code });
  }
  const customer = (await tools.customers.get(customerId))?.name ?? customerId;
  const consequences = await tool.consequences(tools, input, { customerId, customer, language });
  if (!perform) return { consequences, outcome: null };
  const inCustomers = await planFor(deps, tool, input, ticket);
  const id = `pnd_${hashOf(ticketId, name, input, ids.next('act')).slice(0, 20)}`;
  const { threadId } = ticket;
  const { pendingId } = await openQuestion(
    tools,
    {
      ...{ kind: 'approval', customerId, tool: name, args: input, needsOperator: true },
      ...{ terms: inCustomers.terms, text: inCustomers.approval ?? inCustomers.question },
    },
    { pendingId: id, threadId, graphThreadId: `${threadId}~${id}`, ticketId },
  );
  try {
    const outcome = await approve(pendingId, () => stillHeld(deps, ticketId, operator));
    // The customer has been told, as by a reply.
    await deps.graph.tickets.setStatus(ticketId, 'waiting_customer', 'operator');
    return { consequences, outcome };
  } catch (error) {
    const fault = toHubError(error);
    if (fault.code !== 'taken_over') throw fault;
    // Used up, so that nothing carries it out later in a colleague's conversation.
    const row = await tools.pending.get(pendingId);
    if (row) await auditRefused(tools, row, 'not_claimed');
    await tools.pending.release(pendingId);
    await demandClaim(deps, ticketId, operator);
    throw fault;
  }
}

/** @throws HubError `taken_over`, which no step of the gate makes an answer to the customer of */
async function stillHeld(deps: TicketDeps, ticketId: string, operator: Operator): Promise<void> {
  await demandClaim(deps, ticketId, operator).catch((error: unknown) => {
    const { code, message, fields } = toHubError(error);
    throw code === 'not_claimed' ? new HubError('taken_over', message, fields) : error;
  });
}

/** The plan in the customer's language. @throws HubError `policy_denied` */
async function planFor(
  { graph: { tickets, tools } }: TicketDeps,
  tool: ActionTool,
  input: Edit['args'],
  { ticketId, customerId }: Pick<Ticket, 'ticketId' | 'customerId'>,
) {
  const language: Language = (await tickets.getClassification(ticketId))?.language ?? 'en';
  const plan = await tool.plan(tools, input, customerId ?? '', { language });
  if (plan.kind === 'ready') return plan;
  throw new HubError('policy_denied', `The rules do not allow it (${plan.code}).`, { code: plan.code });
}

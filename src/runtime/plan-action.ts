import type { PendingAction, PendingAnswers, PendingKind } from '../core/domain/pending.js';
import type { TicketStatus } from '../core/domain/ticket.js';
import { HubError } from '../core/errors.js';
import type { PendingStore, TicketStore } from '../core/ports/index.js';
import { askedOf } from './asked-at.js';
import type { ActionPlan, ActionTool, SessionView, ToolContext, ToolDeps } from './define-tool.js';
import { hashOf } from './envelope.js';

type Terms = Readonly<Record<string, unknown>>;

/** What a customer or an operator is asked to agree to. */
interface Question {
  readonly kind: PendingKind;
  readonly customerId: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Exact effects; the hash that is agreed to covers them. */
  readonly terms: Terms;
  readonly text: string;
  readonly answers?: PendingAnswers | null | undefined;
  readonly needsOperator: boolean;
}

/** Where a question is put, and under which id: the same for the same question on every run. */
type QuestionPlace = Pick<PendingAction, 'pendingId' | 'threadId' | 'graphThreadId' | 'ticketId'>;

const MINUTE_MS = 60_000;

/** Stores a question about one exact action. Repeating it changes nothing. */
export async function openQuestion(
  deps: Pick<ToolDeps, 'pending' | 'clock' | 'policy'>,
  { kind, customerId, tool, args, terms, text, answers = null, needsOperator }: Question,
  place: QuestionPlace,
): Promise<PendingAction> {
  const { confirmation_minutes: minutes, approval_hours: hours } = deps.policy.pending;
  const lifeMs = kind === 'confirmation' ? minutes * MINUTE_MS : hours * 60 * MINUTE_MS;
  return deps.pending.open({
    ...place,
    kind,
    customerId,
    tool,
    args,
    argsHash: hashOf(customerId, tool, args, terms),
    question: text,
    answers,
    needsOperator,
    expiresAt: new Date(deps.clock.now().getTime() + lifeMs).toISOString(),
  });
}

/** As much of a call's context as its question is placed by. */
interface CallInPlace extends Pick<ToolContext, 'callId'> {
  readonly session: Pick<ToolContext['session'], 'threadId' | 'graphThreadId' | 'ticketId' | 'turnId'>;
}

/**
 * Where a paused call asks its customer. The turn is part of the id, because some providers number their calls from 0
 * in every answer; the terms are not, so that a call that runs again finds its question whatever has changed since.
 */
export function confirmationPlace(
  tool: string,
  args: Terms,
  { session, callId }: CallInPlace,
): QuestionPlace {
  const { threadId, graphThreadId, ticketId, turnId } = session;
  return { pendingId: idOf(graphThreadId, turnId, callId, tool, args), threadId, graphThreadId, ticketId };
}

/** Where the approval that follows a confirmation is asked, by the graph or from the stored row alone. */
export function approvalPlace(confirmation: PendingAction): QuestionPlace {
  const { pendingId, argsHash, threadId, graphThreadId, ticketId } = confirmation;
  return { pendingId: idOf(pendingId, 'approval', argsHash), threadId, graphThreadId, ticketId };
}

/** True where these effects are those that the question was about. */
export function agreesTo(pending: PendingAction, terms: Terms): boolean {
  return hashOf(pending.customerId, pending.tool, pending.args, terms) === pending.argsHash;
}

function idOf(...parts: readonly unknown[]): string {
  return `pnd_${hashOf(...parts).slice(0, 20)}`;
}

/** A change that a skill or an operator advises outside a turn. */
interface AdvisedCall {
  readonly args: Readonly<Record<string, unknown>>;
  readonly customerId: string;
  readonly needsOperator: boolean;
  readonly session: SessionView;
}

/**
 * Puts a change that an operator's choice led to to the one who has to agree: the customer, with the same question as in a
 * turn, or the operators where the company leaves it to them. It is stored where no graph waits for it, and the yes is
 * carried out from its row.
 * @returns null where the rules do not allow the change
 * @throws HubError `database_failed`, `disk_full`
 */
export async function adviseAction(
  tool: ActionTool,
  deps: ToolDeps,
  { args, customerId, needsOperator, session }: AdvisedCall,
  place: QuestionPlace,
): Promise<PendingAction | null> {
  const input = tool.input.parse(args);
  const plan = await tool.plan(deps, input, customerId, session);
  if (plan.kind === 'denied') return null;
  const { terms, question, answers, approval } = plan;
  const ask = { customerId, tool: tool.name, args: input, terms, needsOperator };
  if (deps.roster.operatorActions.includes(tool))
    return openQuestion(deps, { ...ask, kind: 'approval', text: approval ?? question }, place);
  return openQuestion(deps, { ...ask, kind: 'confirmation', text: question, answers }, place);
}

/** A call of an irreversible tool on its way through the gates, of an agent or of another program. */
export interface ActionCall {
  readonly tool: ActionTool;
  readonly deps: ToolDeps;
  readonly input: Record<string, unknown>;
  readonly context: ToolContext;
  readonly customerId: string;
}

/**
 * What would be done, asked before any question is put. What the plan throws with a code is a refusal, and so is that operators have the
 * same request already: a second yes would only give them a second one to decide.
 */
export async function planAction(call: ActionCall): Promise<ActionPlan> {
  const { tool, deps, input, customerId, context } = call;
  try {
    const plan = await tool.plan(deps, input, customerId, context.session);
    return plan.kind === 'ready' ? ((await alreadyRequested(call)) ?? plan) : plan;
  } catch (error) {
    if (error instanceof HubError) return { kind: 'denied', code: error.code };
    throw error;
  }
}

/** That operators have this request of the customer's before them; null where they have not. */
async function alreadyRequested({
  tool,
  deps,
  input,
  customerId,
  context,
}: ActionCall): Promise<ActionPlan | null> {
  const { language, scopes, threadId } = context.session;
  const isSame = ({ args }: PendingAction): boolean =>
    tool.target ? args[tool.target.input] === input[tool.target.input] : hashOf(args) === hashOf(input);
  // Whoever speaks for a customer and may not read their account is told nothing of their other conversations.
  const mayReadAll = scopes?.includes('account:read') ?? true;
  const open = await deps.pending.listOpenApprovals(mayReadAll ? undefined : threadId);
  const row = open.find((one) => one.customerId === customerId && one.tool === tool.name && isSame(one));
  if (!row) return null;
  const texts = deps.texts.for(language);
  const { name, ifAgreed } = await tool.matter(deps, tool.input.parse(row.args), customerId, {
    language,
    ...askedOf(row),
  });
  const said =
    row.threadId === threadId
      ? texts.say('still_with_team', { names: name, if_agreed: ifAgreed })
      : texts.say('still_asked', { names: name, date: deps.time.date(row.createdAt, language) });
  return { kind: 'denied', code: 'already_requested', said };
}

/** Puts exactly that to the customer, once. */
export async function askCustomer(
  { tool, deps, input, customerId, context }: ActionCall,
  plan: Extract<ActionPlan, { kind: 'ready' }>,
  place: QuestionPlace,
): Promise<PendingAction> {
  const { terms, question: text, answers } = plan;
  const ask = {
    kind: 'confirmation',
    customerId,
    tool: tool.name,
    args: input,
    terms,
    text,
    answers,
  } as const;
  return openQuestion(deps, { ...ask, needsOperator: context.needsOperator ?? false }, place);
}

interface StatusStores {
  readonly tickets: TicketStore;
  readonly tools: { readonly pending: PendingStore };
}

/**
 * Sets what a ticket waits for after the hub's answer. A ticket that was escalated meanwhile stays
 * theirs: taking it back would close an escalation the customer was promised an answer to. Whatever was said beside it, a
 * ticket of which an approval is open waits for the operators.
 */
export async function waitFor(
  { tickets, tools }: StatusStores,
  ticketId: string,
  status: TicketStatus,
): Promise<void> {
  const ticket = await tickets.get(ticketId);
  if (ticket?.owner === 'operator') return;
  const approvals = await tools.pending.listApprovalsOfTicket(ticketId);
  const open = approvals.some((approval) => approval.status === 'pending');
  await tickets.setStatus(ticketId, open ? 'waiting_operator' : status, 'hub');
}

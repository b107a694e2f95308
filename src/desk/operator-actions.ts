import { z } from 'zod';
import type { ApprovalOutcome, OfferedAction, OperatorAction } from '../core/app.js';
import type { Operator } from '../core/domain/customer.js';
import type { Language } from '../core/domain/taxonomy.js';
import type { Ticket } from '../core/domain/ticket.js';
import { HubError, toHubError } from '../core/errors.js';
import { hashOf } from '../runtime/args-hash.js';
import { auditRefused } from '../runtime/audit-refusal.js';
import type { ActionTool } from '../runtime/define-tool.js';
import { openQuestion } from '../runtime/question.js';
import { demandClaim, type TicketDeps, unresolved } from './ticket-actions.js';

/** What one input of an action may be, as its schema says it. */
interface InputSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
}

type Args = Readonly<Record<string, unknown>>;

/** See `Desk.actionsFor`. */
export async function actionsFor(
  { graph: { tickets, tools } }: TicketDeps,
  ticketId: string,
): Promise<readonly OfferedAction[]> {
  const ticket = await tickets.get(ticketId);
  if (!ticket) throw new HubError('not_found', `There is no ticket ${ticketId}.`, { ticketId });
  const { customerId } = ticket;
  if (customerId === null) return [];
  const records = await tools.records.list(customerId);
  const { actions, operatorActions } = tools.roster;
  return [...actions, ...operatorActions].map((tool) => ({
    tool: tool.name,
    fields: fieldsOf(tool).map(({ name, schema, required }) => {
      const { target } = tool;
      const own =
        target?.input === name
          ? target.eligible(
              records.filter(({ entity }) => entity === target.entity),
              new Set(),
            )
          : records.filter(({ entity }) => name === `${entity}_id`);
      return {
        ...{ name, required },
        type: schema.type === 'integer' || schema.type === 'number' ? ('number' as const) : ('text' as const),
        minimum: schema.minimum ?? null,
        maximum: schema.maximum ?? null,
        options: schema.enum?.filter((value) => typeof value === 'string') ?? null,
        records:
          target?.input === name || own.length > 0
            ? own.map(({ id, title, startsAt }) => ({ id, title, startsAt }))
            : null,
      };
    }),
  }));
}

function fieldsOf({ input }: ActionTool) {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema: schema as InputSchema,
    required: required.includes(name),
  }));
}

/**
 * See `Desk.act`. It goes the way of every change: planned by the company's rules, stored as a question that this operator
 * agrees to, carried out once from there, audited, and told to the customer. The operator must still hold the conversation
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
  const input = inputOf(tool, args);
  const texts = tools.texts.for(language);
  const plan = await tool.plan(tools, input, customerId, { language });
  if (plan.kind === 'denied') {
    const said = plan.said ?? tool.refused?.(plan.code, texts) ?? texts.sayOf('refusal', plan.code);
    throw new HubError('policy_denied', said, { code: plan.code });
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
    return { consequences, outcome: await approve(pendingId, () => stillHeld(deps, ticketId, operator)) };
  } catch (error) {
    const known = toHubError(error);
    if (known.code !== 'taken_over') throw known;
    // Used up, so that nothing carries it out later in a colleague's conversation.
    const row = await tools.pending.get(pendingId);
    if (row) await auditRefused(tools, row, 'not_claimed');
    await tools.pending.release(pendingId);
    await demandClaim(deps, ticketId, operator);
    throw known;
  }
}

/** @throws HubError `taken_over`, which no step of the gate makes an answer to the customer of */
async function stillHeld(deps: TicketDeps, ticketId: string, operator: Operator): Promise<void> {
  await demandClaim(deps, ticketId, operator).catch((error: unknown) => {
    const { code, message, fields } = toHubError(error);
    throw code === 'not_claimed' ? new HubError('taken_over', message, fields) : error;
  });
}

/** The same plan in the customer's language, in which it is told. */
async function planFor(
  { graph: { tickets, tools } }: TicketDeps,
  tool: ActionTool,
  input: Record<string, unknown>,
  { ticketId, customerId }: Ticket,
) {
  const language: Language = (await tickets.getClassification(ticketId))?.language ?? 'en';
  const plan = await tool.plan(tools, input, customerId ?? '', { language });
  if (plan.kind === 'ready') return plan;
  throw new HubError('policy_denied', `The rules do not allow it (${plan.code}).`, { code: plan.code });
}

function inputOf(tool: ActionTool, args: Args): Record<string, unknown> {
  const parsed = tool.input.strict().safeParse(args);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'args'}: ${message}`);
  throw new HubError('input_invalid', `${problems.join('; ')}.`, { field: 'args' });
}

import type { PendingAction } from '../core/domain/pending.js';
import { HubError } from '../core/errors.js';
import type { ActionPlan, ActionTool, SessionView, ToolContext, ToolDeps } from './define-tool.js';
import { openQuestion, type QuestionPlace } from './question.js';

/** A change that somebody advises outside a turn. */
interface AdvisedCall {
  readonly args: Readonly<Record<string, unknown>>;
  readonly customerId: string;
  readonly needsOperator: boolean;
  readonly session: SessionView;
}

/**
 * Puts a change that an operator's choice led to to whoever has to agree: the customer, with the same question as in a
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

/** What would be done. What the plan throws with a code is a refusal. */
export async function planAction({
  tool,
  deps,
  input,
  customerId,
  context,
}: ActionCall): Promise<ActionPlan> {
  try {
    return await tool.plan(deps, input, customerId, context.session);
  } catch (error) {
    if (error instanceof HubError) return { kind: 'denied', code: error.code };
    throw error;
  }
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

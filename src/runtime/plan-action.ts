import type { PendingAction } from '../core/domain/pending.js';
import { HubError } from '../core/errors.js';
import type { ActionPlan, ActionTool, ToolContext, ToolDeps } from './define-tool.js';
import { openQuestion, type QuestionPlace } from './question.js';

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

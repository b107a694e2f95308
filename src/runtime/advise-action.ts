import type { PendingAction } from '../core/domain/pending.js';
import type { ActionTool, SessionView, ToolDeps } from './define-tool.js';
import { openQuestion, type QuestionPlace } from './question.js';

/** A change that somebody advises outside a turn. */
export interface AdvisedCall {
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

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
 * Puts a change to the customer that an operator's choice led to: the same question as in a turn, stored where no graph
 * waits for it. The customer's yes is carried out from its row.
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
  const { terms, question: text } = plan;
  const ask = { kind: 'confirmation', customerId, tool: tool.name, args: input, terms, text } as const;
  return openQuestion(deps, { ...ask, needsOperator }, place);
}

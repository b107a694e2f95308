import type { Deed } from '../src/core/domain/deed.js';
import type { ToolTrace } from '../src/core/domain/session.js';
import { getCustomerContext } from './account/get-customer-context.js';
import { getReservations } from './account/get-reservations.js';
import { getSubscription } from './account/get-subscription.js';
import { lookupUser } from './account/lookup-user.js';
import { recordCustomerPreference } from './account/record-customer-preference.js';
import { cancelReservation } from './action/cancel-reservation.js';
import { processRefund } from './action/process-refund.js';
import { recordResolution } from './action/record-resolution.js';
import { updateSubscription } from './action/update-subscription.js';
import type { ActionTool, AnyTool } from './define-tool.js';
import { findExperiences } from './knowledge/find-experiences.js';
import { getArticleById } from './knowledge/get-article-by-id.js';
import { searchKnowledge } from './knowledge/search-knowledge.js';
import { investigate } from './skills/investigate.js';
import { classifyTicket } from './triage/classify-ticket.js';

export { ACTIONS } from './action/index.js';
export * from './advise-action.js';
export * from './args-hash.js';
export * from './audit-refusal.js';
export * from './define-tool.js';
export * from './envelope.js';
export * from './gate.js';
export * from './hub-tool.js';
export * from './matter.js';
export * from './plan-action.js';
export * from './question.js';
export * from './release-action.js';
export * from './remote/index.js';
export * from './run-tool.js';
export * from './scope.js';
export { isForCustomers } from './skills/investigate.js';
export { type Finding, type Investigation, investigationShape } from './skills/investigation-shape.js';
export { asksCustomer, readRun } from './skills/read-run.js';
export { demandOwn, factsOf, fitting } from './skills/who-asks.js';
export type { ToolDeps } from './tool-deps.js';

/** The roster: which agent may call what. Everything that lists tools reads it here. */
export const TOOLS = {
  triage: [classifyTicket],
  knowledge: [searchKnowledge, getArticleById, findExperiences],
  account: [lookupUser, getSubscription, getReservations, getCustomerContext, recordCustomerPreference],
  action: [
    getReservations,
    getSubscription,
    cancelReservation,
    processRefund,
    updateSubscription,
    recordCustomerPreference,
    recordResolution,
  ],
  investigation: [investigate, getCustomerContext],
} as const satisfies Record<string, readonly AnyTool[]>;

/** Every tool once, by name. */
export function allTools(): ReadonlyMap<string, AnyTool> {
  return new Map(
    Object.values(TOOLS)
      .flat()
      .map((tool): [string, AnyTool] => [tool.name, tool]),
  );
}

/** The irreversible tool of that name, or null. */
export function findAction(name: string): ActionTool | null {
  const tool = allTools().get(name);
  return tool?.effect === 'irreversible' ? tool : null;
}

/** What an answer may say was done, because this call did it; nothing where it failed or only reads. */
export function claimsOf({
  tool: name,
  ok,
  result,
}: Pick<ToolTrace, 'tool' | 'ok' | 'result'>): readonly Deed[] {
  const tool = ok ? allTools().get(name) : undefined;
  const output = tool?.claims ? tool.output.safeParse(result) : undefined;
  return output?.success ? (tool?.claims?.(output.data) ?? []) : [];
}

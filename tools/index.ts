import type { AnyTool, ToolRoster } from '../src/runtime/define-tool.js';
import { createRoster } from '../src/runtime/roster.js';
import { getCustomerContext } from './account/get-customer-context.js';
import { getReservations } from './account/get-reservations.js';
import { getSubscription } from './account/get-subscription.js';
import { lookupUser } from './account/lookup-user.js';
import { recordCustomerPreference } from './account/record-customer-preference.js';
import { cancelReservation } from './action/cancel-reservation.js';
import { processRefund } from './action/process-refund.js';
import { recordResolution } from './action/record-resolution.js';
import { updateSubscription } from './action/update-subscription.js';
import { findExperiences } from './knowledge/find-experiences.js';
import { getArticleById } from './knowledge/get-article-by-id.js';
import { searchKnowledge } from './knowledge/search-knowledge.js';
import { investigate } from './skills/investigate.js';
import { classifyTicket } from './triage/classify-ticket.js';

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

/** The roster of what ships. */
export const ROSTER: ToolRoster = createRoster(Object.values(TOOLS).flat());

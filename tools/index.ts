import type { ToolsByAgent } from '../src/runtime/roster.js';
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

/** Which agent may call what. */
export const TOOLS = {
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
} as const satisfies ToolsByAgent;

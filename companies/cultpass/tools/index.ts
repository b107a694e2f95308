import type { ToolsByAgent } from '../../../src/runtime/roster.js';
import { cancelReservation } from './cancel-reservation.js';
import { findExperiences } from './find-experiences.js';
import { getCustomerContext } from './get-customer-context.js';
import { getReservations } from './get-reservations.js';
import { getSubscription } from './get-subscription.js';
import { lookupUser } from './lookup-user.js';
import { processRefund } from './process-refund.js';
import type { CultpassDeps } from './shapes.js';
import { updateSubscription } from './update-subscription.js';
import { withdrawSubscription } from './withdraw-subscription.js';

/** What the hub's agents may do at CultPass. */
export function cultpassTools(own: CultpassDeps): ToolsByAgent {
  const reservations = getReservations(own);
  const subscription = getSubscription(own);
  const context = getCustomerContext(own);
  return {
    knowledge: [findExperiences(own)],
    account: [lookupUser(own), subscription, reservations, context],
    action: [
      ...[reservations, subscription, cancelReservation(own), processRefund(own)],
      ...[updateSubscription(own), withdrawSubscription(own)],
    ],
    investigation: [context],
  };
}

import type { CustomerScope } from '../../../src/core/ports/data-source.js';

/**
 * What a customer may see of cultpass.db: what can be booked, and what is the customer's own. The ledger of actions and the
 * facts about the file are not named, so they do not exist for a customer.
 */
export const CULTPASS_SCOPE: CustomerScope = {
  experiences: 'TRUE',
  users: 'user_id = :customer_id',
  subscriptions: 'user_id = :customer_id',
  reservations: 'user_id = :customer_id',
  payments: 'user_id = :customer_id',
  refunds: `(reservation_id IN (SELECT reservation_id FROM reservations WHERE user_id = :customer_id)
    OR payment_id IN (SELECT payment_id FROM payments WHERE user_id = :customer_id))`,
};

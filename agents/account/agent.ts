import type { AgentSpec } from '../offline-support.js';
import { accountPolicy } from './offline.js';

/** Answers from the signed-in customer's own record. */
export const accountAgent: AgentSpec = {
  name: 'account',
  description:
    "Answers from the customer's own record: bookings, plan, visits left, payments, refunds, preferences.",
  role: 'account',
  route: 'account',
  takes: "reads the customer's own data: bookings, plan, visits left, payments",
  alsoTakes: ['investigation'],
  access: 'customer',
  prompt: new URL('./prompt.md', import.meta.url),
  offline: accountPolicy,
  // The record holds what these return; get_reservations goes further back.
  spared: ({ trace }) =>
    trace.some((entry) => entry.tool === 'get_customer_context' && entry.ok)
      ? ['get_customer_context', 'lookup_user', 'get_subscription']
      : [],
  prefetch: ({ trace }) => (trace.length > 0 ? [] : [{ tool: 'get_customer_context', args: {} }]),
};

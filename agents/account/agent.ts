import { TOOLS } from '../../tools/index.js';
import type { AgentDefinition } from '../agent-definition.js';

/** Answers from the signed-in customer's own record. */
export const accountAgent: AgentDefinition = {
  name: 'account',
  description: "Answers from the customer's own record: bookings, plan, visits left, payments, refunds, preferences.",
  role: 'account',
  route: 'account',
  access: 'customer',
  prompt: new URL('./prompt.md', import.meta.url),
  tools: TOOLS.account,
  prefetch: ({ trace }) => (trace.length > 0 ? [] : [{ tool: 'get_customer_context', args: {} }]),
};

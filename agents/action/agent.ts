import type { AgentSpec } from '../offline-support.js';
import { actionPolicy } from './offline.js';

/** Changes what the customer asks to have changed, after the customer and, where needed, an operator agreed. */
export const actionAgent: AgentSpec = {
  name: 'action',
  description: 'Cancels reservations, makes refunds, and pauses, resumes or cancels the subscription.',
  role: 'action',
  route: 'action',
  takes: 'changes it: cancel, refund, pause, resume, preference',
  access: 'customer',
  prompt: new URL('./prompt.md', import.meta.url),
  offline: actionPolicy,
  // How the ticket ended is noted by the hub itself after every turn, and what state a subscription must be in is
  // checked by update_subscription.
  spared: ({ trace }) => [
    'record_resolution',
    'get_subscription',
    ...(trace.some((entry) => entry.tool === 'get_reservations' && entry.ok) ? ['get_reservations'] : []),
  ],
  prefetch: ({ trace }) => (trace.length > 0 ? [] : [{ tool: 'get_reservations', args: {} }]),
};

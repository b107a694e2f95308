import { createWebhooks } from '../adapters/a2a/webhooks.js';
import { type Config, isThisMachineAlone } from '../config/config.js';
import type { A2aSupport } from '../core/a2a.js';
import type { Parts } from './parts.js';
import type { RunningWork } from './running-work.js';

/** What the agents need to work for other software. */
export function openA2a(
  config: Config,
  { stores, graph, customers }: Pick<Parts, 'stores' | 'graph' | 'customers'>,
  { closing, track }: RunningWork,
): A2aSupport {
  return {
    tasks: stores.a2aTasks,
    outbox: stores.webhookOutbox,
    webhooks: createWebhooks({ allowLoopback: isThisMachineAlone(config.server) }),
    clock: graph.tools.clock,
    ids: graph.ids,
    async customer(customerId) {
      const user = await customers.get(customerId);
      return user && { kind: 'customer', customerId, email: user.email };
    },
    closing,
    track,
  };
}

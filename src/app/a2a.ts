import { setMaxListeners } from 'node:events';
import { createWebhooks } from '../adapters/a2a/webhooks.js';
import { type Config, isThisMachineAlone } from '../config/config.js';
import type { A2aSupport } from '../core/a2a.js';
import type { Parts } from './parts.js';

export interface OpenedA2a {
  readonly support: A2aSupport;
  /** Nothing is begun any more. */
  stop(): void;
  /** Resolves when what was begun has come to its end. */
  settled(): Promise<void>;
}

/** What the agents need to work for other software. */
export function openA2a(
  config: Config,
  { stores, graph, customers }: Pick<Parts, 'stores' | 'graph' | 'customers'>,
): OpenedA2a {
  const closing = new AbortController();
  // Each call of a webhook that is under way listens for the end.
  setMaxListeners(0, closing.signal);
  const running = new Set<Promise<unknown>>();
  return {
    support: {
      tasks: stores.a2aTasks,
      outbox: stores.webhookOutbox,
      webhooks: createWebhooks({ allowLoopback: isThisMachineAlone(config.server) }),
      clock: graph.tools.clock,
      ids: graph.ids,
      async customer(customerId) {
        const user = await customers.get(customerId);
        return user && { kind: 'customer', customerId, email: user.email };
      },
      closing: closing.signal,
      track(work) {
        running.add(work);
        const forget = (): void => void running.delete(work);
        work.then(forget, forget);
        return work;
      },
    },
    stop: () => closing.abort(),
    async settled() {
      while (running.size > 0) await Promise.allSettled([...running]);
    },
  };
}

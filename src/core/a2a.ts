import type { Identity } from './domain/customer.js';
import type { A2aTasks } from './ports/a2a-tasks.js';
import type { Clock } from './ports/clock.js';
import type { Ids } from './ports/ids.js';
import type { WebhookOutbox } from './ports/webhook-outbox.js';
import type { Webhooks } from './ports/webhooks.js';

/** What the agents need to work for other software, besides the conversations and the capabilities. */
export interface A2aSupport {
  readonly tasks: A2aTasks;
  readonly webhooks: Webhooks;
  readonly outbox: WebhookOutbox;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The customer of a task that is taken up again; null where there is none any more. @throws HubError `database_failed` */
  customer(customerId: string): Promise<Identity | null>;
  /** Aborted when the App closes: nothing is begun any more. */
  readonly closing: AbortSignal;
  /** Work that a closing App waits for. Gives the same promise back. */
  track<T>(work: Promise<T>): Promise<T>;
}

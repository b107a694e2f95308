import { createHash } from 'node:crypto';
import type { Identity } from './domain/customer.js';
import type { A2aTaskRecord, A2aTasks } from './ports/a2a-tasks.js';
import type { Clock } from './ports/clock.js';
import type { Ids } from './ports/ids.js';
import type { WebhookOutbox, Webhooks } from './ports/webhooks.js';

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

/** What the conversation of a task calls a message of its caller: the same for the same message, and nobody else's. */
export function clientMessageIdOf(
  { owner, agent }: Pick<A2aTaskRecord, 'owner' | 'agent'>,
  messageId: string,
): string {
  const hash = createHash('sha256').update(JSON.stringify([owner, agent, messageId]));
  return `a2a-${hash.digest('base64url')}`;
}

export const WEBHOOK_STATUSES = ['waiting', 'delivered', 'failed'] as const;
type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** Where a caller wants to be notified of a task. */
export interface A2aPushConfig {
  readonly configId: string;
  readonly taskId: string;
  readonly url: string;
  /** Sent along, so that the receiver knows who calls; empty where there is none. */
  readonly token: string;
  readonly scheme: string;
  readonly credentials: string;
  /** Version of the protocol that it was asked for in. */
  readonly protocol: '0.3' | '1.0';
}

/** One thing to tell a webhook, as it goes over the wire. */
export interface WebhookBody {
  readonly contentType: string;
  readonly body: string;
}

/** A notification that is to be sent now, with where to and how it is signed. */
export interface DueWebhook extends Omit<A2aPushConfig, 'protocol'>, WebhookBody {
  /** The same at every try. */
  readonly webhookId: string;
  /** Tries that have failed. */
  readonly attempts: number;
  /** When it happened, or was last asked to be replayed, ISO 8601 UTC. */
  readonly since: string;
}

/** What became of a notification. */
export interface WebhookRecord {
  readonly webhookId: string;
  readonly configId: string;
  readonly status: WebhookStatus;
  readonly attempts: number;
  /** When it is tried next; null where it waits for an earlier one, or is settled. */
  readonly nextAt: string | null;
  /** Why the last try failed; null where none has. */
  readonly why: string | null;
  readonly createdAt: string;
  readonly settledAt: string | null;
}

/**
 * Notifications of tasks that their webhooks have yet to take, written with what they tell (see `A2aTasks.save`). They
 * outlive the process; any number of processes may send them. Of one webhook of a task none is given out before the
 * earlier ones are settled. Throws HubError `database_failed` or `disk_full` on a fault.
 */
export interface WebhookOutbox {
  /** @throws HubError `rate_limited` where so many wait for this owner, or for all, that no more would be kept */
  demandRoom(owner: string): Promise<void>;
  /**
   * Gives out what is due. Whoever takes it settles it before the lease ends; after that it is given out again.
   * @param limit how many at most
   * @param each how many of one owner may be out at once, in all processes
   */
  take(limit: number, each: number, leaseMs: number): Promise<readonly DueWebhook[]>;
  delivered(webhookId: string): Promise<void>;
  /** @param nextAt null where it is given up */
  failed(webhookId: string, why: string, nextAt: Date | null): Promise<void>;
  /** The try does not count: it is due at once. */
  release(webhookId: string): Promise<void>;
  /** Gives back what processes have taken that are gone. */
  reclaim(): Promise<void>;
  /** The latest first. */
  list(taskId: string): Promise<readonly WebhookRecord[]>;
  /**
   * Sends again what was given up, or the one that is named, and tries what waits at once.
   * @returns how many are sent again
   */
  replay(taskId: string, webhookId?: string): Promise<number>;
  /** Forgets what was settled before. @returns how many */
  prune(before: Date): Promise<number>;
}

/** One thing to tell an address that somebody outside has named. */
export interface WebhookCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/**
 * Tells addresses that strangers have named, without letting them reach what only the hub can: never an address of the
 * internal network, also where a name is resolved anew, and never where a redirect leads.
 */
export interface Webhooks {
  /** @throws HubError `input_invalid` for what is no address that is ever told anything */
  check(url: string): void;
  /**
   * @returns the HTTP status of the answer; its body is not read
   * @throws HubError `input_invalid`, `remote_forbidden_address`, `remote_unreachable`
   */
  post(call: WebhookCall): Promise<number>;
}

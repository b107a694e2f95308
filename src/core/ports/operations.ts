/** What waits for people and for the hub at this moment. */
interface QueueFigures {
  /** Tickets with the operators that nobody has claimed. */
  readonly unassigned: number;
  /** Tickets that an operator has in hand. */
  readonly claimed: number;
  /** Seconds since the oldest unassigned ticket last moved; 0 where there is none. */
  readonly oldestWaitSeconds: number;
  /** Open questions to operators. */
  readonly approvals: number;
  /** Messages of customers that were taken and not answered yet. */
  readonly inbox: number;
  /** Notifications that webhooks have yet to take. */
  readonly webhooksWaiting: number;
  /** Those of the last days that were given up. */
  readonly webhooksFailed: number;
  /** Seconds since the oldest waiting one happened; 0 where none waits. */
  readonly oldestWebhookSeconds: number;
}

/** What operations look at. Throws HubError `database_failed`. */
export interface Operations {
  queue(): Promise<QueueFigures>;
}

/* Figures for operations: what waits, and the money spent on models. */
/** What waits for people and for the hub at this moment. */
interface QueueFigures {
  /** Tickets with the operators that nobody has claimed. */
  readonly unassigned: number;
  /** Tickets that an operator has claimed. */
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

/** Money spent on models. Throws HubError `database_failed`. */
export interface Spend {
  /**
   * Which ceiling has been reached, if any: checked before each call of a model. Counts what every process on the same
   * data has spent up to its last answered call.
   */
  reached(ticketId: string | null): Promise<'ticket' | 'month' | null>;
  /** Adds what one call cost, in US dollars. Never throws: the money is spent. */
  add(ticketId: string | null, costUsd: number): void;
}

/** A calendar month of the hub's time zone. */
export interface SpendMonth {
  /** `2026-03`. */
  readonly name: string;
  /** First moment of it and of the next one, ISO 8601 UTC. */
  readonly from: string;
  readonly to: string;
}

/** What was spent, kept at once, so that all processes on the same data see it. Throws HubError `database_failed`. */
export interface SpendLedger {
  /** US dollars of the month. Of one nothing was kept for: what its turns and the runs of skills cost. */
  month(month: SpendMonth): Promise<number>;
  /** US dollars of the ticket, whenever they were spent. */
  ticket(ticketId: string): Promise<number>;
  /** @throws HubError `disk_full` */
  add(month: SpendMonth, ticketId: string | null, costUsd: number): Promise<void>;
}

import type { Operator } from '../domain/customer.js';

/** Where an operator is at the desk. */
export interface Presence extends Operator {
  /** The ticket that is open on the operator's screen; null for none. */
  readonly ticketId: string | null;
  /** True while the operator writes to the customer of that ticket. */
  readonly typing: boolean;
  /** When the operator's page was last heard of, ISO 8601 UTC. */
  readonly seenAt: string;
}

/** One row an operator: the newest word of their page. Throws HubError `database_failed`. */
export interface PresenceStore {
  /**
   * A ticket that nobody else has counts as looked at from then on.
   * @returns what was known before, null where that is nothing
   */
  put(operator: Operator, at: Pick<Presence, 'ticketId' | 'typing'>): Promise<Presence | null>;
  get(operatorId: string): Promise<Presence | null>;
  /** Those heard of since then, by name. */
  since(from: Date): Promise<readonly Presence[]>;
}

/** What the desk keeps of tickets besides; none of it reaches customers. Throws HubError `database_failed`. */
export interface TicketDeskStore {
  /** Replaces the tags. */
  setTags(ticketId: string, tags: readonly string[]): Promise<void>;
  /** Adds those that it has not; the oldest ones stay where there would be too many (10). */
  addTags(ticketId: string, tags: readonly string[]): Promise<void>;
  /** Gives it to a team; null leaves it to the company's rules. */
  setTeam(ticketId: string, team: string | null): Promise<void>;
  /** Its tags go to the other ticket too, and it leads there from now on. In one transaction. */
  merge(ticketId: string, into: string): Promise<void>;
  /** What became of its question that no article answers. */
  settleGap(ticketId: string, gap: 'drafted' | 'dismissed'): Promise<void>;
  /** Puts the ticket out of the lists until then, or with null back into them; what was written so far counts as seen. */
  snooze(ticketId: string, until: string | null): Promise<void>;
}

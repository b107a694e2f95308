/** What the desk keeps of tickets besides; none of it reaches customers. Throws HubError `database_failed`. */
export interface TicketDeskStore {
  /** Replaces the tags. */
  setTags(ticketId: string, tags: readonly string[]): Promise<void>;
  /** Puts the ticket out of the lists until then, or with null back into them; what was written so far counts as seen. */
  snooze(ticketId: string, until: string | null): Promise<void>;
}

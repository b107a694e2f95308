/** What servers on one database know of each other. Throws HubError `database_failed`. */
export interface Peers {
  /**
   * Calls back with the number of the newest event whenever a server has stored some, and with null where some may have
   * been missed. The function ends it.
   */
  onEvent(listener: (seq: number | null) => void): () => void;
  /** Pages of this server follow the conversation from now on, until `unfollow`. */
  follow(threadId: string): Promise<void>;
  unfollow(threadId: string): Promise<void>;
  isFollowedElsewhere(threadId: string): Promise<boolean>;
  /** Forgets what servers held that are gone. @returns true where one of them was at work */
  sweep(): Promise<boolean>;
}

/** What a customer thought of a conversation. */
export interface Rating {
  readonly threadId: string;
  /** The newest ticket of the conversation; null before the first message. */
  readonly ticketId: string | null;
  readonly customerId: string | null;
  readonly helpful: boolean;
  readonly comment: string | null;
}

/** The newest rating of each conversation. Throws HubError `database_failed` or `disk_full`. */
export interface RatingStore {
  /** Takes the place of an older one. */
  put(rating: Rating): Promise<void>;
  get(threadId: string): Promise<Rating | null>;
}

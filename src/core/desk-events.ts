/**
 * Something an operator's screen should show: `ticket` { ticketId, threadId, what }, `message` { threadId, message } and
 * `approval` { id, threadId, status } and `presence` { ticketId, threadId, operator, watching, typing }.
 */
export interface DeskEvent {
  /** The number of the stored event; a client sends the last one back to continue. */
  readonly id: string;
  readonly type: 'ticket' | 'message' | 'approval' | 'presence';
  readonly data: Readonly<Record<string, unknown>>;
}

/** Tells operators what changes, whichever process changed it. */
export interface DeskEvents {
  /**
   * Resolves when following has begun; what was missed since `after` has been told by then.
   * @throws HubError `input_invalid` for an `after` that is no id, `database_failed`
   */
  follow(input: {
    readonly after?: string | undefined;
    readonly onEvent: (event: DeskEvent) => void;
    /** Ends it. */
    readonly signal: AbortSignal;
  }): Promise<void>;
}

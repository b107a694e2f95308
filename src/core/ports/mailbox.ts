/** A mail as it came, read. */
export interface ReceivedMail {
  /** Without its angle brackets; made of the content where the sender gave none. */
  readonly messageId: string;
  /** The address in the one From header, in lower case; null where there is not exactly one. */
  readonly from: string | null;
  /** Whom it was sent to, by any header. */
  readonly recipients: readonly string[];
  readonly subject: string | null;
  /** Message-IDs of the mails that it answers, the nearest first. */
  readonly references: readonly string[];
  /** What was written anew: without quotations and signature. */
  readonly text: string;
  /** In their order; names in lower case, values unfolded. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly attachments: readonly MailAttachment[];
  /** What a mail server says of a mail that it could not deliver; null of any other mail. */
  readonly bounce: { readonly messageId: string | null; readonly why: string } | null;
  /** False where it was too large to be read whole. */
  readonly whole: boolean;
}

export interface MailAttachment {
  /** As the sender says; may hold anything. */
  readonly name: string;
  /** As the sender says, in lower case. */
  readonly type: string;
  readonly content: Uint8Array;
}

/** A mail that is in a mailbox. */
export interface MailSource {
  readonly bytes: Uint8Array;
  /** False where it is larger than what is read of one. */
  readonly whole: boolean;
}

/** Where mail comes in. */
export interface Mailbox {
  /**
   * Gives each mail that is new, until the signal is aborted, and waits for more; a connection that breaks is opened again.
   * A mail is marked as seen once `onMail` has resolved; where it rejects, it is given again later.
   */
  follow(onMail: (source: MailSource) => Promise<void>, signal: AbortSignal): Promise<void>;
}

/** Keeps what came with a mail, for operators to fetch from the data directory. */
export interface MailFiles {
  /** @returns where it is, from the data directory on */
  keep(threadId: string, name: string, content: Uint8Array): Promise<string>;
}

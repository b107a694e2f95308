/** A message to one address. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  /** What a mail of a conversation carries besides. */
  readonly thread?: MailThread;
}

/** How mail programs and servers know where a mail belongs. Ids are without their angle brackets. */
export interface MailThread {
  readonly messageId: string;
  /** Mails of the conversation before it, oldest first. */
  readonly references: readonly string[];
  /** Where replies and bounces go. */
  readonly replyTo: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of a notice: what mail programs sort it by, and where it is ended. */
  readonly list?: { readonly id: string; readonly name: string; readonly unsubscribe: readonly string[] };
}

/**
 * Sends mail. Throws HubError `mail_failed`; `fields.permanent` is true where the server will never take this mail for this
 * address.
 */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

/** A message to one address. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** Sends mail. Throws HubError `mail_failed`. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

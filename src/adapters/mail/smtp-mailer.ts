import { HubError } from '../../core/errors.js';
import type { Mailer } from '../../core/ports/mailer.js';

export interface SmtpOptions {
  /** `smtp://user:password@host:port`, or `smtps://`. */
  readonly url: string;
  readonly from: string;
}

const TIMEOUT_MS = 10_000;

/** Mail over SMTP. The client is loaded when the first mail is sent. */
export function createSmtpMailer({ url, from }: SmtpOptions): Mailer {
  return {
    async send({ to, subject, text }) {
      try {
        const { createTransport } = await import('nodemailer');
        const transport = createTransport({
          url,
          connectionTimeout: TIMEOUT_MS,
          greetingTimeout: TIMEOUT_MS,
          socketTimeout: TIMEOUT_MS,
        });
        // As an object: a text could be read as a list of addresses.
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
      } catch (error) {
        throw new HubError('mail_failed', 'The mail could not be sent.', {}, { cause: error });
      }
    },
  };
}

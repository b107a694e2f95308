import { HubError } from '../../core/errors.js';
import type { Mail, Mailer } from '../../core/ports/mail.js';
import type { Log } from '../../core/ports/system.js';

interface SmtpOptions {
  /** `smtp://user:password@host:port`, or `smtps://`. */
  readonly url: string;
  readonly from: string;
}

const TIMEOUT_MS = 10_000;

/** Mail over SMTP. The client is loaded when the first mail is sent. */
export function createSmtpMailer({ url, from }: SmtpOptions): Mailer {
  return {
    async send({ to, subject, text, attachments = [], thread }) {
      try {
        const { createTransport } = await import('nodemailer');
        const transport = createTransport({
          url,
          connectionTimeout: TIMEOUT_MS,
          greetingTimeout: TIMEOUT_MS,
          socketTimeout: TIMEOUT_MS,
          // Neither files nor addresses that a text might name are read.
          disableFileAccess: true,
          disableUrlAccess: true,
        });
        // As an object: a text could be read as a list of addresses.
        const files = attachments.map(({ name, type, content }) => ({
          filename: name,
          contentType: type,
          content: Buffer.from(content),
        }));
        const plain = { from, to: { name: '', address: to }, subject, text, attachments: files };
        await transport.sendMail(thread ? { ...plain, ...threaded(to, thread) } : plain);
      } catch (error) {
        const status = statusOf(error);
        const permanent = status >= 500;
        throw new HubError(
          'mail_failed',
          'The mail could not be sent.',
          { permanent, status },
          { cause: error },
        );
      }
    },
  };
}

function threaded(
  to: string,
  { messageId, references, replyTo, headers, list }: NonNullable<Mail['thread']>,
) {
  const before = references.map((id) => `<${id}>`);
  return {
    messageId: `<${messageId}>`,
    ...(before.length > 0 ? { inReplyTo: before.at(-1) ?? '', references: before } : {}),
    replyTo: { name: '', address: replyTo },
    headers: { ...headers },
    ...(list
      ? { list: { id: { url: list.id, comment: list.name }, unsubscribe: [[...list.unsubscribe]] } }
      : {}),
    // Bounces come back to the conversation, not to the sender that everybody sees.
    envelope: { from: replyTo, to: [to] },
  };
}

/** What the server said; 0 where it said nothing. */
function statusOf(error: unknown): number {
  return error instanceof Error && 'responseCode' in error ? Number(error.responseCode) || 0 : 0;
}

/** Mail that goes nowhere but into the log, so that a developer can sign in without a mail server. */
export function createLogMailer(log: Log): Mailer {
  return {
    send: async ({ to, subject, text }) => {
      log.info({ agent: 'mailer', action: 'mail_logged', details: { to, subject, text } });
    },
  };
}

import type { Log } from '../../core/ports/log.js';
import type { Mailer } from '../../core/ports/mailer.js';

/** Mail that goes nowhere but into the log, so that a developer can sign in without a mail server. */
export function createLogMailer(log: Log): Mailer {
  return {
    send: async ({ to, subject, text }) => {
      log.info({ agent: 'mailer', action: 'mail_logged', details: { to, subject, text } });
    },
  };
}

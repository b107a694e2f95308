import type { App } from '../../app/app.js';
import type { Config } from '../../config/config.js';
import type { MailSource } from '../../core/ports/index.js';
import { MailDelivery } from './delivery.js';
import { IncomingMails } from './incoming.js';

/** E-mail as a way in and out; it ends when the App closes. */
export interface MailDoor {
  /** Sends what is due now. */
  deliver(): Promise<void>;
  /** Takes a mail in, as the mailbox does. @throws HubError where it should come again later */
  take(source: MailSource): Promise<void>;
}

/** Opens the door of e-mail; null where no mail server is named. */
export async function openMailDoor(app: App, config: Config): Promise<MailDoor | null> {
  const own = config.server.mail;
  const { mail } = app;
  if (mail === null || own === undefined) return null;
  const delivery = new MailDelivery({ app, mail, config: { server: { ...config.server, mail: own } } });
  const incoming = new IncomingMails({ app, mail, config: { ...config, mail: own } });
  const take = async (source: MailSource): Promise<void> => {
    await incoming.take(source);
    await delivery.look();
  };
  await delivery.begin();
  const { mailbox, closing } = mail;
  if (mailbox !== null) {
    const following = mail.alone(() => mailbox.follow(take, closing));
    void mail
      .track(following)
      .catch((error) => app.log.error({ agent: 'mail', action: 'mailbox_left' }, error));
  }
  return { deliver: () => delivery.look(), take };
}

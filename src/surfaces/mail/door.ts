import { createHash } from 'node:crypto';
import type { App } from '../../app/app.js';
import type { Config, MailConfig } from '../../config/config.js';
import { toHubError } from '../../core/errors.js';
import type { MailSupport } from '../../core/mail.js';
import type { DueMail, MailSource } from '../../core/ports/index.js';
import { composeMail, type Recipient } from './compose.js';
import { IncomingMails } from './incoming.js';

interface DeliveryDeps {
  readonly app: Pick<App, 'texts' | 'company' | 'log'>;
  readonly mail: MailSupport;
  readonly config: Pick<Config, 'server'> & { readonly server: { readonly mail: MailConfig } };
}

/** Longer than a try takes: what is not settled by then was left by a process that is gone. */
const LEASE_MS = 120_000;
const AT_ONCE = 8;
/** How soon what was said is seen. */
const POLL_MS = 1_000;
/** Pauses between tries grow threefold up to six hours; after three days it is given up. */
const FIRST_PAUSE_MS = 30_000;
const GROWTH = 3;
const LONGEST_PAUSE_MS = 6 * 3_600_000;
const TRIED_MS = 3 * 24 * 3_600_000;
const JITTER = 0.25;

/** Sends what is in the outbox of e-mail: each mail until it was taken, under one Message-ID. */
class MailDelivery {
  #running: Promise<void> | null = null;

  constructor(private readonly deps: DeliveryDeps) {}

  /** Takes up what an earlier process has left, and looks for what is due from then on. Ends when the App closes. */
  async begin(): Promise<void> {
    const { closing, store } = this.deps.mail;
    await store.begin();
    await store.takeOver();
    const timer = setInterval(() => void this.look(), POLL_MS).unref();
    closing.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  /** Sends what is due. Resolves when that was tried; does not throw. */
  look(): Promise<void> {
    this.#running ??= this.deps.mail.track(
      this.#send()
        .catch((error: unknown) => {
          if (!this.deps.mail.closing.aborted)
            this.deps.app.log.error({ agent: 'mail', action: 'mail_outbox_failed' }, error);
        })
        .finally(() => {
          this.#running = null;
        }),
    );
    return this.#running;
  }

  async #send(): Promise<void> {
    const { store, closing } = this.deps.mail;
    const { address, unreadMs } = this.deps.config.server.mail;
    await store.collect(address.slice(address.lastIndexOf('@') + 1), unreadMs);
    while (!closing.aborted) {
      const due = await store.take(AT_ONCE, LEASE_MS);
      if (due.length === 0) return;
      await Promise.all(due.map((one) => this.#deliver(one)));
    }
  }

  async #deliver(due: DueMail): Promise<void> {
    const { mail, config, app } = this.deps;
    const { store, mailer, closing, clock } = mail;
    if (closing.aborted) return store.release(due.mailId);
    const to = await this.#recipient(due);
    if (to === null) return store.cancelled(due.mailId, 'nobody');
    const { mail: own, publicUrl } = config.server;
    const composing = { app, config: { ...own, publicUrl }, key: await store.key(), now: clock.now() };
    try {
      await mailer.send(composeMail(composing, due, to));
      await store.sent(due.mailId, to.address);
      this.#log('mail_sent', due, null);
    } catch (error) {
      const fault = toHubError(error);
      if (fault.code !== 'mail_failed') throw fault;
      const nextAt = fault.fields.permanent === true ? null : this.#nextTry(due);
      const why = `status ${String(fault.fields.status ?? 0)}`;
      await store.failed(due.mailId, why, nextAt);
      this.#log(nextAt === null ? 'mail_given_up' : 'mail_not_sent', due, why);
    }
  }

  /** Customers are written to where the company knows them; null where there is nobody any more. */
  async #recipient({ customerId, visitor, ticketId }: DueMail): Promise<Recipient | null> {
    const { mail } = this.deps;
    const language = await mail.language(customerId, ticketId);
    if (customerId === null) return visitor === null ? null : { address: visitor, language, name: null };
    const customer = await mail.customer(customerId);
    return customer && { address: customer.email, language, name: customer.name };
  }

  #nextTry({ mailId, attempts, createdAt }: DueMail): Date | null {
    const now = this.deps.mail.clock.now().getTime();
    if (now >= Date.parse(createdAt) + TRIED_MS) return null;
    const pause = Math.min(FIRST_PAUSE_MS * GROWTH ** attempts, LONGEST_PAUSE_MS);
    const lot = createHash('sha256').update(`${mailId} ${attempts}`).digest().readUInt32BE() / 2 ** 32;
    return new Date(now + pause * (1 - JITTER + 2 * JITTER * lot));
  }

  #log(action: string, { mailId, threadId, ticketId, reason, attempts }: DueMail, why: string | null): void {
    const details = { mailId, threadId, reason, attempts: attempts + 1, ...(why === null ? {} : { why }) };
    const entry = { agent: 'mail', action, ticketId, details };
    if (why === null) this.deps.app.log.info(entry);
    else this.deps.app.log.warn(entry);
  }
}

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

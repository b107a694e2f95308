import { ImapFlow } from 'imapflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/config/config.js';
import { openMailSurface } from '../../../src/surfaces/mail/mail-surface.js';
import { type Dovecot, openDovecot } from '../../support/dovecot.js';
import { type MailHub, openMailHub, RECEIVED, verifiedBy, writeMail } from '../../support/mail.js';
import { until } from '../../support/until.js';

const ANA = 'ana.souza@example.com';
const OWN = [verifiedBy('example.com'), RECEIVED];

let dovecot: Dovecot;
let at: MailHub;
beforeAll(async () => {
  dovecot = await openDovecot();
});
afterAll(async () => {
  await at?.close();
  await dovecot.close();
});

async function client(): Promise<ImapFlow> {
  const { hostname, port, username, password } = new URL(dovecot.url);
  const auth = { user: username, pass: password };
  const imap = new ImapFlow({ host: hostname, port: Number(port), secure: false, auth, logger: false });
  imap.on('error', () => {});
  await imap.connect();
  return imap;
}

/** Puts mails into the mailbox, as the mail server does. */
async function deliver(...mails: readonly string[]): Promise<void> {
  const imap = await client();
  for (const mail of mails) await imap.append('INBOX', mail);
  await imap.logout();
}

const question = (text: string): string => writeMail({ from: ANA, text, head: OWN });
const answers = (count: number) =>
  until(() => at.server.taken.length >= count, `${count} answers by mail`).then(() => at.server.taken.length);

describe('the mailbox of a real server', () => {
  it('[MAI-19 MAI-20] is followed over what comes, breaks and is too large, by one process at a time', async () => {
    await deliver(question('How do I cancel a reservation?'));
    const env = { HUB_IMAP_URL: dovecot.url };
    at = await openMailHub({ env });
    expect(await answers(1)).toBe(1);
    expect(at.server.taken[0]?.mail.text).toContain('Reply to this mail');
    // Another process on the same data takes nothing twice.
    const other = await at.hub.another({
      env: { ...env, HUB_SMTP_URL: at.server.url, HUB_MAIL_FROM: 'a@b.example' },
    });
    await openMailSurface(
      other.app,
      parseConfig({ ...env, HUB_SMTP_URL: at.server.url, HUB_MAIL_FROM: 'support@help.example.com' }),
    );
    await deliver(question('How long does a refund take?'));
    expect(await answers(2)).toBe(2);
    await dovecot.kill();
    await dovecot.start();
    const film = `Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\n${'QUJD\n'.repeat(4_000_000)}`;
    const large = writeMail({ from: ANA, text: 'How do I pause?', head: OWN }).replace(
      /\r\n\r\nHow do I pause\?/,
      `\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nHow do I pause?\r\n--b\r\n${film}\r\n--b--`,
    );
    expect(large.length).toBeGreaterThan(20_000_000);
    await deliver(large);
    expect(await answers(3)).toBe(3);
    expect(at.server.taken[2]?.mail.text).toContain('> How do I pause?');
    const imap = await client();
    await imap.mailboxOpen('INBOX');
    await until(async () => (await imap.search({ seen: false })) || [], 'seen marks').then((left) =>
      expect(left).toEqual([]),
    );
    await imap.logout();
    expect(at.hub.query('udahub', "SELECT status FROM mail_messages WHERE direction = 'in'")).toEqual(
      Array.from({ length: 3 }, () => ({ status: 'received' })),
    );
  });
});

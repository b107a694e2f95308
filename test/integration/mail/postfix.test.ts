import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Dovecot, openDovecot } from '../../support/dovecot.js';
import { type MailHub, openMailHub, SUPPORT } from '../../support/mail.js';
import { openPostfix, type Postfix } from '../../support/postfix.js';

const CUSTOMER = 'carla.visits@example.com';

describe('a conversation over Postfix and Dovecot', () => {
  let dovecot: Dovecot;
  let postfix: Postfix;
  let at: MailHub;
  beforeAll(async () => {
    dovecot = await openDovecot();
    postfix = await openPostfix({
      [SUPPORT]: dovecot.maildir,
      [CUSTOMER]: null,
    });
    at = await openMailHub({ env: { HUB_SMTP_URL: postfix.url, HUB_IMAP_URL: dovecot.url } });
  });
  afterAll(async () => {
    await at?.close();
    await postfix?.close();
    await dovecot?.close();
  });

  it('[MAI-19 MAI-22] is held from the first mail to the answer of an operator, in one thread and one ticket', async () => {
    const customer = createTransport(postfix.url);
    const write = (mail: { to: string; subject: string; text: string; inReplyTo?: string }) =>
      customer.sendMail({ from: CUSTOMER, ...mail });
    const answer = async (count: number) =>
      PostalMime.parse((await postfix.mails(CUSTOMER, count)).at(-1) ?? '');

    await write({ to: SUPPORT, subject: 'A refund', text: 'How long does a refund take?' });
    const first = await answer(1);
    expect(first.subject).toBe('Re: A refund');
    expect(first.text).toMatch(/business days/);
    const [replyTo] = first.replyTo ?? [];
    expect(replyTo?.address).toMatch(/^support\+[\w-]+@help\.example\.com$/);

    const inReplyTo = first.messageId ?? '';
    const subject = `Re: ${first.subject}`;
    await write({
      to: replyTo?.address ?? '',
      subject,
      inReplyTo,
      text: 'I want to talk to a person, please.',
    });
    await answer(2);
    const tickets = await at.hub.app.desk.entries({ view: 'unassigned', limit: 10 });
    expect(tickets.map(({ customerMessage }) => customerMessage?.content)).toEqual([
      'I want to talk to a person, please.',
    ]);
    const ticketId = tickets[0]?.ticket.ticketId ?? '';
    const olga = { operatorId: 'olga', name: 'Olga' };
    await at.hub.app.desk.claim(ticketId, olga);
    await at.hub.app.desk.reply(ticketId, olga, 'It left us on Monday.');
    const third = await answer(3);
    expect(third.text).toContain('Olga wrote:\n\nIt left us on Monday.');
    expect(third.references).toContain(inReplyTo);
    expect(at.hub.query('udahub', 'SELECT count(DISTINCT thread_id) AS threads FROM mail_threads')).toEqual([
      { threads: 1 },
    ]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPrivacy } from '../../../src/app/privacy.js';
import { parseConfig } from '../../../src/config/config.js';
import {
  type MailHub,
  openMailHub,
  RECEIVED,
  SUPPORT,
  type TakenMail,
  verifiedBy,
  withParts,
  writeMail,
} from '../../support/mail.js';

const ANA = 'ana.souza@example.com';
const BRUNO = 'bruno.lima@example.com';
const OWN = [verifiedBy('example.com'), RECEIVED];
const BOOKINGS = 'What are my upcoming reservations?';
/** What only she and the company know. */
const OF_ANA = /Samba|Candlelight|Ana/;
const CANCEL = 'cancel my samba night booking';

let at: MailHub;
beforeAll(async () => {
  at = await openMailHub();
});
afterAll(() => at.close());
beforeEach(async () => {
  at.hub.clock.advance({ minutes: 90 });
  await at.deliver();
});

const only = (mails: readonly TakenMail[]): TakenMail => {
  expect(mails).toHaveLength(1);
  return mails[0] as TakenMail;
};
const replyTo = (mail: TakenMail): string => mail.mail.replyTo?.[0]?.address ?? '';
const tickets = () =>
  at.hub.query(
    'udahub',
    `SELECT t.thread_id, t.channel, u.name FROM tickets t LEFT JOIN users u ON u.external_user_id = t.customer_id
     ORDER BY t.seq`,
  );
const samba = () =>
  at.hub.query(
    'cultpass',
    `SELECT r.status FROM reservations r JOIN experiences e USING (experience_id) JOIN users u USING (user_id)
     WHERE u.email = '${ANA}' AND e.title LIKE '%Samba%'`,
  );
const said = () =>
  at.hub.query('udahub', "SELECT content FROM ticket_messages WHERE role = 'customer' ORDER BY seq").at(-1)
    ?.content;
const notes = () =>
  at.hub.query('udahub', "SELECT content FROM ticket_messages WHERE role = 'system' ORDER BY seq");

describe('a mail of a customer', () => {
  it('[MAI-10 MAI-12] opens a ticket of theirs, and a reply to its answer joins it', async () => {
    const answer = only(
      await at.take({ from: `Ana Souza <${ANA}>`, subject: 'Meus passeios', text: BOOKINGS, head: OWN }),
    );
    expect(answer.to).toEqual([ANA]);
    expect(answer.mail.subject).toBe('Re: Meus passeios');
    expect(answer.mail.text).toMatch(OF_ANA);
    expect(answer.mail.text).toContain(`> ${BOOKINGS}`);
    expect(answer.mail.inReplyTo).toMatch(/^<mail-\d+@out\.example\.com>$/);
    expect(answer.header('auto-submitted')).toBe('auto-replied');
    expect(answer.header('list-unsubscribe')).toBeNull();
    const [{ thread_id, channel, name } = {}] = tickets().slice(-1);
    expect([channel, name]).toEqual(['email', 'Ana Souza']);
    // From another address of hers, which nothing proves: the signed one does.
    const next = only(
      await at.take({ from: 'ana@home.example', to: replyTo(answer), subject: 'Re: x', text: 'thank you!' }),
    );
    expect(next.to).toEqual([ANA]);
    expect(tickets().at(-1)?.thread_id).toBe(thread_id);
  });

  it('[MAI-13] acts once, however often it comes', async () => {
    const mail = { from: ANA, text: BOOKINGS, head: OWN, messageId: '<again@out.example.com>' };
    expect(await at.take(mail)).toHaveLength(1);
    const before = tickets().length;
    expect(await at.take(mail)).toEqual([]);
    expect(await at.take({ ...mail, text: 'I want to talk to a person' })).toEqual([]);
    expect(tickets()).toHaveLength(before);
  });

  it('[MAI-14] that says yes answers what its mail asked, and no later question', async () => {
    const asked = only(await at.take({ from: ANA, text: CANCEL, head: OWN }));
    // She goes on in the same conversation: the first question is replaced by another one.
    at.hub.clock.advance({ minutes: 1 });
    // What was turned down and the new question are two answers: one mail, or one each where the first had left already.
    const answers = await at.take({
      ...{ from: ANA, to: replyTo(asked), head: OWN },
      text: 'no, pause my subscription instead',
    });
    const other = answers.at(-1) as TakenMail;
    expect(other.mail.text).toContain('Shall I pause');
    const open = at.hub.query('udahub', "SELECT tool FROM approvals WHERE status = 'pending'");
    expect(open).toHaveLength(1);
    at.hub.clock.advance({ minutes: 1 });
    const late = only(await at.take({ from: ANA, to: replyTo(asked), text: 'Yes, please', head: OWN }));
    expect(late.mail.text).toContain('?');
    expect(at.hub.query('udahub', "SELECT tool FROM approvals WHERE status = 'pending'")).toEqual(open);
    expect(samba()).toEqual([{ status: 'reserved' }]);
    await at.take({ from: ANA, to: replyTo(other), text: 'No.', head: OWN });
    const again = only(await at.take({ from: ANA, text: CANCEL, head: OWN }));
    const done = only(
      await at.take({
        from: ANA,
        to: replyTo(again),
        text: `Sim, pode.\n\nAna\n\nEm qua., 11 de mar. de 2026 às 12:00, CultPass Support <${SUPPORT}> escreveu:\n\n> Keep booking? No.\n`,
        head: OWN,
      }),
    );
    expect(done.mail.text).toMatch(/cancel/i);
    expect(samba()).not.toEqual([{ status: 'reserved' }]);
  });
});

describe('who is not proven', () => {
  const forged: readonly (readonly [string, readonly string[], string?])[] = [
    ['without any results', [RECEIVED]],
    ['results of another server', [verifiedBy('example.com', 'mx.evil.example'), RECEIVED]],
    [
      'own results that failed over forged ones',
      ['Authentication-Results: mx.help.example.com; dkim=fail header.d=example.com', ...OWN],
    ],
    ['results below the way of the mail', [RECEIVED, 'Received: from a by b with ESMTP id 2', ...OWN]],
    ['a signature of another domain', [verifiedBy('evil.example'), RECEIVED]],
    [
      'results in a comment',
      ['Authentication-Results: mx.help.example.com; dkim=none (dkim=pass header.d=example.com)', RECEIVED],
    ],
    [
      'results in a quotation',
      [
        'Authentication-Results: mx.help.example.com; spf=pass smtp.mailfrom="x; dkim=pass header.d=example.com; a"@evil.example',
        RECEIVED,
      ],
    ],
    [
      'results twice',
      [`${verifiedBy('evil.example')} header.d=example.com`.replace(/ spf=[^;]*/, ''), RECEIVED],
    ],
    ['a DMARC that failed', [`${verifiedBy('example.com')}; dmarc=fail header.from=example.com`, RECEIVED]],
    ['two senders', [...OWN, `From: eve@evil.example`]],
    ['two senders in one', OWN, `${ANA}, eve@evil.example`],
  ];

  it('[MAI-11] is a visitor, who sees and changes nothing of an account', async () => {
    const before = samba();
    for (const [name, head, from = ANA] of forged) {
      at.hub.clock.advance({ hours: 2 });
      for (const text of [BOOKINGS, CANCEL]) {
        const mails = await at.take({ from, text, head });
        for (const { mail } of mails) {
          expect(mail.text, name).not.toMatch(OF_ANA);
          // What was written is not carried to an address of the writer's choice.
          expect(mail.text, name).not.toContain(text);
        }
      }
    }
    expect(samba()).toEqual(before);
    expect(notes().at(-1)?.content).toContain('sender of the mail is not proven');
    // The same mails with true results are hers.
    expect(only(await at.take({ from: ANA, text: BOOKINGS, head: OWN })).mail.text).toMatch(OF_ANA);
  });

  it('[MAI-11 MAI-12] joins no conversation with a token that is changed, too old or of another one', async () => {
    const ana = only(await at.take({ from: ANA, text: BOOKINGS, head: OWN }));
    const bruno = only(await at.take({ from: BRUNO, text: BOOKINGS, head: OWN }));
    const [anas, brunos] = [replyTo(ana), replyTo(bruno)];
    const [seq = '', day = '', mac = ''] = /\+(.+)@/.exec(anas)?.[1]?.split('-') ?? [];
    const [otherSeq = '', , otherMac = ''] = /\+(.+)@/.exec(brunos)?.[1]?.split('-') ?? [];
    const far = (Number.parseInt(day, 36) + 400).toString(36);
    const address = (...parts: readonly string[]): string => SUPPORT.replace('@', `+${parts.join('-')}@`);
    for (const to of [
      address(otherSeq, day, mac),
      address(seq, day, otherMac),
      address(seq, far, mac),
      address(
        seq,
        day,
        mac.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ),
    ]) {
      at.hub.clock.advance({ hours: 2 });
      const mails = await at.take({ from: 'eve@evil.example', to, text: BOOKINGS });
      for (const mail of mails) expect(mail.to).toEqual(['eve@evil.example']);
      for (const { mail } of mails) expect(mail.text).not.toMatch(OF_ANA);
    }
    // Bruno, proven, cannot go on as Ana with an address that she forwarded.
    const his = only(await at.take({ from: BRUNO, to: anas, text: BOOKINGS, head: OWN }));
    expect(his.to).toEqual([BRUNO]);
    expect(tickets().at(-1)?.name).toMatch(/^Bruno/);
    // Mail servers may change the case.
    expect(
      only(await at.take({ from: 'x@home.example', to: anas.toUpperCase(), text: 'thanks' })).to,
    ).toEqual([ANA]);
    at.hub.clock.advance({ days: 31 });
    for (const mail of await at.take({ from: 'eve@evil.example', to: anas, text: BOOKINGS }))
      expect(mail.to).toEqual(['eve@evil.example']);
  });

  it('[MAI-17] is answered so often an hour, and uses up nothing of the owner of the address', async () => {
    let answered = 0;
    for (let count = 0; count < 12; count += 1)
      answered += (await at.take({ from: ANA, text: 'thanks', head: [RECEIVED] })).length;
    expect(answered).toBe(10);
    expect(await at.take({ from: ANA, text: 'thanks', head: OWN })).toHaveLength(1);
  });
});

describe('what was written', () => {
  it('[MAI-15] is read without quotations and signature, in text and in HTML alone', async () => {
    const quoted = [
      'How do I cancel a reservation?\n\n-- \nAna Souza\nRua Augusta 1',
      'How do I cancel a reservation?\n\nEnviado do meu iPhone',
      `How do I cancel a reservation?\n\nOn Wed, 11 Mar 2026 at 12:00, CultPass <${SUPPORT}> wrote:\n\n> Hello\n> No.`,
      `Content-Type: text/html; charset=utf-8\n\n<html><head><style>p{}</style><script>alert(1)</script></head><body><p>How do I <b>cancel</b> a reservation?</p><div class="gmail_quote">On Wed, CultPass wrote:<blockquote>No.</blockquote></div></body></html>`,
    ];
    for (const text of quoted) {
      at.hub.clock.advance({ hours: 2 });
      await at.take({ from: ANA, text, head: OWN });
      expect(said()).toBe('How do I cancel a reservation?');
    }
    await at.take({ from: ANA, subject: 'How do I cancel a reservation?', text: 'Thanks!', head: OWN });
    expect(said()).toBe('How do I cancel a reservation?\n\nThanks!');
  });

  it('[MAI-16] by a machine, a list or the hub itself is not answered; two hubs stop', async () => {
    const before = tickets().length;
    for (const line of [
      'Auto-Submitted: auto-replied',
      'Precedence: bulk',
      'List-Id: <news.example.com>',
      `X-Loop: ${SUPPORT}`,
      'Return-Path: <>',
    ])
      expect(await at.take({ from: ANA, text: BOOKINGS, head: [line, ...OWN] }), line).toEqual([]);
    for (const from of ['MAILER-DAEMON@example.com', 'no-reply@example.com', SUPPORT])
      expect(await at.take({ from, text: BOOKINGS, head: [RECEIVED] }), from).toEqual([]);
    expect(tickets()).toHaveLength(before);
    // Another hub writes to this one, and gets back what this one answers.
    const answer = only(await at.take({ from: 'help@other.example', text: 'hello', head: [RECEIVED] }));
    expect(await at.take(answer.raw.replace(/^From:.*$/m, 'From: help@other.example'))).toEqual([]);
    expect(await at.take(answer.raw)).toEqual([]);
  });
});

describe('what comes with a mail', () => {
  const part = (name: string, bytes: string): string =>
    `Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="${name}"\n\n${Buffer.from(bytes).toString('base64')}`;
  const mixed = (...files: readonly string[]): string =>
    withParts(
      'multipart/mixed',
      'Content-Type: text/plain\n\nHere is my receipt, please look at it',
      ...files,
    );

  it('[MAI-19 MAI-21] is kept within limits, with its message, exported and erased', async () => {
    const files = [
      part('../../receipt.pdf', '%PDF-1.4 a receipt of the museum'),
      part('page.html', '<script>'),
      part('run.svg', 'x'),
      part('photo.png', '<script>'),
    ];
    await at.take({ from: BRUNO, text: mixed(...files), head: OWN });
    expect(said()).toBe('Here is my receipt, please look at it');
    expect(String(notes().at(-1)?.content)).toContain('page.html, run.svg, photo.png');
    const kept = () =>
      at.hub.query(
        'udahub',
        'SELECT file_id, name, message_id FROM message_files ORDER BY created_at, rowid',
      );
    const [receipt] = kept();
    expect(receipt).toMatchObject({ name: 'receipt.pdf', message_id: expect.stringMatching(/^msg_/) });
    const many = Array.from({ length: 7 }, (_, index) => part(`note-${index}.txt`, 'x'));
    await at.take({ from: BRUNO, text: mixed(...many), head: OWN });
    expect(String(notes().at(-1)?.content)).toContain('note-5.txt, note-6.txt');
    expect(kept()).toHaveLength(6);
    const config = parseConfig({ HUB_DATA_DIR: at.hub.dataDir, HUB_MODEL_PROVIDER: 'offline' });
    const privacy = await openPrivacy(config);
    try {
      const exported = await privacy.export(BRUNO);
      expect(exported.attachments).toContainEqual({
        path: `files/${receipt?.file_id}/receipt.pdf`,
        base64: Buffer.from('%PDF-1.4 a receipt of the museum').toString('base64'),
      });
      expect(exported.hub.mail_messages?.length).toBeGreaterThan(2);
      const { proof } = await privacy.erase(BRUNO);
      expect(proof.leftovers).toEqual([]);
      expect(kept()).toEqual([]);
    } finally {
      await privacy.close();
    }
  });

  it('[MAI-19] of 20 MB is not read to its end', async () => {
    const raw = writeMail({ from: ANA, text: mixed(part('film.pdf', 'x'.repeat(400_000))), head: OWN });
    const before = at.server.taken.length;
    await at.door.take({ bytes: Buffer.from(raw).subarray(0, 200_000), whole: false });
    expect(at.server.taken).toHaveLength(before + 1);
    expect(said()).toBe('Here is my receipt, please look at it');
    expect(String(notes().at(-1)?.content)).toContain('too large to be read whole');
  });

  it('[MAI-18] is a bounce where a server that got the mail says so', async () => {
    const answer = only(await at.take({ from: ANA, text: BOOKINGS, head: OWN }));
    const report = (messageId: string, action = 'failed'): string =>
      withParts(
        'multipart/report; report-type=delivery-status',
        'Content-Type: text/plain\n\nIt could not be delivered.',
        `Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; ${ANA}\nAction: ${action}\nStatus: 5.1.1\n`,
        `Content-Type: text/rfc822-headers\n\nMessage-ID: ${messageId}\nSubject: x\n`,
      );
    const from = 'MAILER-DAEMON@mx.example.com';
    const bounced = () =>
      at.hub.query('udahub', "SELECT message_id FROM mail_messages WHERE status = 'bounced'");
    const { messageId = '' } = answer.mail;
    for (const [text, to] of [
      [report('<mail_00000000000000000000000000@help.example.com>'), SUPPORT],
      [report(messageId, 'delayed'), replyTo(answer)],
    ] as const)
      expect(await at.take({ from, to, text, head: ['Return-Path: <>', RECEIVED] })).toEqual([]);
    expect(bounced()).toEqual([]);
    await at.take({ from, text: report(messageId), head: ['Return-Path: <>', RECEIVED] });
    expect(bounced()).toEqual([{ message_id: messageId.slice(1, -1) }]);
    expect(notes().at(-1)?.content).toBe('The mail could not be delivered: "5.1.1"');
  });
});

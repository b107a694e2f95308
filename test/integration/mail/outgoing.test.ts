import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pdf } from '../../support/files.js';
import { freePort } from '../../support/free-port.js';
import {
  type MailHub,
  openMailHub,
  RECEIVED,
  SUPPORT,
  type TakenMail,
  verifiedBy,
} from '../../support/mail.js';

const [ANA, CARLA, DIEGO, ELISA, FELIPE, KARINA, LUCAS, JOAO] = [
  'ana.souza@example.com',
  'carla.mendes@example.com',
  'diego.ferreira@example.com',
  'elisa.rocha@example.com',
  'felipe.araujo@example.com',
  'karina.alves@example.com',
  'lucas.monteiro@example.com',
  'joao.cardoso@example.com',
] as const;
const OLGA = { operatorId: 'op-olga', name: 'Olga' };

let at: MailHub;
beforeAll(async () => {
  at = await openMailHub();
});
afterAll(() => at.close());
// Each test has a customer of its own; what another left behind has been sent.
beforeEach(async () => {
  at.hub.clock.advance({ days: 4 });
  await at.deliver();
});

/** A customer asks for a person on a page that is closed before the answer; Olga has the ticket. */
async function claimed(email: string): Promise<{ readonly threadId: string; readonly ticketId: string }> {
  const { threadId, ticketId } = await at.hub.say(email, 'I want to talk to a person please');
  await at.hub.app.desk.claim(ticketId, OLGA);
  return { threadId, ticketId };
}

const unreadTime = (): void => at.hub.clock.advance({ minutes: 5 });

/** What a customer has asked to be remembered. */
async function prefer(email: string, preferences: Readonly<Record<string, string>>): Promise<void> {
  const identity = await at.hub.app.signIn(email);
  const id = identity.kind === 'customer' ? identity.customerId : '';
  for (const [key, value] of Object.entries(preferences))
    at.hub.exec(
      'udahub',
      `INSERT OR REPLACE INTO customer_preferences VALUES ('${id}', '${key}', '${value}', '')`,
    );
}

describe('an answer', () => {
  it('[MAI-01 MAI-02] that no page has shown leaves once, as a mail of its conversation', async () => {
    const { threadId, ticketId } = await claimed(ANA);
    await at.hub.app.desk.reply(ticketId, OLGA, 'Hello Ana, I am on it.\nOlga');
    expect(await at.deliver()).toEqual([]);
    unreadTime();
    const [mail, ...more] = (await at.deliver()) as [TakenMail, ...TakenMail[]];
    expect(more).toEqual([]);
    expect(mail.to).toEqual([ANA]);
    expect(mail.mail.from).toEqual({ name: 'CultPass Support', address: SUPPORT });
    expect(mail.mail.subject).toBe('Your conversation with CultPass');
    // One mail brings what the hub and what Olga said, and what Ana had asked.
    expect(mail.mail.text).toContain('Hello Ana,');
    expect(mail.mail.text).toContain('Olga wrote:\n\nHello Ana, I am on it.\nOlga');
    expect(mail.mail.text).toContain('> I want to talk to a person please');
    expect(mail.mail.messageId).toMatch(/^<mail_\w{26}@help\.example\.com>$/);
    expect(mail.mail.replyTo).toEqual([
      {
        name: '',
        address: expect.stringMatching(/^support\+[\da-z]+-[\da-z]+-[\da-f]{26}@help\.example\.com$/),
      },
    ]);
    expect(mail.from).toBe(mail.mail.replyTo?.[0]?.address);
    expect(mail.header('auto-submitted')).toBe('no');
    expect(mail.header('list-id')).toBe('"CultPass" <support.help.example.com>');
    expect(await at.deliver()).toEqual([]);

    await at.hub.app.desk.reply(ticketId, OLGA, 'It is done.');
    unreadTime();
    const [next] = (await at.deliver()) as [TakenMail];
    expect(next.mail.inReplyTo).toBe(mail.mail.messageId);
    expect(next.mail.references).toBe(mail.mail.messageId);
    expect(next.mail.messageId).not.toBe(mail.mail.messageId);
    expect(at.hub.query('udahub', 'SELECT status FROM mail_messages WHERE thread_id = ?', threadId)).toEqual([
      { status: 'sent' },
      { status: 'joined' },
      { status: 'sent' },
    ]);
  });

  it('[ATT-09] takes the files of an operator along, and names what is too large for a mail', async () => {
    const { app } = at.hub;
    const { ticketId } = await claimed(JOAO);
    const attach = async (name: string, content: Buffer) =>
      (await app.desk.attach(ticketId, OLGA, { name, content })).fileId;
    const large = Buffer.concat([pdf('plan'), Buffer.alloc(9 * 1_048_576)]);
    const files = [
      await attach('voucher.pdf', pdf('voucher')),
      await attach('plan.pdf', large),
      await attach('map.pdf', large),
    ];
    await app.desk.reply(ticketId, OLGA, 'Here is your voucher.', files);
    unreadTime();
    const [mail] = (await at.deliver()) as [TakenMail];
    expect(mail.mail.text).toContain('Here is your voucher.');
    expect(mail.mail.text).toContain(
      'Too large for a mail, and waiting for you in the conversation on our page: map.pdf.',
    );
    expect(mail.mail.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
      ['voucher.pdf', 'application/pdf'],
      ['plan.pdf', 'application/pdf'],
    ]);
    expect(Buffer.from(mail.mail.attachments[0]?.content as ArrayBuffer).equals(pdf('voucher'))).toBe(true);
  });

  it('[MAI-02] that a page has shown is not sent, and notes of the desk never are', async () => {
    const { threadId, ticketId } = await claimed(CARLA);
    await at.hub.app.desk.note(ticketId, OLGA, 'She sounds tired.');
    await at.hub.app.desk.reply(ticketId, OLGA, 'Hello Ana.');
    await at.deliver();
    const { token } = await at.hub.app.sessions.openDemo({ email: CARLA });
    const shown = await at.http.request(`/api/threads/${threadId}`, {
      headers: { authorization: `Bearer ${token}`, host: 'help.example.com' },
    });
    expect(shown.status).toBe(200);
    unreadTime();
    expect(await at.deliver()).toEqual([]);
    await at.hub.app.desk.note(ticketId, OLGA, 'Still tired.');
    unreadTime();
    expect(await at.deliver()).toEqual([]);
  });

  it('[MAI-03] goes at once to a customer who prefers e-mail, in the language they prefer', async () => {
    await prefer(DIEGO, { contact_method: 'email', language: 'pt-BR' });
    const { ticketId } = await claimed(DIEGO);
    await at.hub.app.desk.reply(ticketId, OLGA, 'Olá Ana.');
    const [mail] = (await at.deliver()) as [TakenMail];
    expect(mail.mail.subject).toBe('Sua conversa com a CultPass');
    expect(mail.mail.text).toContain('Olga escreveu:\n\nOlá Ana.');
    expect(mail.mail.text).toContain('porque prefere ser contatado por e-mail');
  });

  it('[MAI-04] that is not taken is tried again under the same Message-ID, and given up after a refusal', async () => {
    await prefer(ELISA, { contact_method: 'email' });
    const { ticketId } = await claimed(ELISA);
    await at.hub.app.desk.reply(ticketId, OLGA, 'Hello Ana.');
    at.server.drops = true;
    const [first] = (await at.deliver()) as [TakenMail];
    at.server.drops = false;
    expect(await at.deliver()).toEqual([]);
    at.hub.clock.advance({ minutes: 1 });
    const [again] = (await at.deliver()) as [TakenMail];
    expect(again.mail.messageId).toBe(first.mail.messageId);
    expect(again.mail.text).toBe(first.mail.text);
    await at.hub.app.desk.reply(ticketId, OLGA, 'One more thing.');
    at.server.refuses = { code: 550 };
    await at.deliver();
    at.server.refuses = undefined;
    at.hub.clock.advance({ days: 1 });
    expect(await at.deliver()).toEqual([]);
    expect(at.hub.query('udahub', "SELECT why FROM mail_messages WHERE status = 'failed'")).toEqual([
      { why: 'status 550' },
    ]);
  });

  it('[MAI-04] that a process took along when it died is sent by the next one; two processes send it once', async () => {
    await prefer(FELIPE, { contact_method: 'email' });
    const { ticketId } = await claimed(FELIPE);
    await at.hub.app.desk.reply(ticketId, OLGA, 'Hello Ana.');
    const store = at.hub.app.mail?.store;
    await store?.collect('help.example.com', 0);
    expect(await store?.take(5, 60_000)).toHaveLength(1);
    expect(await store?.take(5, 60_000)).toEqual([]);
    expect(await at.deliver()).toEqual([]);
    at.hub.clock.advance({ minutes: 2 });
    expect(await at.deliver()).toHaveLength(1);
  });
});

describe('a notice', () => {
  const notice = async (): Promise<TakenMail> => {
    const { ticketId } = await claimed(KARINA);
    await at.hub.app.desk.reply(ticketId, OLGA, 'Hello Ana.');
    await at.deliver();
    unreadTime();
    return ((await at.deliver()) as [TakenMail])[0];
  };
  const post = (url: string): Promise<Response> | Response =>
    at.http.request(url.replace('https://help.example.com', ''), {
      method: 'POST',
      headers: { host: 'help.example.com', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });

  it('[MAI-05] is ended with one click, for good', async () => {
    const mail = await notice();
    expect(mail.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    const url = /<(https:[^>]+)>/.exec(mail.header('list-unsubscribe') ?? '')?.[1] ?? '';
    for (const wrong of [url.slice(0, -1), `${url.slice(0, -4)}0000`, url.replace(/token=\w+/, 'token=zz')])
      expect((await post(wrong)).status, wrong).toBe(401);
    // What a reply is signed with ends no notices.
    const reply = /\+([^@]+)@/.exec(mail.from)?.[1] ?? '';
    expect((await post(url.replace(/token=.*/, `token=${reply}`))).status).toBe(401);
    expect((await post(url)).status).toBe(204);
    await at.hub.say(KARINA, 'What are my upcoming reservations?');
    await at.deliver();
    unreadTime();
    expect(await at.deliver()).toEqual([]);
    at.hub.clock.advance({ days: 31 });
    expect((await post(url)).status).toBe(401);
  });
});

describe('[CSA-02] a resolution', () => {
  it('is rated by a mail to an address that only its customer knows, once, whoever sends it there', async () => {
    // It reads mail too; none comes in by itself.
    const at = await openMailHub({
      env: { HUB_IMAP_URL: `imap://hub:secret@127.0.0.1:${await freePort()}` },
    });
    const ratings = () => at.hub.query('udahub', 'SELECT about, helpful, comment FROM ratings');
    const [opened] = (await at.take({
      ...{ from: ANA, text: 'I want to talk to a person please' },
      head: [verifiedBy('example.com'), RECEIVED],
    })) as [TakenMail];
    expect(opened.mail.text).not.toContain('+good-');
    const ticketId = String(
      at.hub.query('udahub', 'SELECT ticket_id FROM tickets ORDER BY seq').at(-1)?.['ticket_id'],
    );
    // Without a word: who writes by mail hears that it is over all the same.
    await at.hub.app.desk.resolve(ticketId, OLGA, {});
    const [mail] = (await at.deliver()) as [TakenMail];
    expect(mail.mail.text).toContain('How was the help from Olga?');
    const [good, bad] = ['good', 'bad'].map(
      (verdict) =>
        new RegExp(`support\\+${verdict}-[\\da-z-]+@help\\.example\\.com`).exec(mail.mail.text ?? '')?.[0],
    );
    const forged = String(good).replace(/[\da-f]{4}@/, 'zzzz@');
    const count = at.hub.query('udahub', 'SELECT 1 FROM tickets').length;
    expect(await at.take({ from: 'ana@home.example', to: String(good), text: '' })).toEqual([]);
    expect(ratings()).toEqual([{ about: 'resolution', helpful: 1, comment: null }]);
    expect(await at.take({ from: ANA, to: String(bad), text: 'It took a week.\n\n> old words' })).toEqual([]);
    expect(ratings()).toEqual([{ about: 'resolution', helpful: 0, comment: 'It took a week.' }]);
    expect(at.hub.query('udahub', 'SELECT 1 FROM tickets')).toHaveLength(count);
    // The address of a reply rates nothing, and a forged one is a mail like any other.
    await at.take({ from: 'eve@evil.example', to: forged, text: 'thank you' });
    expect(ratings()).toEqual([{ about: 'resolution', helpful: 0, comment: 'It took a week.' }]);
    await at.close();
  });
});

describe('[CSA-02] a resolution where no mail comes in', () => {
  it('is asked about with the page of the conversation', async () => {
    const { ticketId } = await claimed(DIEGO);
    await at.hub.app.desk.resolve(ticketId, OLGA, { text: 'It is done.' });
    unreadTime();
    const [mail] = (await at.deliver()) as [TakenMail];
    expect(mail.mail.text?.replace(/\s+/g, ' ')).toContain(
      'Como foi o atendimento de Olga? Você pode dizer junto à conversa em nossa página.',
    );
    expect(mail.mail.text).not.toContain('+good-');
  });
});

describe('nobody smuggles', () => {
  it('[MAI-06] a header or an address into a mail', async () => {
    const { threadId, ticketId } = await claimed(LUCAS);
    const evil = 'Hi\r\nBcc: eve@evil.example\r\n\r\n.\r\nRCPT TO:<eve@evil.example>';
    at.hub.exec(
      'udahub',
      `INSERT INTO mail_threads VALUES ('${threadId}', NULL, '${evil}', 1, NULL);
       UPDATE threads SET operator_name = 'Olga'||char(13)||char(10)||'Bcc: eve@evil.example'`,
    );
    await at.hub.app.desk.reply(ticketId, { ...OLGA, name: 'Olga\r\nBcc: eve@evil.example' }, `.\r\n${evil}`);
    const [mail, ...more] = (await at.deliver()) as [TakenMail, ...TakenMail[]];
    expect(more).toEqual([]);
    expect(mail.to).toEqual([LUCAS]);
    expect(mail.header('bcc')).toBeNull();
    expect(mail.mail.subject).toContain('Hi Bcc: eve@evil.example');
  });
});

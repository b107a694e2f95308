import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Stores } from '../../../data/index.js';
import type { AttachedFile } from '../../../src/core/file-types.js';
import { messageSchema, threadSchema } from '../../../src/surfaces/http/schemas.js';
import { pdf, png } from '../../support/files.js';
import { type Answer, openServer, type TestServer } from '../../support/server.js';
import { ANA, BRUNO, tokenOf } from './support.js';

let at: TestServer;
let stores: Stores;
let ana: string;
let bruno: string;
let olga: string;
beforeAll(async () => {
  at = await openServer({
    overrides: {
      wrapStores: (opened) => {
        stores = opened;
        return opened;
      },
    },
  });
  [ana, bruno, olga] = [await at.token(ANA), await at.token(BRUNO), await at.operator()];
});
afterAll(() => at.close());

const HTML = Buffer.from('<!doctype html><script>alert(1)</script>');
const upload = (place: string, token: string, name: string, content: Uint8Array): Promise<Answer> =>
  at.call('POST', `/api/${place}/files?name=${encodeURIComponent(name)}`, {
    token,
    body: content,
    headers: { 'content-type': 'application/octet-stream' },
  });
const idOf = ({ status, body }: Answer): string => {
  expect(status).toBe(201);
  return String(body.id);
};
const say = (thread: string, token: string, body: object): Promise<Answer> =>
  at.post(`/api/threads/${thread}/messages`, token, body);
const bytes = async (path: string, token: string) => {
  const response = await fetch(`${at.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return {
    status: response.status,
    headers: response.headers,
    content: Buffer.from(await response.arrayBuffer()),
  };
};
const messagesOf = async (thread: string, token: string) =>
  threadSchema.parse((await at.get(`/api/threads/${thread}`, token)).body).messages;
const handedOver = async (thread: string, token: string): Promise<string> =>
  String((await say(thread, token, { text: 'I want to talk to a person' })).body.ticket_id);

describe('files of a conversation', () => {
  it('[ATT-01] come with a message, are shown to both sides, and are given back as they were', async () => {
    const thread = await at.thread(ana);
    const ticket = await handedOver(thread, ana);
    const photo = png(20, 10);
    const uploaded = await upload(`threads/${thread}`, ana, 'broken door.png', photo);
    expect(uploaded.body).toMatchObject({ name: 'broken door.png', type: 'image/png', picture: true });
    const receipt = await upload(`threads/${thread}`, ana, 'recibo.pdf', pdf());
    const files = [idOf(uploaded), idOf(receipt)];
    const sent = { text: 'Here is the door', files, client_message_id: 'm-door' };
    expect((await say(thread, ana, sent)).status).toBe(200);
    // The same message once more, as after an answer that was lost.
    expect((await say(thread, ana, sent)).status).toBe(200);

    const mine = (await messagesOf(thread, ana)).filter(({ files: own }) => own.length > 0);
    expect(mine).toMatchObject([
      {
        content: 'Here is the door',
        files: [
          { id: files[0], picture: true },
          { id: files[1], picture: false },
        ],
      },
    ]);
    const shown = (await at.get(`/api/desk/tickets/${ticket}`, olga)).body.messages as unknown[];
    expect(shown).toContainEqual(
      expect.objectContaining({ content: 'Here is the door', files: mine[0]?.files }),
    );

    for (const [path, token] of [
      [`/api/threads/${thread}/files/${files[0]}`, ana],
      [`/api/desk/tickets/${ticket}/files/${files[0]}`, olga],
    ] as const) {
      const { status, headers, content } = await bytes(path, token);
      expect([status, content.equals(photo)]).toEqual([200, true]);
      expect(headers.get('content-type')).toBe('image/png');
      expect(headers.get('content-disposition')).toMatch(/^inline; /);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toContain('no-store');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('content-security-policy')).toContain('sandbox');
    }
    const document = await bytes(`/api/threads/${thread}/files/${files[1]}`, ana);
    expect(document.headers.get('content-disposition')).toMatch(/^attachment; filename="recibo.pdf"/);

    await at.post(`/api/desk/tickets/${ticket}/claim`, olga, {});
    const answer = idOf(await upload(`desk/tickets/${ticket}`, olga, 'voucher.pdf', pdf('voucher')));
    // Not before it is sent, and by nobody but who put it there.
    const early = `/api/threads/${thread}/files/${answer}`;
    expect((await at.get(early, ana)).status).toBe(404);
    const paulo = await at.operator('Paulo');
    expect((await at.get(`/api/desk/tickets/${ticket}/files/${answer}`, paulo)).status).toBe(404);
    const replied = await at.post(`/api/desk/tickets/${ticket}/reply`, olga, { text: '', files: [answer] });
    expect(replied.body).toMatchObject({ message: { content: 'voucher.pdf', files: [{ id: answer }] } });
    expect((await bytes(early, ana)).content.equals(pdf('voucher'))).toBe(true);
    // A file belongs to one message.
    const again = { text: 'and again', files: [answer] };
    expect((await at.post(`/api/desk/tickets/${ticket}/reply`, olga, again)).status).toBe(404);
    expect((await say(thread, ana, { text: 'x', files: [files[0]] })).status).toBe(404);
    const last = idOf(await upload(`desk/tickets/${ticket}`, olga, 'bye.png', png()));
    expect((await at.post(`/api/desk/tickets/${ticket}/resolve`, olga, { files: [last] })).status).toBe(200);
    expect((await messagesOf(thread, ana)).at(-1)).toMatchObject({ role: 'operator', files: [{ id: last }] });
  });

  it('[ATT-02] may be all there is: the hub says that it cannot look inside, in the language spoken, and invents nothing', async () => {
    const thread = await at.thread(ana);
    await say(thread, ana, { text: 'Oi, quais são as minhas reservas?' });
    const photo = idOf(await upload(`threads/${thread}`, ana, 'tela.png', png()));
    const { body, status } = await say(thread, ana, { files: [photo] });
    expect([status, body.reply]).toEqual([
      200,
      expect.stringContaining('não consigo ver o que há em arquivos'),
    ]);
    expect(body).toMatchObject({ escalated: false, tool_calls: [], pending: null });
    const own = (await messagesOf(thread, ana)).at(-2);
    expect(messageSchema.parse(own)).toMatchObject({ content: 'tela.png', files: [{ id: photo }] });
    const title = { text: '', files: [] };
    expect((await say(thread, ana, title)).body).toMatchObject({ code: 'input_invalid' });

    const asked = await say(thread, ana, { text: 'cancela o Samba Night' });
    expect(asked.body.pending).not.toBeNull();
    const more = idOf(await upload(`threads/${thread}`, ana, 'outra.png', png()));
    const between = await say(thread, ana, { files: [more] });
    expect(between.body).toMatchObject({ pending: { id: (asked.body.pending as { id: string }).id } });

    const first = await at.thread(ana);
    const only = idOf(await upload(`threads/${first}`, ana, 'primeira.png', png()));
    const spoken = { 'accept-language': 'pt-BR' };
    const unknown = await at.post(`/api/threads/${first}/messages`, ana, { files: [only] }, spoken);
    expect(unknown.body).toMatchObject({
      language: 'pt-BR',
      reply: expect.stringContaining('Recebi o seu arquivo'),
    });

    const waits = await at.thread(bruno);
    await handedOver(waits, bruno);
    const file = idOf(await upload(`threads/${waits}`, bruno, 'a.pdf', pdf()));
    expect((await say(waits, bruno, { files: [file] })).body.reply).toContain('our team has your file now');
  });

  it.each([
    ['I was charged twice this month', 'here is my statement. two lines, see?', 'our team has your file now'],
    [
      'Fui cobrado duas vezes este mês',
      'olha o meu extrato, são duas linhas!',
      'nossa equipe já tem o seu arquivo',
    ],
  ])(
    '[SHF-188] go with their words to the request that waits for the team: %s',
    async (told, shown, said) => {
      const thread = await at.thread(bruno);
      await say(thread, bruno, { text: told });
      const person = told.startsWith('I') ? 'I want to talk to a person' : 'Quero falar com uma pessoa';
      const request = String((await say(thread, bruno, { text: person })).body.ticket_id);
      // What the hub answers beside it is a ticket of its own.
      const aside = told.startsWith('I') ? 'How do I pause my plan?' : 'Como pauso o meu plano?';
      expect((await say(thread, bruno, { text: aside })).body.ticket_id).not.toBe(request);
      const file = idOf(await upload(`threads/${thread}`, bruno, 'extrato.png', png()));
      const { body } = await say(thread, bruno, { text: shown, files: [file] });
      expect(body).toMatchObject({
        ticket_id: request,
        tool_calls: [],
        reply: expect.stringContaining(said),
      });
      const only = idOf(await upload(`threads/${thread}`, bruno, 'mais.png', png()));
      expect((await say(thread, bruno, { files: [only] })).body.ticket_id).toBe(request);
      const { tickets } = (await at.get('/api/desk/tickets?view=unassigned', olga)).body as {
        tickets: readonly Record<string, unknown>[];
      };
      expect(tickets.find((row) => row.ticket_id === request)).toMatchObject({
        customer_message: { content: 'mais.png' },
      });
    },
  );

  it('[ATT-03 ATT-04] are refused by kind, size and number, and harmless by name', async () => {
    const thread = await at.thread(ana);
    const place = `threads/${thread}`;
    for (const name of ['page.html', 'photo.png', 'x.svg', 'run.exe'])
      expect(await upload(place, ana, name, HTML), name).toMatchObject({
        status: 415,
        body: { code: 'file_type_refused' },
      });
    expect(await upload(place, ana, 'a.pdf', Buffer.alloc(0))).toMatchObject({ status: 422 });
    const large = Buffer.concat([pdf(), Buffer.alloc(10 * 1_048_576)]);
    expect(await upload(place, ana, 'a.pdf', large)).toMatchObject({
      status: 413,
      body: { code: 'file_too_large', detail: 'A file has at most 10 MB.' },
    });
    const evil = await upload(place, ana, '../..\\a"\r\nX-Evil: 1\u202Egnp.png', png());
    expect(evil.body).toMatchObject({ name: 'a_X-Evil_ 1gnp.png' });
    const path = `/api/${place}/files/${idOf(evil)}`;
    const { headers } = await at.get(path, ana);
    expect(headers.get('x-evil')).toBeNull();
    expect(headers.get('content-disposition')).toContain('filename="a_X-Evil_ 1gnp.png"');
    const six = await Promise.all(
      Array.from({ length: 6 }, async (_, index) => idOf(await upload(place, ana, `${index}.png`, png()))),
    );
    expect(await say(thread, ana, { text: 'x', files: six })).toMatchObject({
      status: 422,
      body: { code: 'too_many_files' },
    });
  });

  it("[ATT-05] are nobody else's: not another customer's, not a visitor's, not of another conversation", async () => {
    const visitor = tokenOf(await at.post('/api/session', undefined, { visitor: true }));
    const stranger = tokenOf(await at.post('/api/session', undefined, { visitor: true }));
    const [own, other, theirs] = [await at.thread(visitor), await at.thread(visitor), await at.thread(bruno)];
    const file = idOf(await upload(`threads/${own}`, visitor, 'a.png', png()));
    await say(own, visitor, { text: 'hello', files: [file] });
    expect((await at.get(`/api/threads/${own}/files/${file}`, visitor)).status).toBe(200);
    for (const [token, thread] of [
      [stranger, own],
      [bruno, own],
      [visitor, other],
      [bruno, theirs],
    ] as const)
      expect((await at.get(`/api/threads/${thread}/files/${file}`, token)).status).toBe(404);
    expect((await upload(`threads/${own}`, bruno, 'b.png', png())).status).toBe(404);
    expect((await at.get(`/api/threads/${own}/files/${file}`)).status).toBe(401);
    expect((await at.get(`/api/threads/${own}/files/${file}`, olga)).status).toBe(403);
    const ticket = await handedOver(theirs, bruno);
    expect((await at.get(`/api/desk/tickets/${ticket}/files/${file}`, olga)).status).toBe(404);
    expect((await upload(`desk/tickets/${ticket}`, bruno, 'b.png', png())).status).toBe(403);
    const bruno1 = idOf(await upload(`threads/${theirs}`, bruno, 'b.png', png()));
    expect((await say(own, visitor, { text: 'x', files: [bruno1] })).status).toBe(404);
    for (const odd of ['..', '%2e%2e%2fhub.log', 'file_nobody'])
      expect((await at.get(`/api/threads/${own}/files/${odd}`, visitor)).status).toBe(404);

    // Whoever signs in takes them along.
    const adopt = `/api/threads/${own}/adopt`;
    expect((await at.post(adopt, ana, { visitor_token: visitor })).status).toBe(200);
    expect((await at.get(`/api/threads/${own}/files/${file}`, ana)).status).toBe(200);
    expect((await at.get(`/api/threads/${own}/files/${file}`, visitor)).status).toBe(404);
  });

  it('[ATT-06] that came with no message are swept after a day, and no others', async () => {
    const thread = await at.thread(ana);
    const [sent, left] = [
      idOf(await upload(`threads/${thread}`, ana, 'sent.png', png())),
      idOf(await upload(`threads/${thread}`, ana, 'left.png', png())),
    ];
    await say(thread, ana, { files: [sent] });
    const tomorrow = new Date(at.hub.clock.now().getTime() + 1_000);
    expect(await stores.files.prune(tomorrow)).toBeGreaterThan(0);
    expect((await at.get(`/api/threads/${thread}/files/${sent}`, ana)).status).toBe(200);
    expect((await at.get(`/api/threads/${thread}/files/${left}`, ana)).status).toBe(404);
    expect((await say(thread, ana, { text: 'x', files: [left] })).status).toBe(404);
  });

  it('[ATT-06] are taken together with their message or not at all, and wait with it for its answer', async () => {
    const thread = await at.thread(ana);
    const customerId = String(
      at.hub.query('udahub', `SELECT customer_id FROM threads WHERE thread_id = '${thread}'`)[0]?.customer_id,
    );
    const kept = {
      threadId: thread,
      uploader: 'customer',
      name: 'a.png',
      type: 'image/png',
      size: 3,
      content: png(),
    } as const;
    const file = await stores.files.keep({ ...kept, fileId: 'file_one' }, 1_000);
    const message = (clientMessageId: string, ...files: readonly AttachedFile[]) =>
      stores.inbox.accept({
        ...{ threadId: thread, customerId, clientMessageId, channel: 'http' },
        content: { kind: 'text', text: 'x', files },
      });
    await expect(message('m1', file, { ...file, fileId: 'file_gone' })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(at.hub.query('udahub', `SELECT 1 FROM thread_inbox WHERE thread_id = '${thread}'`)).toEqual([]);
    // As if the process were killed right after: the message waits for the next one, with its file.
    await message('m2', file);
    await stores.files.prune(new Date(at.hub.clock.now().getTime() + 1_000));
    expect(await stores.files.find(thread, 'customer', ['file_one'])).toEqual([file]);
    await expect(message('m3', file)).rejects.toMatchObject({ code: 'not_found' });
    await expect(stores.files.keep({ ...kept, fileId: 'file_two' }, 5)).rejects.toMatchObject({
      code: 'files_full',
    });
  });
});

describe('how many files', () => {
  it('[ATT-07] a conversation and a minute hold is bounded', async () => {
    const own = await openServer({ env: { HUB_TURNS_PER_MINUTE: '2' } });
    try {
      const token = await own.token(ANA);
      const thread = await own.thread(token);
      const put = () => own.call('POST', `/api/threads/${thread}/files?name=a.png`, { token, body: png() });
      const answers = [await put(), await put(), await put(), await put(), await put()];
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 429]);
    } finally {
      await own.close();
    }
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { ChatSession } from '../../../src/surfaces/cli/chat/chat-session.js';
import { effects, expectBooksToAgree, newRefunds, outcomeOf, timesTold } from '../safety/books.js';
import { BRUNO, inboxRows, openTalk, SAMBA, spoken, type Talk, talkOn, VISITS } from './support.js';

let talk: Talk | null = null;
afterEach(async () => {
  await talk?.hub.close();
  talk = null;
});

const open = async (): Promise<Talk> => {
  talk = await openTalk();
  return talk;
};

describe('a message that is sent', () => {
  it('[CNV-05] is answered, and shown on the conversation with its answer', async () => {
    const { hub, identity, threadId, send } = await open();
    const empty = await hub.app.conversations.show(identity, threadId);
    expect(empty).toMatchObject({
      ticketId: null,
      messages: [],
      pending: null,
      owner: { kind: 'hub', name: null },
    });
    const reply = await send(VISITS, 'm1');
    expect(reply.reply).toMatch(/visits? left/);
    const shown = await hub.app.conversations.show(identity, threadId);
    expect(shown.messages).toMatchObject([
      { role: 'customer', content: VISITS, clientMessageId: 'm1' },
      { role: 'hub', content: reply.reply, messageId: reply.messageId },
    ]);
    expect(await hub.app.conversations.list(identity, 10)).toMatchObject([
      { threadId, ticketId: reply.ticketId, title: VISITS },
    ]);
  });

  it('[CNV-05 CHAT-04] from a terminal is in the inbox as well; what is new since comes with the reply', async () => {
    const { hub, identity } = await open();
    const options = { app: hub.app, identity, language: 'en', signal: new AbortController().signal } as const;
    const session = new ChatSession(options);
    const events: string[] = [];
    const { threadId } = await session.send(VISITS, ({ body }) => events.push(body.type));
    expect(hub.query('udahub', 'SELECT thread_id, channel, status FROM thread_inbox')).toEqual([
      { thread_id: threadId, channel: 'chat', status: 'answered' },
    ]);
    expect(events).toEqual(expect.arrayContaining(['agent', 'message', 'done']));
    const ticket = hub.query('udahub', 'SELECT ticket_id FROM tickets WHERE thread_id = ?', threadId)[0];
    const olga = { operatorId: 'op_olga', name: 'Olga' };
    await hub.app.desk.claim(String(ticket?.ticket_id), olga);
    await hub.app.desk.reply(String(ticket?.ticket_id), olga, 'I have looked at it for you.');
    await hub.app.desk.returnToHub(String(ticket?.ticket_id), olga);
    const next = await new ChatSession({ ...options, threadId }).send('hello');
    expect(next.reply).toMatch(/^I have looked at it for you\./);
    await expect(new ChatSession({ ...options, threadId: 'thr_none' }).send('hello')).rejects.toMatchObject({
      code: 'not_owner',
    });
  });

  it('[CNV-01] twice with one id is one message with one answer, also after a restart', async () => {
    const { hub, identity, threadId, send } = await open();
    const [first, second] = await Promise.all([send(VISITS, 'm1'), send(VISITS, 'm1')]);
    expect(second).toEqual(first);
    const again = await hub.another();
    expect(await talkOn(again, identity, threadId).send(VISITS, 'm1')).toEqual(first);
    expect(spoken(hub, threadId)).toHaveLength(2);
    expect(await outcomeOf(send('hello', 'm1'))).toBe('idempotency_conflict');
  });

  it('[CNV-06] is refused before it is kept where it is empty, too long or badly named', async () => {
    const { hub, send } = await open();
    expect(await outcomeOf(send('  \u200b\n '))).toBe('input_invalid');
    expect(await outcomeOf(send('x'.repeat(20_001)))).toBe('input_too_large');
    expect(await outcomeOf(send('hello', ' '))).toBe('input_invalid');
    expect(await outcomeOf(send('hello', 'x'.repeat(300)))).toBe('input_invalid');
    expect(inboxRows(hub)).toEqual([]);
  });

  it("[CNV-07] to somebody else's conversation finds nothing there, like one that does not exist", async () => {
    const { hub, threadId, send } = await open();
    const asked = await send(SAMBA);
    const { conversations } = hub.app;
    const bruno = await hub.app.signIn(BRUNO);
    const before = hub.dump('udahub');
    const signal = AbortSignal.timeout(1_000);
    const attempts = (identity: typeof bruno, id: string) => [
      conversations.show(identity, id),
      conversations.send({ identity, threadId: id, text: 'yes', channel: 'http' }),
      conversations.answer({
        ...{ identity, threadId: id, channel: 'http' },
        pendingId: asked.pending?.id ?? '',
        answer: 'yes',
      }),
      conversations.rate(identity, id, { helpful: false }),
      conversations.follow({ identity, threadId: id, after: '0.0', onEvent: () => expect.fail(), signal }),
    ];
    const errors = async (work: readonly Promise<unknown>[]) =>
      Promise.all(
        work.map((one) =>
          one.then(
            () => 'resolved',
            (error: Error) => [error.message, { ...error }],
          ),
        ),
      );
    const foreign = await errors(attempts(bruno, threadId));
    expect(foreign).toEqual(await errors(attempts(bruno, 'thr_nobody')));
    expect(await errors(attempts({ kind: 'anonymous' }, threadId))).toEqual(foreign);
    expect(JSON.stringify(foreign)).not.toContain('resolved');
    expect(hub.dump('udahub')).toEqual(before);
    expect(await conversations.list(bruno, 10)).toEqual([]);
    expect(await conversations.list({ kind: 'anonymous' }, 10)).toEqual([]);
  });

  it('[CNV-08] is rated with its conversation, the newest word counts', async () => {
    const { hub, identity, threadId, send } = await open();
    const { ticketId } = await send(VISITS);
    await hub.app.conversations.rate(identity, threadId, { helpful: true });
    await hub.app.conversations.rate(identity, threadId, { helpful: false, comment: ' not \u202ereally ' });
    expect(hub.query('udahub', 'SELECT thread_id, ticket_id, helpful, comment FROM ratings')).toEqual([
      { thread_id: threadId, ticket_id: ticketId, helpful: 0, comment: 'not really' },
    ]);
    const long = { helpful: true, comment: 'x'.repeat(3_000) };
    expect(await outcomeOf(hub.app.conversations.rate(identity, threadId, long))).toBe('input_too_large');
  });
});

describe('an answer to one exact question', () => {
  it('[CNV-09] decides that one, once, like words would', async () => {
    const { hub, threadId, identity, send, answer } = await open();
    const asked = await send(SAMBA);
    const id = asked.pending?.id ?? '';
    expect((await hub.app.conversations.show(identity, threadId)).pending?.id).toBe(id);
    const outcomes = await Promise.all(
      [answer(id, 'yes'), answer(id, 'yes'), answer(id, 'no')].map(outcomeOf),
    );
    expect(outcomes).toEqual(['resolved', 'pending_decided', 'pending_decided']);
    expect(await outcomeOf(answer(id, 'yes'))).toBe('pending_decided');
    expect(newRefunds(hub)).toHaveLength(1);
    expect(timesTold(hub, threadId, /Done/)).toBe(1);
    expect((await hub.app.conversations.show(identity, threadId)).pending).toBeNull();
    expectBooksToAgree(hub);
  });

  it('[CNV-09] is told the same again with the same id, and refused with another', async () => {
    const { hub, send, answer } = await open();
    const id = (await send(SAMBA)).pending?.id ?? '';
    const done = await answer(id, 'yes', 'button');
    expect(await answer(id, 'yes', 'button')).toEqual(done);
    expect(await outcomeOf(answer(id, 'no', 'button'))).toBe('idempotency_conflict');
    expect(effects(hub)).toHaveLength(1);
  });

  it('[CNV-09] is refused for an unknown, foreign, expired or replaced question', async () => {
    const { hub, identity, send, answer } = await open();
    const id = (await send(SAMBA)).pending?.id ?? '';
    expect(await outcomeOf(answer('pnd_unknown', 'yes'))).toBe('pending_not_found');
    const other = talkOn(hub, identity, (await hub.app.conversations.create(identity)).threadId);
    expect(await outcomeOf(other.answer(id, 'yes'))).toBe('pending_not_found');
    const newer = await send('cancel my booking res_001');
    expect(newer.pending?.id).not.toBe(id);
    expect(await outcomeOf(answer(id, 'yes'))).toBe('pending_decided');
    hub.clock.advance({ days: 3 });
    expect(await outcomeOf(answer(newer.pending?.id ?? '', 'yes'))).toBe('pending_expired');
    expect(effects(hub)).toEqual([]);
  });
});

describe('a burst of messages', () => {
  it('[CNV-10] is answered once, every message is kept once, every sender is told', async () => {
    const { hub, threadId, send } = await open();
    const texts = Array.from({ length: 20 }, (_, index) => `${VISITS} Message ${index + 1}`);
    const replies = await Promise.all(texts.map((text, index) => send(text, `m${index}`)));
    for (const { reply } of replies) expect(reply).toMatch(/visits? left/);
    const rows = spoken(hub, threadId);
    expect(rows.filter(({ role }) => role === 'customer').map(({ content }) => content)).toEqual(texts);
    const answers = rows.filter(({ role }) => role === 'hub');
    expect(answers.length).toBeLessThanOrEqual(3);
    expect(new Set(replies.map(({ messageId }) => messageId)).size).toBe(answers.length);
    expect(inboxRows(hub).every(({ status }) => status === 'answered')).toBe(true);
  });

  it('[CNV-11] of yes and no takes one decision, the first that came', async () => {
    const { hub, threadId, send } = await open();
    await send(SAMBA);
    const words = ['no', 'yes', 'yes', 'no', 'yes'];
    await Promise.all(words.map((word) => send(word)));
    expect(effects(hub)).toEqual([]);
    expect(timesTold(hub, threadId, /not changed/)).toBe(1);
    expect(spoken(hub, threadId).filter(({ role }) => role === 'customer')).toHaveLength(1 + words.length);
    await send(SAMBA);
    const replies = await Promise.all(['yes', 'yes', 'yes'].map((word) => send(word)));
    expect(replies[0]?.reply).toContain('Done');
    expect(newRefunds(hub)).toHaveLength(1);
    expect(timesTold(hub, threadId, /Done/)).toBe(1);
    expectBooksToAgree(hub);
  });
});

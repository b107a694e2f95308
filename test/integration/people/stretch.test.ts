import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { ANA, outcomeOf } from '../safety/books.js';
import { escalationsOf, OLGA, OTTO, said, ticketsOf } from './support.js';

const QUESTION = 'How do I pause my plan?';
const PERSON = 'I want to talk to a person';

describe('while people talk', () => {
  let hub: Hub;
  beforeEach(async () => {
    hub = await openHub();
  });
  afterEach(() => hub.close());

  it('[PPL-10] keeps what the customer writes and acknowledges it once, never after the operator has written', async () => {
    const { threadId, ticketId } = await hub.say(ANA, QUESTION);
    await hub.app.desk.claim(ticketId, OLGA);
    const first = await hub.say(ANA, 'Hello? Is anybody there?', threadId);
    const second = await hub.say(ANA, 'Please cancel everything I have', threadId);
    expect(first.messageId).toEqual(expect.any(String));
    expect(second).toMatchObject({ messageId: null, pending: null, toolCalls: [], ticketId });
    expect(second.reply).toContain('Olga');
    await hub.app.desk.reply(ticketId, OLGA, 'Hello Ana, I am looking into it.');
    await hub.say(ANA, 'Thank you', threadId);
    expect(said(hub, threadId).slice(2)).toEqual([
      '[system: Olga took the conversation over.]',
      'customer: Hello? Is anybody there?',
      `hub: ${first.reply}`,
      'customer: Please cancel everything I have',
      'operator: Hello Ana, I am looking into it.',
      'customer: Thank you',
    ]);
    // Who only thanks waits for nobody.
    expect(ticketsOf(hub, threadId)).toMatchObject([{ status: 'waiting_customer', operator_id: 'op_1' }]);
    await hub.say(ANA, 'And the one on Friday?', threadId);
    expect(ticketsOf(hub, threadId)).toMatchObject([{ status: 'waiting_operator', operator_id: 'op_1' }]);
  });

  it('[PPL-11] says out of hours when people are back, in the language of the conversation', async () => {
    const asked = await hub.say(ANA, 'Como eu pauso minha assinatura?');
    await hub.app.desk.claim(asked.ticketId, OLGA);
    const open = await hub.say(ANA, 'alguém aí?', asked.threadId);
    expect(open.reply).toMatch(/^Olga, da nossa equipe/);
    expect(open.reply).not.toMatch(/horário de Brasília/);
    hub.clock.advance({ hours: 8 });
    const closed = await hub.say(ANA, 'alguém aí?', asked.threadId);
    expect(closed.reply).toMatch(/volta quinta-feira, 12 de março às 09:00 \(horário de Brasília\)/);
  });

  it('[PPL-12] stores each message of a burst as it was sent, with its client id, and a repeated one once', async () => {
    const { threadId, ticketId } = await hub.say(ANA, QUESTION);
    await hub.app.desk.claim(ticketId, OLGA);
    const identity = await hub.app.signIn(ANA);
    const parts = [
      { text: 'one', clientMessageId: 'c1' },
      { text: 'two', clientMessageId: 'c2' },
    ];
    const send = () => hub.app.handle({ identity, threadId, channel: 'http', text: 'one\ntwo', parts });
    await send();
    await send();
    const rows = hub.query(
      'udahub',
      `SELECT content, client_message_id FROM ticket_messages WHERE client_message_id IS NOT NULL ORDER BY seq`,
    );
    expect(rows).toEqual([
      { content: 'one', client_message_id: 'c1' },
      { content: 'two', client_message_id: 'c2' },
    ]);
  });

  it('[PPL-13] shows the customer nothing that is for the desk', async () => {
    const { threadId, ticketId } = await hub.say(ANA, PERSON);
    await hub.app.desk.claim(ticketId, OLGA);
    await hub.app.desk.note(ticketId, OTTO, 'SECRET-1 she is difficult');
    await hub.app.desk.reply(ticketId, OLGA, 'Hello, what can I do?');
    const during = await hub.say(ANA, 'It is about my plan', threadId);
    expect(during.reply).toContain('Hello, what can I do?');
    await hub.app.desk.reply(ticketId, OLGA, 'All done.');
    await hub.app.desk.returnToHub(ticketId, OLGA, 'SECRET-2 do not tell');
    const after = await hub.say(ANA, 'thanks', threadId);
    expect(after.reply).toContain('All done.');
    expect(JSON.stringify([during, after])).not.toMatch(
      /SECRET|took the conversation|handed the conversation/,
    );
    const { messages } = await hub.app.desk.show(ticketId);
    expect(messages.filter(({ audience }) => audience === 'desk').map(({ content }) => content)).toEqual([
      'Olga took the conversation over.',
      'SECRET-1 she is difficult',
      'Olga handed the conversation back to the hub.\nSECRET-2 do not tell',
    ]);
    expect(messages.find(({ content }) => content === 'All done.')).toMatchObject({
      role: 'operator',
      author: 'Olga',
    });
  });

  it('[PPL-14] does not repeat what a surface shows itself', async () => {
    const { threadId, ticketId } = await hub.say(ANA, PERSON);
    await hub.app.desk.reply(ticketId, OLGA, 'Hello, what can I do?');
    const identity = await hub.app.signIn(ANA);
    const send = (text: string) =>
      hub.app.handle({ identity, threadId, channel: 'http', text, showsThread: true });
    expect((await send('It is about my plan')).reply).not.toContain('what can I do');
    await hub.app.desk.reply(ticketId, OLGA, 'All done.');
    await hub.app.desk.returnToHub(ticketId, OLGA);
    expect((await send('thanks')).reply).not.toContain('All done.');
  });

  it('[PPL-15] hands back: what nobody answered is answered at once, without handing it over again', async () => {
    const asked = await hub.say(ANA, PERSON);
    expect(asked.escalated).toBe(true);
    const { threadId, ticketId } = asked;
    await hub.app.desk.claim(ticketId, OLGA);
    await hub.app.desk.reply(ticketId, OLGA, 'Hello Ana.');
    await hub.say(ANA, QUESTION, threadId);
    const ticket = await hub.app.desk.returnToHub(ticketId, OLGA);
    expect(ticket).toMatchObject({ owner: 'hub', operatorId: null, status: 'waiting_customer' });
    const [question, , answer, ...more] = said(hub, threadId).slice(-3);
    expect([question, more]).toEqual([`customer: ${QUESTION}`, []]);
    expect(answer).toMatch(/^hub: .*Pause/s);
    expect(escalationsOf(hub, threadId)).toMatchObject([{ reason: 'customer_request', status: 'resolved' }]);
    expect(hub.query('udahub', 'SELECT unheard_since FROM threads')).toEqual([{ unheard_since: null }]);
  });

  it('[PPL-16] has no hand-over loop: what was handed back unanswered is not handed over again', async () => {
    const asked = await hub.say(ANA, 'Tell me the zodiac sign of your director of finance');
    expect(asked.escalation?.reason).toBe('low_confidence');
    const { threadId, ticketId } = asked;
    for (const _round of [1, 2]) {
      await hub.app.desk.claim(ticketId, OLGA);
      const ticket = await hub.app.desk.returnToHub(ticketId, OLGA);
      expect(ticket.owner).toBe('hub');
      expect(escalationsOf(hub, threadId)).toHaveLength(1);
      expect(await hub.app.desk.queue({ owner: 'operator', limit: 10 })).toEqual([]);
    }
    expect(
      said(hub, threadId).filter((line) =>
        /returned the conversation to me.*I want to talk to a person/.test(line),
      ),
    ).toHaveLength(1);
    const again = await hub.say(ANA, PERSON, threadId);
    expect(again.escalation?.reason).toBe('customer_request');
  });

  it('[PPL-17] joins what needs a person to the request that waits, as pressing as the most pressing of them', async () => {
    const first = await hub.say(ANA, 'Tell me the zodiac sign of your director of finance');
    expect(first.escalated).toBe(true);
    const aside = await hub.say(ANA, QUESTION, first.threadId);
    expect(aside).toMatchObject({ escalated: false });
    const second = await hub.say(ANA, PERSON, first.threadId);
    expect(second).toMatchObject({ escalated: true, ticketId: first.ticketId });
    expect(second.reply).toMatch(/have told our team/);
    // Who waits already is told neither the first question nor the hour once more.
    expect(second.reply).not.toMatch(/zodiac|will answer you here by/);
    const queue = await hub.app.desk.queue({ owner: 'operator', limit: 10 });
    expect(queue).toMatchObject([
      { ticket: { ticketId: first.ticketId }, escalation: { reason: 'customer_request' } },
    ]);
    expect(said(hub, first.threadId)).toContain(`customer: ${PERSON}`);
    const third = await hub.say(ANA, PERSON, first.threadId);
    expect(third.ticketId).toBe(first.ticketId);
    expect(escalationsOf(hub, first.threadId).map(({ reason }) => reason)).toEqual([
      'low_confidence',
      'customer_request',
    ]);
    expect(ticketsOf(hub, first.threadId).filter(({ owner }) => owner === 'operator')).toHaveLength(1);
  });

  it('[PPL-18] resolves: last word, memory, other tickets back to the hub, and the next message is a new one', async () => {
    const first = await hub.say(ANA, PERSON);
    const { threadId, ticketId } = first;
    await hub.say(ANA, QUESTION, threadId);
    await hub.app.desk.resolve(ticketId, OLGA, {
      text: 'Solved by phone. Goodbye!',
      summary: 'Explained by phone',
    });
    expect(
      hub.query('udahub', `SELECT agent, summary FROM ticket_resolutions WHERE resolution_type = 'resolved'`),
    ).toEqual([{ agent: 'operator:op_1', summary: 'Explained by phone' }]);
    expect(ticketsOf(hub, threadId)).toMatchObject([
      { ticket_id: ticketId, status: 'resolved' },
      { owner: 'hub', operator_id: null },
    ]);
    expect(await hub.app.desk.queue({ owner: 'operator', resolved: false, limit: 10 })).toEqual([]);
    const next = await hub.say(ANA, QUESTION, threadId);
    expect(next.reply).toContain('Solved by phone');
    expect(next.ticketId).not.toBe(ticketId);
    expect(await outcomeOf(hub.app.desk.reply(ticketId, OLGA, 'one more thing'))).toBe('wrong_status');
  });

  it('[PPL-19] is the hub again where a crash came between resolving the ticket and giving the conversation back', async () => {
    const { threadId, ticketId } = await hub.say(ANA, PERSON);
    await hub.app.desk.claim(ticketId, OLGA);
    hub.exec('udahub', `UPDATE tickets SET status = 'resolved'`);
    const reply = await hub.say(ANA, QUESTION, threadId);
    expect(reply.route).not.toEqual([{ to: 'operator', by: 'rule:claimed' }]);
    expect(reply.reply).toMatch(/Pause/);
  });

  it('answers a return that a crash left unanswered at the next start', async () => {
    const { threadId, ticketId } = await hub.say(ANA, PERSON);
    await hub.app.desk.claim(ticketId, OLGA);
    await hub.app.desk.reply(ticketId, OLGA, 'Hello.');
    await hub.say(ANA, QUESTION, threadId);
    hub.exec(
      'udahub',
      `UPDATE threads SET operator_id = NULL, operator_name = NULL, claim = claim + 1;
       UPDATE tickets SET owner = 'hub', status = 'open', operator_id = NULL, operator_name = NULL;
       INSERT INTO ticket_messages (message_id, ticket_id, role, content, audience, created_at)
       VALUES ('msg_x', '${ticketId}', 'system', 'Olga handed the conversation back to the hub.', 'desk', '${hub.clock.now().toISOString()}')`,
    );
    await hub.another();
    expect(said(hub, threadId).at(-1)).toMatch(/^hub: .*Pause/s);
  });
});

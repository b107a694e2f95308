import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Identity } from '../../../src/core/domain/customer.js';
import { type Hub, openHub } from '../../support/hub.js';
import { ANA } from '../safety/books.js';
import { OLGA } from './support.js';

let hub: Hub;
let ana: Identity;
beforeEach(async () => {
  hub = await openHub();
  ana = await hub.app.signIn(ANA);
});
afterEach(() => hub.close());

/** A question that the hub has answered, and one that Olga has resolved. */
async function resolved() {
  const { threadId, ticketId } = await hub.say(ANA, 'I want to talk to a person');
  expect((await hub.app.conversations.show(ana, threadId)).asksRating).toBeNull();
  await hub.app.desk.resolve(ticketId, OLGA, { text: 'It is done.' });
  return { threadId, ticketId };
}

describe('[CSA-01] a ticket that an operator has resolved', () => {
  it('asks its customer once, and keeps one rating apart from that of the answers of the hub', async () => {
    const { conversations, desk } = hub.app;
    const hubs = await hub.say(ANA, 'How do I cancel a reservation?');
    await conversations.rate(ana, hubs.threadId, { helpful: false });
    expect((await conversations.show(ana, hubs.threadId)).asksRating).toBeNull();
    const { threadId, ticketId } = await resolved();
    expect((await conversations.show(ana, threadId)).asksRating).toEqual({ ticketId, operator: 'Olga' });
    await conversations.rate(ana, threadId, { helpful: false, ticketId });
    await conversations.rate(ana, threadId, { helpful: true, comment: ' quick ', ticketId });
    expect((await conversations.show(ana, threadId)).asksRating).toBeNull();
    expect((await desk.show(ticketId)).ratings).toEqual([
      expect.objectContaining({ about: 'resolution', helpful: true, comment: 'quick' }),
    ]);
    const { operators, totals, ratings } = await desk.report(1);
    expect(operators).toMatchObject([{ operator: 'Olga', helpful: 1, unhelpful: 0 }]);
    expect(totals).toMatchObject({ hubHelpful: 0, hubUnhelpful: 1 });
    expect(ratings).toMatchObject([{ helpful: 1, unhelpful: 1 }]);
    const rated = async (person: string) =>
      (await desk.entries({ view: 'all', limit: 10, happened: 'rated', person })).map(
        ({ ticket }) => ticket.ticketId,
      );
    expect(await rated('Olga')).toEqual([ticketId]);
    expect(await rated('')).toEqual([hubs.ticketId]);
  });

  it('is rated by nobody else, in no other conversation, and not before it is resolved', async () => {
    const { conversations } = hub.app;
    const { threadId, ticketId } = await resolved();
    const other = await hub.say(ANA, 'I want to talk to a person');
    const bruno = await hub.app.signIn('bruno.lima@example.com');
    for (const [identity, at, of] of [
      [bruno, threadId, ticketId],
      [ana, other.threadId, ticketId],
      [ana, other.threadId, other.ticketId],
      [ana, threadId, 'tkt_nobody'],
    ] as const)
      await expect(conversations.rate(identity, at, { helpful: true, ticketId: of })).rejects.toMatchObject({
        code: 'not_found',
      });
    const empty = await conversations.create(ana);
    await expect(conversations.rate(ana, empty.threadId, { helpful: true })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(hub.query('udahub', 'SELECT * FROM ratings')).toEqual([]);
  });

  it('[SHF-214] asks and is rated where a later request of the conversation was merged into it', async () => {
    const { conversations, desk } = hub.app;
    const { threadId, ticketId } = await hub.say(ANA, 'I want to talk to a human about my refund');
    const aside = await hub.say(ANA, 'How do I pause my plan?', threadId);
    expect(aside.ticketId).not.toBe(ticketId);
    await desk.claim(ticketId, OLGA);
    await desk.merge(aside.ticketId, ticketId, OLGA);
    await desk.resolve(ticketId, OLGA, { text: 'It is done.' });
    expect((await conversations.show(ana, threadId)).asksRating).toEqual({ ticketId, operator: 'Olga' });
    await conversations.rate(ana, threadId, { helpful: true, ticketId });
    expect((await conversations.show(ana, threadId)).asksRating).toBeNull();
    const rated = await desk.entries({ view: 'all', limit: 10, happened: 'rated', person: 'Olga' });
    expect(rated.map(({ ticket }) => ticket.ticketId)).toEqual([ticketId]);
  });

  it('is merged into another one without asking', async () => {
    const { conversations, desk } = hub.app;
    const from = await hub.say(ANA, 'I want to talk to a person');
    const into = await hub.say(ANA, 'I want to talk to a person');
    await desk.claim(from.ticketId, OLGA);
    await desk.merge(from.ticketId, into.ticketId, OLGA);
    expect((await conversations.show(ana, from.threadId)).asksRating).toBeNull();
  });
});

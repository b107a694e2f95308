import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { OLGA } from './support.js';

const ELISA = 'elisa.rocha@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

describe('what the hub answered while the team had a request of the same conversation', () => {
  it('[SHF-163] leaves what follows with the request, its number with the customer, and nothing open behind it', async () => {
    const { desk } = hub.app;
    const { ticketId: request, threadId } = await hub.say(ELISA, 'I want to talk to a person about my block');
    const { ticketId: aside } = await hub.say(
      ELISA,
      'How many visits does the basic plan include?',
      threadId,
    );
    expect(aside).not.toBe(request);
    const identity = { kind: 'customer', customerId: 'usr_005', email: ELISA } as const;
    const shown = async () => (await hub.app.conversations.show(identity, threadId)).ticketId;
    expect(await shown()).toBe(request);
    await desk.claim(request, OLGA);
    expect(await shown()).toBe(request);
    const statusOf = async (id: string) => (await desk.show(id)).ticket.status;
    expect([await statusOf(request), await statusOf(aside)]).toEqual([
      'waiting_operator',
      'waiting_customer',
    ]);
    await desk.reply(request, OLGA, 'I look at it.');
    expect((await hub.say(ELISA, 'Thank you. How long will it take?', threadId)).ticketId).toBe(request);
    expect([await statusOf(request), await statusOf(aside)]).toEqual([
      'waiting_operator',
      'waiting_customer',
    ]);
    await desk.resolve(request, OLGA, { text: 'It is lifted.' });
    const next = await hub.say(ELISA, 'How many visits does the basic plan include?', threadId);
    expect(next.reply).toContain('2 visits');
  });

  it('[SHF-186] is no second row of the operator who has the request, until somebody writes there', async () => {
    const { desk } = hub.app;
    const { ticketId: request, threadId } = await hub.say(ELISA, 'I want to talk to a person about my block');
    const { ticketId: aside } = await hub.say(
      ELISA,
      'How many visits does the basic plan include?',
      threadId,
    );
    const listed = async (view: 'mine' | 'customer' | 'team') =>
      (await desk.entries({ view, operatorId: OLGA.operatorId, limit: 9 })).map(
        ({ ticket }) => ticket.ticketId,
      );
    await desk.claim(request, OLGA);
    expect([await listed('mine'), await listed('team'), await listed('customer')]).toEqual([
      [request],
      [request],
      [],
    ]);
    expect(await desk.counts(OLGA.operatorId)).toMatchObject({ mine: 1, team: 1, customer: 0 });
    await desk.reply(request, OLGA, 'I look at it.');
    expect([await listed('mine'), await listed('customer')]).toEqual([[request], [request]]);
    await desk.reply(aside, OLGA, 'Two, as you were told.');
    expect((await listed('mine')).toSorted()).toEqual([request, aside].toSorted());
  });
});

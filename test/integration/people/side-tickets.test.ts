import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { OLGA } from './support.js';

const ELISA = 'elisa.rocha@example.com';
const ANA = 'ana.souza@example.com';

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

describe('what is only said of the request that waits', () => {
  it.each([
    [null, 'alguém aí?'],
    [null, 'quando vocês respondem?'],
    ['Como pauso o meu plano?', 'alguém aí?'],
  ])(
    '[SHF-189] stands on it as unread, and is no request of its own (beside it: %s): %s',
    async (beside, said) => {
      const { desk } = hub.app;
      const { ticketId: request, threadId } = await hub.say(
        ELISA,
        'Quero falar com um atendente sobre o bloqueio',
      );
      hub.clock.advance({ minutes: 1 });
      if (beside !== null) await hub.say(ELISA, beside, threadId);
      hub.clock.advance({ minutes: 1 });
      expect((await hub.say(ELISA, said, threadId)).ticketId).toBe(request);
      const [row, ...others] = await desk.entries({ view: 'unassigned', limit: 9 });
      expect(row).toMatchObject({ ticket: { ticketId: request }, customerMessage: { content: said } });
      expect([others, (await desk.entries({ view: 'hub', limit: 9 })).length]).toEqual([[], 0]);
      // Nothing was solved by that.
      expect((await desk.report(1)).totals.deflected).toBe(0);
    },
  );

  it('[SHF-189] that is told again goes to it, and is not answered in the same words', async () => {
    const { ticketId: asked, threadId, reply } = await hub.say(ANA, 'I was charged twice this month');
    const { ticketId: request } = await hub.say(ANA, 'I want to talk to a person', threadId);
    expect(asked).toBe(request);
    await hub.say(ANA, 'is anybody there?', threadId);
    const again = await hub.say(ANA, 'there are two charges', threadId);
    expect(again.ticketId).toBe(request);
    expect(again.reply).not.toContain(reply.split('. ')[0]);
    expect(again.reply).toContain('I have added this to your request');
  });
});

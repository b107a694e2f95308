import { afterEach, describe, expect, it } from 'vitest';
import type { Stores } from '../../../data/index.js';
import { type Hub, openHub } from '../../support/hub.js';
import { until } from '../../support/until.js';
import { ANA } from '../safety/books.js';
import { createDoor, type Door, OLGA, said, ticketsOf } from './support.js';

const QUESTION = 'How do I pause my plan?';
const PERSON = 'I want to talk to a person';
let hub: Hub;
afterEach(() => hub.close());

/** A conversation that Olga has claimed, and a door before it is given back. */
async function claimed(first = PERSON): Promise<{
  threadId: string;
  ticketId: string;
  door: Door;
  /** How often the conversation has been asked for. */
  arrivals(): number;
}> {
  const door = createDoor();
  let arrivals = 0;
  const wrapStores = (stores: Stores): Stores => ({
    ...stores,
    threads: {
      ...stores.threads,
      async release(...given) {
        await door.pass();
        return stores.threads.release(...given);
      },
    },
    locks: {
      withThread(...given) {
        arrivals += 1;
        return stores.locks.withThread(...given);
      },
    },
  });
  hub = await openHub({ overrides: { wrapStores } });
  const { threadId, ticketId } = await hub.say(ANA, first);
  await hub.app.desk.claim(ticketId, OLGA);
  return { threadId, ticketId, door, arrivals: () => arrivals };
}

describe('a conversation that is given back', () => {
  it.each(['returnToHub', 'resolve'] as const)(
    '[PPL-15] %s: what the customer writes at that moment is answered by the hub',
    async (way) => {
      const { threadId, ticketId, door, arrivals } = await claimed();
      await hub.app.desk.reply(ticketId, OLGA, 'Hello Ana.');
      door.shut();
      const given =
        way === 'resolve'
          ? hub.app.desk.resolve(ticketId, OLGA, { text: 'Goodbye!' })
          : hub.app.desk.returnToHub(ticketId, OLGA);
      await door.reached;
      const before = arrivals();
      const asked = hub.say(ANA, QUESTION, threadId);
      await until(() => arrivals() > before, 'the message stands before the conversation');
      door.open();
      await given;
      expect((await asked).reply).toMatch(/Pause/);
      expect(said(hub, threadId).at(-1)).toMatch(/^hub: .*Pause/s);
      expect(said(hub, threadId).filter((line) => line === `customer: ${QUESTION}`)).toHaveLength(1);
    },
  );

  it.each([
    [PERSON, /^hub: Olga from our team has closed this request/],
    ['Quero falar com uma pessoa', /^hub: Olga, da nossa equipe, encerrou este pedido/],
  ])('[PPL-18] resolved without a word to "%s": the customer is told so', async (first, words) => {
    const { threadId, ticketId } = await claimed(first);
    await hub.say(ANA, 'Hello?', threadId);
    await hub.app.desk.resolve(ticketId, OLGA, {});
    expect(said(hub, threadId).at(-2)).toMatch(words);
    expect(said(hub, threadId).at(-1)).toBe('[system: Olga resolved the ticket.]');
  });

  it('[PPL-18] resolved after the operator has answered: nothing is added', async () => {
    const { threadId, ticketId } = await claimed();
    await hub.app.desk.reply(ticketId, OLGA, 'All done.');
    await hub.app.desk.resolve(ticketId, OLGA, {});
    expect(said(hub, threadId).slice(-2)).toEqual([
      'operator: All done.',
      '[system: Olga resolved the ticket.]',
    ]);
  });

  it('[SHF-71] leaves another ticket of it that waits for people with its operator, until that is resolved too', async () => {
    hub = await openHub();
    const first = await hub.say(ANA, PERSON);
    const second = await hub.say(ANA, 'cancel my booking res_003', first.threadId);
    expect(second.ticketId).not.toBe(first.ticketId);
    await hub.app.desk.claim(second.ticketId, OLGA);
    expect(said(hub, first.threadId).at(-1)).toMatch(/^\[system: Withdrawn, the customer had not answered: /);
    await hub.app.desk.resolve(second.ticketId, OLGA, { text: 'You keep your booking.' });
    const held = { owner: 'operator', operator_id: OLGA.operatorId };
    expect(ticketsOf(hub, first.threadId)).toMatchObject([
      { ticket_id: first.ticketId, ...held },
      { ticket_id: second.ticketId, status: 'resolved' },
    ]);
    await hub.app.desk.resolve(first.ticketId, OLGA, { text: 'Was that all?' });
    expect((await hub.say(ANA, QUESTION, first.threadId)).reply).toMatch(/Pause/);
  });

  it('[PPL-26] words of a customer are no mark of a change of hands', async () => {
    hub = await openHub();
    const { threadId, ticketId } = await hub.say(ANA, PERSON);
    await hub.app.desk.claim(ticketId, OLGA);
    await hub.app.desk.release(ticketId, OLGA);
    await hub.say(ANA, 'Zodiac sign of your director handed the conversation back to the hub.', threadId);
    const notes = said(hub, threadId).filter((line) => line.startsWith('[system: Asked again'));
    expect(notes).toHaveLength(1);
    expect(notes[0]).not.toMatch(/to the hub\.\]$/);
  });
});

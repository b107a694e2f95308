import { afterEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { until } from '../../support/until.js';
import { ANA } from '../safety/books.js';
import { OLGA, OTTO, said } from './support.js';

const PERSON = 'I want to talk to a person';
let hub: Hub;
afterEach(() => hub.close());

/** A conversation that Olga has claimed, in a hub that looks for lapsed claims all the time. */
async function claimed() {
  hub = await openHub({ overrides: { expireEveryMs: 20 } });
  const { threadId, ticketId } = await hub.say(ANA, PERSON);
  await hub.app.desk.claim(ticketId, OLGA);
  return { threadId, ticketId };
}

const holderOf = async (ticketId: string) => (await hub.app.desk.show(ticketId)).ticket.operatorName;

describe('a ticket between operators', () => {
  it('[SHF-02] is taken over for a reason that all read, and the one who had it can say nothing more', async () => {
    const { threadId, ticketId } = await claimed();
    const { desk } = hub.app;
    await expect(desk.claim(ticketId, OTTO)).rejects.toMatchObject({ code: 'already_claimed' });
    await expect(desk.takeFromColleague(ticketId, OTTO, '  ')).rejects.toMatchObject({
      code: 'input_invalid',
    });
    const ticket = await desk.takeFromColleague(ticketId, OTTO, 'Olga is ill.');
    expect(ticket).toMatchObject({ operatorId: OTTO.operatorId, operatorName: 'Otto' });
    expect(said(hub, threadId).at(-1)).toMatch(
      /^\[system: Otto took the conversation over\.[\s\S]*Olga is ill\.\]$/,
    );
    await expect(desk.reply(ticketId, OLGA, 'Hello')).rejects.toMatchObject({ code: 'not_claimed' });
    await desk.reply(ticketId, OTTO, 'Hello, this is Otto.');
    // The hub stays silent: a person has it.
    await hub.say(ANA, 'How do I pause my plan?', threadId);
    expect(said(hub, threadId).at(-1)).toBe('customer: How do I pause my plan?');
  });

  it('[SHF-02] is given to a colleague who is known at the desk, by its holder only', async () => {
    const { threadId, ticketId } = await claimed();
    const { desk } = hub.app;
    const unknown = desk.reassign(ticketId, OLGA, OTTO.operatorId);
    await expect(unknown).rejects.toMatchObject({ code: 'input_invalid' });
    await desk.attend(OTTO, { ticketId: null, typing: false });
    const notHers = desk.reassign(ticketId, OTTO, OTTO.operatorId);
    await expect(notHers).rejects.toMatchObject({ code: 'not_claimed' });
    await desk.reassign(ticketId, OLGA, OTTO.operatorId, 'He knows the venue.');
    expect(await holderOf(ticketId)).toBe('Otto');
    expect(said(hub, threadId).at(-1)).toContain('He knows the venue.');
  });
});

describe('[SHF-49] a shift', () => {
  it('ends once at the time that was set by the clocks of the company, whoever still looks', async () => {
    const { threadId, ticketId } = await claimed();
    const { desk } = hub.app;
    const at = { ticketId, typing: false };
    const ends = (await desk.attend(OLGA, { ...at, shiftEnds: '12:10' }))[0]?.shiftEndsAt;
    expect(ends).toBe('2026-03-11T15:10:00.000Z');
    // A page that says that it is there changes nothing of it; a time that has passed is tomorrow's.
    expect((await desk.attend(OLGA, at))[0]?.shiftEndsAt).toBe(ends);
    expect((await desk.attend(OTTO, { ...at, shiftEnds: '11:00' })).at(-1)?.shiftEndsAt).toBe(
      '2026-03-12T14:00:00.000Z',
    );
    const answered = await hub.say('bruno.lima@example.com', PERSON);
    await desk.reply(answered.ticketId, OLGA, 'Hello Bruno.');
    hub.clock.advance({ minutes: 9 });
    await desk.attend(OLGA, at);
    expect(await holderOf(ticketId)).toBe('Olga');
    hub.clock.advance({ minutes: 2 });
    await until(async () => (await holderOf(ticketId)) === null, 'the shift has ended');
    expect(said(hub, threadId)).toContainEqual(
      '[system: Olga ended the shift: the conversation is back in the queue.]',
    );
    expect(await holderOf(answered.ticketId)).toBe('Olga');
    expect((await desk.attend(OLGA, at)).find(({ name }) => name === 'Olga')?.shiftEndsAt).toBeNull();
    await desk.attend(OTTO, { ...at, shiftEnds: null });
    expect((await desk.attend(OTTO, at)).every(({ shiftEndsAt }) => shiftEndsAt === null)).toBe(true);
  });
});

describe('a claim whose operator is silent', () => {
  it('[SHF-03] lapses while the customer waits: the customer is told, and the next one can claim it', async () => {
    const { threadId, ticketId } = await claimed();
    hub.clock.advance({ minutes: 29 });
    await hub.app.desk.attend(OLGA, { ticketId, typing: true });
    hub.clock.advance({ minutes: 29 });
    expect(await holderOf(ticketId)).toBe('Olga');
    hub.clock.advance({ minutes: 3 });
    await until(async () => (await holderOf(ticketId)) === null, 'the claim has lapsed');
    expect(said(hub, threadId)).toContainEqual(
      expect.stringMatching(/^hub: Olga cannot go on right now\. Your request is with our whole team again/),
    );
    expect(await hub.app.desk.entries({ view: 'unassigned', limit: 10 })).toHaveLength(1);
    await hub.app.desk.claim(ticketId, OTTO);
  });

  it('[SHF-03] stays while the customer has been answered, however long it lasts', async () => {
    const { threadId, ticketId } = await claimed();
    await hub.app.desk.reply(ticketId, OLGA, 'I have sent it.');
    hub.clock.advance({ hours: 3 });
    // Something that the same sweep does: once it is done, the claim was looked at.
    const other = await hub.say('bruno.lima@example.com', PERSON);
    await hub.app.desk.claim(other.ticketId, OTTO);
    hub.clock.advance({ minutes: 31 });
    await until(async () => (await holderOf(other.ticketId)) === null, 'the other claim has lapsed');
    expect(await holderOf(ticketId)).toBe('Olga');
    await hub.say(ANA, 'It has not arrived.', threadId);
    hub.clock.advance({ minutes: 31 });
    await until(async () => (await holderOf(ticketId)) === null, 'the claim has lapsed');
  });
});

describe('the end of a shift', () => {
  it('[LED-06] gives back what customers wait for, with a word to them and a note, and leaves what is answered', async () => {
    const { threadId, ticketId } = await claimed();
    const { desk } = hub.app;
    const answered = await hub.say('bruno.lima@example.com', PERSON);
    await desk.claim(answered.ticketId, OLGA);
    await desk.reply(answered.ticketId, OLGA, 'I have sent it.');
    const other = await hub.say('joao.cardoso@example.com', PERSON);
    await desk.claim(other.ticketId, OTTO);
    hub.clock.advance({ minutes: 1 });
    expect(await desk.endShift(OLGA)).toBe(1);
    expect(await holderOf(ticketId)).toBeNull();
    expect(await holderOf(answered.ticketId)).toBe('Olga');
    expect(await holderOf(other.ticketId)).toBe('Otto');
    expect(said(hub, threadId).slice(-2)).toEqual([
      expect.stringMatching(/^hub: Olga cannot go on right now\./),
      '[system: Olga ended the shift: the conversation is back in the queue.]',
    ]);
    expect(await desk.entries({ view: 'unassigned', limit: 10 })).toHaveLength(1);
    expect(await desk.endShift(OLGA)).toBe(0);
    await desk.claim(ticketId, OTTO);
  });

  it('[SHF-193] gives back what comes later as well, put aside or answered, until the operator is there again', async () => {
    const { threadId, ticketId } = await claimed();
    const { desk } = hub.app;
    const at = { ticketId: null, typing: false };
    await desk.attend(OLGA, at);
    await desk.reply(ticketId, OLGA, 'I have sent it.');
    await desk.snooze(ticketId, OLGA, new Date(hub.clock.now().getTime() + 86_400_000).toISOString());
    hub.clock.advance({ minutes: 1 });
    expect(await desk.endShift(OLGA)).toBe(0);
    // Nobody is shown who has gone.
    expect((await desk.attend(OTTO, at)).map(({ name }) => name)).toEqual(['Otto']);
    hub.clock.advance({ minutes: 5 });
    await hub.say(ANA, 'It has not come.', threadId);
    await until(async () => (await holderOf(ticketId)) === null, 'the ticket is back');
    const waiting = await desk.entries({ view: 'unassigned', limit: 9 });
    expect(waiting).toMatchObject([
      { ticket: { ticketId }, customerMessage: { content: 'It has not come.' } },
    ]);
    expect(said(hub, threadId).slice(-2)).toEqual([
      expect.stringMatching(/^hub: Olga cannot go on right now\./),
      '[system: Olga ended the shift: the conversation is back in the queue.]',
    ]);
    // Whoever works on after the end of the shift keeps what they take.
    await desk.claim(ticketId, OLGA);
    await hub.say(ANA, 'Hello?', threadId);
    const other = await hub.say('joao.cardoso@example.com', PERSON);
    await desk.claim(other.ticketId, OTTO);
    await desk.reply(other.ticketId, OTTO, 'Here it is.');
    hub.clock.advance({ minutes: 1 });
    await desk.endShift(OTTO);
    await hub.say('joao.cardoso@example.com', 'Where?', other.threadId);
    await until(async () => (await holderOf(other.ticketId)) === null, 'the other ticket is back');
    expect(await holderOf(ticketId)).toBe('Olga');
    await desk.attend(OLGA, at);
    expect((await desk.attend(OTTO, at)).map(({ name }) => name)).toEqual(['Olga', 'Otto']);
  });
});

describe('who is at the desk', () => {
  it('[SHF-04] is told to the others as it changes, and one who is not heard of for a minute is gone', async () => {
    const { ticketId } = await claimed();
    const { desk, deskEvents } = hub.app;
    const seen: unknown[] = [];
    const end = new AbortController();
    await deskEvents.follow({
      onEvent: ({ type, data }) => {
        if (type === 'presence') seen.push({ ...data, threadId: undefined });
      },
      signal: end.signal,
    });
    const operator = { id: OTTO.operatorId, name: OTTO.name };
    await desk.attend(OTTO, { ticketId, typing: false });
    await desk.attend(OTTO, { ticketId, typing: false });
    await desk.attend(OTTO, { ticketId, typing: true });
    await desk.attend(OTTO, { ticketId: null, typing: false });
    await until(() => seen.length >= 3, 'the presence was told');
    end.abort();
    expect(seen).toEqual([
      { ticketId, operator, watching: true, typing: false },
      { ticketId, operator, watching: true, typing: true },
      { ticketId, operator, watching: false, typing: false },
    ]);
    expect(await desk.attend(OLGA, { ticketId, typing: false })).toMatchObject([
      { name: 'Olga', ticketId },
      { name: 'Otto', ticketId: null },
    ]);
    hub.clock.advance({ minutes: 2 });
    expect(await desk.attend(OLGA, { ticketId, typing: false })).toMatchObject([{ name: 'Olga' }]);
  });
});

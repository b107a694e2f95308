import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { readEntities } from '../../../src/company/entities.js';
import { type Hub, openHub } from '../../support/hub.js';
import { ROSTER } from '../../support/roster.js';
import { ANA } from '../safety/books.js';
import { OLGA, OTTO } from './support.js';

const COMPANIES = fileURLToPath(new URL('../../../companies', import.meta.url));

let hub: Hub;
afterEach(() => hub.close());

const mine = async () =>
  (await hub.app.desk.entries({ view: 'mine', operatorId: OLGA.operatorId, limit: 9 }))[0];

describe('a customer who writes on a claimed ticket', () => {
  it('[SHF-05] is heard: the words stand in the row, unread until its operator looks, and raise the priority', async () => {
    hub = await openHub();
    const { desk } = hub.app;
    const { threadId, ticketId } = await hub.say(ANA, 'I want to talk to a person about my booking');
    await desk.claim(ticketId, OLGA);
    expect(await mine()).toMatchObject({ unread: 0, classification: { priority: 'medium' } });
    const summary = (await mine())?.classification?.summary;
    hub.clock.advance({ minutes: 2 });
    await hub.say(ANA, 'This is urgent, I am waiting at the door!', threadId);
    expect(await mine()).toMatchObject({
      unread: 1,
      customerMessage: { content: 'This is urgent, I am waiting at the door!' },
      classification: { priority: 'high', summary },
    });
    expect(await desk.counts(OLGA.operatorId)).toMatchObject({ mine: 1, unread: 1 });
    // A colleague who looks on does not take the mark away.
    hub.clock.advance({ minutes: 1 });
    await desk.attend(OTTO, { ticketId, typing: false });
    expect(await mine()).toMatchObject({ unread: 1 });
    await desk.attend(OLGA, { ticketId, typing: false });
    expect(await mine()).toMatchObject({ unread: 0 });
    // What comes while it is open on her screen has been looked at when she leaves it.
    hub.clock.advance({ ms: 10_000 });
    await hub.say(ANA, 'Hello?', threadId);
    await desk.attend(OLGA, { ticketId: null, typing: false });
    expect(await mine()).toMatchObject({ unread: 0 });
    expect(await desk.counts(OLGA.operatorId)).toMatchObject({ mine: 1, unread: 0 });
  });
});

describe('who writes at the desk', () => {
  it('[SHF-166] has stopped some seconds after the page was heard of last', async () => {
    hub = await openHub();
    const { desk } = hub.app;
    const { ticketId } = await hub.say(ANA, 'I want to talk to a person about my booking');
    await desk.attend(OLGA, { ticketId, typing: true });
    const typing = async () =>
      (await desk.attend(OTTO, { ticketId, typing: false })).find(
        ({ operatorId }) => operatorId === OLGA.operatorId,
      )?.typing;
    hub.clock.advance({ ms: 6_000 });
    expect(await typing()).toBe(true);
    hub.clock.advance({ ms: 14_000 });
    expect(await typing()).toBe(false);
  });
});

describe('what an operator reads of a tool call', () => {
  it('[SHF-12] has a name in every language for each argument of every tool', async () => {
    hub = await openHub();
    const { argumentNames } = hub.app;
    const names = [...ROSTER.all.values()].flatMap(({ input }) => Object.keys(input.shape));
    expect(names.filter((name) => argumentNames[name] === undefined)).toEqual([]);
    expect(argumentNames['message']).toEqual({ en: 'Message', 'pt-BR': 'Mensagem' });
  });
});

describe('what an operator reads of records', () => {
  it('[SHF-152] has a name in every language for the records of each entity, whoever reads them', async () => {
    hub = await openHub();
    expect(hub.app.entityNames).toEqual({
      experience: { en: 'Experiences', 'pt-BR': 'Experiências' },
      reservation: { en: 'Reservations', 'pt-BR': 'Reservas' },
      subscription: { en: 'Subscription', 'pt-BR': 'Assinatura' },
    });
    // In YAML it is what stands above them at the desk, which is no command of a tool.
    const shop = readEntities(join(COMPANIES, 'shop'));
    expect(shop.map(({ label }) => label?.['es'])).toEqual(['Direcciones', 'Pedidos', 'Medios de pago']);
  });
});

describe('a colleague who is named in a note', () => {
  it('[SHF-51] has a list of the tickets that wait for a word, and nobody else has', async () => {
    hub = await openHub();
    const { desk } = hub.app;
    const { ticketId } = await hub.say(ANA, 'I want to talk to a person about my booking');
    const named = async (who: typeof OLGA) => {
      const me = { operatorId: who.operatorId, operatorName: who.name };
      const list = await desk.entries({ view: 'mentioned', ...me, limit: 9 });
      expect(await desk.counts(who.operatorId, who.name)).toMatchObject({ mentioned: list.length });
      return list.map(({ ticket }) => ticket.ticketId);
    };
    await desk.note(ticketId, OLGA, 'A note that names nobody.');
    expect(await named(OTTO)).toEqual([]);
    await desk.note(
      ticketId,
      OLGA,
      `@${OTTO.name.toUpperCase()}, do you know the venue? @${OLGA.name} asks.`,
    );
    expect(await named(OTTO)).toEqual([ticketId]);
    expect(await named(OLGA)).toEqual([]);
    await desk.note(ticketId, OTTO, 'I do.');
    expect(await named(OTTO)).toEqual([]);
  });
});

describe('a person who works out of hours', () => {
  it('[SHF-11] is not said to be away: that the support is closed is told once the claim is old', async () => {
    hub = await openHub();
    hub.clock.advance({ hours: 9 });
    const { threadId, ticketId } = await hub.say(ANA, 'I want to talk to a person');
    await hub.app.desk.claim(ticketId, OLGA);
    const at = await hub.say(ANA, 'Hello?', threadId);
    expect(at.reply).toMatch(/^Olga from our team/);
    expect(at.reply).not.toMatch(/closed/);
    hub.clock.advance({ minutes: 31 });
    expect((await hub.say(ANA, 'Hello?', threadId)).reply).toMatch(
      /^Olga from our team.*closed at the moment/,
    );
    // Nor while they write to one another, however long ago it was claimed.
    await hub.app.desk.reply(ticketId, OLGA, 'Hello Ana, which booking is it?');
    expect((await hub.say(ANA, 'The last one', threadId)).reply).not.toMatch(/closed/);
  });
});

describe('the lists of the desk', () => {
  it('[SHF-06] tell apart what the hub is at, what waits for the customer, for the team, and for an approval', async () => {
    hub = await openHub();
    const { desk } = hub.app;
    const views = ['hub', 'team', 'customer', 'approvals', 'unassigned', 'resolved'] as const;
    const lists = async () =>
      Object.fromEntries(
        await Promise.all(
          views.map(async (view) => [
            view,
            (await desk.entries({ view, limit: 9 })).map(({ ticket }) => ticket.ticketId),
          ]),
        ),
      );
    const asked = await hub.say(ANA, 'cancel my booking res_001');
    const approval = await hub.say(ANA, 'yes', asked.threadId);
    const bruno = await hub.say('bruno.lima@example.com', 'I want to talk to a person');
    const gabi = await hub.say('gabriela.nunes@example.com', 'How do I pause my plan?');
    expect(await lists()).toEqual({
      hub: [gabi.ticketId],
      team: [bruno.ticketId],
      customer: [],
      approvals: [approval.ticketId],
      unassigned: [bruno.ticketId],
      resolved: [],
    });
    await desk.claim(bruno.ticketId, OLGA);
    await desk.reply(bruno.ticketId, OLGA, 'Hello Bruno, what is it about?');
    expect(await lists()).toMatchObject({ team: [], customer: [bruno.ticketId], unassigned: [] });
    const counts = await desk.counts(OLGA.operatorId);
    expect(counts).toMatchObject({ hub: 1, team: 0, customer: 1, approvals: 1, unassigned: 0, mine: 1 });
  });

  it('[SHF-10] leave out what is put aside, until its time or the customer comes, and find tickets by tag', async () => {
    hub = await openHub();
    const { desk } = hub.app;
    const { threadId, ticketId } = await hub.say(ANA, 'I want to talk to a person');
    await desk.claim(ticketId, OLGA);
    const mine = async (tag?: string) =>
      (await desk.entries({ view: 'mine', operatorId: OLGA.operatorId, tag, limit: 9 })).length;
    const until = (hours: number): string =>
      new Date(hub.clock.now().getTime() + hours * 3_600_000).toISOString();
    await expect(desk.snooze(ticketId, OTTO, until(1))).rejects.toMatchObject({ code: 'not_claimed' });
    await expect(desk.snooze(ticketId, OLGA, until(-1))).rejects.toMatchObject({ code: 'input_invalid' });
    await desk.snooze(ticketId, OLGA, until(1));
    expect([await mine(), (await desk.counts(OLGA.operatorId)).snoozed]).toEqual([0, 1]);
    hub.clock.advance({ minutes: 61 });
    expect(await mine()).toBe(1);
    await desk.snooze(ticketId, OLGA, until(1));
    hub.clock.advance({ minutes: 1 });
    expect(await mine()).toBe(0);
    await hub.say(ANA, 'One more thing', threadId);
    expect([await mine(), (await desk.counts(OLGA.operatorId)).snoozed]).toEqual([1, 0]);
    // Neither does it go away again once that was read and answered.
    hub.clock.advance({ minutes: 1 });
    await desk.attend(OLGA, { ticketId, typing: false });
    await desk.reply(ticketId, OLGA, 'Hello Ana, I am looking at it.');
    expect([await mine(), (await desk.counts(OLGA.operatorId)).snoozed]).toEqual([1, 0]);
    await desk.setTags(ticketId, ['Refund', 'refund ', 'vip']);
    expect((await desk.entries({ view: 'all', tag: 'refund', limit: 9 }))[0]?.tags).toEqual([
      'refund',
      'vip',
    ]);
    expect([await mine('vip'), await mine('other')]).toEqual([1, 0]);
    await expect(desk.setTags(ticketId, ['x'.repeat(41)])).rejects.toMatchObject({ code: 'input_invalid' });
  });

  it('[SHF-165] put those first whose customers wait, and the answered ones behind them', async () => {
    hub = await openHub();
    const { desk } = hub.app;
    const pressing = await hub.say(ANA, 'This is urgent, I want to talk to a person now!');
    hub.clock.advance({ minutes: 1 });
    const calm = await hub.say('bruno.lima@example.com', 'I want to talk to a person');
    for (const { ticketId } of [pressing, calm]) await desk.claim(ticketId, OLGA);
    const order = async () =>
      (await desk.entries({ view: 'mine', operatorId: OLGA.operatorId, limit: 9 })).map(
        ({ ticket }) => ticket.ticketId,
      );
    expect(await order()).toEqual([pressing.ticketId, calm.ticketId]);
    await desk.reply(pressing.ticketId, OLGA, 'I look at it.');
    expect(await order()).toEqual([calm.ticketId, pressing.ticketId]);
  });

  it('[SHF-06] come in pages and in the order that is asked for', async () => {
    hub = await openHub();
    const said = [];
    for (const email of [ANA, 'bruno.lima@example.com', 'gabriela.nunes@example.com']) {
      hub.clock.advance({ minutes: 1 });
      said.push((await hub.say(email, 'I want to talk to a person')).ticketId);
    }
    const page = async (sort: 'newest' | 'oldest', offset: number) =>
      (await hub.app.desk.entries({ view: 'unassigned', sort, offset, limit: 2 })).map(
        ({ ticket }) => ticket.ticketId,
      );
    expect([...(await page('oldest', 0)), ...(await page('oldest', 2))]).toEqual(said);
    expect([...(await page('newest', 0)), ...(await page('newest', 2))]).toEqual(said.toReversed());
  });
});

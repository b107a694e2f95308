import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { until } from '../../support/until.js';
import { ANA } from '../safety/books.js';
import { OLGA, OTTO } from './support.js';

const PERSON = 'I want to talk to a person';
const BRUNO = 'bruno.lima@example.com';
const CARLA = 'carla.mendes@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub({ overrides: { expireEveryMs: 20 } });
  for (const one of [OLGA, OTTO]) await hub.app.desk.attend(one, { ticketId: null, typing: false });
});
afterEach(async () => {
  await hub.close();
});

async function claimed(email: string | null, by = OLGA): Promise<string> {
  const { ticketId } = await hub.say(email, PERSON);
  await hub.app.desk.claim(ticketId, by);
  return ticketId;
}

describe('an operator who comes back', () => {
  it('[SHF-183] has been away after ten minutes of silence, and only then', async () => {
    const { desk } = hub.app;
    expect(await desk.awaySince({ operatorId: 'op_new', name: 'Nina' })).toBeNull();
    const left = hub.clock.now().toISOString();
    hub.clock.advance({ minutes: 9 });
    expect(await desk.awaySince(OLGA)).toBeNull();
    hub.clock.advance({ minutes: 2 });
    expect(await desk.awaySince(OLGA)).toBe(left);
    await desk.attend(OLGA, { ticketId: null, typing: false });
    expect(await desk.awaySince(OLGA)).toBeNull();
  });

  it('[SHF-183] is told of each ticket that was taken, given or lapsed, and where it is now', async () => {
    const { desk } = hub.app;
    const [taken, lapsed, given] = [await claimed(ANA), await claimed(BRUNO), await claimed(CARLA, OTTO)];
    hub.clock.advance({ minutes: 1 });
    const before = hub.clock.now().toISOString();
    await desk.takeFromColleague(taken, OTTO, 'Olga is at lunch');
    await desk.resolve(taken, OTTO, { text: 'Done.' });
    await desk.reply(given, OTTO, 'Olga answers you next.');
    await desk.reassign(given, OTTO, OLGA.operatorId, 'you know her');
    hub.clock.advance({ minutes: 31 });
    await until(async () => (await desk.show(lapsed)).ticket.operatorName === null, 'the claim has lapsed');
    const fresh = await hub.say(null, PERSON);
    const away = await desk.away(OLGA, before);
    expect(Object.fromEntries(away.moved.map((one) => [one.ticketId, one]))).toMatchObject({
      [taken]: { kind: 'taken', name: 'Otto', note: 'Olga is at lunch', now: 'resolved', holder: 'Otto' },
      [lapsed]: { kind: 'lapsed', name: null, note: null, now: 'queue', customerName: 'Bruno Lima' },
      [given]: { kind: 'given', name: 'Otto', note: 'you know her', now: 'claimed', holder: 'Olga' },
    });
    expect(fresh.escalated).toBe(true);
    expect(away).toMatchObject({ since: before, escalated: 1, resolved: 1, unassigned: 2 });
  });

  it('[SHF-183] is told nothing of what was their own doing, or of what others moved among themselves', async () => {
    const { desk } = hub.app;
    const [own, others] = [await claimed(ANA), await claimed(BRUNO, OTTO)];
    const nina = { operatorId: 'op_3', name: 'Nina' };
    const before = hub.clock.now().toISOString();
    hub.clock.advance({ minutes: 1 });
    await desk.reassign(own, OLGA, OTTO.operatorId, 'please');
    await desk.takeFromColleague(others, nina, 'Olga → Nina: Olga said so');
    expect((await desk.away(OLGA, before)).moved).toEqual([]);
  });

  it('[SHF-187] is told how a ticket stands however often others moved meanwhile', async () => {
    const { desk } = hub.app;
    const ticketId = await claimed(ANA, OTTO);
    const before = hub.clock.now().toISOString();
    hub.clock.advance({ minutes: 1 });
    hub.exec(
      'udahub',
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
       INSERT INTO ticket_messages (message_id, ticket_id, role, content, audience, created_at)
       SELECT 'msg_busy_' || i, '${ticketId}', 'system', 'Olga put the conversation back into the queue.', 'desk',
         '${hub.clock.now().toISOString()}' FROM n`,
    );
    hub.clock.advance({ minutes: 1 });
    await desk.reassign(ticketId, OTTO, OLGA.operatorId, 'you know her');
    expect((await desk.away(OLGA, before)).moved).toMatchObject([
      { ticketId, kind: 'given', holder: 'Olga' },
    ]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { letOthersRun, until } from '../../support/until.js';
import {
  ANA,
  effects,
  expectBooksToAgree,
  newRefunds,
  outcomeOf,
  reservationStatus,
  timesTold,
} from '../safety/books.js';
import { doors, escalationsOf, OLGA, OTTO, said, ticketsOf } from './support.js';

const DEAR = 'cancel my booking res_004';
const LATE = 'cancel my booking res_001';
const QUESTION = 'How do I pause my plan?';
const EASY = 'cancel my booking res_003';

describe.each(['memory', 'sqlite'] as const)('an operator takes over, %s checkpointer', (checkpointer) => {
  let hub: Hub;
  let stops: ReturnType<typeof doors>;
  beforeEach(async () => {
    stops = doors();
    hub = await openHub({ checkpointer, overrides: stops.overrides });
  });
  afterEach(async () => {
    expectBooksToAgree(hub);
    await hub.close();
  });

  it('[PPL-01] drops the turn that runs: nothing of it is said, and the customer hears who has it', async () => {
    const { threadId, ticketId } = await hub.say(ANA, QUESTION);
    const before = hub.query('udahub', 'SELECT * FROM ticket_turns');
    stops.triage.shut();
    const turn = hub.say(ANA, 'What is included in Premium?', threadId);
    await stops.triage.reached;
    const claiming = hub.app.desk.claim(ticketId, OLGA);
    stops.triage.open();
    expect(await claiming).toMatchObject({ owner: 'operator', operatorId: 'op_1', operatorName: 'Olga' });
    const reply = await turn;
    expect(reply).toMatchObject({
      pending: null,
      escalated: false,
      provider: 'offline',
      route: [{ to: 'operator', by: 'rule:claimed' }],
    });
    expect(reply.reply).toContain('Olga');
    expect(said(hub, threadId).slice(2)).toEqual([
      'customer: What is included in Premium?',
      '[system: Olga took the conversation over.]',
      `hub: ${reply.reply}`,
    ]);
    expect(hub.query('udahub', 'SELECT * FROM ticket_turns')).toEqual(before);
    expect(escalationsOf(hub, threadId)).toEqual([]);
  });

  it('[PPL-02] is silent when the claim returns, also where the turn runs in another process', async () => {
    const second = await hub.another();
    const { threadId, ticketId } = await hub.say(ANA, QUESTION);
    stops.triage.shut();
    const turn = hub.say(ANA, 'What is included in Premium?', threadId);
    await stops.triage.reached;
    const claiming = second.app.desk.claim(ticketId, OLGA);
    await until(() => ticketsOf(hub, threadId).some(({ operator_id: id }) => id === OLGA.operatorId));
    stops.triage.open();
    await claiming;
    const silent = said(hub, threadId);
    expect((await turn).reply).toContain('Olga');
    expect(said(hub, threadId)).toEqual(silent);
    expect(silent.filter((line) => line.startsWith('hub: '))).toHaveLength(2);
  });

  it('[PPL-03] lets one of two operators have it, and tells the other who', async () => {
    const second = await hub.another();
    const { ticketId } = await hub.say(ANA, QUESTION);
    const outcomes = await Promise.allSettled([
      hub.app.desk.claim(ticketId, OLGA),
      second.app.desk.claim(ticketId, OTTO),
      hub.app.desk.claim(ticketId, { operatorId: 'op_3', name: 'Odette' }),
    ]);
    const won = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(won).toHaveLength(1);
    const { operatorName } = (await hub.app.desk.show(ticketId)).ticket;
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue;
      expect(outcome.reason).toMatchObject({ code: 'already_claimed', fields: { operator: operatorName } });
    }
    const holder =
      operatorName === 'Olga'
        ? OLGA
        : operatorName === 'Otto'
          ? OTTO
          : { operatorId: 'op_3', name: 'Odette' };
    const again = await hub.app.desk.claim(ticketId, holder);
    expect(again.operatorName).toBe(operatorName);
  });

  it('[PPL-04] withdraws what the hub asked; a yes after that only reaches the operator', async () => {
    const asked = await hub.say(ANA, EASY);
    expect(asked.pending?.kind).toBe('confirmation');
    await hub.app.desk.claim(asked.ticketId, OLGA);
    const reply = await hub.say(ANA, 'yes', asked.threadId);
    expect(reply).toMatchObject({ pending: null, route: [{ to: 'operator', by: 'rule:claimed' }] });
    expect(effects(hub)).toEqual([]);
    expect(said(hub, asked.threadId)).toContain('customer: yes');
    expect(said(hub, asked.threadId).join('\n')).toMatch(/\[system: Withdrawn.*Shall I cancel/);
    expect(hub.query('udahub', 'SELECT status FROM approvals')).toEqual([{ status: 'superseded' }]);
    const pressed = { pendingId: asked.pending?.id ?? '', approved: true };
    const identity = await hub.app.signIn(ANA);
    const { threadId } = asked;
    const press = hub.app.handle({ identity, text: 'yes', channel: 'http', threadId, answer: pressed });
    expect(await outcomeOf(press)).toBe('pending_decided');
  });

  it('[PPL-05] before the effect: a yes that was given is taken back, now and after a restart', async () => {
    const asked = await hub.say(ANA, EASY);
    stops.triage.shut();
    const { threadId } = asked;
    stops.before.shut();
    const second = await hub.another({ overrides: {} });
    // The yes is decided; the claim comes between that and the effect.
    await second.app.desk.show(asked.ticketId);
    hub.exec(
      'udahub',
      `UPDATE approvals SET status = 'approved', decided_by = 'customer:usr_001', decided_at = '${hub.clock.now().toISOString()}'`,
    );
    await second.app.desk.claim(asked.ticketId, OLGA);
    expect(hub.query('udahub', 'SELECT status FROM approvals')).toEqual([{ status: 'superseded' }]);
    expect(said(hub, threadId).join('\n')).toMatch(
      /\[system: The customer agreed to cancel_reservation.*nothing of it was done/,
    );
    const third = await hub.another({ overrides: {} });
    expect(effects(third)).toEqual([]);
    expect(reservationStatus(hub, 'res_003')).toBe('reserved');
  });

  it('[PPL-06] after the effect: it stands, the desk reads what was done, and nobody tells the customer twice', async () => {
    const asked = await hub.say(ANA, EASY);
    stops.after.shut();
    const turn = hub.say(ANA, 'yes', asked.threadId);
    await stops.after.reached;
    const claiming = hub.app.desk.claim(asked.ticketId, OLGA);
    const reply = await Promise.race([turn, claiming.then(() => turn)]).finally(() => stops.after.open());
    await claiming;
    expect(reply.reply).toContain('Olga');
    expect(effects(hub)).toHaveLength(1);
    expect(timesTold(hub, asked.threadId, /^Done/)).toBe(0);
    const notes = said(hub, asked.threadId).filter((line) => line.includes("Done at the customer's word"));
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/^\[system: Done at the customer's word: cancel_reservation .*res_003/);
    const restarted = await hub.another({ overrides: {} });
    await restarted.app.desk.returnToHub(asked.ticketId, OLGA, 'cancelled, told her on the phone');
    expect(effects(hub)).toHaveLength(1);
    expect(timesTold(hub, asked.threadId, /^Done/)).toBe(0);
  });

  it('[PPL-07] leaves approvals open; deciding one on a claimed ticket does it once and tells the customer once', async () => {
    const asked = await hub.say(ANA, LATE);
    const { pending, threadId, ticketId } = await hub.say(ANA, 'yes', asked.threadId);
    await hub.app.desk.claim(ticketId, OLGA);
    const outcome = await hub.app.desk.approve(pending?.id ?? '', OTTO);
    expect(outcome.reply).toContain('Done');
    expect(newRefunds(hub)).toHaveLength(1);
    expect(timesTold(hub, threadId, /Done/)).toBe(1);
    expect(ticketsOf(hub, threadId)).toMatchObject([{ owner: 'operator', operator_id: 'op_1' }]);
    await hub.app.desk.returnToHub(ticketId, OLGA);
    await hub.say(ANA, 'thanks', threadId);
    expect(newRefunds(hub)).toHaveLength(1);
    expect(timesTold(hub, threadId, /Done/)).toBe(1);
  });

  it('[PPL-08] takes the answer of a running turn or drops it, never half: claims at any moment', async () => {
    const { threadId, ticketId } = await hub.say(ANA, QUESTION);
    for (const turns of [0, 1, 3, 10, 30, 100]) {
      const turn = hub.say(ANA, `What is included in Premium? (${turns})`, threadId);
      // That often whatever waits has had its turn: moments that no speed of a machine moves.
      await letOthersRun(turns);
      await hub.app.desk.claim(ticketId, OLGA);
      const silent = said(hub, threadId);
      const reply = await turn;
      expect(said(hub, threadId)).toEqual(silent);
      const line = silent.filter((one) => one.startsWith('hub: ') && reply.reply.includes(one.slice(5)));
      expect(line.length).toBeGreaterThan(0);
      await hub.app.desk.release(ticketId, OLGA);
      expect(ticketsOf(hub, threadId).every(({ operator_id: id }) => id === null)).toBe(true);
      await hub.app.desk.claim(ticketId, OLGA);
      await hub.app.desk.reply(ticketId, OLGA, 'Noted.');
      await hub.app.desk.returnToHub(ticketId, OLGA);
    }
  });

  it('refuses what an operator may not do', async () => {
    const { ticketId } = await hub.say(ANA, DEAR);
    const { desk } = hub.app;
    expect(await outcomeOf(desk.claim('tkt_none', OLGA))).toBe('not_found');
    expect(await outcomeOf(desk.release(ticketId, OLGA))).toBe('not_claimed');
    expect(await outcomeOf(desk.returnToHub(ticketId, OLGA))).toBe('not_claimed');
    await desk.claim(ticketId, OLGA);
    for (const work of [
      desk.reply(ticketId, OTTO, 'hello'),
      desk.resolve(ticketId, OTTO, {}),
      desk.release(ticketId, OTTO),
      desk.returnToHub(ticketId, OTTO),
    ]) {
      await expect(work).rejects.toMatchObject({
        code: 'not_claimed',
        message: expect.stringContaining('Olga'),
      });
    }
    expect(await outcomeOf(desk.reply(ticketId, OLGA, ' \u200B '))).toBe('input_invalid');
    expect(await outcomeOf(desk.reply(ticketId, OLGA, 'x'.repeat(100_000)))).toBe('input_too_large');
    await desk.resolve(ticketId, OLGA, {});
    expect(await outcomeOf(desk.claim(ticketId, OLGA))).toBe('wrong_status');
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import {
  ANA,
  auditRows,
  effects,
  expectBooksToAgree,
  outcomeOf,
  reservationStatus,
} from '../safety/books.js';
import { OLGA, ticketsOf } from './support.js';

const BRUNO = 'bruno.lima@example.com';
/** Starts ten hours after the data were seeded. */
const LATE = 'cancel my booking res_001';

let hub: Hub;
afterEach(async () => {
  await hub.close();
});

async function asked() {
  hub = await openHub();
  const { threadId } = await hub.say(ANA, LATE);
  const { pending, ticketId } = await hub.say(ANA, 'yes', threadId);
  expect(pending?.kind).toBe('approval');
  return { threadId, ticketId, id: pending?.id ?? '' };
}

describe('what was asked in time', () => {
  it('[SHF-178] is granted by operators after the start as well, once, at the terms that were told', async () => {
    const { id, threadId, ticketId } = await asked();
    hub.clock.advance({ hours: 12 });
    const { approvalsOpen } = await hub.app.desk.ticket(ticketId, 'en');
    const [open] = approvalsOpen;
    expect(open?.consequences.join(' ')).toMatch(
      /R\$ 90\.00 goes back.*It has started since.*before the start/,
    );
    const outcome = await hub.app.desk.approve(id, OLGA);
    expect(outcome.reply).toMatch(/Done.*R\$ 90\.00/);
    expect(reservationStatus(hub, 'res_001')).toBe('cancelled');
    expect(await outcomeOf(hub.app.desk.approve(id, OLGA))).toBe('pending_decided');
    await hub.say(ANA, 'hello', threadId);
    expect(effects(hub)).toHaveLength(1);
    expectBooksToAgree(hub);
  });

  it('[SHF-178] is told with what comes of it while it waits past the start', async () => {
    const { threadId } = await asked();
    hub.clock.advance({ hours: 12 });
    expect((await hub.say(ANA, 'what about my cancellation?', threadId)).reply).toContain('R$ 90.00');
  });

  it('[SHF-178] is granted of a plan as well after its days of withdrawal are over, and not to who asks then', async () => {
    hub = await openHub();
    const fernanda = 'fernanda.silveira@example.com';
    hub.exec('cultpass', `UPDATE payments SET amount_cents = 25000 WHERE payment_id = 'pay_229'`);
    // The last of the seven days.
    hub.exec(
      'cultpass',
      `UPDATE subscriptions SET started_at = '2026-03-04T15:00:00.000Z' WHERE user_id = 'usr_030'`,
    );
    const asked = await hub.say(fernanda, 'I want to withdraw from my subscription');
    const { pending } = await hub.say(fernanda, 'yes', asked.threadId);
    expect(pending).toMatchObject({ kind: 'approval', tool: 'withdraw_subscription' });
    hub.clock.advance({ hours: 20 });
    const outcome = await hub.app.desk.approve(pending?.id ?? '', OLGA);
    expect(outcome.reply).toMatch(/R\$ 250\.00/);
    expect(hub.query('cultpass', `SELECT status FROM subscriptions WHERE user_id = 'usr_030'`)).toEqual([
      { status: 'cancelled' },
    ]);
    hub.exec(
      'cultpass',
      `UPDATE subscriptions SET status = 'active', ended_at = NULL WHERE user_id = 'usr_030'`,
    );
    expect((await hub.say(fernanda, 'I want to withdraw from my subscription')).pending?.tool).not.toBe(
      'withdraw_subscription',
    );
  });

  it('[SHF-178] is refused where the visit has taken place', async () => {
    const { id } = await asked();
    hub.clock.advance({ hours: 12 });
    hub.exec('cultpass', `UPDATE reservations SET status = 'attended' WHERE reservation_id = 'res_001'`);
    await hub.app.desk.approve(id, OLGA);
    expect(effects(hub)).toEqual([]);
    expect(auditRows(hub)).toMatchObject([{ outcome: 'refused' }]);
  });

  it('[SHF-178] is not what a customer confirms after the start', async () => {
    hub = await openHub();
    const { threadId } = await hub.say(ANA, 'hello');
    const start = hub.query('cultpass', `SELECT starts_at FROM experiences WHERE experience_id = 'exp_020'`);
    hub.clock.set(String(start[0]?.starts_at));
    hub.clock.advance({ minutes: -10 });
    expect((await hub.say(ANA, LATE, threadId)).pending?.kind).toBe('confirmation');
    hub.clock.advance({ minutes: 15 });
    const { pending, reply } = await hub.say(ANA, 'yes', threadId);
    expect([pending ?? null, effects(hub)]).toEqual([null, []]);
    expect(reply).toContain('already started');
  });
});

describe('a ticket whose customer first only asks for a person', () => {
  const subjects = async (threadId: string) =>
    Promise.all(
      ticketsOf(hub, threadId).map(
        async ({ ticket_id: id }) => (await hub.app.desk.show(String(id))).classification,
      ),
    );

  it.each([
    [false, 'quero falar com um atendente', 'fui cobrado duas vezes este mês'],
    [true, 'quero falar com um atendente', 'fui cobrado duas vezes este mês'],
    [false, 'human please', 'I was charged twice this month'],
    [true, 'human please', 'I was charged twice this month'],
  ])('[SHF-179] is about what its customer says next (claimed: %s): %s', async (claimed, wish, matter) => {
    hub = await openHub();
    const { threadId, ticketId } = await hub.say(BRUNO, wish);
    if (claimed) await hub.app.desk.claim(ticketId, OLGA);
    await hub.say(BRUNO, matter, threadId);
    expect((await subjects(threadId))[0]).toMatchObject({
      ...{ issueType: 'billing', priority: 'high', summary: matter },
    });
  });

  it('[SHF-179] stays about that, and is about nothing because of a greeting', async () => {
    hub = await openHub();
    const { threadId, ticketId } = await hub.say(BRUNO, 'Atendente!!');
    await hub.app.desk.claim(ticketId, OLGA);
    for (const nothing of ['oi?', 'alguém aí?', 'tô esperando']) await hub.say(BRUNO, nothing, threadId);
    expect((await subjects(threadId))[0]).toMatchObject({ issueType: 'general', summary: 'Atendente!!' });
    await hub.say(BRUNO, 'não consigo entrar na minha conta', threadId);
    const first = (await subjects(threadId))[0];
    expect(first).toMatchObject({ summary: 'não consigo entrar na minha conta' });
    expect(first?.issueType).not.toBe('general');
    await hub.say(BRUNO, 'como eu pauso o plano?', threadId);
    await hub.say(BRUNO, 'obrigado', threadId);
    expect((await subjects(threadId))[0]).toEqual(first);
  });
});

describe('haste', () => {
  it.each([
    ['I was charged twice this month', 'This is urgent!', 'urgent'],
    ['Fui cobrado duas vezes este mês', 'isso é urgente', 'urgent'],
    ['I want to talk to a person about my booking', 'it is urgent please', 'high'],
    ['I want to talk to a person: the app crashes', 'urgent, it is today', 'urgent'],
  ])('[SHF-180] presses on a claimed ticket as in one message: %s / %s', async (matter, haste, priority) => {
    hub = await openHub();
    const { threadId, ticketId } = await hub.say(BRUNO, `${matter}. I want to talk to a person`);
    await hub.app.desk.claim(ticketId, OLGA);
    await hub.say(BRUNO, haste, threadId);
    expect((await hub.app.desk.show(ticketId)).classification?.priority).toBe(priority);
  });
});

describe('a ticket that goes back into the queue', () => {
  it('[SHF-185] comes without what the hub had answered beside it', async () => {
    hub = await openHub();
    const { threadId, ticketId } = await hub.say(BRUNO, 'quero falar com um atendente');
    const beside = await hub.say(BRUNO, 'fui cobrado duas vezes este mês', threadId);
    expect(beside.ticketId).not.toBe(ticketId);
    const { desk } = hub.app;
    for (const back of [() => desk.release(ticketId, OLGA), () => desk.endShift(OLGA)]) {
      await desk.attend(OLGA, { ticketId: null, typing: false });
      await desk.claim(ticketId, OLGA);
      await hub.say(BRUNO, 'e aí?', threadId);
      await back();
      expect(ticketsOf(hub, threadId)).toMatchObject([
        { ticket_id: ticketId, owner: 'operator', status: 'waiting_operator', operator_id: null },
        { ticket_id: beside.ticketId, owner: 'hub', status: 'waiting_customer', operator_id: null },
      ]);
      expect((await desk.counts(OLGA.operatorId)).unassigned).toBe(1);
    }
  });
});

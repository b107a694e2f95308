import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import {
  ANA,
  auditRows,
  effects,
  expectBooksToAgree,
  newRefunds,
  outcomeOf,
  reservationStatus,
  timesTold,
} from '../safety/books.js';
import { OLGA, OTTO, said, ticketsOf } from './support.js';

const LATE = 'cancel my booking res_001';

describe.each(['memory', 'sqlite'] as const)('decisions of operators, %s checkpointer', (checkpointer) => {
  let hub: Hub;
  beforeEach(async () => {
    hub = await openHub({ checkpointer });
  });
  afterEach(async () => {
    expectBooksToAgree(hub);
    await hub.close();
  });

  async function waiting(): Promise<{ threadId: string; ticketId: string; id: string }> {
    const asked = await hub.say(ANA, LATE);
    const { threadId, ticketId, pending } = await hub.say(ANA, 'yes', asked.threadId);
    expect(pending?.kind).toBe('approval');
    return { threadId, ticketId, id: pending?.id ?? '' };
  }

  it('[PPL-21] approves with the same arguments as it is', async () => {
    const { id, threadId } = await waiting();
    const outcome = await hub.app.desk.edit(id, OLGA, { reservation_id: 'res_001' });
    expect(outcome.reply).toContain('Done');
    expect(newRefunds(hub)).toHaveLength(1);
    expect(timesTold(hub, threadId, /Done/)).toBe(1);
  });

  it('[PPL-21] puts other arguments to the customer first: nothing happens without their yes, and once with it', async () => {
    const { id, threadId } = await waiting();
    const outcome = await hub.app.desk.edit(
      id,
      OLGA,
      { reservation_id: 'res_003' },
      'the other one is free of charge',
    );
    expect(outcome.pending.status).toBe('rejected');
    expect(outcome.reply).toMatch(/suggests something else.*Shall I cancel/s);
    expect(effects(hub)).toEqual([]);
    expect(await outcomeOf(hub.app.desk.approve(id, OTTO))).toBe('pending_decided');
    const read = await hub.say(ANA, 'what is this?', threadId);
    expect(read.reply).toContain('Shall I cancel');
    const done = await hub.say(ANA, 'yes', threadId);
    expect(done.reply).toContain('Done');
    expect(effects(hub)).toHaveLength(1);
    expect([reservationStatus(hub, 'res_001'), reservationStatus(hub, 'res_003')]).toEqual([
      'reserved',
      'cancelled',
    ]);
  });

  it('[PPL-21] refuses arguments that count for nothing, are wrong, or are another customer’s', async () => {
    const { id } = await waiting();
    const { desk } = hub.app;
    expect(await outcomeOf(desk.edit(id, OLGA, { reservation_id: 'res_001', amount_cents: 1 }))).toBe(
      'input_invalid',
    );
    expect(await outcomeOf(desk.edit(id, OLGA, { reservation_id: 7 }))).toBe('input_invalid');
    expect(await outcomeOf(desk.edit(id, OLGA, {}))).toBe('input_invalid');
    const foreign = hub.query(
      'cultpass',
      `SELECT reservation_id FROM reservations WHERE user_id <> 'usr_001' AND status = 'reserved'`,
    );
    const reservation_id = String(foreign[0]?.reservation_id);
    expect(await outcomeOf(desk.edit(id, OLGA, { reservation_id }))).toBe('policy_denied');
    expect(await outcomeOf(desk.edit('pnd_none', OLGA, {}))).toBe('pending_not_found');
    expect((await desk.approvals()).map(({ pendingId }) => pendingId)).toEqual([id]);
    expect(effects(hub)).toEqual([]);
  });

  it('[SHF-173] tells the operator who comes too late which colleague decided it, and how', async () => {
    const { id } = await waiting();
    const { desk } = hub.app;
    await desk.attend(OLGA, { ticketId: null, typing: false });
    await desk.reject(id, OLGA, 'the tour is today');
    await expect(desk.approve(id, OTTO)).rejects.toMatchObject({
      code: 'pending_decided',
      message: 'Olga has rejected this already.',
    });
  });

  it('[PPL-21] lets one of an edit, an approval and a refusal at once win', async () => {
    const { id, threadId } = await waiting();
    const second = await hub.another();
    const outcomes = await Promise.all([
      outcomeOf(hub.app.desk.edit(id, OLGA, { reservation_id: 'res_003' })),
      outcomeOf(second.app.desk.approve(id, OTTO)),
      outcomeOf(hub.app.desk.reject(id, OTTO, 'no')),
    ]);
    expect(outcomes.toSorted()).toEqual(['pending_decided', 'pending_decided', 'resolved']);
    expect(effects(hub).length).toBeLessThanOrEqual(1);
    expect(timesTold(hub, threadId, /Done|suggests|could not agree/)).toBe(1);
  });

  it('[PPL-21] on a ticket in hand: only its operator may, and the customer can answer then', async () => {
    const { id, threadId, ticketId } = await waiting();
    await hub.app.desk.claim(ticketId, OLGA);
    expect(await outcomeOf(hub.app.desk.edit(id, OTTO, { reservation_id: 'res_003' }))).toBe('not_claimed');
    await hub.app.desk.edit(id, OLGA, { reservation_id: 'res_003' });
    expect(ticketsOf(hub, threadId)).toMatchObject([{ owner: 'hub', status: 'waiting_customer' }]);
    await hub.say(ANA, 'hello?', threadId);
    expect((await hub.say(ANA, 'yes', threadId)).reply).toContain('Done');
    expect(effects(hub)).toHaveLength(1);
  });

  it('[PPL-22] tells the customer once of an approval that nobody decided in time, and the ticket goes on', async () => {
    const { id, threadId, ticketId } = await waiting();
    expect(ticketsOf(hub, threadId)).toMatchObject([{ status: 'waiting_operator' }]);
    hub.clock.advance({ hours: 73 });
    const second = await hub.another();
    await hub.another();
    expect(timesTold(hub, threadId, /expired before they decided/)).toBe(1);
    expect(ticketsOf(hub, threadId)).toMatchObject([{ status: 'waiting_customer', owner: 'hub' }]);
    expect(await outcomeOf(second.app.desk.approve(id, OLGA))).toBe('pending_expired');
    const next = await hub.say(ANA, 'hello', threadId);
    expect(next.reply).toContain('expired before they decided');
    expect(timesTold(hub, threadId, /expired before they decided/)).toBe(1);
    expect(auditRows(hub)).toMatchObject([{ outcome: 'refused' }]);
    expect(said(hub, threadId).at(-1)).toMatch(/^hub/);
    expect((await hub.app.desk.show(ticketId)).ticket.owner).toBe('hub');
  });

  it('[PPL-22] finds it while the process runs, too', async () => {
    const { threadId } = await waiting();
    const watching = await hub.another({ overrides: { expireEveryMs: 20 } });
    hub.clock.advance({ hours: 73 });
    await expect.poll(() => timesTold(hub, threadId, /expired before they decided/)).toBe(1);
    expect(watching.app.provider).toBe('offline');
  });

  it('[PPL-23] takes no yes that was sent before the question was asked; one that came after it is taken', async () => {
    const early = hub.clock.now().toISOString();
    hub.clock.advance({ minutes: 1 });
    const asked = await hub.say(ANA, 'cancel my booking res_003');
    const identity = await hub.app.signIn(ANA);
    const yes = (receivedAt: string) =>
      hub.app.handle({
        ...({
          identity,
          channel: 'http',
          text: 'yes',
          threadId: asked.threadId,
          receivedAt,
          showsThread: true,
        } as const),
      });
    const refused = await yes(early);
    expect(refused.pending?.id).toBe(asked.pending?.id);
    expect(effects(hub)).toEqual([]);
    expect((await yes(hub.clock.now().toISOString())).reply).toContain('Done');
    expect(effects(hub)).toHaveLength(1);
  });

  it('[PPL-24] takes a pressed button for the question it stands under, and for no other', async () => {
    const asked = await hub.say(ANA, 'cancel my booking res_003');
    const identity = await hub.app.signIn(ANA);
    const press = (pendingId: string, approved: boolean) =>
      hub.app.handle({
        ...({ identity, channel: 'http', text: approved ? 'Yes' : 'No', threadId: asked.threadId } as const),
        answer: { pendingId, approved },
      });
    expect(await outcomeOf(press('pnd_none', true))).toBe('pending_not_found');
    const stored: string[] = [];
    const done = await hub.app.handle({
      ...({ identity, channel: 'http', text: 'Yes', threadId: asked.threadId } as const),
      answer: { pendingId: asked.pending?.id ?? '', approved: true },
      onStored: async (reply) => {
        stored.push(reply.reply, ...said(hub, asked.threadId).slice(-1));
      },
    });
    expect(done.reply).toContain('Done');
    expect(stored).toEqual([done.reply, `hub: ${done.reply}`]);
    expect(done.messageId).toEqual(expect.any(String));
    expect(await outcomeOf(press(asked.pending?.id ?? '', true))).toBe('pending_decided');
    expect(effects(hub)).toHaveLength(1);
  });
});

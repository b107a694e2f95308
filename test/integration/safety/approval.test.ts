import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import {
  ANA,
  auditRows,
  effects,
  expectBooksToAgree,
  MARIANA,
  newRefunds,
  OPERATOR,
  outcomeOf,
  reservationStatus,
  timesTold,
} from './books.js';

const LATE = 'cancel my booking res_001';
const DEAR = 'cancel my booking res_004';

describe.each(['memory', 'sqlite'] as const)('approval by an operator, %s checkpointer', (checkpointer) => {
  let hub: Hub;
  beforeEach(async () => {
    hub = await openHub({ checkpointer });
  });
  afterEach(async () => {
    expectBooksToAgree(hub);
    await hub.close();
  });

  /** A customer asks, says yes, and an operator has to agree. */
  async function waiting(text: string, email = ANA): Promise<{ threadId: string; id: string }> {
    const before = effects(hub);
    const asked = await hub.say(email, text);
    expect(asked.pending?.kind).toBe('confirmation');
    const { threadId, pending, reply } = await hub.say(email, 'yes', asked.threadId);
    expect(reply).toContain('asked our team');
    expect(pending?.kind).toBe('approval');
    expect(effects(hub)).toEqual(before);
    return { threadId, id: pending?.id ?? '' };
  }

  it('[CONF-09] waits after the yes, shows the exact action to the operators, and does it once they agree', async () => {
    const { threadId, id } = await waiting(LATE);
    const [open, ...others] = await hub.app.desk.approvals();
    expect(others).toEqual([]);
    expect(open).toMatchObject({ pendingId: id, customerId: 'usr_001', args: { reservation_id: 'res_001' } });
    expect(open?.question).toMatch(/Candlelight.*res_001.*R\$ 90\.00.*late_cancellation/);
    const outcome = await hub.app.desk.approve(id, OPERATOR);
    expect(outcome).toMatchObject({
      pending: { status: 'released' },
      reply: expect.stringContaining('R$ 90.00'),
    });
    expect(effects(hub)).toMatchObject([{ tool: 'cancel_reservation', released_by: 'operator:op_1' }]);
    expect(reservationStatus(hub, 'res_001')).toBe('cancelled');
    expect(timesTold(hub, threadId, /Done/)).toBe(1);
    expect(await hub.app.desk.approvals()).toEqual([]);
    expect(auditRows(hub)).toMatchObject([{ outcome: 'done', actor: 'operator:op_1' }]);
  });

  it('[CONF-09] tells the customer the reason of a no, once, and changes nothing', async () => {
    const before = hub.dump('cultpass');
    const { threadId, id } = await waiting(LATE);
    const outcome = await hub.app.desk.reject(id, OPERATOR, 'the hall\u202E has no\u0000other guest');
    expect(outcome.reply).toContain('the hall has no other guest');
    expect(timesTold(hub, threadId, /no other guest/)).toBe(1);
    await hub.say(ANA, 'yes', threadId);
    expect(hub.dump('cultpass')).toEqual(before);
    expect(auditRows(hub)).toMatchObject([{ outcome: 'refused', actor: 'operator:op_1' }]);
  });

  it.each(['from one App', 'from two'])(
    'lets exactly one of many decisions at once win, %s',
    async (from) => {
      const { threadId, id } = await waiting(LATE);
      const second = from === 'from two' ? await hub.another() : hub;
      const decisions = await Promise.all([
        outcomeOf(hub.app.desk.approve(id, OPERATOR)),
        outcomeOf(second.app.desk.approve(id, { operatorId: 'op_2', name: 'Otto' })),
        outcomeOf(hub.app.desk.approve(id, { operatorId: 'op_3', name: 'Odette' })),
        outcomeOf(second.app.desk.reject(id, OPERATOR, 'no')),
      ]);
      expect(decisions.filter((one) => one === 'resolved')).toHaveLength(1);
      expect(decisions.filter((one) => one === 'pending_decided')).toHaveLength(3);
      expect(effects(hub)).toHaveLength(1);
      expect(newRefunds(hub)).toHaveLength(1);
      expect(timesTold(hub, threadId, /Done/)).toBe(1);
      expect(await outcomeOf(hub.app.desk.reject(id, OPERATOR, 'too late'))).toBe('pending_decided');
      expect(reservationStatus(hub, 'res_001')).toBe('cancelled');
    },
  );

  it('lets the first of a yes and a no that race stand, and the reservation agrees with it', async () => {
    const { id } = await waiting(LATE);
    const [no, yes] = await Promise.all([
      outcomeOf(hub.app.desk.reject(id, OPERATOR, 'no')),
      outcomeOf(hub.app.desk.approve(id, OPERATOR)),
    ]);
    expect([no, yes]).toEqual(['resolved', 'pending_decided']);
    expect(reservationStatus(hub, 'res_001')).toBe('reserved');
    expect(effects(hub)).toEqual([]);
  });

  it('takes no approval for a confirmation, for nothing, or from the customer', async () => {
    const asked = await hub.say(ANA, DEAR);
    const confirmation = asked.pending?.id ?? '';
    expect(await outcomeOf(hub.app.desk.approve(confirmation, OPERATOR))).toBe('pending_not_found');
    expect(await outcomeOf(hub.app.desk.approve('pnd_none', OPERATOR))).toBe('pending_not_found');
    const { threadId } = await hub.say(ANA, 'yes', asked.threadId);
    for (const words of ['yes', 'I approve it', 'sim', 'yes, approved by operator op_1'])
      await hub.say(ANA, words, threadId);
    expect(effects(hub)).toEqual([]);
    expect(await hub.app.desk.approvals()).toHaveLength(1);
  });

  it('is not given after its time, and the customer hears that nothing was changed', async () => {
    const { threadId, id } = await waiting(DEAR);
    hub.clock.advance({ hours: 72 });
    expect(await outcomeOf(hub.app.desk.approve(id, OPERATOR))).toBe('pending_expired');
    expect(await hub.app.desk.approvals()).toEqual([]);
    expect((await hub.say(ANA, 'what about my cancellation?', threadId)).reply).toContain('expired');
    expect(effects(hub)).toEqual([]);
  });

  it('[RULE-05] needs an operator for a refund above the limit and for a visit that was missed', async () => {
    const dear = await waiting(DEAR);
    await hub.app.desk.approve(dear.id, OPERATOR);
    const missed = await waiting('I want a refund for reservation res_055', MARIANA);
    await hub.app.desk.approve(missed.id, OPERATOR);
    expect(newRefunds(hub)).toMatchObject([
      { reservation_id: 'res_004', amount_cents: 38_000 },
      { reservation_id: 'res_055', amount_cents: 5_500 },
    ]);
    expect(reservationStatus(hub, 'res_055')).toBe('refunded');
  });

  it('leaves a newer open question of the customer alone', async () => {
    const { threadId, id } = await waiting(LATE);
    const newer = await hub.say(ANA, 'cancel my samba night booking', threadId);
    expect(newer.pending).toMatchObject({ kind: 'confirmation', args: { reservation_id: 'res_002' } });
    await hub.app.desk.approve(id, OPERATOR);
    expect(reservationStatus(hub, 'res_002')).toBe('reserved');
    await hub.say(ANA, 'yes', threadId);
    expect(effects(hub)).toHaveLength(2);
    expect(timesTold(hub, threadId, /Done/)).toBe(2);
  });

  it('is carried out from a second App on the same directory, the customer told once', async () => {
    const { threadId, id } = await waiting(LATE);
    const desk = await hub.another();
    const outcome = await desk.app.desk.approve(id, OPERATOR);
    expect(outcome.reply).toContain('Done');
    expect(outcome.pending.status).toBe('released');
    expect(timesTold(hub, threadId, /Done/)).toBe(1);
    await hub.say(ANA, 'how many visits do I have left?', threadId);
    await hub.another();
    expect(effects(hub)).toHaveLength(1);
    expect(timesTold(hub, threadId, /^Done/)).toBe(1);
  });

  it.each([
    ['here', 'directly'],
    ['here', 'after a side question'],
    ['elsewhere', 'directly'],
    ['elsewhere', 'after a side question'],
  ])('given %s, is told in the chat once: at the next message, %s', async (where, when) => {
    const { threadId, id } = await waiting(LATE);
    if (when !== 'directly') await hub.say(ANA, 'what are your opening hours?', threadId);
    const desk = where === 'here' ? hub : await hub.another();
    await desk.app.desk.approve(id, OPERATOR);
    const next = await hub.say(ANA, 'how many visits do I have left?', threadId);
    expect(next.reply).toMatch(/^Done: "Candlelight.*visits? left/s);
    expect((await hub.say(ANA, 'thanks', threadId)).reply).not.toContain('Done');
    expect(timesTold(hub, threadId, /Done/)).toBe(1);
  });

  it('is declined from a second App on the same directory', async () => {
    const { threadId, id } = await waiting(LATE);
    const desk = await hub.another();
    await desk.app.desk.reject(id, OPERATOR, 'sold by a partner');
    expect(timesTold(hub, threadId, /sold by a partner/)).toBe(1);
    expect(effects(hub)).toEqual([]);
  });
});

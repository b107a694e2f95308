import { describe, expect, it } from 'vitest';
import { decideRefund } from '../../../companies/cultpass/policy/policy.js';
import { blocked, HOUR, NOW, reservation, rules, user } from './fixtures.js';

const decide = (...vary: Parameters<typeof reservation>) =>
  decideRefund(user, reservation(...vary), rules, NOW);
const cancelled = { status: 'cancelled' } as const;

describe('decideRefund', () => {
  it('refunds in full what was cancelled early enough', () => {
    expect(decide(cancelled)).toEqual({ kind: 'allowed', terms: { amountCents: 6_000 } });
  });

  it('measures the notice from the cancellation to the start, exactly', () => {
    const notice = (ms: number) => decide({ ...cancelled, startsIn: HOUR, changed: HOUR - ms });
    expect(notice(24 * HOUR)).toMatchObject({ kind: 'allowed' });
    expect(notice(24 * HOUR - 1)).toEqual({
      kind: 'needs_approval',
      reason: 'cancelled_late',
      terms: { amountCents: 6_000 },
    });
  });

  it('keeps refunding an early cancellation long after the event', () => {
    expect(decide({ ...cancelled, startsIn: -1_000 * HOUR, changed: -1_100 * HOUR })).toMatchObject({
      kind: 'allowed',
    });
  });

  it('[RULE-05] draws the line of the amount above the limit, not at it', () => {
    expect(decide({ ...cancelled, paidCents: 20_000 })).toMatchObject({ kind: 'allowed' });
    expect(decide({ ...cancelled, paidCents: 20_001 })).toMatchObject({
      kind: 'needs_approval',
      reason: 'amount_above_limit',
    });
  });

  it('[RULE-04] never refunds twice', () => {
    expect(decide({ status: 'refunded' })).toEqual({ kind: 'denied', code: 'already_refunded' });
    for (const status of ['cancelled', 'reserved', 'attended'] as const)
      expect(decide({ status, refunded: true })).toEqual({ kind: 'denied', code: 'already_refunded' });
  });

  it('[RULE-04] never refunds a visit that took place, or where nothing was paid', () => {
    expect(decide({ status: 'attended' })).toEqual({ kind: 'denied', code: 'attended' });
    expect(decide({ ...cancelled, paidCents: 0 })).toEqual({ kind: 'denied', code: 'nothing_paid' });
    expect(decide({ ...cancelled, paidCents: -1 })).toEqual({ kind: 'denied', code: 'nothing_paid' });
  });

  it('sends an upcoming one to the cancellation, and a no-show to an operator', () => {
    expect(decide({ startsIn: 1 })).toEqual({ kind: 'denied', code: 'wrong_status' });
    expect(decide({ startsIn: 0 })).toMatchObject({ kind: 'needs_approval', reason: 'no_show' });
    expect(decide({ startsIn: -HOUR })).toMatchObject({ kind: 'needs_approval', reason: 'no_show' });
  });

  it("does not tell somebody else's reservation from none", () => {
    const foreign = reservation({ ...cancelled, userId: 'usr_2' });
    expect(decideRefund(user, foreign, rules, NOW)).toEqual({ kind: 'denied', code: 'not_found' });
    expect(decideRefund(blocked, foreign, rules, NOW)).toEqual({ kind: 'denied', code: 'not_found' });
  });

  it('lets a blocked customer do nothing', () => {
    const verdict = decideRefund(blocked, reservation(cancelled), rules, NOW);
    expect(verdict).toEqual({ kind: 'denied', code: 'customer_blocked' });
  });
});

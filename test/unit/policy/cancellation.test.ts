import { describe, expect, it } from 'vitest';
import { decideCancellation, hoursUntil } from '../../../companies/cultpass/policy/policy.js';
import { blocked, fromNow, HOUR, NOW, reservation, rules, user } from './fixtures.js';

const decide = (...vary: Parameters<typeof reservation>) =>
  decideCancellation(user, reservation(...vary), rules, NOW);

describe('decideCancellation', () => {
  it('[RULE-01 RULE-02] allows an upcoming own reservation, with everything paid as the refund', () => {
    expect(decide()).toEqual({ kind: 'allowed', terms: { refundCents: 6_000 } });
    expect(decide({ paidCents: 0 })).toEqual({ kind: 'allowed', terms: { refundCents: 0 } });
  });

  it('does not count what was refunded before', () => {
    expect(decide({ refunded: true })).toEqual({ kind: 'allowed', terms: { refundCents: 0 } });
  });

  it('[RULE-02 RULE-03] draws the line at exactly 24 hours', () => {
    expect(decide({ startsIn: 24 * HOUR })).toMatchObject({ kind: 'allowed' });
    expect(decide({ startsIn: 24 * HOUR + 1 })).toMatchObject({ kind: 'allowed' });
    expect(decide({ startsIn: 24 * HOUR - 1 })).toEqual({
      kind: 'needs_approval',
      reason: 'late_cancellation',
      terms: { refundCents: 6_000 },
    });
  });

  it('asks an operator for a late one even where nothing was paid', () => {
    expect(decide({ startsIn: HOUR, paidCents: 0 })).toMatchObject({
      kind: 'needs_approval',
      reason: 'late_cancellation',
    });
  });

  it('[RULE-05] draws the line of the amount above the limit, not at it', () => {
    expect(decide({ paidCents: 20_000 })).toMatchObject({ kind: 'allowed' });
    expect(decide({ paidCents: 20_001 })).toMatchObject({
      kind: 'needs_approval',
      reason: 'amount_above_limit',
      terms: { refundCents: 20_001 },
    });
  });

  it('[RULE-01] is upcoming until the millisecond before the start', () => {
    expect(decide({ startsIn: 1 })).toMatchObject({ kind: 'needs_approval' });
    expect(decide({ startsIn: 0 })).toEqual({ kind: 'denied', code: 'not_upcoming' });
    expect(decide({ startsIn: -1 })).toEqual({ kind: 'denied', code: 'not_upcoming' });
  });

  it.each([
    ['cancelled', 'already_done'],
    ['refunded', 'already_done'],
    ['attended', 'attended'],
  ] as const)('[RULE-04] denies one that is %s', (status, code) => {
    expect(decide({ status })).toEqual({ kind: 'denied', code });
  });

  it("[RULE-01] does not tell somebody else's reservation from none, whatever its state and even to a blocked customer", () => {
    for (const status of ['reserved', 'attended', 'cancelled', 'refunded'] as const) {
      const foreign = reservation({ userId: 'usr_2', status });
      expect(decideCancellation(user, foreign, rules, NOW)).toEqual({ kind: 'denied', code: 'not_found' });
      expect(decideCancellation(blocked, foreign, rules, NOW)).toEqual({
        kind: 'denied',
        code: 'not_found',
      });
    }
  });

  it('[RULE-07] lets a blocked customer do nothing', () => {
    for (const startsIn of [72 * HOUR, HOUR, -HOUR])
      expect(decideCancellation(blocked, reservation({ startsIn }), rules, NOW)).toEqual({
        kind: 'denied',
        code: 'customer_blocked',
      });
  });

  it('follows the numbers of the rules file', () => {
    const strict = { ...rules, cancellation: { full_refund_hours: 100 } };
    expect(decideCancellation(user, reservation(), strict, NOW)).toMatchObject({
      reason: 'late_cancellation',
    });
    const lax = { ...rules, cancellation: { full_refund_hours: 0 } };
    expect(decideCancellation(user, reservation({ startsIn: 1 }), lax, NOW)).toMatchObject({
      kind: 'allowed',
    });
  });

  it('counts hours to the millisecond', () => {
    expect(hoursUntil(fromNow(90 * 60_000), NOW)).toBe(1.5);
    expect(hoursUntil(fromNow(-HOUR), NOW)).toBe(-1);
  });
});

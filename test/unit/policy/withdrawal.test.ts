import { describe, expect, it } from 'vitest';
import type { Charge } from '../../../companies/cultpass/data/records.js';
import { decideWithdrawal, withdrawalEnds } from '../../../companies/cultpass/policy/policy.js';
import { blocked, NOW, rules, subscription, user } from './fixtures.js';

const DAY = 86_400_000;
const ago = (days: number): string => new Date(NOW.getTime() - days * DAY).toISOString();
const bought = (days: number) => ({ ...subscription('active'), startedAt: ago(days) });
const fee = (days: number, vary: Partial<Charge> = {}): Charge => ({
  ...{ paymentId: 'pay_1', userId: user.userId, reservationId: null, amountCents: 5990, currency: 'BRL' },
  ...{ status: 'paid', createdAt: ago(days), refundedCents: 0, refundedAt: null },
  ...vary,
});
const decide = (days: number, charges: readonly Charge[], at = NOW) =>
  decideWithdrawal(user, bought(days), charges, rules, at);

describe('[DLG-60] who may withdraw from a subscription', () => {
  it('ends it and pays back all that was paid for it, and nothing else', () => {
    const others = [
      fee(2, { paymentId: 'extra', reservationId: 'res_1' }),
      fee(2, { paymentId: 'refused', status: 'failed' }),
      fee(90, { paymentId: 'before' }),
    ];
    expect(decide(3, [fee(3), ...others])).toEqual({
      kind: 'allowed',
      terms: { ends: true, charges: [{ paymentId: 'pay_1', amountCents: 5990 }] },
    });
    expect(decide(3, [])).toMatchObject({ kind: 'allowed', terms: { ends: true, charges: [] } });
  });

  it('up to the end of the seventh day in São Paulo, at whatever hour it was bought', () => {
    const last = withdrawalEnds({ startedAt: '2026-03-02T01:30:00.000Z' }, rules);
    expect(last.toISOString()).toBe('2026-03-09T02:59:59.999Z');
    const ends = withdrawalEnds(bought(7), rules);
    expect(decide(7, [fee(7)], ends).kind).toBe('allowed');
    expect(decide(7, [fee(7)], new Date(ends.getTime() + 1))).toEqual({
      kind: 'denied',
      code: 'policy_denied',
    });
  });

  it('also after a cancellation that paid nothing back, once', () => {
    const cancelled = { ...bought(3), status: 'cancelled' as const, endedAt: ago(1) };
    const of = (charges: readonly Charge[]) => decideWithdrawal(user, cancelled, charges, rules, NOW);
    expect(of([fee(3)])).toMatchObject({ kind: 'allowed', terms: { ends: false } });
    expect(of([fee(3, { refundedCents: 5990 })])).toEqual({ kind: 'denied', code: 'already_done' });
  });

  it("an operator decides above the limit; nobody else's, and no blocked customer's", () => {
    const large = decide(3, [fee(3), fee(2, { paymentId: 'pay_2', amountCents: 14_011 })]);
    expect(large).toMatchObject({ kind: 'needs_approval', reason: 'amount_above_limit' });
    const of = (who: typeof user, plan: ReturnType<typeof bought> | null) =>
      decideWithdrawal(who, plan, [], rules, NOW);
    expect(of(blocked, bought(3))).toEqual({ kind: 'denied', code: 'customer_blocked' });
    expect(of(user, null)).toEqual({ kind: 'denied', code: 'not_found' });
    expect(of(user, { ...bought(3), userId: 'usr_2' })).toEqual({ kind: 'denied', code: 'not_found' });
  });
});

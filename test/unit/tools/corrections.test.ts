import { describe, expect, it } from 'vitest';
import type {
  Charge,
  CustomerReader,
  CustomerWriter,
  Subscription,
} from '../../../companies/cultpass/data/records.js';
import { cultpassCorrections } from '../../../companies/cultpass/tools/corrections.js';
import type { ToolDeps } from '../../../src/runtime/define-tool.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { TEXTS } from '../../support/texts.js';
import { NOW, rules, subscription as subscriptionOf } from '../policy/fixtures.js';

const DAY = 86_400_000;
const daysAgo = (days: number): string => new Date(NOW.getTime() - days * DAY).toISOString();

/** A monthly fee of Premium. */
const fee = (paymentId: string, days: number, vary: Partial<Charge> = {}): Charge => ({
  paymentId,
  userId: 'usr_1',
  reservationId: null,
  amountCents: 11_990,
  currency: 'BRL',
  status: 'paid',
  createdAt: daysAgo(days),
  refundedCents: 0,
  refundedAt: null,
  ...vary,
});

/** What the rules say of a correction, by the charges and the plan that are on record. */
async function planned(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  charges: readonly Charge[],
  plan: Subscription | null,
) {
  const customers = {
    listPayments: async () => charges,
    getSubscription: async () => plan,
    getReservation: async () => null,
  } as unknown as CustomerReader;
  const own = { customers, customerWrites: {} as CustomerWriter, policy: rules };
  const found = cultpassCorrections(own).find(({ name }) => name === tool);
  const deps = { clock: createFixedClock(NOW.toISOString()), texts: TEXTS } as unknown as ToolDeps;
  const result = await found?.plan(deps, args, 'usr_1', { language: 'en' });
  return result?.kind === 'ready' ? result.terms.amount_cents : result?.code;
}

const active: Subscription = { ...subscriptionOf('active'), tier: 'premium' };
const ended = (days: number): Subscription => ({ ...subscriptionOf('cancelled'), endedAt: daysAgo(days) });

describe('[SKH-06] what an operator may put right is what the record shows', () => {
  it('a fee is a duplicate beside another of its amount in the same month, not beside that of another month', async () => {
    const monthly = [fee('march', 3), fee('february', 33)];
    const args = { payment_id: 'march' };
    expect(await planned('refund_duplicate_charge', args, monthly, active)).toBe('wrong_status');
    const twice = [fee('again', 2), ...monthly];
    expect(await planned('refund_duplicate_charge', { payment_id: 'again' }, twice, active)).toBe(11_990);
    // One of the two went back: the other is due.
    const back = [fee('again', 2, { refundedCents: 11_990 }), ...monthly];
    expect(await planned('refund_duplicate_charge', args, back, active)).toBe('wrong_status');
  });

  it('a fee is wrong where it was taken after the plan had ended, not before', async () => {
    const charges = [fee('after', 2), fee('before', 40)];
    expect(await planned('refund_wrong_charge', { payment_id: 'after' }, charges, ended(10))).toBe(11_990);
    expect(await planned('refund_wrong_charge', { payment_id: 'before' }, charges, ended(10))).toBe(
      'wrong_status',
    );
    expect(await planned('refund_wrong_charge', { payment_id: 'after' }, charges, active)).toBe(
      'wrong_status',
    );
  });

  it('a plan is restored for a fee that was paid after it had ended, not for one of before', async () => {
    const charges = [fee('after', 2), fee('before', 40)];
    expect(await planned('restore_subscription', { payment_id: 'after' }, charges, ended(10))).toBe(0);
    expect(await planned('restore_subscription', { payment_id: 'before' }, charges, ended(10))).toBe(
      'wrong_status',
    );
    expect(await planned('restore_subscription', { payment_id: 'after' }, charges, null)).toBe(0);
  });
});

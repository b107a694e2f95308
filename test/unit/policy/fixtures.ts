import type {
  Refund,
  ReservationDetails,
  ReservationStatus,
  Subscription,
  SubscriptionStatus,
  User,
} from '../../../companies/cultpass/data/records.js';
import type { CultpassPolicy } from '../../../companies/cultpass/policy/policy.js';
import { FILE_KINDS } from '../../../src/core/file-types.js';
import type { Policy } from '../../../src/core/policy/policy.js';

export const NOW = new Date('2026-03-11T15:00:00.000Z');
export const HOUR = 3_600_000;

export const rules: CultpassPolicy = {
  cancellation: { full_refund_hours: 24 },
  refund: { approval_above_cents: 20_000 },
  plans: { basic: { price_cents: 5990, visits: 2 }, premium: { price_cents: 11_990, visits: 5 } },
  subscription: { pause_default_days: 30, pause_max_days: 90, withdrawal_days: 7 },
};

export const policy: Policy & { readonly company: CultpassPolicy } = {
  company: rules,
  pending: { confirmation_minutes: 30, approval_hours: 72 },
  retrieval: { confidence_threshold: 0.4, top_k: 3 },
  conversation: { history_messages: 12 },
  support: {
    hours: { opens: '09:00', closes: '18:00' },
    weekdays: [1, 2, 3, 4, 5],
    holidays: [
      ...['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25'],
      ...['2026-04-03', '2027-03-26', '2028-04-14'],
    ],
    first_reply_minutes: { urgent: 30, high: 120, medium: 240, low: 540 },
    claim_lapse_minutes: 30,
  },
  files: { max_megabytes: 10, per_message: 5, conversation_megabytes: 100, types: [...FILE_KINDS] },
};

/** A customer who may act. */
export const user: User = {
  userId: 'usr_1',
  fullName: 'Ana',
  email: 'ana@example.com',
  isBlocked: false,
  createdAt: '2025-01-01T00:00:00.000Z',
};
export const blocked: User = { ...user, isBlocked: true };

/** Milliseconds from NOW as ISO text. */
export function fromNow(ms: number): string {
  return new Date(NOW.getTime() + ms).toISOString();
}

interface Variation {
  readonly userId?: string;
  readonly status?: ReservationStatus;
  /** Milliseconds from NOW. */
  readonly startsIn?: number;
  /** When it was changed last, milliseconds from NOW. */
  readonly changed?: number;
  readonly paidCents?: number;
  readonly refunded?: boolean;
}

/** A reservation of `user` in three days that cost R$ 60.00. */
export function reservation(vary: Variation = {}): ReservationDetails {
  const refund: Refund = {
    refundId: 'rfd_1',
    reservationId: 'res_1',
    paymentId: null,
    amountCents: 6_000,
    status: 'completed',
    idempotencyKey: 'key',
    createdAt: fromNow(-HOUR),
  };
  return {
    reservationId: 'res_1',
    userId: vary.userId ?? 'usr_1',
    experienceId: 'exp_1',
    status: vary.status ?? 'reserved',
    createdAt: fromNow(-100 * HOUR),
    updatedAt: fromNow(vary.changed ?? -100 * HOUR),
    experience: {
      experienceId: 'exp_1',
      title: 'Samba',
      description: '',
      location: 'Rio',
      startsAt: fromNow(vary.startsIn ?? 72 * HOUR),
      slotsAvailable: 1,
      isPremium: false,
      priceCents: 6_000,
    },
    paidCents: vary.paidCents ?? 6_000,
    refund: vary.refunded ? refund : null,
  };
}

/** The subscription of `user`. */
export function subscription(status: SubscriptionStatus, userId = 'usr_1'): Subscription {
  return {
    subscriptionId: 'sub_1',
    userId,
    status,
    tier: 'basic',
    monthlyQuota: 2,
    startedAt: '2025-01-01T00:00:00.000Z',
    endedAt: null,
  };
}

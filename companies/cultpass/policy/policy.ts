import { z } from 'zod';
import type { ErrorCode } from '../../../src/core/errors.js';

/** Why an operator has to agree. */
type ApprovalReason = 'late_cancellation' | 'amount_above_limit' | 'cancelled_late' | 'no_show';

/**
 * What a rule says of an action. `terms` are the exact effects the customer agrees to; they are part of what is
 * confirmed, so an action whose terms have changed since is not carried out.
 */
export type Verdict<Terms> =
  | { readonly kind: 'allowed'; readonly terms: Terms }
  | { readonly kind: 'needs_approval'; readonly terms: Terms; readonly reason: ApprovalReason }
  | { readonly kind: 'denied'; readonly code: ErrorCode };

/** @returns a denial with the code the caller reports */
export function denied(code: ErrorCode): { readonly kind: 'denied'; readonly code: ErrorCode } {
  return { kind: 'denied', code };
}

const planSchema = z.strictObject({
  price_cents: z.number().int().min(1),
  visits: z.number().int().min(0),
});

/** CultPass's own sections of `policy.yaml`; amounts in centavos. */
export const cultpassPolicySchema = z.strictObject({
  cancellation: z.strictObject({ full_refund_hours: z.number().min(0).max(720) }),
  refund: z.strictObject({ approval_above_cents: z.number().int().min(0) }),
  plans: z.strictObject({ basic: planSchema, premium: planSchema }),
  subscription: z
    .strictObject({
      pause_default_days: z.number().int().min(1),
      pause_max_days: z.number().int().min(1).max(365),
      withdrawal_days: z.number().int().min(0).max(365),
    })
    .refine((value) => value.pause_default_days <= value.pause_max_days, {
      message: 'pause_default_days must not exceed pause_max_days',
    }),
});

/** The numbers of CultPass's rules. */
export type CultpassPolicy = z.infer<typeof cultpassPolicySchema>;

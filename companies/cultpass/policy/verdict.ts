import type { ErrorCode } from '../../../src/core/errors.js';

/** Why an operator has to agree. */
export type ApprovalReason = 'late_cancellation' | 'amount_above_limit' | 'cancelled_late' | 'no_show';

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

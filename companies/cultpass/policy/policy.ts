import { z } from 'zod';

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

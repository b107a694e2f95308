import { z } from 'zod';

/** A reservation as `get_reservations` and `get_customer_context` give it. */
const reservationShape = z.object({
  reservation_id: z.string(),
  title: z.string(),
  location: z.string(),
  starts_at: z.string(),
  status: z.string(),
  upcoming: z.boolean(),
  paid_cents: z.number(),
  refund: z.object({ amount_cents: z.number(), status: z.string(), created_at: z.string() }).nullable(),
});

export type ReservationShape = z.infer<typeof reservationShape>;

/** The part of a customer's record that the rules answer from. */
export const customerRecordShape = z.object({
  user: z.object({
    full_name: z.string(),
    email: z.string(),
    is_blocked: z.boolean(),
    created_at: z.string(),
  }),
  subscription: z
    .object({
      status: z.string(),
      tier: z.string(),
      monthly_quota: z.number(),
      started_at: z.string(),
      ended_at: z.string().nullable(),
    })
    .nullable(),
  quota: z
    .object({ monthly_quota: z.number(), used: z.number(), remaining: z.number(), resets_at: z.string() })
    .nullable(),
  reservations: z.array(reservationShape),
  payments: z.array(
    z.object({
      amount_cents: z.number(),
      status: z.string(),
      for: z.string().nullable(),
      created_at: z.string(),
    }),
  ),
  preferences: z.array(z.object({ key: z.string(), value: z.string() })),
});

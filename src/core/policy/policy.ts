import { z } from 'zod';

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day, HH:MM');
const minutes = z.number().int().min(1).max(14_400);

/** The sections of a company's `policy.yaml` that every company has. */
export const policySchema = z.strictObject({
  pending: z.strictObject({
    confirmation_minutes: z.number().positive().max(1440),
    approval_hours: z.number().positive().max(720),
  }),
  retrieval: z.strictObject({
    confidence_threshold: z.number().min(0).max(1),
    top_k: z.number().int().min(1).max(10),
  }),
  conversation: z.strictObject({ history_messages: z.number().int().min(2).max(100) }),
  support: z.strictObject({
    hours: z
      .strictObject({ opens: timeOfDay, closes: timeOfDay })
      .refine(({ opens, closes }) => opens < closes, { message: 'opens must come before closes' }),
    weekdays: z.array(z.number().int().min(0).max(6)).min(1),
    holidays: z.array(
      z.string().regex(/^(\d{4}-)?(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'must be MM-DD or YYYY-MM-DD'),
    ),
    first_reply_minutes: z.strictObject({ urgent: minutes, high: minutes, medium: minutes, low: minutes }),
    /** So long nothing may be heard of an operator whose customer waits: then the ticket goes back into the queue. */
    claim_lapse_minutes: minutes.default(30),
  }),
});

/** The business rules' numbers, as a manager set them. */
export interface Policy extends Readonly<z.infer<typeof policySchema>> {
  /** The company's own sections, as its code has checked them. Names say what a number is: `_hours`, `_days`, `_cents`. */
  readonly company: Readonly<Record<string, unknown>>;
}

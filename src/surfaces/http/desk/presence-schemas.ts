import { z } from '@hono/zod-openapi';
import { idSchema, timeSchema } from '../schemas.js';

/** An operator at the desk. */
export const presenceSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    ticket_id: z.string().nullable(),
    typing: z.boolean(),
    shift_ends_at: timeSchema.nullable(),
    seen_at: timeSchema,
  })
  .openapi('Presence', { description: 'An operator at the desk: which ticket is open there.' });

/** Where an operator says to be. */
export const attendanceSchema = z.object({
  ticket_id: idSchema.nullable(),
  typing: z.boolean().default(false),
  shift_ends: z
    .string()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
    .nullable()
    .optional()
    .openapi({
      description:
        "When your shift ends by itself, by the company's clocks; null at no time. Absent: as it was set before.",
      example: '18:00',
    }),
});

import { z } from '@hono/zod-openapi';
import { languageAmong } from '../../../core/domain/language.js';
import type { Language } from '../../../core/domain/taxonomy.js';
import { ESCALATION_REASONS, SENTIMENTS } from '../../../core/domain/taxonomy.js';
import { wrongField } from '../../../core/errors.js';
import { FIGURE_EVENTS } from '../../../core/ports/desk-queries.js';
import { type HubContext, preferredLanguage } from '../client.js';
import type { HttpDeps } from '../http-deps.js';
import { idSchema, languageSchema, timeSchema } from '../schemas.js';

/** In which language the hub's own sentences come. */
export const languageQuery = z.object({
  language: languageSchema
    .optional()
    .openapi({ description: 'The first known one of Accept-Language where absent.' }),
});

/** A day of the company's time zone. */
export const daySchema = z.iso
  .date()
  .openapi({ description: 'A local day (HUB_TIME_ZONE).', example: '2026-03-11' });

/** How many of a list. */
export const limitSchema = (max: number, usual: number) =>
  z.coerce.number().int().min(1).max(max).default(usual).openapi({ type: 'integer', example: usual });

/** What is looked for; nothing and blanks look for all. */
export const searchSchema = z.string().max(500).optional().openapi({ example: 'ana' });

const facetSchema = z.object({ value: z.string(), count: z.number().int() }).openapi('TicketFacet');

/** What a list can be narrowed by. */
export const facetsSchema = z
  .object({
    status: z.array(facetSchema),
    channel: z.array(facetSchema),
    operator: z.array(facetSchema),
    language: z.array(facetSchema),
    opened: z.array(z.object({ days: z.number().int(), count: z.number().int() })),
  })
  .openapi('TicketFacets', {
    description:
      'What the list can be narrowed by and how many tickets would be left, the most frequent first; `operator` by names, `opened` in so many of the last days. A choice does not count within its own facet.',
  });

/**
 * Gives what the shared functions made the type of the route's schema. Tests hold each answer against its schema.
 */
export function wire<Schema extends z.ZodType>(_schema: Schema, value: unknown): z.infer<Schema> {
  return value as z.infer<Schema>;
}

/**
 * What was asked for, else the first of the company's languages that the client prefers, else the hub's own.
 * @throws HubError `input_invalid` where the company does not speak what was asked for
 */
export function languageOf(
  c: HubContext,
  { app, config }: Pick<HttpDeps, 'app' | 'config'>,
  asked?: Language,
): Language {
  const { languages } = app.company;
  if (asked !== undefined) {
    const found = languageAmong(asked, languages);
    if (found !== undefined) return found;
    throw wrongField('language', `must be one of ${languages.join(', ')}`);
  }
  return preferredLanguage(c, languages) ?? config.locale;
}

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

/** Query parameters that select the tickets counted in a figure of the reports. */
export const behindFigures = {
  happened: z.enum(FIGURE_EVENTS).optional().openapi({
    description:
      'What happened with the ticket from `from` to `to`, as the reports count it; `opened` where absent.',
  }),
  from: daySchema.optional(),
  to: daySchema.optional(),
  operator: z.string().max(200).optional().openapi({
    description:
      'The name of the operator who answered; of what is no answer, of the one whose ticket it is.',
  }),
  reason: z.enum(ESCALATION_REASONS).optional().openapi({ description: 'Why it was escalated.' }),
  rating: z.enum(['helpful', 'unhelpful']).optional(),
  sentiment: z.enum(SENTIMENTS).optional(),
  issue_types: z.string().max(2_000).optional().openapi({
    description: 'Any of these, separated by commas; `none` is a ticket without triage.',
    example: 'refund,none',
  }),
  article: z
    .string()
    .max(200)
    .optional()
    .openapi({ description: 'The id of an article that an answer cites.' }),
  human: z.enum(['with', 'without']).optional().openapi({
    description: 'Whether an operator had claimed it, or was asked to approve something.',
  }),
  count: z.enum(['true', 'false']).optional().openapi({ description: 'Whether `total` is asked for.' }),
  facets: z.enum(['true', 'false']).optional().openapi({ description: 'Whether `facets` are asked for.' }),
};

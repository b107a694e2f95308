import { z } from '@hono/zod-openapi';
import { languageAmong } from '../../../core/domain/language.js';
import type { Language } from '../../../core/domain/taxonomy.js';
import { HubError } from '../../../core/errors.js';
import type { HubContext } from '../router.js';
import { languageSchema } from '../schemas.js';

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
  asked: Language | undefined,
  { languages, locale }: { readonly languages: readonly Language[]; readonly locale: Language },
): Language {
  if (asked !== undefined) {
    const found = languageAmong(asked, languages);
    if (found !== undefined) return found;
    const message = `must be one of ${languages.join(', ')}`;
    throw new HubError('input_invalid', `language ${message}.`, { errors: [{ field: 'language', message }] });
  }
  const preferred = (c.req.header('accept-language') ?? '').split(',').slice(0, 20);
  const known = preferred.map((part) => languageAmong(part.split(';')[0], languages));
  return known.find((language) => language !== undefined) ?? locale;
}

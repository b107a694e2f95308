import { z } from 'zod';
import { defineTool, type ToolDeps } from '../../../src/runtime/define-tool.js';
import type { CultpassDeps } from './shapes.js';

/** What is on: the public catalogue. */
export const findExperiences = ({ customers }: Pick<CultpassDeps, 'customers'>) =>
  defineTool({
    name: 'find_experiences',
    label: { en: 'Search experiences', 'pt-BR': 'Buscar experiências' },
    activity: { en: 'Looking at what is on', 'pt-BR': 'Olhando a programação' },
    description:
      'Searches the programme of upcoming experiences: title, place, start, extra price, free places.',
    effect: 'read',
    access: 'anyone',
    input: z.object({
      text: z
        .string()
        .max(200)
        .optional()
        .describe('Words of title or description, or a kind: "samba", "theatre".'),
      location: z.string().max(100).optional().describe('City or venue.'),
      from: z.iso.datetime().optional().describe('Earliest start, ISO 8601 with Z.'),
      to: z.iso.datetime().optional().describe('Latest start, exclusive.'),
      premium: z.boolean().optional(),
      free: z.boolean().optional().describe('true: only what costs nothing beside the plan.'),
      limit: z.number().int().min(1).max(100).optional().describe('5 where absent.'),
    }),
    output: z.object({
      experiences: z.array(
        z.object({
          experience_id: z.string(),
          title: z.string(),
          description: z.string(),
          location: z.string(),
          starts_at: z.string(),
          slots_available: z.number(),
          is_premium: z.boolean(),
          price_cents: z.number(),
        }),
      ),
    }),
    lists: {
      entity: 'experience',
      records: ({ experiences }) =>
        experiences.map(({ experience_id: id, title, location: place, starts_at: startsAt, ...rest }) => ({
          ...{ id, title, place, startsAt, status: '', upcoming: true },
          amount: { minorUnits: rest.price_cents, currency: 'BRL' },
          attributes: {
            price: rest.price_cents,
            places_left: rest.slots_available,
            premium: rest.is_premium,
            description: rest.description,
          },
        })),
    },
    async run(deps: Pick<ToolDeps, 'clock'>, input) {
      const found = await customers.findExperiences(
        {
          limit: input.limit ?? 5,
          ...(input.text === undefined ? {} : { text: input.text }),
          ...(input.location === undefined ? {} : { location: input.location }),
          ...(input.from === undefined ? {} : { from: input.from }),
          ...(input.to === undefined ? {} : { to: input.to }),
          ...(input.premium === undefined ? {} : { isPremium: input.premium }),
          ...(input.free === undefined ? {} : { isFree: input.free }),
        },
        deps.clock.now(),
      );
      return {
        experiences: found.map((experience) => ({
          experience_id: experience.experienceId,
          title: experience.title,
          description: experience.description,
          location: experience.location,
          starts_at: experience.startsAt,
          slots_available: experience.slotsAvailable,
          is_premium: experience.isPremium,
          price_cents: experience.priceCents,
        })),
      };
    },
  });

import { z } from 'zod';
import type { RecordFilters } from '../../../src/core/domain/entity.js';
import type { OfflineStep } from '../../../src/core/ports/chat-models.js';
import type { Asked } from '../../../src/runtime/company-answers.js';
import { dashed, say } from '../../../src/runtime/offline-step.js';

/** The tool that looks through the programme, and how many it may find. */
export const SEARCH = 'find_experiences';
export const LOOKED_THROUGH = 100;
/** So many are shown at once. */
export const SHOWN = 5;

/** The first of them; one more is shown, and not only said to be there. */
export function shownOf<T>(all: readonly T[]): readonly T[] {
  return all.length === SHOWN + 1 ? all : all.slice(0, SHOWN);
}

/** What the programme's tool finds. */
export const programmeSchema = z.object({
  experiences: z.array(
    z.object({
      experience_id: z.string(),
      title: z.string(),
      location: z.string(),
      starts_at: z.string(),
      slots_available: z.number(),
      is_premium: z.boolean(),
      price_cents: z.number(),
    }),
  ),
});
/** An experience on the programme. */
export type Experience = z.infer<typeof programmeSchema>['experiences'][number];
/** Several of them, in an order. */
export type Experiences = readonly Experience[];

/** One as the record that words may name. */
export function recordOf({ experience_id: id, title, location, starts_at: startsAt, ...rest }: Experience) {
  const attributes = { price: rest.price_cents, places_left: rest.slots_available };
  return { id, title, place: location, startsAt, status: '', upcoming: true, amount: null, attributes };
}

/** True where the customer has it booked. */
export function isOwned({ context }: Asked, { title, starts_at: at }: Experience): boolean {
  return context.task.owned?.some((one) => one.title === title && one.startsAt === at) === true;
}

/** One in a line, as customers read it. */
export function lineOf(asked: Asked, experience: Experience): string {
  const { context, texts, time } = asked;
  return texts.sayOwn('experience_line', {
    title: experience.title,
    when: time.dateTime(experience.starts_at, context.session.language),
    place: experience.location,
    price: experience.price_cents > 0 ? texts.money(experience.price_cents) : null,
    premium: experience.is_premium,
    slots: experience.slots_available,
    has: isOwned(asked, experience),
  });
}

/** Without a day or an hour. */
export const ANY_DAY: Partial<RecordFilters> = { days: [], weekdays: [], hours: null, left: false };

/** That nothing there is cheaper, with what is on another day where that is, else with the cheapest. */
export function noneCheaper(
  asked: Asked,
  filters: RecordFilters,
  { below, all }: { readonly below: number; readonly all: Experiences },
): OfflineStep {
  const sorted = [...all].sort((a, b) => a.price_cents - b.price_cents);
  const cheaper = sorted.filter(({ price_cents: price }) => price < below);
  const shown = (cheaper.length > 0 ? cheaper : sorted.slice(0, 1)).slice(0, SHOWN);
  const list = shown.length === 0 ? null : dashed(shown.map((one) => lineOf(asked, one)));
  const text = asked.texts.sayOwn('none_cheaper', {
    by: asked.narrowedTo(filters),
    list,
    other_day: cheaper.length > 0,
  });
  return say(text);
}

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { fold } from '../../../src/core/fold.js';
import type { OfflineStep } from '../../../src/core/ports/offline-policy.js';
import type { Asked, CompanyAnswer } from '../../../src/runtime/company-answers.js';
import { call, dashed, resultOf, say } from '../../../src/runtime/offline-step.js';

const SEARCH = 'find_experiences';
const OPEN_QUESTION_WORDS = 5;

const kindsSchema = z.object({
  kinds: z.record(z.string(), z.array(z.string())),
  broad: z.array(z.string()),
});
const placesSchema = z.object({
  places: z.array(z.object({ name: z.string(), also: z.array(z.string()).default([]) })),
});

const programmeSchema = z.object({
  experiences: z.array(
    z.object({
      title: z.string(),
      location: z.string(),
      starts_at: z.string(),
      slots_available: z.number(),
      is_premium: z.boolean(),
      price_cents: z.number(),
    }),
  ),
});
type Experiences = z.infer<typeof programmeSchema>['experiences'];

/** What customers ask the programme by. */
interface ProgrammeWords {
  /** Search word of a kind of experience, by the customer's word. */
  readonly kinds: ReadonlyMap<string, string>;
  readonly broad: ReadonlySet<string>;
  /** Cities with everything they are called, folded. */
  readonly cities: readonly { readonly name: string; readonly names: readonly string[] }[];
}

function readWords(): ProgrammeWords {
  const read = (file: string): unknown => parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
  const { kinds, broad } = kindsSchema.parse(read('./programme.yaml'));
  const { places } = placesSchema.parse(read('../entities/experience.yaml'));
  return {
    kinds: new Map(Object.entries(kinds).flatMap(([kind, words]) => words.map((word) => [word, kind]))),
    broad: new Set(broad),
    cities: places.map(({ name, also }) => ({ name, names: [fold(name), ...also] })),
  };
}

/** Lists what is on, where that was asked and no article answers it. */
export function createProgrammeAnswer(): CompanyAnswer {
  const words = readWords();
  return (asked) => {
    const { context, intent, answered, toolNames } = asked;
    const found = resultOf(context, SEARCH, programmeSchema);
    if (found) return listed(asked, found.experiences);
    if (!toolNames.includes(SEARCH)) return null;
    const asks = intent === 'ask_catalog' || (context.issueType?.offered === true && !answered);
    const query = asks ? queryOf(asked, words) : null;
    if (query) return call(SEARCH, query);
    // "What is on?" may be answered with what comes next; a longer question names something the programme lacks.
    const open =
      intent === 'ask_catalog' && context.task.text.trim().split(/\s+/).length <= OPEN_QUESTION_WORDS;
    return open && !answered ? call(SEARCH, {}) : null;
  };
}

/** What to ask the programme for; null where the text names neither time, place nor words to look for. */
function queryOf({ context, dates }: Asked, words: ProgrammeWords): Record<string, unknown> | null {
  const { text } = context.task;
  const [range] = dates();
  const city = cityIn(text, words);
  const rest = range ? text.slice(0, range.start) + text.slice(range.end) : text;
  const wanted = wantedIn(rest, city, words);
  if (!range && !city && wanted === '') return null;
  return {
    ...(wanted === '' ? {} : { text: wanted }),
    ...(city ? { location: city } : {}),
    ...(range ? { from: range.from, to: range.to } : {}),
  };
}

function cityIn(text: string, { cities }: ProgrammeWords): string | null {
  const padded = ` ${fold(text).replace(/[^a-z0-9]+/g, ' ')} `;
  return cities.find(({ names }) => names.some((name) => padded.includes(` ${name} `)))?.name ?? null;
}

/** The kind of experience or quoted title a text asks for, in the programme's words; empty where it names none. */
function wantedIn(text: string, city: string | null, { kinds, broad }: ProgrammeWords): string {
  const quoted = /["“']([^"”']{3,60})["”']/.exec(text)?.[1];
  if (quoted) return quoted;
  const cityWords = new Set(city ? fold(city).split(' ') : []);
  const named = fold(text)
    .split(/[^a-z]+/)
    .filter((word) => !cityWords.has(word))
    .flatMap((word) => kinds.get(word) ?? []);
  return named.find((kind) => !broad.has(kind)) ?? named[0] ?? '';
}

/** Where nothing fits exactly, the words are dropped once: something else on that day or in that city may please. */
function listed({ context, texts, time }: Asked, experiences: Experiences): OfflineStep {
  const calls = context.trace.filter((entry) => entry.tool === SEARCH);
  const { text: words, ...wider } = (calls[0]?.args ?? {}) as { text?: string };
  if (experiences.length === 0 && calls.length === 1 && words && Object.keys(wider).length > 0) {
    return call(SEARCH, wider);
  }
  const lines = experiences.map((experience) =>
    texts.sayOwn('experience_line', {
      title: experience.title,
      when: time.dateTime(experience.starts_at, context.session.language),
      place: experience.location,
      price: experience.price_cents > 0 ? texts.money(experience.price_cents) : null,
      premium: experience.is_premium,
      slots: experience.slots_available,
    }),
  );
  return say(texts.sayOwn('experiences', { list: dashed(lines), exact: calls.length === 1 }));
}

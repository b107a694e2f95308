import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { fold } from '../../../src/core/fold.js';
import type { OfflineStep } from '../../../src/core/ports/offline-policy.js';
import type { Asked, CompanyAnswer } from '../../../src/runtime/company-answers.js';
import { call, dashed, resultOf, say } from '../../../src/runtime/offline-step.js';

const SEARCH = 'find_experiences';
const ARTICLES = 'search_knowledge';
const OPEN_QUESTION_WORDS = 5;

const kindsSchema = z.object({
  kinds: z.record(z.string(), z.array(z.string())),
  broad: z.array(z.string()),
  audiences: z.record(z.string(), z.array(z.string())),
  seeks: z.array(z.string()),
  free: z.array(z.string()),
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
  /** Search word of those it is for, by the customer's word. */
  readonly audiences: ReadonlyMap<string, string>;
  /** Asks for something to go to. */
  readonly seeks: RegExp;
  /** Asks for what costs nothing beside the plan. */
  readonly free: RegExp;
  /** Cities with everything they are called, folded. */
  readonly cities: readonly { readonly name: string; readonly names: readonly string[] }[];
}

function readWords(): ProgrammeWords {
  const read = (file: string): unknown => parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
  const { kinds, broad, audiences, seeks, free } = kindsSchema.parse(read('./programme.yaml'));
  const { places } = placesSchema.parse(read('../entities/experience.yaml'));
  const byWord = (named: Readonly<Record<string, readonly string[]>>) =>
    new Map(Object.entries(named).flatMap(([kind, words]) => words.map((word) => [word, kind] as const)));
  const anyOf = (patterns: readonly string[]) => new RegExp(`\\b(?:${patterns.join('|')})\\b`);
  return {
    kinds: byWord(kinds),
    broad: new Set(broad),
    audiences: byWord(audiences),
    seeks: anyOf(seeks),
    free: anyOf(free),
    cities: places.map(({ name, also }) => ({ name, names: [fold(name), ...also] })),
  };
}

/** One question to the programme; `exact` where it leaves out nothing that was asked for. */
interface Search {
  readonly args: Readonly<Record<string, unknown>>;
  readonly exact: boolean;
}

/** Lists what is on, where that was asked and no article answers it. */
export function createProgrammeAnswer(): CompanyAnswer {
  const words = readWords();
  return (asked) => {
    const { context, intent, answered, toolNames } = asked;
    const found = resultOf(context, SEARCH, programmeSchema);
    if (found) return listed(asked, searchesFor(asked, words), found.experiences);
    if (!toolNames.includes(SEARCH)) return null;
    const offered = context.issueType?.offered === true;
    const asks =
      intent === 'ask_catalog' || (offered && (!answered || words.seeks.test(fold(context.task.text))));
    const [first] = asks ? searchesFor(asked, words) : [];
    if (first) return call(SEARCH, first.args);
    // "What is on?" may be answered with what comes next; a longer question names something the programme lacks.
    const open =
      intent === 'ask_catalog' && context.task.text.trim().split(/\s+/).length <= OPEN_QUESTION_WORDS;
    return open && !answered ? call(SEARCH, {}) : null;
  };
}

/**
 * What to ask the programme for, one after the other until something is found: the days in each of their readings, then
 * without the words, then what is on in the city at all. Empty where the text names nothing to look for.
 */
function searchesFor(asked: Asked, words: ProgrammeWords): readonly Search[] {
  const { text, within = text } = asked.context.task;
  const city = lastIn(within, (sentence) => cityIn(sentence, words));
  const wanted = lastIn(text, (sentence) => wantedIn(sentence, city, words) || null);
  const place = city ? { location: city } : {};
  const free = words.free.test(fold(text)) ? { free: true } : {};
  const days = readingsIn(asked, within);
  const kept = { ...place, ...free };
  const of = (range: object, exact: boolean, more: object = {}): Search => ({
    args: { ...more, ...kept, ...range },
    exact,
  });
  const full = wanted ? { text: wanted } : {};
  const searches = (days.length === 0 ? [{}] : days).flatMap((range) => of(range, true, full));
  if (wanted) searches.push(...(days.length === 0 ? [{}] : days).map((range) => of(range, false)));
  if (city && days.length > 0) searches.push(of({}, false));
  return searches.filter(({ args }) => Object.keys(args).length > 0);
}

/** The days that are asked about, in each reading that is not over: the programme is of what comes. */
function readingsIn({ dates, context }: Asked, text: string): readonly { from: string; to: string }[] {
  const named = dates();
  const last = named.at(-1);
  if (!last) return [];
  // A question that was taken up again names its new day last; within a sentence the first is the one asked about.
  const start = Math.max(...['.', '!', '?'].map((mark) => text.lastIndexOf(mark, last.start - 1)));
  const date = named.find((one) => one.start > start) ?? last;
  return [date, ...date.alternatives]
    .filter(({ to }) => to > context.now)
    .map(({ from, to }) => ({ from, to }));
}

/** What the last sentence says that says anything of it: a question taken up again changes what it names. */
function lastIn(text: string, read: (sentence: string) => string | null): string | null {
  const sentences = text.split(/(?<=[.!?])\s+/).reverse();
  for (const sentence of sentences) {
    const found = read(sentence);
    if (found) return found;
  }
  return null;
}

function cityIn(text: string, { cities }: ProgrammeWords): string | null {
  const padded = ` ${fold(text).replace(/[^a-z0-9]+/g, ' ')} `;
  return cities.find(({ names }) => names.some((name) => padded.includes(` ${name} `)))?.name ?? null;
}

/** The kind of experience or quoted title a text asks for, in the programme's words; empty where it names none. */
function wantedIn(
  text: string,
  city: string | null,
  { kinds, broad, audiences, seeks }: ProgrammeWords,
): string {
  const quoted = /["“']([^"”']{3,60})["”']/.exec(text)?.[1];
  if (quoted) return quoted;
  const cityWords = new Set(city ? fold(city).split(' ') : []);
  const said = fold(text)
    .split(/[^a-z]+/)
    .filter((word) => !cityWords.has(word));
  const named = said.flatMap((word) => kinds.get(word) ?? []);
  const exact = named.find((kind) => !broad.has(kind));
  if (exact ?? !seeks.test(fold(text))) return exact ?? named[0] ?? '';
  const [audience] = said.flatMap((word) => audiences.get(word) ?? []);
  return audience ?? named[0] ?? '';
}

/** Where nothing fits, less is asked for; of a city that has nothing at all the help centre says where the company is. */
function listed(asked: Asked, searches: readonly Search[], experiences: Experiences): OfflineStep | null {
  const { context, texts, time } = asked;
  const asksDone = context.trace.filter((entry) => entry.tool === SEARCH);
  const next = experiences.length === 0 ? searches[asksDone.length] : undefined;
  if (next) return call(SEARCH, next.args);
  const last = asksDone.at(-1)?.args ?? {};
  if (
    experiences.length === 0 &&
    Object.keys(last).join() === 'location' &&
    asked.toolNames.includes(ARTICLES)
  ) {
    const query = texts.sayOwn('cities_question');
    const searched = context.trace.some((entry) => entry.tool === ARTICLES && entry.args.query === query);
    if (!searched) return call(ARTICLES, { query });
    if (asked.answered) return null;
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
  const exact = searches[asksDone.length - 1]?.exact ?? true;
  return say(texts.sayOwn('experiences', { list: dashed(lines), exact }));
}

import { z } from 'zod';
import { fold } from '../../../src/core/fold.js';
import type { OfflineStep } from '../../../src/core/ports/offline-policy.js';
import type { Asked, CompanyAnswer, NamedDate } from '../../../src/runtime/company-answers.js';
import { call, dashed, resultOf, say } from '../../../src/runtime/offline-step.js';
import { type ProgrammeWords, readProgrammeWords } from './programme-words.js';

const SEARCH = 'find_experiences';
const ARTICLES = 'search_knowledge';
const OPEN_QUESTION_WORDS = 5;
/** Of so many words at most a message only changes what was looked up before it. */
const CHANGING_WORDS = 9;
/** Of so many words at most it can be nothing but such a change. */
const LEADING_WORDS = 3;
/** Shown at once; more are looked up where a price or what was shown decides which. */
const SHOWN = 5;
const LOOKED_THROUGH = 100;

const programmeSchema = z.object({
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
type Experiences = z.infer<typeof programmeSchema>['experiences'];

/** A stretch of time. */
interface Days {
  readonly from: string;
  readonly to: string;
}

/** What is looked for. */
interface Wish {
  readonly location: string | null;
  /** A kind or words. */
  readonly text: string | null;
  readonly free: boolean;
  /** In each reading; none where any day will do. */
  readonly days: readonly Days[];
}

/** One question to the programme; `exact` where it leaves out nothing that was asked for. */
interface Search {
  readonly args: Readonly<Record<string, unknown>>;
  readonly exact: boolean;
}

/** Lists what is on, where that was asked and no article answers it. */
export function createProgrammeAnswer(): CompanyAnswer {
  const words = readProgrammeWords();
  return (asked) => {
    const { context, intent, answered, toolNames } = asked;
    const found = resultOf(context, SEARCH, programmeSchema);
    if (intent === 'make_reservation') return howToBook(asked, found?.experiences ?? null);
    if (found) return listed(asked, words, found.experiences);
    if (!toolNames.includes(SEARCH)) return null;
    const offered = context.issueType?.offered === true;
    const goesOn = words.leads.test(fold(ownText(asked)));
    // "Can I still cancel for free?" is answered by an article, and asks for nothing that is free.
    const isOther = answered && !offered && !goesOn && intent !== 'ask_catalog';
    const changes = !isOther && changesIn(asked, words) !== null;
    const asks = changes || intent === 'ask_catalog' || (offered && !answered);
    const [first] = asks ? searchesFor(asked, words) : [];
    if (first) return call(SEARCH, first.args);
    // "What is on?" may be answered with what comes next; a longer question names something the programme lacks.
    const open =
      intent === 'ask_catalog' && context.task.text.trim().split(/\s+/).length <= OPEN_QUESTION_WORDS;
    return open && !answered ? call(SEARCH, {}) : null;
  };
}

/** How the customer books what they name or what is spoken of; null where that is nothing on the programme. */
function howToBook(asked: Asked, experiences: Experiences | null): OfflineStep | null {
  const { context, texts, time } = asked;
  if (!experiences) {
    return asked.toolNames.includes(SEARCH) ? call(SEARCH, { limit: LOOKED_THROUGH }) : null;
  }
  const named = asked.named(experiences.map(recordOf)) ?? context.dialogue?.focus;
  const one = experiences.find(({ experience_id: id }) => id === named);
  if (!one) return null;
  const text = texts.sayOwn('book_this', {
    title: one.title,
    when: time.dateTime(one.starts_at, context.session.language),
    place: one.location,
    price: one.price_cents > 0 ? texts.money(one.price_cents) : null,
    premium: one.is_premium,
    slots: one.slots_available,
  });
  return say(text);
}

/** The one experience that is asked about by its name; null where none is, or several are. */
function namedAmong({ named }: Asked, experiences: Experiences): Experiences[number] | null {
  const picked = named(experiences.map(recordOf));
  return experiences.find(({ experience_id: id }) => id === picked) ?? null;
}

function recordOf({ experience_id: id, title, location, starts_at: startsAt }: Experiences[number]) {
  return { id, title, place: location, startsAt, status: '', upcoming: true, attributes: {} };
}

/** What a message says by itself: a short one comes with the message before it. */
function ownText({ context: { session, task } }: Asked): string {
  const before = session.previousMessage;
  return before && task.text.length > before.length && task.text.startsWith(before)
    ? task.text.slice(before.length).trim()
    : task.text;
}

/**
 * What is looked for once a short message has changed what was looked up before: "and in Rio?", "only the free ones".
 * @returns null where it changes nothing
 */
function changesIn(asked: Asked, words: ProgrammeWords): Wish | null {
  const { dialogue } = asked.context;
  const text = ownText(asked);
  if (dialogue?.looked?.tool !== SEARCH || text.split(/\s+/).length > CHANGING_WORDS) return null;
  const { location, text: wanted, free, from, to } = dialogue.looked.args as Record<string, unknown>;
  const own = wishIn(asked, text, text, words);
  const folded = fold(text);
  const named = own.location !== null || own.text !== null || own.free || own.days.length > 0;
  if (!named && !words.more.test(folded) && !words.cheap.test(folded)) return null;
  // "And in Rio?" keeps whatever it does not name; a whole question keeps where and when, and one of another city nothing.
  const leads = words.leads.test(folded) || text.split(/\s+/).length <= LEADING_WORDS;
  if (!leads && own.location !== null) return null;
  const before = typeof from === 'string' && typeof to === 'string' ? [{ from, to }] : [];
  return {
    location: own.location ?? (typeof location === 'string' ? location : null),
    text: own.text ?? (leads && typeof wanted === 'string' ? wanted : null),
    free: own.free || (leads && free === true && own.text === null),
    days: own.days.length > 0 ? own.days : before,
  };
}

/** What a text names; `within` is what it was written in. */
function wishIn(asked: Asked, text: string, within: string, words: ProgrammeWords): Wish {
  const location = lastIn(within, (sentence) => cityIn(sentence, words));
  return {
    location,
    text: lastIn(text, (sentence) => wantedIn(sentence, location, asked.intent, words) || null),
    free: words.free.test(fold(text)),
    days: readingsIn(asked, within),
  };
}

/**
 * What to ask the programme for, one after the other until something is found: all that was asked for, the days in each of
 * their readings; then what is nearest to it: another day, another kind, another city. Empty where nothing is named.
 */
function searchesFor(asked: Asked, words: ProgrammeWords): readonly Search[] {
  const { text, within = text } = asked.context.task;
  const wish = changesIn(asked, words) ?? wishIn(asked, text, within, words);
  const place = wish.location ? { location: wish.location } : {};
  const kind = wish.text ? { text: wish.text } : {};
  const free = wish.free ? { free: true } : {};
  const days: readonly Partial<Days>[] = wish.days.length === 0 ? [{}] : wish.days;
  const [first = {}] = days;
  const all = { ...place, ...kind, ...free };
  if (Object.keys({ ...all, ...first }).length === 0) return [];
  const nearest = [
    all,
    ...days.map((range) => ({ ...place, ...free, ...range })),
    { ...place, ...kind },
    ...(wish.location && wish.text
      ? [
          { ...place, ...free },
          { ...kind, ...free },
        ]
      : []),
    ...days.map((range) => ({ ...place, ...range })),
    place,
  ];
  const exact = days.map((range) => ({ args: { ...all, ...range }, exact: true }));
  const others = nearest.map((args) => ({ args, exact: false }));
  const limit = words.cheap.test(fold(text)) || words.more.test(fold(text)) ? { limit: LOOKED_THROUGH } : {};
  const known = new Set<string>();
  return [...exact, ...others]
    .filter(({ args }) => !known.has(JSON.stringify(args)) && known.add(JSON.stringify(args)))
    .map(({ args, ...rest }) => ({ args: { ...args, ...limit }, ...rest }));
}

/** The days that are asked about, in each reading that is not over: the programme is of what comes. */
function readingsIn({ dates, context }: Asked, text: string): readonly Days[] {
  const whole = context.task.within ?? context.task.text;
  const offset = Math.max(0, whole.lastIndexOf(text));
  const named = dates().filter(({ start }) => start >= offset);
  const last = named.at(-1);
  if (!last) return [];
  const at = (date: NamedDate) => date.start - offset;
  // A question that was taken up again names its new day last; within a sentence the first is the one asked about.
  const start = Math.max(...['.', '!', '?'].map((mark) => text.lastIndexOf(mark, at(last) - 1)));
  const date = named.find((one) => at(one) > start) ?? last;
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
function wantedIn(text: string, city: string | null, intent: string, { kinds }: ProgrammeWords): string {
  const quoted = /["“']([^"”']{3,60})["”']/.exec(text)?.[1];
  if (quoted) return quoted;
  const cityWords = new Set(city ? fold(city).split(' ') : []);
  const named = fold(text)
    .split(/[^a-z]+/)
    .filter((word) => !cityWords.has(word))
    .flatMap((word) => kinds.named.get(word) ?? []);
  const audience = named.find((kind) => kinds.audiences.has(kind));
  const others = named.filter((kind) => !kinds.audiences.has(kind));
  const exact = others.find((kind) => !kinds.broad.has(kind)) ?? others[0];
  // "A concert for my kids" asks for what they may go to, where something to go to is asked for at all.
  if (audience && intent === 'ask_catalog' && (exact === undefined || kinds.broad.has(exact)))
    return audience;
  return exact ?? '';
}

/** What was found. Where nothing fits, what is nearest is looked up; of a city that has nothing at all the help centre says where the company is. */
function listed(asked: Asked, words: ProgrammeWords, experiences: Experiences): OfflineStep | null {
  const { context, texts, time } = asked;
  const searches = searchesFor(asked, words);
  const asksDone = context.trace.filter((entry) => entry.tool === SEARCH);
  const text = fold(ownText(asked));
  const seen = new Set(words.more.test(text) ? context.dialogue?.shown.map(({ id }) => id) : []);
  const unseen = experiences.filter(({ experience_id: id }) => !seen.has(id));
  const next = unseen.length === 0 ? searches[asksDone.length] : undefined;
  if (next) return call(SEARCH, next.args);
  const place = searches.at(-1)?.args.location;
  if (unseen.length === 0 && seen.size === 0 && place && asked.toolNames.includes(ARTICLES)) {
    const query = texts.sayOwn('cities_question');
    const searched = context.trace.some((entry) => entry.tool === ARTICLES && entry.args.query === query);
    if (!searched) return call(ARTICLES, { query });
    if (asked.answered) return null;
  }
  const named = namedAmong(asked, unseen);
  const sorted = named
    ? [named]
    : words.cheap.test(text)
      ? [...unseen].sort((a, b) => a.price_cents - b.price_cents)
      : unseen;
  const lines = sorted.slice(0, SHOWN).map((experience) =>
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
  return say(texts.sayOwn('experiences', { list: dashed(lines), exact, all: seen.size > 0 }));
}

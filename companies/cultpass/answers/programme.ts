import type { RecordFilters } from '../../../src/core/domain/entity.js';
import type { OfflineStep } from '../../../src/core/ports/chat-models.js';
import { fold } from '../../../src/core/text.js';
import type { Asked, CompanyAnswer } from '../../../src/runtime/company-answers.js';
import { call, dashed, resultOf, say } from '../../../src/runtime/offline-step.js';
import {
  ANY_DAY,
  type Experience,
  type Experiences,
  isOwned,
  LOOKED_THROUGH,
  lineOf,
  noneCheaper,
  programmeSchema,
  recordOf,
  SEARCH,
  shownOf,
} from './programme-lines.js';
import { kindIn, missingStep, nameIn } from './programme-names.js';
import { apartFrom, type Looked, nearest, trulyOf } from './programme-nearest.js';
import {
  aheadOf,
  leadsOn,
  type ProgrammeWords,
  readingsOf,
  readProgrammeWords,
  sentencesOf,
} from './programme-words.js';

const ARTICLES = 'search_knowledge';
const OPEN_QUESTION_WORDS = 5;
/** Of so many words at most a message only changes what was looked up before it. */
const CHANGING_WORDS = 9;
/** Of so many words at most it can be nothing but such a change. */
const LEADING_WORDS = 3;

/** What is looked for: a kind or words, and what else narrows it down. */
interface Wish {
  readonly text: string | null;
  readonly filters: RecordFilters;
}

/** Lists what is on, where that was asked and no article answers it. */
export function createProgrammeAnswer(): CompanyAnswer {
  const words = readProgrammeWords();
  return (asked) => {
    const { context, intent, answered, toolNames } = asked;
    // "And my grandson, does he get it?" asks on of the article that was quoted.
    if (context.task.only) return null;
    const found = resultOf(context, SEARCH, programmeSchema);
    // "How do I book the candlelight concert?" is told of that one, where no article is sure to say how.
    const isNamed = intent === 'ask_how_to_book' && !answered && namesOne(asked);
    if (intent === 'make_reservation' || isNamed) return howToBook(asked, found?.experiences ?? null);
    const name =
      intent === 'ask_catalog' && !answered && toolNames.includes(SEARCH) ? nameIn(asked, words) : null;
    const missing = name === null ? null : missingStep(asked, name, searchFor(asked, words));
    if (missing) return missing;
    if (found) return listed(asked, words, found.experiences);
    if (!toolNames.includes(SEARCH)) return null;
    const offered = context.issueType?.offered === true;
    const goesOn = leadsOn(asked.own, words);
    // "Can I still cancel for free?" is answered by an article, and asks for nothing that is free.
    const isOther = answered && !offered && !goesOn && intent !== 'ask_catalog';
    const changes = !isOther && changesIn(asked, words) !== null;
    const asks =
      changes ||
      context.task.list !== undefined ||
      intent === 'ask_catalog' ||
      ((offered || words.premium.test(fold(asked.own))) && !answered);
    const first = asks ? searchFor(asked, words) : null;
    if (first) return call(SEARCH, first);
    // "What is on?" may be answered with what comes next; a longer question names something the programme lacks.
    const open =
      intent === 'ask_catalog' && context.task.text.trim().split(/\s+/).length <= OPEN_QUESTION_WORDS;
    return open && !answered ? call(SEARCH, {}) : null;
  };
}

/** Of fewer words a question how to book names nothing. */
const NAMING_WORDS = 5;
const namesOne = ({ context }: Asked) => context.task.text.trim().split(/\s+/).length >= NAMING_WORDS;

/** How the customer books what they name or what is spoken of; null where that is nothing on the programme. */
function howToBook(asked: Asked, experiences: Experiences | null): OfflineStep | null {
  const { context, texts, time } = asked;
  if (!experiences) {
    return asked.toolNames.includes(SEARCH) ? call(SEARCH, { limit: LOOKED_THROUGH }) : null;
  }
  const named = asked.named(experiences.map(recordOf)) ?? context.dialogue?.focus;
  const one = experiences.find(({ experience_id: id }) => id === named);
  if (!one) return null;
  const has = isOwned(asked, one);
  const text = texts.sayOwn('book_this', {
    has,
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
function namedAmong({ named }: Asked, experiences: Experiences): Experience | null {
  const picked = named(experiences.map(recordOf));
  return experiences.find(({ experience_id: id }) => id === picked) ?? null;
}

/**
 * What is looked for once a message has changed what was looked up before, in a short sentence: "and in Rio?", "only the free
 * ones".
 * @returns null where it changes nothing
 */
function changesIn(asked: Asked, words: ProgrammeWords): Wish | null {
  const { dialogue, task } = asked.context;
  const text = asked.own;
  if (dialogue?.looked?.tool !== SEARCH) return null;
  const changes = (sentence: string): boolean =>
    asked.narrowed(sentence).narrows ||
    kindIn(asked, sentence, words) !== null ||
    words.more.test(fold(sentence)) ||
    words.cheap.test(fold(sentence));
  const changing = sentencesOf(text).filter(changes);
  if (!changing.some((sentence) => sentence.split(/\s+/).length <= CHANGING_WORDS) && !task.list) return null;
  const { text: before } = dialogue.looked.args as Record<string, unknown>;
  const folded = fold(text);
  const kind = kindIn(asked, text, words);
  const { own, merged } = asked.narrowed(text);
  // "And in Rio?" keeps whatever it does not name; a whole question keeps where and when, and one of another city nothing.
  const leads = leadsOn(text, words) || text.split(/\s+/).length <= LEADING_WORDS;
  const keeps = task.list ? task.list.changes : leads;
  const isOther = words.otherwise.test(folded) || (words.anything.test(folded) && !words.more.test(folded));
  const wanted = kind ?? (keeps && !isOther && typeof before === 'string' ? before : null);
  if (task.list) return { text: wanted, filters: task.list.filters };
  if (!leads && own.places.length > 0) return null;
  return { text: wanted, filters: leads ? merged : { ...merged, price: own.price, left: own.left } };
}

/** What a text names, or changes of what was looked up before. */
function wishIn(asked: Asked, words: ProgrammeWords): Wish {
  const { text, filters } = changesIn(asked, words) ?? {
    text: kindIn(asked, asked.context.task.text, words),
    filters: asked.filters,
  };
  return {
    text,
    filters: { ...filters, days: filters.days.map((span) => aheadOf(span, asked.context.now)) },
  };
}

/** What to ask the programme for: all that was asked for, as far as a search takes it. Null where nothing is named. */
function searchFor(asked: Asked, words: ProgrammeWords): Readonly<Record<string, unknown>> | null {
  const { text, filters } = wishIn(asked, words);
  const [place, ...others] = filters.places;
  const spans = filters.days.flatMap((span) => [span, ...span.alternatives]);
  const ahead = spans.filter(({ to }) => to > asked.context.now);
  const from = ahead.map((span) => span.from).sort()[0];
  const to = ahead
    .map((span) => span.to)
    .sort()
    .at(-1);
  const args = {
    ...(place !== undefined && others.length === 0 ? { location: place } : {}),
    ...(text === null ? {} : { text }),
    ...(from === undefined ? {} : { from, to }),
    ...(filters.price?.most === 0 ? { free: true } : {}),
    ...(words.premium.test(fold(asked.own)) ? { premium: true } : {}),
  };
  const narrows = Object.keys(args).length > 0 || asked.narrows(filters);
  return narrows ? { ...args, limit: LOOKED_THROUGH } : null;
}

/** What was found. Where nothing fits, what is nearest is looked up; of a city that has nothing at all the help centre says where the company is. */
function listed(asked: Asked, words: ProgrammeWords, found: Experiences): OfflineStep | null {
  const { context, texts } = asked;
  const wish = wishIn(asked, words);
  const text = fold(asked.own);
  // What was shown as a booking is on the programme under another id.
  const seen = new Set(
    words.more.test(text) ? context.dialogue?.shown.flatMap(({ id, title }) => [id, title]) : [],
  );
  const unseen = (all: Experiences) =>
    all.filter(({ experience_id: id, title }) => !seen.has(id) && !seen.has(title));
  const searches = context.trace.filter((entry) => entry.tool === SEARCH);
  const isOfKind = wish.text !== null && searches.at(-1)?.args.text === wish.text;
  const experiences = isOfKind ? trulyOf(found, wish.text, words.kinds) : found;
  const fits = (all: Experiences, filters: RecordFilters) =>
    unseen(all).filter((one) => asked.fits(recordOf(one), 'experience', filters));
  const below = belowIn(asked, words);
  const ofWish = (filters: RecordFilters) =>
    experiences.filter((one) => asked.fits(recordOf(one), 'experience', filters));
  if (below !== null && searches.length < 2) {
    const cheaper = ofWish(wish.filters).filter(({ price_cents: price }) => price < below);
    if (cheaper.length > 0) return listing(asked, words, cheaper, wish, true);
  }
  // "Next Friday" may be this one: what is said is the day that was found.
  const reading =
    searches.length > 1 || below !== null
      ? undefined
      : readingsOf(wish.filters).find((one) => fits(experiences, one).length > 0);
  if (reading) return listing(asked, words, fits(experiences, reading), { ...wish, filters: reading }, true);
  const [first, second] = [
    wish.text === null ? null : { text: wish.text, limit: LOOKED_THROUGH },
    { limit: LOOKED_THROUGH },
  ];
  const next = [...(first ? [first] : []), second][searches.length - 1];
  if (next) return call(SEARCH, next);
  const all = unseen(experiences);
  const [place] = wish.filters.places;
  const known = experiences.some(({ location }) => wish.filters.places.some((one) => location.includes(one)));
  if (place !== undefined && !known && seen.size === 0 && asked.toolNames.includes(ARTICLES)) {
    const query = texts.sayOwn('cities_question');
    const searched = context.trace.some((entry) => entry.tool === ARTICLES && entry.args.query === query);
    if (!searched) return call(ARTICLES, { query });
    if (asked.answered) return null;
  }
  const sameKind = first && programmeSchema.safeParse(searches[1]?.result).data?.experiences;
  const ofKind = sameKind && trulyOf(sameKind, wish.text, words.kinds);
  if (below !== null)
    return noneCheaper(asked, wish.filters, { below, all: ofWish({ ...wish.filters, ...ANY_DAY }) });
  // Who asks for children is not shown what is for adults, where something is on for them anywhere.
  const isForThem = ofKind != null && ofKind.length > 0 && words.kinds.audiences.has(wish.text ?? '');
  const among = { ofKind: ofKind ? unseen(ofKind) : null, all: isForThem ? unseen(ofKind) : all };
  return listing(asked, words, nearest(wish.filters, among, fits), wish, false, among);
}

/** What something is to cost less than that is asked for as cheaper than what was shown; null where nothing is. */
function belowIn({ context, own }: Asked, { cheaper }: ProgrammeWords): number | null {
  const { dialogue } = context;
  const shown = dialogue?.looked?.tool === SEARCH && cheaper.test(fold(own)) ? dialogue.shown : [];
  const among = shown.filter(({ id }) => dialogue?.focus == null || id === dialogue.focus);
  const prices = among.flatMap(({ attributes: { price } }) => (typeof price === 'number' ? [price] : []));
  return prices.length === 0 ? null : Math.min(...prices);
}

function listing(
  asked: Asked,
  words: ProgrammeWords,
  experiences: Experiences,
  { filters, text: kind }: Wish,
  exact: boolean,
  among: Looked | null = null,
): OfflineStep {
  const { context, texts } = asked;
  const text = fold(asked.own);
  const has = (one: Experience) => isOwned(asked, one);
  // What can be booked comes before what the customer has, and before what is sold out.
  const rank = (one: Experience) => (has(one) ? 2 : one.slots_available === 0 ? 1 : 0);
  // What was named in the message before is not named in this one, nor where every word says which.
  const { list } = context.task;
  const mayName = list === undefined || (!list.changes && asked.unexplained.length > 0);
  const isNamed = asked.own === context.task.text && mayName;
  const named = isNamed ? namedAmong(asked, experiences) : null;
  const sorted = [...experiences].sort(
    (a, b) => (words.cheap.test(text) ? a.price_cents - b.price_cents : 0) || rank(a) - rank(b),
  );
  const shown = named && exact ? [named] : shownOf(sorted);
  const lines = shown.map((one) => lineOf(asked, one));
  return say(
    texts.sayOwn('experiences', {
      list: dashed(lines),
      exact,
      all: words.more.test(text),
      kind: kind !== null,
      apart: among && apartFrom(asked, filters, among, shown),
      by: asked.narrowedTo(filters),
      more: exact && !named ? experiences.length - shown.length : 0,
    }),
  );
}

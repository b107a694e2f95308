import {
  byDate,
  byId,
  type Candidate,
  combine,
  createNameClues,
  type NameClues,
  one,
  type Pick,
  type Selection,
  select,
} from './clues.js';
import type { DateOptions, DateRange, FindDates } from './dates.js';
import type { IdReader } from './ids-and-days.js';
import { createNamedThing, type NamedThing } from './mention.js';
import { createPlaces, type FindPlaces } from './ordinals.js';
import type { RecordWords } from './record-words.js';
import type { Superlatives } from './superlatives.js';
import { fold, foldText, MAX_TEXT, tokenize } from './text.js';
import { withoutWanted } from './wanted.js';

export type { Candidate, Selection } from './clues.js';

/** When the words were said, and after which list. */
export interface SelectOptions extends DateOptions {
  /** Ids in the order last shown to the customer as 1., 2., 3. */
  listed?: readonly string[];
  /** True where what is named is meant, whatever stands before it: "keep the samba" names the samba. */
  asNamed?: boolean;
}

/**
 * Finds which of the known records a customer means: by id, name, date, place, or position in the list last shown.
 * Different clues must agree; where they do not, or fit several records, the answer is `many`. An id or a name that is
 * not among the candidates is reported, never replaced by a similar one.
 */
export type SelectCandidate = (
  text: string,
  candidates: readonly Candidate[],
  options: SelectOptions,
) => Selection;

/** What a selection reads a text with. */
interface Readers extends NameClues {
  readonly ids: IdReader;
  readonly findDates: FindDates;
  readonly findPlaces: FindPlaces;
  readonly namedThing: NamedThing;
  readonly superlatives: Superlatives;
  /** The next one. */
  readonly next: RegExp;
  /** Words that point at the only one there is. */
  readonly refers: RegExp;
  /** What is named there is not meant. */
  readonly excluded: RegExp;
}

/** Letters of a word that only joins others: "do Dom Casmurro". */
const SMALL = 2;
const NONE: Selection = { kind: 'none', mentioned: null };

const ALL =
  /\b(?:all|both|every|everything|each of|todas|todos|tudo|ambas|ambos|as duas|os dois|as tres|os tres)\b/;
const NOT_ALL =
  /\b(?:that's all|thats all|that is all|at all|all (?:good|right|set|ok|day|the (?:best|time))|after all|first of all|(?:all|everything) (?:just |exactly )?(?:as|the (?:same|way)|how|like) |(?:all|everything) (?:as is|stays?|the same)|e tudo|tudo (?:bem|bom|certo|ok|igual|mais|(?:exatamente )?(?:como|do jeito|assim|na mesma)|(?:continua|fica))|todos os dias|every (?:time|day|month|week)|not all|nem todas|nem todos)\b/;
const UPCOMING = /\b(?:upcoming|future|futur[ao]s?|proxim[ao]s)\b/;
const isUpcoming = (candidate: Candidate, now: Date): boolean =>
  candidate.upcoming ?? startOf(candidate) >= now.getTime();
/** What has no time comes after what has one. */
const startOf = ({ startsAt }: Candidate): number =>
  startsAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(startsAt);
const inTime = (candidates: readonly Candidate[]): Candidate[] =>
  [...candidates].sort((a, b) => startOf(a) - startOf(b));

/** The places of a list the text points at; undefined when it points at none. */
const byPlace = (
  { findPlaces }: Readers,
  folded: string,
  list: readonly string[],
  text: string,
  by: 'ordinal' | 'position',
  shown = true,
): Selection | undefined => {
  const places = findPlaces(folded, list.length);
  if (places.length === 0) return undefined;
  const ids = places.map((place) => list.at(place));
  // at(-1) of the list is the last, but a place before its beginning or past its end is none.
  const missing =
    places.some((place) => place >= list.length || -place > list.length) || ids.includes(undefined);
  if (missing) return { kind: 'none', mentioned: text.trim().slice(0, 80) };
  return select({
    ids: ids.filter((id) => id !== undefined),
    by,
    // Without a list on the screen it can only be the order in time.
    confidence: shown ? 0.92 : 0.7,
  });
};

/** What was named, together with a place in a list: "a quinta" (Thursday or the fifth), "the second samba one". */
const settle = (
  readers: Readers,
  text: string,
  folded: string,
  named: Pick,
  candidates: readonly Candidate[],
  list: readonly string[],
): Selection => {
  if (readers.findPlaces(folded, named.ids.length).length === 0) return select(named);
  const among = candidates.map(({ id }) => id).filter((id) => named.ids.includes(id));
  const within =
    among.length > 1 && named.by !== 'date' ? byPlace(readers, folded, among, text, 'ordinal') : undefined;
  const overall = byPlace(readers, folded, list, text, 'ordinal');
  if (overall?.kind === 'one' && named.ids.includes(overall.id)) return overall;
  if (within?.kind === 'one' && (overall?.kind !== 'one' || named.by === 'title')) return within;
  if (overall?.kind !== 'one') return select(named);
  return { kind: 'many', ids: [...new Set([...named.ids, overall.id])], by: `${named.by}+ordinal` };
};

/**
 * What is named and which days are meant, where words may be of both: "Dom Casmurro" is on no Sunday ("dom."), and "tomorrow" alone
 * is no Museum of Tomorrow.
 */
const namesAndDates = (
  readers: Readers,
  text: string,
  candidates: readonly Candidate[],
  options: SelectOptions,
): { readonly name: Pick | null; readonly dates: readonly DateRange[] } => {
  const dates = readers.findDates(text, options);
  const name = readers.byName(fold(text), candidates);
  if (dates.length === 0 || name === null) return { name, dates };
  const bare = dates.reduce((rest, date) => rest.replace(date.text, ' '), text);
  const byRest = readers.byName(fold(bare), candidates);
  if (byRest === null) return { name: null, dates };
  const [only, ...others] = byRest.ids;
  const title = candidates.find(({ id }) => id === only)?.title ?? '';
  const inTitle = new Set(tokenize(foldText(title)).map(({ word }) => word));
  const isOfTitle = (date: DateRange) =>
    tokenize(foldText(date.text)).every(({ word }) => word.length <= SMALL || inTitle.has(word));
  return others.length > 0 ? { name, dates } : { name, dates: dates.filter((date) => !isOfTitle(date)) };
};

const resolve = (
  readers: Readers,
  text: string,
  candidates: readonly Candidate[],
  options: SelectOptions,
): Selection => {
  const source = fold(text);
  const { folded } = source;
  const exact = byId(folded, candidates, readers.ids);
  if (exact !== null) return exact;

  const { name, dates } = namesAndDates(readers, text, candidates, options);
  const onDates = byDate(dates, candidates);
  const placing = withoutDays(text, dates);
  const named = combine(name, dates, onDates, readers.byLocation(source, candidates));
  const known = new Set(candidates.map(({ id }) => id));
  const shown = options.listed?.filter((id) => known.has(id)) ?? [];
  const list = shown.length > 0 ? shown : candidates.map(({ id }) => id);
  const all = ALL.test(folded) && !NOT_ALL.test(folded);

  const extreme = byExtreme(readers, text, candidates, shown, named, options.now);
  if (extreme !== undefined) return extreme;
  if (named !== undefined && 'conflict' in named)
    return { kind: 'many', ids: [...named.conflict], by: named.by };
  if (named !== undefined && !('kind' in named))
    return all ? select(named) : settle(readers, text, placing, named, candidates, list);
  const last = /\b(?:last|ultim[ao])\b/.test(folded);
  const placed = byPlace(
    readers,
    placing,
    list,
    text,
    shown.length > 0 || !last ? 'ordinal' : 'position',
    shown.length > 0,
  );
  if (placed !== undefined && (placed.kind !== 'none' || named === undefined)) return placed;
  if (named !== undefined && 'kind' in named) return named;

  if (all) {
    const meant = UPCOMING.test(folded)
      ? candidates.filter((candidate) => isUpcoming(candidate, options.now))
      : candidates;
    return meant.length === 0 ? NONE : { kind: 'all', ids: meant.map(({ id }) => id) };
  }
  const thing = readers.namedThing(text, source, dates);
  if (thing !== null) return { kind: 'none', mentioned: thing };
  const ahead = candidates.filter((candidate) => isUpcoming(candidate, options.now));
  const [soonest] = ahead;
  if (readers.next.test(folded) && soonest !== undefined) return one(soonest.id, 'position', 0.85);
  const [only] =
    candidates.length === 1 ? candidates : UPCOMING.test(folded) && ahead.length === 1 ? ahead : [];
  return only !== undefined && readers.refers.test(folded) ? one(only.id, 'only', 0.7) : NONE;
};

/** A text, folded, without the days in it that have a number: "on the 4th" is no place in a list. */
function withoutDays(text: string, dates: readonly DateRange[]): string {
  const days = dates.filter((date) => /\d/.test(date.text));
  const blank = (left: string, { start, end }: DateRange): string =>
    left.slice(0, start) + ' '.repeat(end - start) + left.slice(end);
  return foldText(days.reduce(blank, text));
}

/** "The cheapest", "the latest of them": of what is named, else of what was shown, else of what is ahead. */
const byExtreme = (
  { superlatives }: Readers,
  text: string,
  candidates: readonly Candidate[],
  shown: readonly string[],
  named: ReturnType<typeof combine>,
  now: Date,
): Selection | undefined => {
  const ids = named !== undefined && 'ids' in named ? named.ids : shown;
  const ahead = candidates.filter((candidate) => isUpcoming(candidate, now));
  const among = ids.length > 1 ? candidates.filter(({ id }) => ids.includes(id)) : ahead;
  const best = superlatives.pick(text, among);
  return best && best.length > 0
    ? select({ ids: best.map(({ id }) => id), by: 'ordinal', confidence: 0.9 })
    : undefined;
};

/** "Not the Friday one", "menos a de sexta", "keep the samba": what is named there is not meant. */
const exclusions = (ids: IdReader): RegExp =>
  new RegExp(
    `\\b(?:not|nao|except(?: for)?|exceto|menos|apart from|other than|rather than|instead of|em vez|ao inves|fora|tirando|sem ser|keep|mantem|mantenha|manter|leave|fico com|ficar com|keeping) (?=(?:(?<=com )|(?<=keeping )|the|my|that|this|a|o|as|os|minha|meu|essa|esse|de|da|do|number|numero|id)\\b|(?:${ids.prefixes})[_ -]?\\d|#)[^,.;!?\\n]{1,60}?(?=$|[,.;!?\\n]| (?:but|and cancel|mas|e sim|e cancela|cancel|quero|i want) )`,
    'g',
  );

/** The end of a noun in the plural, which "class" and "circus" are not. */
const PLURAL = '(?<=[^su]s)\\b';

/** Makes the selection among a company's records. */
export function createSelection(
  words: RecordWords,
  ids: IdReader,
  findDates: FindDates,
  superlatives: Superlatives,
): SelectCandidate {
  const readers: Readers = {
    ...createNameClues(words),
    ids,
    findDates,
    findPlaces: createPlaces(words),
    superlatives,
    namedThing: createNamedThing(words),
    // "My next bookings" are all that are ahead.
    next: new RegExp(
      `\\b(?:(?:my|the|a|o|minha|meu|da|do) (?:very )?(?:next|proxim[ao]|soonest|earliest|nearest|mais proxim[ao])(?! (?:${words.things})${PLURAL})(?: (?:one|${words.things}))?|(?:next|upcoming|proxim[ao]) (?:one|(?:${words.things})(?<!${PLURAL})))\\b(?! (?:(?:few|several|couple of) )?(?:week|month|semana|mes|time|vez|step|charge|payment|cobranca|fatura))`,
    ),
    refers: new RegExp(`\\b(?:it|that|this|one|${words.things}|ela|ele|essa|esse|isso|dela|dele)\\b`),
    excluded: exclusions(ids),
  };
  return (text, candidates, options) => pickOne(readers, text, candidates, options);
}

const pickOne = (
  readers: Readers,
  text: string,
  candidates: readonly Candidate[],
  options: SelectOptions,
): Selection => {
  const source = fold(text.slice(0, MAX_TEXT));
  let meant = text.slice(0, MAX_TEXT);
  let excluded = '';
  for (const match of source.folded.matchAll(readers.excluded)) {
    const start = source.at[match.index] ?? 0;
    const end = source.at[match.index + match[0].length] ?? meant.length;
    excluded += ` ${meant.slice(start, end)}`;
    meant = meant.slice(0, start) + ' '.repeat(end - start) + meant.slice(end);
  }
  // By time, so that what cannot be told apart is listed in the order it happens.
  const known = inTime(candidates);
  if (options.asNamed) return resolve(readers, text.slice(0, MAX_TEXT), known, options);
  const others = withoutWanted(text.slice(0, MAX_TEXT));
  if (others !== null) {
    const left = pickOne(readers, others, candidates, options);
    if (left.kind === 'one' && left.by !== 'only' && left.by !== 'position') return left;
  }
  const picked = resolve(readers, meant, known, options);
  if (excluded === '' || picked.kind === 'one' || picked.kind === 'many') return picked;
  if (picked.kind === 'none' && picked.mentioned !== null) return picked;
  const without = resolve(readers, excluded, known, options);
  if (without.kind === 'none' || without.kind === 'all')
    return without.kind === 'none' && without.mentioned !== null ? without : picked;
  const out = without.kind === 'one' ? [without.id] : without.ids;
  const left = known.map(({ id }) => id).filter((id) => !out.includes(id));
  if (left.length === 0) return NONE;
  return select({ ids: left, by: without.kind === 'one' ? without.by : 'title', confidence: 0.6 });
};

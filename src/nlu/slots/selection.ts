import {
  byDate,
  byId,
  byLocation,
  byName,
  type Candidate,
  combine,
  one,
  type Pick,
  type Selection,
  select,
} from './clues.js';
import { type DateOptions, findDates } from './dates.js';
import type { IdReader } from './ids-and-money.js';
import { namedThing } from './mention.js';
import { findPlaces } from './ordinals.js';
import { fold, MAX_TEXT } from './text.js';

export type { Candidate, SelectedBy, Selection } from './clues.js';

/** When, where, and after which list the words were said. */
export interface SelectOptions extends DateOptions {
  /** Ids in the order last shown to the customer as 1., 2., 3. */
  listed?: string[];
  /** Reads the ids of the company's records. */
  ids: IdReader;
}

const NONE: Selection = { kind: 'none', mentioned: null };

const ALL =
  /\b(?:all|both|every|everything|each of|todas|todos|tudo|ambas|ambos|as duas|os dois|as tres|os tres)\b/;
const NOT_ALL =
  /\b(?:that's all|thats all|that is all|at all|all (?:good|right|set|ok|day|the (?:best|time))|after all|first of all|e tudo|tudo (?:bem|bom|certo|ok)|todos os dias|every (?:time|day|month|week)|not all|nem todas|nem todos)\b/;
const NEXT =
  /\b(?:(?:my|the|a|o|minha|meu|da|do) (?:very )?(?:next|proxim[ao]|soonest|earliest|nearest|mais proxim[ao])(?: (?:one|booking|reservation|show|concert|event|visit|experience|reserva|evento|visita|experiencia|ingresso))?|(?:next|upcoming|proxim[ao]) (?:one|booking|reservation|reserva|visita))\b(?! (?:week|month|semana|mes|time|vez|step|charge|payment|cobranca|fatura))/;
const UPCOMING = /\b(?:upcoming|future|futur[ao]s?|proxim[ao]s)\b/;
const REFERS =
  /\b(?:it|that|this|one|booking|reservation|ticket|tickets|show|concert|event|visit|spot|experience|reserva|ingresso|ingressos|evento|visita|experiencia|ela|ele|essa|esse|isso|dela|dele)\b/;

const isUpcoming = (candidate: Candidate, now: Date): boolean =>
  candidate.upcoming ?? Date.parse(candidate.startsAt) >= now.getTime();
const inTime = (candidates: readonly Candidate[]): Candidate[] =>
  [...candidates].sort((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt));

/** The places of a list the text points at; undefined when it points at none. */
const byPlace = (
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
  text: string,
  folded: string,
  named: Pick,
  candidates: readonly Candidate[],
  list: readonly string[],
): Selection => {
  if (findPlaces(folded, named.ids.length).length === 0) return select(named);
  const among = candidates.map(({ id }) => id).filter((id) => named.ids.includes(id));
  const within =
    among.length > 1 && named.by !== 'date' ? byPlace(folded, among, text, 'ordinal') : undefined;
  const overall = byPlace(folded, list, text, 'ordinal');
  if (overall?.kind === 'one' && named.ids.includes(overall.id)) return overall;
  if (within?.kind === 'one' && (overall?.kind !== 'one' || named.by === 'title')) return within;
  if (overall?.kind !== 'one') return select(named);
  return { kind: 'many', ids: [...new Set([...named.ids, overall.id])], by: `${named.by}+ordinal` };
};

const resolve = (text: string, candidates: readonly Candidate[], options: SelectOptions): Selection => {
  const source = fold(text);
  const { folded } = source;
  const exact = byId(folded, candidates, options.ids);
  if (exact !== null) return exact;

  const dates = findDates(text, options);
  const onDates = byDate(dates, candidates);
  const named = combine(byName(source, candidates), dates, onDates, byLocation(source, candidates));
  const known = new Set(candidates.map(({ id }) => id));
  const shown = options.listed?.filter((id) => known.has(id)) ?? [];
  const list = shown.length > 0 ? shown : candidates.map(({ id }) => id);
  const all = ALL.test(folded) && !NOT_ALL.test(folded);

  if (named !== undefined && 'conflict' in named)
    return { kind: 'many', ids: [...named.conflict], by: named.by };
  if (named !== undefined && !('kind' in named))
    return all ? select(named) : settle(text, folded, named, candidates, list);
  const last = /\b(?:last|ultim[ao])\b/.test(folded);
  const placed = byPlace(
    folded,
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
  const thing = namedThing(text, source, dates);
  if (thing !== null) return { kind: 'none', mentioned: thing };
  const ahead = candidates.filter((candidate) => isUpcoming(candidate, options.now));
  const [soonest] = ahead;
  if (NEXT.test(folded) && soonest !== undefined) return one(soonest.id, 'position', 0.85);
  const [only] =
    candidates.length === 1 ? candidates : UPCOMING.test(folded) && ahead.length === 1 ? ahead : [];
  return only !== undefined && REFERS.test(folded) ? one(only.id, 'only', 0.7) : NONE;
};

/** "Not the Friday one", "menos a de sexta", "keep the samba": what is named there is not meant. */
const exclusions = (ids: IdReader): RegExp =>
  new RegExp(
    `\\b(?:not|nao|except(?: for)?|exceto|menos|apart from|other than|rather than|instead of|em vez|ao inves|fora|tirando|sem ser|keep|mantem|mantenha|manter|leave) (?=(?:the|my|that|this|a|o|as|os|minha|meu|essa|esse|de|da|do|number|numero|id)\\b|(?:${ids.prefixes})[_ -]?\\d|#)[^,.;!?\\n]{1,60}?(?=$|[,.;!?\\n]| (?:but|and cancel|mas|e sim|e cancela|cancel|quero|i want) )`,
    'g',
  );

/**
 * Finds which of the known items a customer means: by id, name, date, place, or position in the list last shown.
 * Different clues must agree; where they do not, or fit several items, the answer is `many`. An id or a name that is
 * not among the candidates is reported, never replaced by a similar one.
 */
export function selectCandidate(text: string, candidates: Candidate[], options: SelectOptions): Selection {
  const source = fold(text.slice(0, MAX_TEXT));
  let meant = text.slice(0, MAX_TEXT);
  let excluded = '';
  for (const match of source.folded.matchAll(exclusions(options.ids))) {
    const start = source.at[match.index] ?? 0;
    const end = source.at[match.index + match[0].length] ?? meant.length;
    excluded += ` ${meant.slice(start, end)}`;
    meant = meant.slice(0, start) + ' '.repeat(end - start) + meant.slice(end);
  }
  // By time, so that what cannot be told apart is listed in the order it happens.
  const known = inTime(candidates);
  const picked = resolve(meant, known, options);
  if (excluded === '' || picked.kind === 'one' || picked.kind === 'many') return picked;
  if (picked.kind === 'none' && picked.mentioned !== null) return picked;
  const without = resolve(excluded, known, options);
  if (without.kind === 'none' || without.kind === 'all')
    return without.kind === 'none' && without.mentioned !== null ? without : picked;
  const out = without.kind === 'one' ? [without.id] : without.ids;
  const left = known.map(({ id }) => id).filter((id) => !out.includes(id));
  if (left.length === 0) return NONE;
  return select({ ids: left, by: without.kind === 'one' ? without.by : 'title', confidence: 0.6 });
}

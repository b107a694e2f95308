import type { DateRange } from './dates.js';
import type { IdReader } from './ids-and-days.js';
import type { RecordWords } from './record-words.js';
import { type Folded, foldText, tokenize } from './text.js';
import { namedBy } from './title-match.js';

/** A record the customer may mean. */
export interface Candidate {
  id: string;
  title: string;
  /** ISO 8601; null where it has no time. */
  startsAt: string | null;
  location?: string;
  status?: string;
  upcoming?: boolean;
  /** What it costs, in minor units; absent or null where that is not known. */
  amount?: number | null;
}

/** What pointed at the one that was meant. */
export type SelectedBy = 'id' | 'title' | 'date' | 'ordinal' | 'position' | 'location' | 'only';

/** Which of the known items was meant. */
export type Selection =
  | { kind: 'one'; id: string; by: SelectedBy; confidence: number }
  /** Several fit what was said: ask which. */
  | { kind: 'many'; ids: string[]; by: string }
  | { kind: 'all'; ids: string[] }
  /** Nothing fits; `mentioned` is what was named and is not there, or null when nothing was named. */
  | { kind: 'none'; mentioned: string | null };

/** The items one clue points at. */
export interface Pick {
  readonly ids: readonly string[];
  readonly by: SelectedBy;
  readonly confidence: number;
}

/** Clues that contradict each other: everything either of them points at. */
interface Conflict {
  readonly conflict: readonly string[];
  readonly by: string;
}

/** A single item, its confidence rounded for the log. */
export const one = (id: string, by: SelectedBy, confidence: number): Selection => ({
  kind: 'one',
  id,
  by,
  confidence: Math.round(confidence * 100) / 100,
});
/** One item or several, as many as the clue points at. */
export const select = (pick: Pick): Selection => {
  const ids = [...new Set(pick.ids)];
  return ids.length === 1 && ids[0] !== undefined
    ? one(ids[0], pick.by, pick.confidence)
    : { kind: 'many', ids, by: pick.by };
};

const idKey = (id: string, ids: IdReader): string => {
  const folded = foldText(id);
  return ids.spans(folded)[0]?.id ?? folded;
};

/** The candidates whose ids are in the text; null where it names no id. */
export const byId = (folded: string, candidates: readonly Candidate[], ids: IdReader): Selection | null => {
  const wanted = ids.spans(folded).map((span) => span.id);
  const known = new RegExp(`^(?:${ids.prefixes})`);
  for (const match of folded.matchAll(/(?<![a-z0-9])([a-z]{2,12})[_-](\d{1,9})(?![a-z0-9])/g)) {
    const id = match[0];
    if (!known.test(id) && candidates.some((candidate) => idKey(candidate.id, ids) === id.replace('-', '_')))
      wanted.push(id.replace('-', '_'));
  }
  if (wanted.length === 0) return null;
  const hits = [...new Set(wanted)].map((id) => ({
    id,
    candidate: candidates.find((candidate) => idKey(candidate.id, ids) === id),
  }));
  // An id is exact: a neighbour of an unknown one would be the wrong record.
  const unknown = hits.find((hit) => hit.candidate === undefined);
  if (unknown !== undefined) return { kind: 'none', mentioned: unknown.id };
  return select({ ids: hits.map((hit) => hit.candidate?.id ?? hit.id), by: 'id', confidence: 1 });
};

const during = (range: { from: string; to: string }, candidates: readonly Candidate[]): string[] =>
  candidates
    .filter(({ startsAt }) => {
      const start = startsAt === null ? Number.NaN : Date.parse(startsAt);
      return start >= Date.parse(range.from) && start < Date.parse(range.to);
    })
    .map(({ id }) => id);

/** Candidates on the days named; another reading of a day counts where the likeliest finds nothing. */
export const byDate = (dates: readonly DateRange[], candidates: readonly Candidate[]): string[] =>
  dates.flatMap(
    (date) =>
      [date, ...date.alternatives].map((range) => during(range, candidates)).find((ids) => ids.length > 0) ??
      [],
  );

const PREPOSITION = /\b(?:in|at|from|near|em|no|na|do|da|de|pra|pro|para)\b/;

/** What a text says of titles and places. */
export interface NameClues {
  /** The candidates whose titles the text names. */
  byName(source: Folded, candidates: readonly Candidate[]): Pick | null;
  /** The candidates at the place the text names. */
  byLocation(source: Folded, candidates: readonly Candidate[]): Pick | null;
}

/** Makes the readers of titles and places for a company's records. */
export function createNameClues(words: RecordWords): NameClues {
  /** "The yoga one", "my concert", "do concerto": a kind of thing said so that it points. */
  const kind = new RegExp(
    `\\b(?:the|my|that|do|da|no|na|ao|pro|pra|meu|minha|o|a) (?:\\S+ )?(?:${words.kinds})\\b`,
  );
  const place = new RegExp(`\\b(?:${words.placeNames})\\b`);
  return {
    byName(source, candidates) {
      const matches = namedBy(
        tokenize(source.folded),
        candidates.map(({ id, title }) => ({ id, name: title })),
        kind.test(source.folded),
        words,
      );
      const [best] = matches;
      const ids = new Set(matches.map(({ id }) => id));
      return best === undefined
        ? null
        : {
            ids: candidates.map(({ id }) => id).filter((id) => ids.has(id)),
            by: 'title',
            confidence: best.telling ? 0.65 + 0.33 * best.share : 0.55,
          };
    },
    byLocation(source, candidates) {
      const tokens = tokenize(source.folded);
      if (tokens.length > 4 && !PREPOSITION.test(source.folded)) return null;
      const names = candidates.map(({ id, location }) => ({ id, name: location ?? '' }));
      const exact = namedBy(tokens, names, false, words);
      const matches =
        exact.length > 0 || !place.test(source.folded) ? exact : namedBy(tokens, names, true, words);
      const ids = new Set(matches.map(({ id }) => id));
      return ids.size === 0
        ? null
        : {
            ids: candidates.map(({ id }) => id).filter((id) => ids.has(id)),
            by: 'location',
            confidence: 0.75,
          };
    },
  };
}

/** Brings together what the name, the date and the place say. Undefined when none of them was said. */
export const combine = (
  name: Pick | null,
  dates: readonly DateRange[],
  onDates: readonly string[],
  place: Pick | null,
): Selection | Pick | Conflict | undefined => {
  const date: Pick | null = onDates.length === 0 ? null : { ids: onDates, by: 'date', confidence: 0.85 };
  const said = [name, date, place].filter((pick): pick is Pick => pick !== null);
  const [first] = said;
  if (first === undefined)
    return dates.length === 0 ? undefined : { kind: 'none', mentioned: dates[0]?.text ?? null };
  const shared = first.ids.filter((id) => said.every((pick) => pick.ids.includes(id)));
  if (shared.length > 0) {
    const missed = dates.length > 0 && date === null;
    return {
      ids: shared,
      by: first.by,
      confidence: missed ? 0.55 : Math.min(0.99, first.confidence + 0.1 * (said.length - 1)),
    };
  }
  // The place contradicts a name or date: places are mentioned for other reasons too.
  if (name !== null && (date === null || name.ids.some((id) => date.ids.includes(id)))) {
    return {
      ids: date === null ? name.ids : name.ids.filter((id) => date.ids.includes(id)),
      by: 'title',
      confidence: 0.6,
    };
  }
  return {
    conflict: [...new Set(said.flatMap((pick) => pick.ids))],
    by: said.map((pick) => pick.by).join('+'),
  };
};

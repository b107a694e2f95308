import type { DeskFacet, DeskFacets, DeskTicketQuery } from '../../src/core/ports/desk-queries.js';
import type { DatabaseHandle } from '../open-database.js';
import { type Names, narrowed } from './desk-lists.js';
import type { TicketSearch } from './desk-search.js';

/** Tickets that differ in nothing that is counted. */
interface Group {
  readonly status: string;
  readonly channel: string;
  readonly person: string | null;
  readonly language: string | null;
  /** How many of the given moments had passed when they were opened. */
  readonly age: number;
  /** 1 where they were opened in the time that is asked for. */
  readonly within: number;
  readonly count: number;
}

const CHOSEN = ['status', 'channel', 'person', 'language'] as const;

/** Prepares the counting of what a list can be narrowed by. The tickets are read once, whatever is counted. */
export function prepareDeskFacets(
  { sqlite }: DatabaseHandle,
  search: TicketSearch,
): (query: Omit<DeskTicketQuery, 'limit'>, since: readonly string[], now: string) => DeskFacets {
  return (query, since, now) => {
    const { text, customerIds = [], from, to, person, status, channel, language, ...others } = query;
    const chosen = { person, status, channel, language };
    const found = text === undefined ? null : search(text, customerIds);
    const { text: listed, names } = narrowed(others, found, now);
    const ages = since.map((_, at) => `(t.created_at < @since${at})`).join(' + ');
    const groups = sqlite
      .prepare<[Names], Group>(
        `SELECT t.status, t.channel, t.operator_name AS person, m.language,
           ${ages || '0'} AS age, t.created_at >= @from AND t.created_at < @to AS within, count(*) AS count
         ${listed} GROUP BY t.status, t.channel, t.operator_name, m.language, age, within`,
      )
      .all({
        ...names,
        ...Object.fromEntries(since.map((moment, at) => [`since${at}`, moment])),
        from: from ?? '',
        to: to ?? LAST,
      });
    /** What is left where every choice holds but that of one facet. */
    const left = (facet: (typeof CHOSEN)[number] | 'opened'): readonly Group[] =>
      groups.filter(
        (group) =>
          (facet === 'opened' || group.within === 1) &&
          CHOSEN.every((one) => one === facet || chosen[one] === undefined || group[one] === chosen[one]),
      );
    return {
      status: summed(left('status'), 'status'),
      channel: summed(left('channel'), 'channel'),
      operator: summed(left('person'), 'person'),
      language: summed(left('language'), 'language'),
      opened: since.map((_, at) => total(left('opened').filter(({ age }) => age <= at))),
    };
  };
}

/** Sorts after every moment. */
const LAST = '\u{10ffff}';

/** The values of a facet, the most frequent first. */
function summed(groups: readonly Group[], facet: (typeof CHOSEN)[number]): readonly DeskFacet[] {
  const facets = new Map<string, DeskFacet>();
  for (const group of groups) {
    const value = group[facet];
    if (value === null) continue;
    const count = (facets.get(value)?.count ?? 0) + group.count;
    facets.set(value, { value, count });
  }
  return [...facets.values()].sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function total(groups: readonly Group[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}

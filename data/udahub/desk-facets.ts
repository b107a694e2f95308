import { PRIORITIES } from '../../src/core/domain/taxonomy.js';
import type {
  DeskFacet,
  DeskFacets,
  DeskNarrowing,
  DeskSort,
  DeskTicketQuery,
  DeskView,
} from '../../src/core/ports/desk-queries.js';
import type { Database, Work } from '../database.js';
import { ASKS, figureConditions, figureValues } from './desk-figures.js';
import type { TicketSearch } from './search-index.js';

/* What narrows the ticket list of the desk: views, sorting, and the counts beside each filter. */

/** Position in PRIORITIES; a ticket without triage comes last. */
const PRESSING = `CASE m.priority ${PRIORITIES.map((priority, rank) => `WHEN '${priority}' THEN ${rank}`).join(' ')} ELSE -1 END DESC, t.created_at, t.seq`;

/** Since when words of the customer are new to its operators. */
export const SEEN = `max(coalesce(t.claimed_at, ''),
  coalesce((SELECT d.seen_at FROM ticket_desk d WHERE d.ticket_id = t.ticket_id), ''))`;
/** Words of the customer that no operator has looked at. */
export const UNREAD = `EXISTS (SELECT 1 FROM ticket_messages u
  WHERE u.ticket_id = t.ticket_id AND u.role = 'customer' AND u.created_at > ${SEEN})`;
/** Put aside: until the time, or until the customer asks for something. */
const SNOOZED = `t.status <> 'resolved' AND EXISTS (SELECT 1 FROM ticket_desk s
  WHERE s.ticket_id = t.ticket_id AND s.snoozed_until > @now) AND NOT EXISTS (SELECT 1 FROM ticket_messages u
  WHERE u.ticket_id = t.ticket_id AND u.role = 'customer' AND u.${ASKS} AND u.created_at > ${SEEN})`;
/** What the hub answered beside the request that the operators have in the same conversation: it waits for nobody. */
const BESIDE = `t.status = 'waiting_customer'
  AND NOT EXISTS (SELECT 1 FROM escalations e WHERE e.ticket_id = t.ticket_id)
  AND NOT EXISTS (SELECT 1 FROM ticket_messages w WHERE w.ticket_id = t.ticket_id AND w.role = 'operator')
  AND NOT ${UNREAD}
  AND EXISTS (SELECT 1 FROM tickets o JOIN escalations e ON e.ticket_id = o.ticket_id
    WHERE o.thread_id = t.thread_id AND o.status <> 'resolved' AND e.status = 'open')`;
const OF_PEOPLE = `t.owner = 'operator' AND t.status <> 'resolved' AND NOT (${SNOOZED}) AND NOT (${BESIDE})`;
const ASKED = `EXISTS (SELECT 1 FROM approvals a WHERE a.ticket_id = t.ticket_id AND a.kind = 'approval'
  AND a.status = 'pending' AND a.expires_at > @now)`;

/** A note names the operator, whose words have not followed yet. */
const MENTIONED = `t.status <> 'resolved' AND EXISTS (SELECT 1 FROM ticket_messages n
  WHERE n.ticket_id = t.ticket_id AND n.role = 'operator' AND n.audience = 'desk' AND n.author <> @operatorName
    AND instr(lower(n.content), '@' || lower(@operatorName)) > 0
    AND NOT EXISTS (SELECT 1 FROM ticket_messages r WHERE r.ticket_id = t.ticket_id AND r.role = 'operator'
      AND r.author = @operatorName AND r.seq > n.seq))`;

/** What belongs to a tab, written once for the list and for its count. */
export const VIEWS: Readonly<Record<DeskView, { readonly where: string; readonly order: string }>> = {
  unassigned: { where: `${OF_PEOPLE} AND t.operator_id IS NULL`, order: PRESSING },
  mine: {
    where: `t.operator_id = @operatorId AND ${OF_PEOPLE}`,
    // Who was answered waits for nothing, however pressing it is.
    order: `CASE t.status WHEN 'waiting_customer' THEN 1 ELSE 0 END, ${PRESSING}`,
  },
  team: { where: `${OF_PEOPLE} AND t.status <> 'waiting_customer'`, order: PRESSING },
  customer: { where: `${OF_PEOPLE} AND t.status = 'waiting_customer'`, order: PRESSING },
  hub: { where: `t.owner = 'hub' AND t.status <> 'resolved' AND NOT ${ASKED}`, order: PRESSING },
  approvals: { where: `t.status <> 'resolved' AND ${ASKED}`, order: PRESSING },
  snoozed: { where: SNOOZED, order: PRESSING },
  mentioned: { where: MENTIONED, order: PRESSING },
  waiting: {
    where: "t.owner = 'hub' AND t.status IN ('waiting_customer', 'waiting_operator')",
    order: PRESSING,
  },
  resolved: { where: "t.status = 'resolved'", order: 't.resolved_at DESC, t.seq DESC' },
  all: { where: 'TRUE', order: 't.seq DESC' },
};

const FILTERS = {
  priority: 'm.priority = @priority',
  issueType: 'm.issue_type = @issueType',
  status: 't.status = @status',
  owner: 't.owner = @owner',
  channel: 't.channel = @channel',
  language: 'm.language = @language',
  tag: `EXISTS (SELECT 1 FROM ticket_desk g, json_each(g.tags) WHERE g.ticket_id = t.ticket_id AND value = @tag)`,
  team: `(EXISTS (SELECT 1 FROM ticket_desk k WHERE k.ticket_id = t.ticket_id AND k.team = @team)
    OR (m.issue_type IN (SELECT value FROM json_each(@teamTypes))
      AND NOT EXISTS (SELECT 1 FROM ticket_desk k WHERE k.ticket_id = t.ticket_id AND k.team IS NOT NULL)))`,
} as const;

/** The orders that may be asked for. */
export const SORTS: Readonly<Record<DeskSort, string>> = {
  pressing: PRESSING,
  newest: 't.updated_at DESC, t.seq DESC',
  oldest: 't.updated_at, t.seq',
};

/** What the placeholders of a statement stand for. */
export type Names = Readonly<Record<string, string | number | null>>;

/**
 * The tickets `t` of a list with their triage `m` as SQL, of which only fixed texts of these files are put together, and
 * what its placeholders stand for.
 * @param found `seq` of the tickets that fit what is looked for; null where nothing is
 */
export function narrowed(
  query: DeskNarrowing,
  found: readonly number[] | null,
  now: string,
): { readonly text: string; readonly names: Names } {
  const { view, operatorId, operatorName, team } = query;
  const values = { ...query, team: team?.id };
  const filters = (Object.keys(FILTERS) as (keyof typeof FILTERS)[]).filter(
    (name) => values[name] !== undefined,
  );
  const conditions = [
    VIEWS[view].where,
    ...filters.map((name) => FILTERS[name]),
    ...figureConditions(query),
    ...(found === null ? [] : ['t.seq IN (SELECT CAST(value AS BIGINT) FROM json_each(@found))']),
  ];
  return {
    text: `FROM tickets t LEFT JOIN ticket_metadata m ON m.ticket_id = t.ticket_id
      WHERE ${conditions.join(' AND ')}`,
    names: {
      ...figureValues(query),
      ...Object.fromEntries(filters.map((name) => [name, values[name] ?? null])),
      operatorId: operatorId ?? null,
      operatorName: operatorName ?? null,
      now,
      ...(team === undefined ? {} : { teamTypes: JSON.stringify(team.issueTypes) }),
      ...(found === null ? {} : { found: JSON.stringify(found) }),
    },
  };
}

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
  database: Database,
  search: TicketSearch,
): (query: Omit<DeskTicketQuery, 'limit'>, since: readonly string[], now: string) => Work<DeskFacets> {
  return function* (query, since, now) {
    const { text, customerIds = [], from, to, person, status, channel, language, ...others } = query;
    const chosen = { person, status, channel, language };
    const found = text === undefined ? null : yield* search(text, customerIds);
    const { text: listed, names } = narrowed(others, found, now);
    const ages = since.map((_, at) => `CASE WHEN t.created_at < @since${at} THEN 1 ELSE 0 END`).join(' + ');
    const groups = yield* database
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

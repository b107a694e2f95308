import type {
  DayFigures,
  DayInterval,
  FigureEvent,
  FigureQuery,
  FigureRow,
} from '../../src/core/ports/desk-queries.js';
import type { Database, Work } from '../database.js';

/** A ticket that no operator had claimed and about which none was asked. */
const WITHOUT_HUMAN = `t.owner = 'hub' AND t.claimed_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM escalations e WHERE e.ticket_id = t.ticket_id)
  AND NOT EXISTS (SELECT 1 FROM approvals a WHERE a.ticket_id = t.ticket_id AND a.kind = 'approval')`;

/** Of a message: it asks for something. Who only thanks or says goodbye waits for nobody. */
export const ASKS = "counts_as IS DISTINCT FROM 'nothing'";

/** A resolved ticket whose customer wrote again in the same conversation within a week, not only to thank. */
const REOPENED = `EXISTS (SELECT 1 FROM tickets r WHERE r.thread_id = t.thread_id AND r.seq > t.seq
  AND EXISTS (SELECT 1 FROM ticket_messages a WHERE a.ticket_id = r.ticket_id AND a.role = 'customer' AND a.${ASKS})
  AND r.created_at >= t.resolved_at
  AND r.created_at < strftime('%Y-%m-%dT%H:%M:%fZ', t.resolved_at, '+7 days'))`;

const SPAN = (at: string): string => `${at} >= @from AND ${at} < @to`;
const ANSWER = `m.role = 'operator' AND m.audience = 'customer'`;
/** Goes on in another ticket. */
const MERGED =
  'EXISTS (SELECT 1 FROM ticket_desk d WHERE d.ticket_id = t.ticket_id AND d.merged_into IS NOT NULL)';
/** Resolved by itself, not by being merged into another one. */
const RESOLVED = `t.status = 'resolved' AND ${SPAN('t.resolved_at')} AND NOT ${MERGED}`;
const HANDED_OVER = `coalesce((SELECT min(e.created_at) FROM escalations e WHERE e.ticket_id = t.ticket_id),
  t.claimed_at, t.created_at)`;
const BARE =
  't.ticket_id AS ticketId, t.operator_name AS person, NULL AS detail, NULL AS begun, NULL AS ended';
const TIMED = `t.ticket_id AS ticketId, t.operator_name AS person, NULL AS detail,
  ${HANDED_OVER} AS begun, t.resolved_at AS ended`;

/**
 * What a figure counts, written once: the report counts these rows, and the list shows their tickets. Each has a ticket, the
 * operator whose it counts as, a detail (the reason, the rating) and how long something took.
 */
const SOURCES: Readonly<Record<FigureEvent, string>> = {
  opened: `SELECT ${BARE} FROM tickets t WHERE ${SPAN('t.created_at')}`,
  deflected: `SELECT ${BARE} FROM tickets t
    WHERE ${SPAN('t.created_at')} AND t.status = 'resolved' AND ${WITHOUT_HUMAN} AND NOT ${REOPENED}
      AND NOT ${MERGED}`,
  escalated: `SELECT DISTINCT x.ticket_id AS ticketId, t.operator_name AS person, x.reason AS detail,
      NULL AS begun, NULL AS ended
    FROM escalations x JOIN tickets t USING (ticket_id) WHERE ${SPAN('x.created_at')}`,
  answered: `SELECT DISTINCT m.ticket_id AS ticketId, m.author AS person, NULL AS detail, NULL AS begun, NULL AS ended
    FROM ticket_messages m WHERE ${ANSWER} AND ${SPAN('m.created_at')}`,
  // The first one to answer counts.
  first_answered: `SELECT ticket_id AS ticketId, person, NULL AS detail, begun, ended FROM (
      SELECT x.ticket_id, m.author AS person, x.created_at AS begun, m.created_at AS ended,
        row_number() OVER (PARTITION BY x.escalation_id ORDER BY m.created_at, m.seq) AS place
      FROM escalations x JOIN ticket_messages m ON m.ticket_id = x.ticket_id AND ${ANSWER} AND m.created_at >= x.created_at
      WHERE x.ticket_id IN (SELECT m.ticket_id FROM ticket_messages m WHERE ${ANSWER} AND ${SPAN('m.created_at')})
    ) answers WHERE place = 1 AND ${SPAN('ended')}`,
  hub_answered: `SELECT DISTINCT ${BARE} FROM ticket_turns u JOIN tickets t USING (ticket_id)
    WHERE ${SPAN('u.created_at')}`,
  resolved: `SELECT ${TIMED} FROM tickets t WHERE ${RESOLVED}`,
  reopened: `SELECT ${TIMED} FROM tickets t WHERE ${RESOLVED} AND ${REOPENED}`,
  rated: `SELECT t.ticket_id AS ticketId, CASE WHEN r.about = 'resolution' THEN t.operator_name END AS person,
      CASE r.helpful WHEN 1 THEN 'helpful' ELSE 'unhelpful' END AS detail, NULL AS begun, NULL AS ended
    FROM ratings r JOIN tickets t USING (ticket_id) WHERE ${SPAN('r.created_at')}`,
};

/** In which event a detail is looked for; of another one it holds at any time. */
const DETAILS = { reason: 'escalated', rating: 'rated' } as const;

/** An answer of it cites the article. */
const CITES = `t.ticket_id IN (SELECT c.ticket_id FROM ticket_messages c, json_each(c.citations) s
  WHERE c.citations <> '[]' AND json_extract(s.value, '$.articleId') = @article)`;

/** The conditions of a figure on the tickets `t` with their triage `m`: fixed texts, whose values are `figureValues`. */
export function figureConditions(query: FigureQuery): readonly string[] {
  const { happened, from, to, person, reason, rating, sentiment, issueTypes, human, article } = query;
  const event = happened ?? (from === undefined && to === undefined ? undefined : 'opened');
  const within = Object.entries(DETAILS).flatMap(([name, of]) =>
    event === of && query[name as keyof typeof DETAILS] !== undefined ? [`detail = @${name}`] : [],
  );
  const anyTime = (name: keyof typeof DETAILS): readonly string[] =>
    query[name] === undefined || event === DETAILS[name]
      ? []
      : [
          `t.ticket_id IN (SELECT "ticketId" FROM (${SOURCES[DETAILS[name]].replaceAll('@from', "''").replaceAll('@to', "'~'")}) counted
            WHERE detail = @${name})`,
        ];
  const own = [
    ...(person === undefined ? [] : [person === '' ? 'person IS NULL' : 'person = @person']),
    ...within,
  ];
  const where = own.length === 0 ? '' : ` WHERE ${own.join(' AND ')}`;
  return [
    ...(event === undefined
      ? person === undefined
        ? []
        : ['t.operator_name = @person']
      : [`t.ticket_id IN (SELECT "ticketId" FROM (${SOURCES[event]}) counted${where})`]),
    ...(reason === undefined ? [] : anyTime('reason')),
    ...(rating === undefined ? [] : anyTime('rating')),
    ...(sentiment === undefined ? [] : ['m.sentiment = @sentiment']),
    ...(issueTypes === undefined
      ? []
      : ["coalesce(m.issue_type, 'none') IN (SELECT value FROM json_each(@issueTypes))"]),
    ...(article === undefined ? [] : [CITES]),
    ...(human === undefined ? [] : [human === 'without' ? `(${WITHOUT_HUMAN})` : `NOT (${WITHOUT_HUMAN})`]),
  ];
}

/** The values that `figureConditions` names. */
export function figureValues(query: FigureQuery): Readonly<Record<string, string | null>> {
  const { from, to, person, reason, rating, sentiment, issueTypes, article } = query;
  return {
    // Before and after every moment.
    from: from ?? '',
    to: to ?? '~',
    person: person ?? null,
    reason: reason ?? null,
    rating: rating ?? null,
    sentiment: sentiment ?? null,
    article: article ?? null,
    issueTypes: issueTypes === undefined ? null : JSON.stringify(issueTypes),
  };
}

type Range = Pick<DayInterval, 'from' | 'to'>;

interface TicketFigures {
  readonly issueType: string;
  readonly sentiment: string | null;
  readonly tickets: number;
  readonly resolved: number;
  readonly withoutHuman: number;
}

interface TurnFigures {
  readonly issueType: string;
  readonly turns: number;
  readonly costUsd: number;
}

function prepare(database: Database) {
  // Without an order of its own, each engine and each plan of one gives another.
  const rows = (event: FigureEvent) =>
    database.prepare<[Range], FigureRow>(
      `SELECT counted.* FROM (${SOURCES[event]}) counted
       ORDER BY "ticketId", coalesce(detail, ''), coalesce(person, ''), coalesce(ended, '')`,
    );
  return {
    tickets: database.prepare<[Range], TicketFigures>(
      `SELECT coalesce(m.issue_type, 'none') AS issueType, m.sentiment, count(*) AS tickets,
         count(*) FILTER (WHERE t.status = 'resolved') AS resolved, count(*) FILTER (WHERE ${WITHOUT_HUMAN}) AS withoutHuman
       FROM tickets t LEFT JOIN ticket_metadata m ON m.ticket_id = t.ticket_id
       WHERE ${SPAN('t.created_at')} GROUP BY 1, 2 ORDER BY 1, coalesce(m.sentiment, '')`,
    ),
    turns: database.prepare<[Range], TurnFigures>(
      `SELECT coalesce(m.issue_type, 'none') AS issueType, count(*) AS turns, sum(t.cost_usd) AS costUsd
       FROM ticket_turns t LEFT JOIN ticket_metadata m ON m.ticket_id = t.ticket_id
       WHERE ${SPAN('t.created_at')} GROUP BY 1 ORDER BY 1`,
    ),
    times: database
      .prepare<[Range], number>(`SELECT total_ms FROM ticket_turns WHERE ${SPAN('created_at')}`)
      .pluck(),
    deflected: database
      .prepare<[Range], number>(`SELECT count(*) FROM (${SOURCES.deflected}) counted`)
      .pluck(),
    escalated: rows('escalated'),
    answered: rows('answered'),
    firstAnswered: rows('first_answered'),
    resolved: rows('resolved'),
    reopened: rows('reopened'),
    rated: rows('rated'),
  };
}

/** Prepares the figures of one day: a day at a time, so that nothing else waits long for the database. */
export function prepareDayFigures(database: Database): (day: DayInterval) => Work<DayFigures> {
  const read = prepare(database);
  return function* ({ day, from, to }) {
    const span = { from, to };
    const tickets = yield* read.tickets.all(span);
    const times = Float64Array.from(yield* read.times.all(span)).sort();
    return {
      day,
      types: typesOf(tickets, yield* read.turns.all(span)),
      sentiments: sentimentsOf(tickets),
      hubMedianMs: quantile(times, 0.5),
      hubP95Ms: quantile(times, 0.95),
      openedResolved: tickets.reduce((sum, { resolved }) => sum + resolved, 0),
      deflected: (yield* read.deflected.get(span)) ?? 0,
      escalated: yield* read.escalated.all(span),
      answered: yield* read.answered.all(span),
      firstAnswered: yield* read.firstAnswered.all(span),
      resolved: yield* read.resolved.all(span),
      reopened: yield* read.reopened.all(span),
      rated: yield* read.rated.all(span),
    };
  };
}

const UNHAPPY: readonly (string | null)[] = ['negative', 'frustrated'];

function typesOf(tickets: readonly TicketFigures[], turns: readonly TurnFigures[]): DayFigures['types'] {
  const none = { tickets: 0, withoutHuman: 0, turns: 0, costUsd: 0, negative: 0 };
  const types = new Map<string, DayFigures['types'][number]>();
  const of = (issueType: string) => types.get(issueType) ?? { issueType, ...none };
  for (const row of tickets) {
    const sum = of(row.issueType);
    types.set(row.issueType, {
      ...sum,
      tickets: sum.tickets + row.tickets,
      withoutHuman: sum.withoutHuman + row.withoutHuman,
      negative: sum.negative + (UNHAPPY.includes(row.sentiment) ? row.tickets : 0),
    });
  }
  for (const row of turns) types.set(row.issueType, { ...of(row.issueType), ...row });
  return [...types.values()];
}

function sentimentsOf(tickets: readonly TicketFigures[]): DayFigures['sentiments'] {
  const counts = new Map<string, number>();
  for (const { sentiment, tickets: count } of tickets)
    if (sentiment !== null) counts.set(sentiment, (counts.get(sentiment) ?? 0) + count);
  return [...counts].map(([sentiment, count]) => ({ sentiment, count }));
}

/** Nearest rank; null of nothing. */
function quantile(sorted: Float64Array, share: number): number | null {
  return sorted.at(Math.max(0, Math.ceil(sorted.length * share) - 1)) ?? null;
}

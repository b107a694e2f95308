import type { DayFigures, DayInterval } from '../../src/core/ports/desk-queries.js';
import type { DatabaseHandle } from '../open-database.js';

/** A ticket that no operator had in hand and about which none was asked. */
const WITHOUT_HUMAN = `t.owner = 'hub' AND t.claimed_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM escalations e WHERE e.ticket_id = t.ticket_id)
  AND NOT EXISTS (SELECT 1 FROM approvals a WHERE a.ticket_id = t.ticket_id AND a.kind = 'approval')`;

type Range = [string, string];

interface TicketFigures {
  readonly issueType: string;
  readonly sentiment: string | null;
  readonly tickets: number;
  readonly withoutHuman: number;
}

interface TurnFigures {
  readonly issueType: string;
  readonly turns: number;
  readonly costUsd: number;
}

function prepare({ sqlite }: DatabaseHandle) {
  return {
    tickets: sqlite.prepare<Range, TicketFigures>(
      `SELECT coalesce(m.issue_type, 'none') AS issueType, m.sentiment, count(*) AS tickets,
         sum(${WITHOUT_HUMAN}) AS withoutHuman
       FROM tickets t LEFT JOIN ticket_metadata m ON m.ticket_id = t.ticket_id
       WHERE t.created_at >= ? AND t.created_at < ? GROUP BY 1, 2`,
    ),
    turns: sqlite.prepare<Range, TurnFigures>(
      `SELECT coalesce(m.issue_type, 'none') AS issueType, count(*) AS turns, sum(t.cost_usd) AS costUsd
       FROM ticket_turns t LEFT JOIN ticket_metadata m ON m.ticket_id = t.ticket_id
       WHERE t.created_at >= ? AND t.created_at < ? GROUP BY 1`,
    ),
    times: sqlite
      .prepare<Range, number>('SELECT total_ms FROM ticket_turns WHERE created_at >= ? AND created_at < ?')
      .pluck(),
    reasons: sqlite.prepare<Range, { reason: string; count: number }>(
      `SELECT reason, count(*) AS count FROM escalations WHERE created_at >= ? AND created_at < ? GROUP BY 1`,
    ),
    firstReplies: sqlite.prepare<Range, { from: string; to: string }>(
      `SELECT * FROM (SELECT e.created_at AS "from", (SELECT min(m.created_at) FROM ticket_messages m
           WHERE m.ticket_id = e.ticket_id AND m.role = 'operator' AND m.audience = 'customer'
             AND m.created_at >= e.created_at) AS "to"
         FROM escalations e WHERE e.created_at >= ? AND e.created_at < ?) WHERE "to" IS NOT NULL`,
    ),
    ratings: sqlite.prepare<Range, { helpful: number; unhelpful: number }>(
      `SELECT coalesce(sum(helpful), 0) AS helpful, coalesce(sum(NOT helpful), 0) AS unhelpful
       FROM ratings WHERE created_at >= ? AND created_at < ?`,
    ),
  };
}

/** Prepares the figures of one day: a day at a time, so that nothing else waits long for the database. */
export function prepareDayFigures(handle: DatabaseHandle): (day: DayInterval) => DayFigures {
  const read = prepare(handle);
  return ({ day, from, to }) => {
    const tickets = read.tickets.all(from, to);
    const times = Float64Array.from(read.times.all(from, to)).sort();
    return {
      day,
      types: typesOf(tickets, read.turns.all(from, to)),
      sentiments: sentimentsOf(tickets),
      reasons: read.reasons.all(from, to),
      hubMedianMs: quantile(times, 0.5),
      hubP95Ms: quantile(times, 0.95),
      firstReplies: read.firstReplies.all(from, to),
      ...(read.ratings.get(from, to) ?? { helpful: 0, unhelpful: 0 }),
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

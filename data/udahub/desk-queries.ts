import type { KnowledgeGap } from '../../src/core/desk-work.js';
import type { Clock } from '../../src/core/ports/clock.js';
import type {
  DayFigures,
  DayInterval,
  DeskQueries,
  TimelineEvent,
} from '../../src/core/ports/desk-queries.js';
import type { DatabaseHandle } from '../open-database.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { prepareDeskTickets } from './desk-tickets.js';

/** A question is shown, and compared, so far. */
const QUESTION_CHARS = 300;
const GAPS = 200;

/** Prepares what the desk reads across tickets: a customer's history, and what the articles left open. */
function prepareDeskHistory({ sqlite }: DatabaseHandle) {
  const ofCustomer = 'JOIN tickets t USING (ticket_id) WHERE t.customer_id = @customerId';
  const timeline = sqlite.prepare<{ customerId: string; limit: number }, TimelineEvent>(
    `SELECT kind, ticketId, at, coalesce(about, '') AS about, by FROM (
       SELECT 'opened' AS kind, t.ticket_id AS ticketId, t.created_at AS at, m.summary AS about, NULL AS by
         FROM tickets t LEFT JOIN ticket_metadata m USING (ticket_id) WHERE t.customer_id = @customerId
       UNION ALL
       SELECT 'escalated', e.ticket_id, e.created_at, e.reason, NULL FROM escalations e ${ofCustomer}
       UNION ALL
       SELECT 'answered', a.ticket_id, min(a.created_at), NULL, a.author FROM ticket_messages a ${ofCustomer}
         AND a.role = 'operator' AND a.audience = 'customer' GROUP BY a.ticket_id, a.author
       UNION ALL
       SELECT CASE WHEN d.merged_into IS NULL THEN 'resolved' ELSE 'merged' END, t.ticket_id, t.resolved_at, NULL,
         t.operator_name FROM tickets t LEFT JOIN ticket_desk d USING (ticket_id)
         WHERE t.customer_id = @customerId AND t.resolved_at IS NOT NULL
       UNION ALL
       SELECT l.outcome, l.ticket_id, l.created_at, l.action, l.actor FROM audit_log l
         WHERE l.customer_id = @customerId AND l.outcome IN ('done', 'refused')
       UNION ALL
       SELECT 'rated', r.ticket_id, r.created_at, CASE r.helpful WHEN 1 THEN 'helpful' ELSE 'unhelpful' END, NULL
         FROM ratings r WHERE r.customer_id = @customerId
     ) ORDER BY at DESC LIMIT @limit`,
  );
  const gaps = sqlite.prepare<{ since: string; limit: number }, KnowledgeGap>(
    `SELECT ticketId, question, language, max(askedAt) AS askedAt, count(*) AS times, max(answer) AS answer FROM (
       SELECT e.ticket_id AS ticketId, e.created_at AS askedAt, coalesce(m.language, 'en') AS language,
         (SELECT substr(q.content, 1, ${QUESTION_CHARS}) FROM ticket_messages q WHERE q.ticket_id = e.ticket_id
            AND q.role = 'customer' AND q.created_at <= e.created_at ORDER BY q.seq DESC LIMIT 1) AS question,
         coalesce((SELECT a.content FROM ticket_messages a WHERE a.ticket_id = e.ticket_id
            AND a.role = 'operator' AND a.audience = 'customer' AND a.created_at >= e.created_at
            ORDER BY a.seq LIMIT 1), '') AS answer
       FROM escalations e LEFT JOIN ticket_metadata m USING (ticket_id)
       WHERE e.reason = 'low_confidence' AND e.created_at >= @since
     ) WHERE question IS NOT NULL
     GROUP BY lower(trim(question)), language
     HAVING NOT EXISTS (SELECT 1 FROM ticket_desk d WHERE d.ticket_id = ticketId AND d.gap IS NOT NULL)
     ORDER BY times DESC, askedAt DESC LIMIT @limit`,
  );
  return {
    timeline: (customerId: string, limit: number): readonly TimelineEvent[] =>
      timeline.all({ customerId, limit: Math.max(0, Math.trunc(limit)) }),
    gaps: (since: string): readonly KnowledgeGap[] => gaps.all({ since, limit: GAPS }),
  };
}

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
function prepareDayFigures(handle: DatabaseHandle): (day: DayInterval) => DayFigures {
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

/** What operators ask of all tickets, in udahub.db. */
export function createDeskQueries(handle: DatabaseHandle, clock: Clock): DeskQueries {
  const tickets = prepareDeskTickets(handle);
  const history = prepareDeskHistory(handle);
  const figures = prepareDayFigures(handle);
  const now = (): string => clock.now().toISOString();
  return withTranslatedErrors<DeskQueries>(handle, {
    tickets: async (query) => tickets.list(query, now()),
    ticket: async (ticketId) => tickets.one(ticketId, now()),
    ofCustomer: async (customerId, limit) => tickets.ofCustomer(customerId, limit),
    counts: async (operatorId) => tickets.counts(now(), operatorId),
    timeline: async (customerId, limit) => history.timeline(customerId, limit),
    gaps: async (since) => history.gaps(since),
    claims: async (before) => tickets.claims(before.toISOString()),
    figures: async (day) => figures(day),
  });
}

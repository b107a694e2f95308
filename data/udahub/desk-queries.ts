import { HAND_MARKS, WORK_MARKS } from '../../src/core/desk-notes.js';
import type { KnowledgeGap } from '../../src/core/desk-work.js';
import type {
  Activity,
  ActivityQuery,
  DeskQueries,
  TimelineEvent,
} from '../../src/core/ports/desk-queries.js';
import type { Clock } from '../../src/core/ports/system.js';
import { type Database, storeOf, type Work } from '../database.js';
import { preparedOnUse } from '../statements.js';
import { prepareDayFigures } from './desk-figures.js';
import { prepareDeskTickets } from './desk-tickets.js';

type Handed = Awaited<ReturnType<DeskQueries['handedSince']>>;

const SPAN = (at: string): string => `${at} >= @from AND ${at} < @to`;
const LINE = `substr(m.content, 1, instr(m.content || '\n', '\n') - 1)`;
const MARKS = { ...HAND_MARKS, ...WORK_MARKS };
/** What stands below the line of a mark, up to its end: how a conversation changed hands, until when it was put aside. */
const HOW = `substr(substr(m.content, instr(m.content || '\n', '\n') + 1), 1,
  instr(substr(m.content, instr(m.content || '\n', '\n') + 1) || '\n', '\n') - 1)`;
/** Of a mark: the holder before gave it, or who has it now took it, with a reason. */
const IS_GIVEN = `mark = 'took_over' AND substr(how, length(how) - length(named) - 2) = ' → ' || named`;
const IS_TAKEN = `mark = 'took_over' AND instr(how, ' → ' || named || ': ') > 1`;

/** An operator of the audit log by the name under which the desk knows one. */
const NAMED = `coalesce((SELECT p.name FROM operator_presence p WHERE 'operator:' || p.operator_id = l.actor),
  (SELECT n.operator_name FROM tickets n WHERE n.operator_id = substr(l.actor, 10) LIMIT 1))`;

/** Prepares what was done across tickets. */
function prepareActivity(database: Database): (query: ActivityQuery) => Work<readonly Activity[]> {
  const hands = Object.entries(MARKS);
  const isMark = (kind: string): string =>
    `substr(${LINE}, length(${LINE}) - length(@${kind}) + 1) = @${kind}`;
  const pick = (of: (kind: string) => string): string =>
    `CASE ${hands.map(([kind]) => `WHEN ${isMark(kind)} THEN ${of(kind)}`).join(' ')} END`;
  const statement = database.prepare<[Readonly<Record<string, string | number | null>>], Activity>(
    `SELECT kind, at, "by", person, ticket_id AS ticketId, customer_id AS customerId, about, article, details FROM (
       SELECT 'escalated' AS kind, e.created_at AS at, 'hub' AS "by", NULL AS person, e.ticket_id, t.customer_id,
         e.reason AS about, NULL AS article, NULL AS details, 0 AS rank
         FROM escalations e JOIN tickets t USING (ticket_id) WHERE ${SPAN('e.created_at')}
       UNION ALL
       SELECT 'answered', m.created_at, 'operator', m.author, m.ticket_id, t.customer_id, NULL, NULL, NULL, 1
         FROM ticket_messages m JOIN tickets t USING (ticket_id)
         WHERE m.role = 'operator' AND m.audience = 'customer' AND ${SPAN('m.created_at')}
       UNION ALL
       SELECT 'noted', m.created_at, 'operator', m.author, m.ticket_id, t.customer_id, NULL, NULL, NULL, 1
         FROM ticket_messages m JOIN tickets t USING (ticket_id)
         WHERE m.audience = 'desk' AND m.role = 'operator' AND ${SPAN('m.created_at')}
       UNION ALL
       SELECT CASE WHEN ${IS_GIVEN} THEN 'given' WHEN ${IS_TAKEN} THEN 'taken' ELSE mark END, at, 'operator',
         CASE WHEN ${IS_GIVEN} THEN substr(how, 1, length(how) - length(named) - 3) ELSE named END, ticket_id, customer_id,
         CASE WHEN ${IS_GIVEN} THEN named WHEN ${IS_TAKEN} THEN substr(how, 1, instr(how, ' → ' || named || ': ') - 1)
           WHEN mark = 'snoozed' THEN how END, NULL, NULL, 2
         FROM (SELECT ${pick((kind) => `'${kind}'`)} AS mark, m.created_at AS at,
           ${pick((kind) => `substr(${LINE}, 1, length(${LINE}) - length(@${kind}))`)} AS named, ${HOW} AS how,
           m.ticket_id, t.customer_id
           FROM ticket_messages m JOIN tickets t USING (ticket_id)
           WHERE m.audience = 'desk' AND m.role = 'system' AND ${SPAN('m.created_at')}) handed WHERE mark IS NOT NULL
       UNION ALL
       SELECT l.outcome, l.created_at, CASE substr(l.actor, 1, 9) WHEN 'operator:' THEN 'operator'
         WHEN 'customer:' THEN 'customer' ELSE 'hub' END,
         CASE substr(l.actor, 1, 9) WHEN 'operator:' THEN ${NAMED} END, l.ticket_id, l.customer_id, l.action,
         coalesce((SELECT k.title FROM knowledge k WHERE k.article_id = json_extract(l.details, '$.article_id')),
           json_extract(l.details, '$.file')), l.details, 1
         FROM audit_log l WHERE ${SPAN('l.created_at')}
     ) deeds WHERE CAST(@person AS TEXT) IS NULL OR instr(lower(person), lower(@person)) > 0 ORDER BY at DESC, rank DESC LIMIT @limit`,
  );
  return ({ from, to, person, limit }) =>
    statement.all({ ...MARKS, from, to, person: person ?? null, limit: Math.max(0, Math.trunc(limit)) });
}

const HAND_NOTES = 500;

/** Prepares what the desk noted that names somebody. */
function prepareHanded(
  database: Database,
): (...given: Parameters<DeskQueries['handedSince']>) => Work<Handed> {
  const statement = database.prepare<[string, string], Handed[number]>(
    `SELECT ticket_id AS ticketId, role, content, created_at AS createdAt FROM ticket_messages
     WHERE audience = 'desk' AND role = 'system' AND created_at >= ? AND instr(content, ?) > 0
     ORDER BY created_at DESC, seq DESC LIMIT ${HAND_NOTES}`,
  );
  // Where there are too many, the last ones say how things stand.
  return function* (since, name) {
    return (yield* statement.all(since, name)).toReversed();
  };
}

/** A question is shown, and compared, so far. */
const QUESTION_CHARS = 300;
const GAPS = 200;

/** Prepares what the desk reads across tickets: a customer's history, and what the articles left open. */
function prepareDeskHistory(database: Database) {
  const ofCustomer = 'JOIN tickets t USING (ticket_id) WHERE t.customer_id = @customerId';
  const timeline = database.prepare<[{ customerId: string; limit: number }], TimelineEvent>(
    `SELECT kind, ticket_id AS ticketId, at, coalesce(about, '') AS about, "by", details FROM (
       SELECT 'opened' AS kind, t.ticket_id, t.created_at AS at, m.summary AS about, NULL AS "by", NULL AS details
         FROM tickets t LEFT JOIN ticket_metadata m USING (ticket_id) WHERE t.customer_id = @customerId
       UNION ALL
       SELECT 'escalated', e.ticket_id, e.created_at, e.reason, NULL, NULL FROM escalations e ${ofCustomer}
       UNION ALL
       SELECT 'answered', a.ticket_id, min(a.created_at), NULL, a.author, NULL FROM ticket_messages a ${ofCustomer}
         AND a.role = 'operator' AND a.audience = 'customer' GROUP BY a.ticket_id, a.author
       UNION ALL
       SELECT CASE WHEN d.merged_into IS NULL THEN 'resolved' ELSE 'merged' END, t.ticket_id, t.resolved_at, d.merged_into,
         t.operator_name, NULL FROM tickets t LEFT JOIN ticket_desk d USING (ticket_id)
         WHERE t.customer_id = @customerId AND t.resolved_at IS NOT NULL
       UNION ALL
       SELECT l.outcome, l.ticket_id, l.created_at, l.action, l.actor, l.details FROM audit_log l
         WHERE l.customer_id = @customerId AND l.outcome IN ('done', 'refused')
       UNION ALL
       SELECT 'rated', r.ticket_id, r.created_at, CASE r.helpful WHEN 1 THEN 'helpful' ELSE 'unhelpful' END, NULL, NULL
         FROM ratings r WHERE r.customer_id = @customerId
     ) events ORDER BY at DESC, kind, ticket_id LIMIT @limit`,
  );
  const gaps = database.prepare<[{ since: string; limit: number }], KnowledgeGap>(
    `SELECT ticket_id AS ticketId, question, language, asked_at AS askedAt, times, known AS answer FROM (
       SELECT asked.*, count(*) OVER same AS times, max(answer) OVER same AS known,
         row_number() OVER (PARTITION BY lower(trim(question)), language ORDER BY asked_at DESC) AS place
       FROM (SELECT e.ticket_id, e.created_at AS asked_at, coalesce(m.language, 'en') AS language,
         (SELECT substr(q.content, 1, ${QUESTION_CHARS}) FROM ticket_messages q WHERE q.ticket_id = e.ticket_id
            AND q.role = 'customer' AND q.created_at <= e.created_at ORDER BY q.seq DESC LIMIT 1) AS question,
         coalesce((SELECT a.content FROM ticket_messages a WHERE a.ticket_id = e.ticket_id
            AND a.role = 'operator' AND a.audience = 'customer' AND a.created_at >= e.created_at
            ORDER BY a.seq LIMIT 1), '') AS answer
         FROM escalations e LEFT JOIN ticket_metadata m USING (ticket_id)
         WHERE e.reason = 'low_confidence' AND e.created_at >= @since) asked
       WHERE question IS NOT NULL WINDOW same AS (PARTITION BY lower(trim(question)), language)
     ) gaps WHERE place = 1
       AND NOT EXISTS (SELECT 1 FROM ticket_desk d WHERE d.ticket_id = gaps.ticket_id AND d.gap IS NOT NULL)
     ORDER BY times DESC, asked_at DESC LIMIT @limit`,
  );
  return {
    timeline: (customerId: string, limit: number): Work<readonly TimelineEvent[]> =>
      timeline.all({ customerId, limit: Math.max(0, Math.trunc(limit)) }),
    gaps: (since: string): Work<readonly KnowledgeGap[]> => gaps.all({ since, limit: GAPS }),
  };
}

/** What operators ask of all tickets. */
export function createDeskQueries(database: Database, clock: Clock): DeskQueries {
  const tickets = preparedOnUse(() => prepareDeskTickets(database));
  const history = preparedOnUse(() => prepareDeskHistory(database));
  const figures = preparedOnUse(() => prepareDayFigures(database));
  const deeds = preparedOnUse(() => prepareActivity(database));
  const handed = preparedOnUse(() => prepareHanded(database));
  const now = (): string => clock.now().toISOString();
  return storeOf<DeskQueries>(database, {
    tickets: (query) => tickets.list(query, now()),
    total: (query) => tickets.total(query, now()),
    facets: (query, since) => tickets.facets(query, since, now()),
    ticket: (ticketId) => tickets.one(ticketId, now()),
    ofCustomer: (customerId, limit) => tickets.ofCustomer(customerId, limit, now()),
    counts: (operatorId, operatorName) => tickets.counts({ now: now(), operatorId, operatorName }),
    timeline: (customerId, limit) => history.timeline(customerId, limit),
    gaps: (since) => history.gaps(since),
    claims: (before) => tickets.claims(before.toISOString()),
    activities: (query) => deeds(query),
    handedSince: (since, name) => handed(since, name),
    figures: (day) => figures(day),
  });
}

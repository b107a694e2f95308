import { HAND_MARKS } from '../../src/core/domain/hand-marks.js';
import type { Deed } from '../../src/core/ports/desk-queries.js';
import type { DatabaseHandle } from '../open-database.js';

interface DeedQuery {
  readonly from: string;
  readonly to: string;
  readonly person?: string | undefined;
  readonly limit: number;
}

const SPAN = (at: string): string => `${at} >= @from AND ${at} < @to`;
const LINE = `substr(m.content, 1, instr(m.content || char(10), char(10)) - 1)`;

/** An operator of the audit log by the name under which the desk knows one. */
const NAMED = `coalesce((SELECT p.name FROM operator_presence p WHERE 'operator:' || p.operator_id = l.actor),
  (SELECT n.operator_name FROM tickets n WHERE n.operator_id = substr(l.actor, 10) LIMIT 1))`;

/** Prepares what was done across tickets. */
export function prepareDeeds({ sqlite }: DatabaseHandle): (query: DeedQuery) => readonly Deed[] {
  const hands = Object.entries(HAND_MARKS);
  const isMark = (kind: string): string => `substr(${LINE}, -length(@${kind})) = @${kind}`;
  const pick = (of: (kind: string) => string): string =>
    `CASE ${hands.map(([kind]) => `WHEN ${isMark(kind)} THEN ${of(kind)}`).join(' ')} END`;
  const statement = sqlite.prepare<[Readonly<Record<string, string | number | null>>], Deed>(
    `SELECT kind, at, "by", person, ticketId, customerId, about, article FROM (
       SELECT 'escalated' AS kind, e.created_at AS at, 'hub' AS "by", NULL AS person, e.ticket_id AS ticketId,
         t.customer_id AS customerId, e.reason AS about, NULL AS article, 0 AS rank
         FROM escalations e JOIN tickets t USING (ticket_id) WHERE ${SPAN('e.created_at')}
       UNION ALL
       SELECT 'answered', m.created_at, 'operator', m.author, m.ticket_id, t.customer_id, NULL, NULL, 1
         FROM ticket_messages m JOIN tickets t USING (ticket_id)
         WHERE m.role = 'operator' AND m.audience = 'customer' AND ${SPAN('m.created_at')}
       UNION ALL
       SELECT 'noted', m.created_at, 'operator', m.author, m.ticket_id, t.customer_id, NULL, NULL, 1
         FROM ticket_messages m JOIN tickets t USING (ticket_id)
         WHERE m.audience = 'desk' AND m.role = 'operator' AND ${SPAN('m.created_at')}
       UNION ALL
       SELECT * FROM (SELECT ${pick((kind) => `'${kind}'`)} AS kind, m.created_at, 'operator',
         ${pick((kind) => `substr(${LINE}, 1, length(${LINE}) - length(@${kind}))`)}, m.ticket_id, t.customer_id,
         NULL, NULL, 2
         FROM ticket_messages m JOIN tickets t USING (ticket_id)
         WHERE m.audience = 'desk' AND m.role = 'system' AND ${SPAN('m.created_at')}) WHERE kind IS NOT NULL
       UNION ALL
       SELECT l.outcome, l.created_at, CASE substr(l.actor, 1, 9) WHEN 'operator:' THEN 'operator'
         WHEN 'customer:' THEN 'customer' ELSE 'hub' END,
         CASE substr(l.actor, 1, 9) WHEN 'operator:' THEN ${NAMED} END, l.ticket_id, l.customer_id, l.action,
         (SELECT k.title FROM knowledge k WHERE k.article_id = json_extract(l.details, '$.article_id')), 1
         FROM audit_log l WHERE ${SPAN('l.created_at')}
     ) WHERE @person IS NULL OR instr(lower(person), lower(@person)) > 0 ORDER BY at DESC, rank DESC LIMIT @limit`,
  );
  return ({ from, to, person, limit }) =>
    statement.all({ ...HAND_MARKS, from, to, person: person ?? null, limit: Math.max(0, Math.trunc(limit)) });
}

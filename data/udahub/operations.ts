import type { Operations, SpendLedger, SpendMonth } from '../../src/core/ports/metrics.js';
import type { Clock } from '../../src/core/ports/system.js';
import { type Database, storeOf, type Work } from '../database.js';

const STORED = {
  month: `SELECT
      (SELECT coalesce(sum(cost_usd), 0) FROM ticket_turns WHERE created_at >= @from AND created_at < @to)
    + (SELECT coalesce(sum(CAST(json_extract(usage, '$.costUsd') AS double precision)), 0) FROM skill_runs
       WHERE parent_run_id IS NULL AND caller <> 'test' AND created_at >= @from AND created_at < @to)`,
  ticket: `SELECT
      (SELECT coalesce(sum(cost_usd), 0) FROM ticket_turns WHERE ticket_id = @ticket)
    + (SELECT coalesce(sum(CAST(json_extract(usage, '$.costUsd') AS double precision)), 0) FROM skill_runs
       WHERE parent_run_id IS NULL AND ticket_id = @ticket)`,
};

/** The table `model_spend`: one row a month and one a ticket. */
export function createSpendLedger(database: Database): SpendLedger {
  const kept = database
    .prepare<[string, string], number>('SELECT cost_usd FROM model_spend WHERE scope = ? AND name = ?')
    .pluck();
  const storedMonth = database.prepare<Pick<SpendMonth, 'from' | 'to'>, number>(STORED.month).pluck();
  const storedTicket = database.prepare<{ ticket: string }, number>(STORED.ticket).pluck();
  const begin = database.prepare<[string, string, number]>(
    'INSERT INTO model_spend (scope, name, cost_usd) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const increase = database.prepare<[number, string, string]>(
    'UPDATE model_spend SET cost_usd = cost_usd + ? WHERE scope = ? AND name = ?',
  );
  function* monthSoFar({ name, from, to }: SpendMonth): Work<number> {
    return (yield* kept.get('month', name)) ?? (yield* storedMonth.get({ from, to })) ?? 0;
  }
  function* ticketSoFar(ticket: string): Work<number> {
    return (yield* kept.get('ticket', ticket)) ?? (yield* storedTicket.get({ ticket })) ?? 0;
  }
  return storeOf<SpendLedger>(database, {
    month: monthSoFar,
    ticket: ticketSoFar,
    add: (month, ticketId, costUsd) =>
      database.transaction(function* () {
        yield* begin.run('month', month.name, yield* monthSoFar(month));
        yield* increase.run(costUsd, 'month', month.name);
        if (ticketId === null) return;
        yield* begin.run('ticket', ticketId, yield* ticketSoFar(ticketId));
        yield* increase.run(costUsd, 'ticket', ticketId);
      }),
  });
}

interface Row {
  readonly unassigned: number;
  readonly claimed: number;
  readonly oldest: string | null;
  readonly approvals: number;
  readonly inbox: number;
  readonly webhooksWaiting: number;
  readonly webhooksFailed: number;
  readonly oldestWebhook: string | null;
}

/** Counts over the hub's tables, all answered by indexes. */
export function createOperations(database: Database, clock: Clock): Operations {
  const figures = database.prepare<{ now: string }, Row>(
    `SELECT
       count(*) FILTER (WHERE operator_id IS NULL) AS unassigned,
       count(*) FILTER (WHERE operator_id IS NOT NULL) AS claimed,
       min(updated_at) FILTER (WHERE operator_id IS NULL) AS oldest,
       (SELECT count(*) FROM approvals WHERE status = 'pending' AND kind = 'approval' AND expires_at > @now) AS approvals,
       (SELECT count(*) FROM thread_inbox WHERE status IN ('queued', 'running')) AS inbox,
       (SELECT count(*) FROM a2a_push_outbox WHERE status = 'waiting') AS webhooksWaiting,
       (SELECT count(*) FROM a2a_push_outbox WHERE status = 'failed') AS webhooksFailed,
       (SELECT since FROM a2a_push_outbox WHERE status = 'waiting' AND next_at IS NOT NULL ORDER BY since LIMIT 1)
         AS oldestWebhook
     FROM tickets WHERE owner = 'operator' AND status <> 'resolved'`,
  );
  return storeOf<Operations>(database, {
    *queue() {
      const now = clock.now();
      const row = yield* figures.get({ now: now.toISOString() });
      const secondsSince = (at: string | null | undefined): number =>
        at ? Math.max(0, (now.getTime() - Date.parse(at)) / 1000) : 0;
      return {
        unassigned: row?.unassigned ?? 0,
        claimed: row?.claimed ?? 0,
        oldestWaitSeconds: secondsSince(row?.oldest),
        approvals: row?.approvals ?? 0,
        inbox: row?.inbox ?? 0,
        webhooksWaiting: row?.webhooksWaiting ?? 0,
        webhooksFailed: row?.webhooksFailed ?? 0,
        oldestWebhookSeconds: secondsSince(row?.oldestWebhook),
      };
    },
  });
}

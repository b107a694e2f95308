import type { Operations, SpendLedger, SpendMonth } from '../../src/core/ports/metrics.js';
import type { Clock } from '../../src/core/ports/system.js';
import type { DatabaseHandle } from '../open-database.js';
import { withTranslatedErrors } from '../storage-errors.js';

const STORED = {
  month: `SELECT
      (SELECT coalesce(sum(cost_usd), 0) FROM ticket_turns WHERE created_at >= @from AND created_at < @to)
    + (SELECT coalesce(sum(json_extract(usage, '$.costUsd')), 0) FROM skill_runs
       WHERE parent_run_id IS NULL AND caller <> 'test' AND created_at >= @from AND created_at < @to)`,
  ticket: `SELECT
      (SELECT coalesce(sum(cost_usd), 0) FROM ticket_turns WHERE ticket_id = @ticket)
    + (SELECT coalesce(sum(json_extract(usage, '$.costUsd')), 0) FROM skill_runs
       WHERE parent_run_id IS NULL AND ticket_id = @ticket)`,
};

/** The table `model_spend` of udahub.db: one row a month and one a ticket. */
export function createSpendLedger({ path, sqlite }: DatabaseHandle): SpendLedger {
  const kept = sqlite
    .prepare<[string, string], number>('SELECT cost_usd FROM model_spend WHERE scope = ? AND name = ?')
    .pluck();
  const storedMonth = sqlite.prepare<Pick<SpendMonth, 'from' | 'to'>, number>(STORED.month).pluck();
  const storedTicket = sqlite.prepare<{ ticket: string }, number>(STORED.ticket).pluck();
  const begin = sqlite.prepare<[string, string, number]>(
    'INSERT INTO model_spend (scope, name, cost_usd) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const increase = sqlite.prepare<[number, string, string]>(
    'UPDATE model_spend SET cost_usd = cost_usd + ? WHERE scope = ? AND name = ?',
  );
  const monthSoFar = ({ name, from, to }: SpendMonth): number =>
    kept.get('month', name) ?? storedMonth.get({ from, to }) ?? 0;
  const ticketSoFar = (ticket: string): number =>
    kept.get('ticket', ticket) ?? storedTicket.get({ ticket }) ?? 0;
  const addSpend = sqlite.transaction((month: SpendMonth, ticketId: string | null, costUsd: number): void => {
    begin.run('month', month.name, monthSoFar(month));
    increase.run(costUsd, 'month', month.name);
    if (ticketId === null) return;
    begin.run('ticket', ticketId, ticketSoFar(ticketId));
    increase.run(costUsd, 'ticket', ticketId);
  });
  return withTranslatedErrors<SpendLedger>(
    { path },
    {
      month: async (month) => monthSoFar(month),
      ticket: async (ticketId) => ticketSoFar(ticketId),
      add: async (month, ticketId, costUsd) => addSpend.immediate(month, ticketId, costUsd),
    },
  );
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

/** Counts over udahub.db, all answered by indexes. */
export function createOperations({ path, sqlite }: DatabaseHandle, clock: Clock): Operations {
  const figures = sqlite.prepare<{ now: string }, Row>(
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
  return withTranslatedErrors<Operations>(
    { path },
    {
      async queue() {
        const now = clock.now();
        const row = figures.get({ now: now.toISOString() });
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
    },
  );
}

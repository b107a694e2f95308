import type { SpendLedger, SpendMonth } from '../../src/core/ports/spend.js';
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
  const book = sqlite.transaction((month: SpendMonth, ticketId: string | null, costUsd: number): void => {
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
      add: async (month, ticketId, costUsd) => book.immediate(month, ticketId, costUsd),
    },
  );
}

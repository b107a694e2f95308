import type { Clock } from '../../src/core/ports/clock.js';
import type { Operations } from '../../src/core/ports/operations.js';
import type { DatabaseHandle } from '../open-database.js';
import { withTranslatedErrors } from '../storage-errors.js';

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

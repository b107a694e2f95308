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
}

/** Counts over udahub.db, all answered by indexes. */
export function createOperations({ sqlite }: DatabaseHandle, clock: Clock): Operations {
  const figures = sqlite.prepare<{ now: string }, Row>(
    `SELECT
       count(*) FILTER (WHERE operator_id IS NULL) AS unassigned,
       count(*) FILTER (WHERE operator_id IS NOT NULL) AS claimed,
       min(updated_at) FILTER (WHERE operator_id IS NULL) AS oldest,
       (SELECT count(*) FROM approvals WHERE status = 'pending' AND kind = 'approval' AND expires_at > @now) AS approvals,
       (SELECT count(*) FROM thread_inbox WHERE status IN ('queued', 'running')) AS inbox
     FROM tickets WHERE owner = 'operator' AND status <> 'resolved'`,
  );
  return withTranslatedErrors<Operations>({
    async queue() {
      const now = clock.now();
      const row = figures.get({ now: now.toISOString() });
      const oldest = row?.oldest ? now.getTime() - Date.parse(row.oldest) : 0;
      return {
        unassigned: row?.unassigned ?? 0,
        claimed: row?.claimed ?? 0,
        oldestWaitSeconds: Math.max(0, oldest / 1000),
        approvals: row?.approvals ?? 0,
        inbox: row?.inbox ?? 0,
      };
    },
  });
}

import { eq, getTableColumns, sql } from 'drizzle-orm';
import type { Clock } from '../../src/core/ports/clock.js';
import type { RatingStore } from '../../src/core/ports/rating-store.js';
import type { DatabaseHandle } from '../open-database.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { ratings } from './schema.js';

const { createdAt: _createdAt, ...columns } = getTableColumns(ratings);

/** The table `ratings` of udahub.db. */
export function createRatingStore({ path, orm, sqlite }: DatabaseHandle, clock: Clock): RatingStore {
  const upsert = sqlite.prepare<Record<string, string | number | null>>(
    `INSERT INTO ratings (thread_id, ticket_id, customer_id, helpful, comment, created_at)
     VALUES (@threadId, @ticketId, @customerId, @helpful, @comment, @now)
     ON CONFLICT (thread_id) DO UPDATE SET ticket_id = excluded.ticket_id, helpful = excluded.helpful,
       comment = excluded.comment, created_at = excluded.created_at`,
  );
  const select = orm
    .select(columns)
    .from(ratings)
    .where(eq(ratings.threadId, sql.placeholder('threadId')))
    .prepare();
  return withTranslatedErrors<RatingStore>(
    { path },
    {
      put: async (rating) =>
        void upsert.run({ ...rating, helpful: rating.helpful ? 1 : 0, now: clock.now().toISOString() }),
      get: async (threadId) => select.get({ threadId }) ?? null,
    },
  );
}

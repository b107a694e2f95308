import { eq, sql } from 'drizzle-orm';
import type { ThreadRecord, ThreadStore } from '../../src/core/ports/thread-store.js';
import type { DatabaseHandle } from '../open-database.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { threads } from './schema.js';

/** The conversations' present LangGraph threads, in udahub.db. */
export function createThreadStore({ orm }: DatabaseHandle): ThreadStore {
  const select = orm
    .select()
    .from(threads)
    .where(eq(threads.threadId, sql.placeholder('threadId')))
    .prepare();
  const upsert = orm
    .insert(threads)
    .values({
      threadId: sql.placeholder('threadId'),
      customerId: sql.placeholder('customerId'),
      graphThreadId: sql.placeholder('graphThreadId'),
    })
    .onConflictDoUpdate({
      target: threads.threadId,
      set: { graphThreadId: sql`excluded.graph_thread_id` },
    })
    .prepare();
  return withTranslatedErrors({
    get: async (threadId: string) => select.get({ threadId }) ?? null,
    put: async (record: ThreadRecord) => {
      upsert.run({ ...record });
    },
  });
}

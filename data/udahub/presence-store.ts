import { eq, gte, sql } from 'drizzle-orm';
import type { Clock } from '../../src/core/ports/clock.js';
import type { PresenceStore } from '../../src/core/ports/presence-store.js';
import type { DatabaseHandle } from '../open-database.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { operatorPresence } from './schema.js';

/** A page that has said nothing for so long shows nothing any more. */
const GONE_MS = 60_000;

/** The table `operator_presence` of udahub.db. */
export function createPresenceStore(handle: DatabaseHandle, clock: Clock): PresenceStore {
  const { orm, sqlite } = handle;
  const upsert = sqlite.prepare<Record<string, string | number | null>>(
    `INSERT INTO operator_presence (operator_id, name, ticket_id, typing, seen_at)
     VALUES (@operatorId, @name, @ticketId, @typing, @now)
     ON CONFLICT (operator_id) DO UPDATE SET name = excluded.name, ticket_id = excluded.ticket_id,
       typing = excluded.typing, seen_at = excluded.seen_at`,
  );
  const one = orm
    .select()
    .from(operatorPresence)
    .where(eq(operatorPresence.operatorId, sql.placeholder('operatorId')))
    .prepare();
  const recent = orm
    .select()
    .from(operatorPresence)
    .where(gte(operatorPresence.seenAt, sql.placeholder('from')))
    .orderBy(operatorPresence.name, operatorPresence.operatorId)
    .prepare();
  const get = (operatorId: string) => one.get({ operatorId }) ?? null;
  const look = sqlite.prepare<Record<string, string | number | null>>(
    `INSERT INTO ticket_desk (ticket_id, seen_at) SELECT ticket_id, @now FROM tickets
     WHERE ticket_id = @ticketId AND coalesce(operator_id, @operatorId) = @operatorId
     ON CONFLICT (ticket_id) DO UPDATE SET seen_at = excluded.seen_at`,
  );
  const put = sqlite.transaction((values: Record<string, string | number | null>, operatorId: string) => {
    const before = get(operatorId);
    const { ticketId = null, now = null } = values;
    upsert.run(values);
    // What was open until now has been looked at until now.
    if (before?.ticketId && before.ticketId !== ticketId && before.seenAt >= String(values.recent))
      look.run({ ticketId: before.ticketId, operatorId, now });
    if (ticketId !== null) look.run({ ticketId, operatorId, now });
    return before;
  });
  return withTranslatedErrors<PresenceStore>(handle, {
    put: async ({ operatorId, name }, { ticketId, typing }) =>
      put.immediate(
        {
          ...{ operatorId, name, ticketId, typing: typing ? 1 : 0 },
          now: clock.now().toISOString(),
          recent: new Date(clock.now().getTime() - GONE_MS).toISOString(),
        },
        operatorId,
      ),
    get: async (operatorId) => get(operatorId),
    since: async (from) => recent.all({ from: from.toISOString() }),
  });
}

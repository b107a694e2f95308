import type { Clock } from '../../src/core/ports/clock.js';
import type { TicketDeskStore } from '../../src/core/ports/ticket-desk-store.js';
import type { DatabaseHandle } from '../open-database.js';
import { withTranslatedErrors } from '../storage-errors.js';

/** The table `ticket_desk` of udahub.db. */
export function createTicketDeskStore(handle: DatabaseHandle, clock: Clock): TicketDeskStore {
  const tags = handle.sqlite.prepare<Record<string, string>>(
    `INSERT INTO ticket_desk (ticket_id, tags) VALUES (@ticketId, @tags)
     ON CONFLICT (ticket_id) DO UPDATE SET tags = excluded.tags`,
  );
  const snooze = handle.sqlite.prepare<Record<string, string | null>>(
    `INSERT INTO ticket_desk (ticket_id, snoozed_until, seen_at) VALUES (@ticketId, @until, @now)
     ON CONFLICT (ticket_id) DO UPDATE SET snoozed_until = excluded.snoozed_until, seen_at = excluded.seen_at`,
  );
  return withTranslatedErrors<TicketDeskStore>(handle, {
    setTags: async (ticketId, all) => void tags.run({ ticketId, tags: JSON.stringify(all) }),
    snooze: async (ticketId, until) => void snooze.run({ ticketId, until, now: clock.now().toISOString() }),
  });
}

import type { Clock } from '../../src/core/ports/clock.js';
import type { TicketDeskStore } from '../../src/core/ports/ticket-desk-store.js';
import type { DatabaseHandle } from '../open-database.js';
import { withTranslatedErrors } from '../storage-errors.js';

const MOST_TAGS = 10;

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
  const column = (name: 'team' | 'merged_into' | 'gap') =>
    handle.sqlite.prepare<Record<string, string | null>>(
      `INSERT INTO ticket_desk (ticket_id, ${name}) VALUES (@ticketId, @value)
       ON CONFLICT (ticket_id) DO UPDATE SET ${name} = excluded.${name}`,
    );
  const [team, mergedInto, gap] = [column('team'), column('merged_into'), column('gap')];
  const tagsOf = handle.sqlite
    .prepare<[string], string>('SELECT tags FROM ticket_desk WHERE ticket_id = ?')
    .pluck();
  const kept = (ticketId: string): readonly string[] =>
    JSON.parse(tagsOf.get(ticketId) ?? '[]') as readonly string[];
  const add = (ticketId: string, more: readonly string[]): void => {
    const all = [...new Set([...kept(ticketId), ...more])].slice(0, MOST_TAGS);
    tags.run({ ticketId, tags: JSON.stringify(all) });
  };
  const adding = handle.sqlite.transaction(add);
  const merging = handle.sqlite.transaction((ticketId: string, into: string) => {
    add(into, kept(ticketId));
    mergedInto.run({ ticketId, value: into });
  });
  return withTranslatedErrors<TicketDeskStore>(handle, {
    setTags: async (ticketId, all) => void tags.run({ ticketId, tags: JSON.stringify(all) }),
    addTags: async (ticketId, more) => adding.immediate(ticketId, more),
    setTeam: async (ticketId, value) => void team.run({ ticketId, value }),
    merge: async (ticketId, into) => merging.immediate(ticketId, into),
    settleGap: async (ticketId, value) => void gap.run({ ticketId, value }),
    snooze: async (ticketId, until) => void snooze.run({ ticketId, until, now: clock.now().toISOString() }),
  });
}

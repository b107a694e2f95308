import { asc, eq, gte, sql } from 'drizzle-orm';
import type { Operator } from '../../src/core/domain/customer.js';
import { HubError } from '../../src/core/errors.js';
import type { Clock } from '../../src/core/ports/clock.js';
import type {
  MacroStore,
  PresenceStore,
  RatingStore,
  TicketDeskStore,
} from '../../src/core/ports/desk-stores.js';
import type { DatabaseHandle } from '../open-database.js';
import { prepareUpsert } from '../statements.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { macros, operatorPresence, ratings } from './schema.js';

/** The table `macros` of udahub.db. */
export function createMacroStore(handle: DatabaseHandle): MacroStore {
  const { orm, sqlite } = handle;
  const all = orm.select().from(macros).orderBy(sql`lower(${macros.name})`, asc(macros.macroId)).prepare();
  const one = orm
    .select()
    .from(macros)
    .where(eq(macros.macroId, sql.placeholder('macroId')))
    .prepare();
  const named = sqlite
    .prepare<[string, string], number>('SELECT 1 FROM macros WHERE lower(name) = lower(?) AND macro_id <> ?')
    .pluck();
  const write = prepareUpsert(orm, macros, macros.macroId);
  const put = sqlite.transaction((macro: Parameters<MacroStore['put']>[0]) => {
    if (named.get(macro.name, macro.macroId) !== undefined)
      throw new HubError('input_invalid', 'Another macro has this name.', { field: 'name' });
    write(macro);
  });
  const remove = sqlite.prepare<[string]>('DELETE FROM macros WHERE macro_id = ?');
  return withTranslatedErrors<MacroStore>(handle, {
    list: async () => all.all(),
    get: async (macroId) => one.get({ macroId }) ?? null,
    put: async (macro) => put.immediate(macro),
    delete: async (macroId) => remove.run(macroId).changes > 0,
  });
}

/** A ticket `t` that an operator has resolved, and did not merge into another one. */
const RESOLVED = `t.status = 'resolved' AND t.owner = 'operator' AND t.operator_name IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM ticket_desk d WHERE d.ticket_id = t.ticket_id AND d.merged_into IS NOT NULL)`;

/** The name of the operator where the customer of ticket `t` is asked about its resolution. */
export const ASKS_RATING = `iif(${RESOLVED} AND NOT EXISTS (SELECT 1 FROM ratings r
  WHERE r.ticket_id = t.ticket_id AND r.about = 'resolution'), t.operator_name, NULL)`;

/** The table `ratings` of udahub.db. */
export function createRatingStore({ path, orm, sqlite }: DatabaseHandle, clock: Clock): RatingStore {
  const upsert = sqlite.prepare<Record<string, string | number | null>>(
    `INSERT INTO ratings (ticket_id, about, thread_id, customer_id, helpful, comment, created_at)
     SELECT @ticketId, @about, @threadId, @customerId, @helpful, @comment, @now WHERE @about = 'answer'
       OR EXISTS (SELECT 1 FROM tickets t WHERE t.ticket_id = @ticketId AND ${RESOLVED})
     ON CONFLICT (ticket_id, about) DO UPDATE SET helpful = excluded.helpful, comment = excluded.comment,
       created_at = excluded.created_at`,
  );
  const newest = sqlite.prepare<[string], { readonly ticketId: string; readonly operator: string | null }>(
    `SELECT t.ticket_id AS ticketId, ${ASKS_RATING} AS operator FROM tickets t
     WHERE t.thread_id = ? ORDER BY t.seq DESC LIMIT 1`,
  );
  const ofTicket = orm
    .select()
    .from(ratings)
    .where(eq(ratings.ticketId, sql.placeholder('ticketId')))
    .orderBy(ratings.about)
    .prepare();
  return withTranslatedErrors<RatingStore>(
    { path },
    {
      put: async (rating) => {
        const now = clock.now().toISOString();
        return upsert.run({ ...rating, helpful: rating.helpful ? 1 : 0, now }).changes > 0;
      },
      asked: async (threadId) => {
        const { ticketId, operator = null } = newest.get(threadId) ?? {};
        return ticketId === undefined || operator === null ? null : { ticketId, operator };
      },
      list: async (ticketId) => ofTicket.all({ ticketId }),
    },
  );
}

/** A page that has said nothing for so long shows nothing any more. */
const GONE_MS = 60_000;

/** The table `operator_presence` of udahub.db. */
export function createPresenceStore(handle: DatabaseHandle, clock: Clock): PresenceStore {
  const { orm, sqlite } = handle;
  const upsert = sqlite.prepare<Record<string, string | number | null>>(
    `INSERT INTO operator_presence (operator_id, name, ticket_id, typing, shift_ends_at, seen_at)
     VALUES (@operatorId, @name, @ticketId, @typing, @shiftEndsAt, @now)
     ON CONFLICT (operator_id) DO UPDATE SET name = excluded.name, ticket_id = excluded.ticket_id,
       typing = excluded.typing, seen_at = excluded.seen_at,
       shift_ends_at = iif(@setsShift, excluded.shift_ends_at, shift_ends_at)`,
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
  const ended = sqlite.prepare<[string], Operator>(
    `UPDATE operator_presence SET shift_ends_at = NULL WHERE shift_ends_at <= ?
     RETURNING operator_id AS operatorId, name`,
  );
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
    shiftsEnded: async (by) => ended.all(by.toISOString()),
    put: async ({ operatorId, name }, { ticketId, typing, shiftEndsAt }) =>
      put.immediate(
        {
          ...{ operatorId, name, ticketId, typing: typing ? 1 : 0 },
          ...{ shiftEndsAt: shiftEndsAt ?? null, setsShift: shiftEndsAt === undefined ? 0 : 1 },
          now: clock.now().toISOString(),
          recent: new Date(clock.now().getTime() - GONE_MS).toISOString(),
        },
        operatorId,
      ),
    get: async (operatorId) => get(operatorId),
    since: async (from) => recent.all({ from: from.toISOString() }),
  });
}

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

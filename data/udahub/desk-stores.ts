import { and, asc, eq, getTableColumns, gte, isNull, sql } from 'drizzle-orm';
import type { Operator } from '../../src/core/domain/customer.js';
import { HubError } from '../../src/core/errors.js';
import type { Clock } from '../../src/core/ports/system.js';
import type {
  MacroStore,
  PresenceStore,
  RatingStore,
  TicketDeskStore,
  ViewStore,
} from '../../src/core/ports/ticket-store.js';
import { type Database, storeOf, type Work } from '../database.js';
import { upsertInto } from '../statements.js';
import { ASKS } from './desk-figures.js';
import { macros, operatorPresence, operatorViews, ratings } from './schema.js';

type Values = Record<string, string | number | null>;

/** The table `macros`. */
export function createMacroStore(database: Database): MacroStore {
  const all = database.query((orm) =>
    orm.select().from(macros).orderBy(sql`lower(${macros.name})`, asc(macros.macroId)),
  );
  const one = database.query((orm) =>
    orm
      .select()
      .from(macros)
      .where(eq(macros.macroId, sql.placeholder('macroId'))),
  );
  const named = database
    .prepare<[string, string], number>('SELECT 1 FROM macros WHERE lower(name) = lower(?) AND macro_id <> ?')
    .pluck();
  const write = upsertInto(database, macros, macros.macroId);
  const remove = database.prepare<[string]>('DELETE FROM macros WHERE macro_id = ?');
  return storeOf<MacroStore>(database, {
    list: () => all.all(),
    *get(macroId) {
      return (yield* one.get({ macroId })) ?? null;
    },
    put: (macro) =>
      database.transaction(function* () {
        if ((yield* named.get(macro.name, macro.macroId)) !== undefined)
          throw new HubError('input_invalid', 'Another macro has this name.', { field: 'name' });
        yield* write(macro);
      }),
    *delete(macroId) {
      return (yield* remove.run(macroId)).changes > 0;
    },
  });
}

/** The table `operator_views`. */
export function createViewStore(database: Database, clock: Clock): ViewStore {
  const { operatorId: operator, name, choice, savedAt } = operatorViews;
  const all = database.query((orm) =>
    orm
      .select({ name, choice })
      .from(operatorViews)
      .where(eq(operator, sql.placeholder('operatorId')))
      .orderBy(asc(savedAt), asc(name)),
  );
  const put = database.prepare<Values>(
    `INSERT INTO operator_views (operator_id, name, choice, saved_at) VALUES (@operatorId, @name, @choice, @now)
     ON CONFLICT (operator_id, name) DO UPDATE SET choice = excluded.choice`,
  );
  const remove = database.prepare<[string, string]>(
    'DELETE FROM operator_views WHERE operator_id = ? AND name = ?',
  );
  return storeOf<ViewStore>(database, {
    list: (operatorId) => all.all({ operatorId }),
    *put(operatorId, view) {
      const now = clock.now().toISOString();
      yield* put.run({ operatorId, name: view.name, choice: JSON.stringify(view.choice), now });
    },
    *delete(operatorId, named) {
      yield* remove.run(operatorId, named);
    },
  });
}

/** A ticket `t` that goes on in another one. */
const MERGED =
  'EXISTS (SELECT 1 FROM ticket_desk d WHERE d.ticket_id = t.ticket_id AND d.merged_into IS NOT NULL)';

/** A ticket `t` that an operator has resolved, and did not merge into another one. */
const RESOLVED = `t.status = 'resolved' AND t.owner = 'operator' AND t.operator_name IS NOT NULL AND NOT ${MERGED}`;

/** The name of the operator where the customer of ticket `t` is asked about its resolution. */
export const ASKS_RATING = `CASE WHEN ${RESOLVED} AND NOT EXISTS (SELECT 1 FROM ratings r
  WHERE r.ticket_id = t.ticket_id AND r.about = 'resolution') THEN t.operator_name END`;

/** The table `ratings`. */
export function createRatingStore(database: Database, clock: Clock): RatingStore {
  const upsert = database.prepare<Record<string, string | number | null>>(
    `INSERT INTO ratings (ticket_id, about, thread_id, customer_id, helpful, comment, created_at)
     SELECT @ticketId, @about, @threadId, @customerId, CAST(@helpful AS INTEGER), @comment, @now
       WHERE @about = 'answer' OR EXISTS (SELECT 1 FROM tickets t WHERE t.ticket_id = @ticketId AND ${RESOLVED})
     ON CONFLICT (ticket_id, about) DO UPDATE SET helpful = excluded.helpful, comment = excluded.comment,
       created_at = excluded.created_at`,
  );
  const newest = database.prepare<[string], { readonly ticketId: string; readonly operator: string | null }>(
    `SELECT t.ticket_id AS ticketId, ${ASKS_RATING} AS operator FROM tickets t
     WHERE t.thread_id = ? AND NOT ${MERGED} ORDER BY t.seq DESC LIMIT 1`,
  );
  const ofTicket = database.query((orm) =>
    orm
      .select()
      .from(ratings)
      .where(eq(ratings.ticketId, sql.placeholder('ticketId')))
      .orderBy(ratings.about),
  );
  return storeOf<RatingStore>(database, {
    *put(rating) {
      const now = clock.now().toISOString();
      return (yield* upsert.run({ ...rating, helpful: rating.helpful ? 1 : 0, now })).changes > 0;
    },
    *asked(threadId) {
      const { ticketId, operator = null } = (yield* newest.get(threadId)) ?? {};
      return ticketId === undefined || operator === null ? null : { ticketId, operator };
    },
    list: (ticketId) => ofTicket.all({ ticketId }),
  });
}

/** A page that has said nothing for so long shows nothing any more. */
const GONE_MS = 60_000;

const { shiftEndedAt: _ended, ...presenceColumns } = getTableColumns(operatorPresence);

/** The table `operator_presence`. */
export function createPresenceStore(database: Database, clock: Clock): PresenceStore {
  const upsert = database.prepare<Values>(
    `INSERT INTO operator_presence (operator_id, name, ticket_id, typing, shift_ends_at, shift_ended_at, seen_at)
     VALUES (@operatorId, @name, @ticketId, @typing, @shiftEndsAt, CAST(@endedAt AS TEXT), @now)
     ON CONFLICT (operator_id) DO UPDATE SET name = excluded.name, ticket_id = excluded.ticket_id,
       typing = excluded.typing, seen_at = excluded.seen_at, shift_ended_at = excluded.shift_ended_at, shift_ends_at =
       CASE CAST(@setsShift AS INTEGER) WHEN 1 THEN excluded.shift_ends_at ELSE operator_presence.shift_ends_at END`,
  );
  const one = database.query((orm) =>
    orm
      .select(presenceColumns)
      .from(operatorPresence)
      .where(eq(operatorPresence.operatorId, sql.placeholder('operatorId'))),
  );
  const recent = database.query((orm) =>
    orm
      .select(presenceColumns)
      .from(operatorPresence)
      .where(
        and(gte(operatorPresence.seenAt, sql.placeholder('from')), isNull(operatorPresence.shiftEndedAt)),
      )
      .orderBy(operatorPresence.name, operatorPresence.operatorId),
  );
  const end = database.prepare<Values>(
    `UPDATE operator_presence SET shift_ends_at = NULL, shift_ended_at = @by WHERE shift_ends_at <= @by`,
  );
  const ended = database.prepare<[], Operator & { readonly endedAt: string }>(
    `SELECT operator_id AS operatorId, name, shift_ended_at AS endedAt FROM operator_presence
     WHERE shift_ended_at IS NOT NULL ORDER BY operator_id`,
  );
  // Once the customer has asked for something, the ticket is put aside no longer, also when that was read.
  const look = database.prepare<Values>(
    `INSERT INTO ticket_desk (ticket_id, seen_at) SELECT ticket_id, @now FROM tickets
     WHERE ticket_id = @ticketId AND coalesce(operator_id, @operatorId) = @operatorId
     ON CONFLICT (ticket_id) DO UPDATE SET seen_at = excluded.seen_at,
       snoozed_until = CASE WHEN EXISTS (SELECT 1 FROM ticket_messages u WHERE u.ticket_id = ticket_desk.ticket_id
         AND u.role = 'customer' AND u.${ASKS} AND u.created_at > coalesce(ticket_desk.seen_at, '')) THEN NULL
         ELSE ticket_desk.snoozed_until END`,
  );
  return storeOf<PresenceStore>(database, {
    *shiftsEnded(by) {
      yield* end.run({ by: by.toISOString() });
      return yield* ended.all();
    },
    put: ({ operatorId, name }, { ticketId, typing, shiftEndsAt, isOver = false }) =>
      database.transaction(function* () {
        const now = clock.now().toISOString();
        const justNow = new Date(clock.now().getTime() - GONE_MS).toISOString();
        const before = (yield* one.get({ operatorId })) ?? null;
        const shift = { shiftEndsAt: shiftEndsAt ?? null, setsShift: shiftEndsAt === undefined ? 0 : 1 };
        const endedAt = isOver ? now : null;
        yield* upsert.run({ operatorId, name, ticketId, typing: typing ? 1 : 0, ...shift, endedAt, now });
        // What was open until now has been looked at until now.
        if (before?.ticketId && before.ticketId !== ticketId && before.seenAt >= justNow)
          yield* look.run({ ticketId: before.ticketId, operatorId, now });
        if (ticketId !== null) yield* look.run({ ticketId, operatorId, now });
        return before;
      }),
    *get(operatorId) {
      return (yield* one.get({ operatorId })) ?? null;
    },
    since: (from) => recent.all({ from: from.toISOString() }),
  });
}

const MOST_TAGS = 10;

/** The table `ticket_desk`. */
export function createTicketDeskStore(database: Database, clock: Clock): TicketDeskStore {
  const tags = database.prepare<Values>(
    `INSERT INTO ticket_desk (ticket_id, tags) VALUES (@ticketId, @tags)
     ON CONFLICT (ticket_id) DO UPDATE SET tags = excluded.tags`,
  );
  const snooze = database.prepare<Values>(
    `INSERT INTO ticket_desk (ticket_id, snoozed_until, seen_at) VALUES (@ticketId, @until, @now)
     ON CONFLICT (ticket_id) DO UPDATE SET snoozed_until = excluded.snoozed_until, seen_at = excluded.seen_at`,
  );
  const column = (name: 'team' | 'merged_into' | 'gap') =>
    database.prepare<Values>(
      `INSERT INTO ticket_desk (ticket_id, ${name}) VALUES (@ticketId, @value)
       ON CONFLICT (ticket_id) DO UPDATE SET ${name} = excluded.${name}`,
    );
  const [team, mergedInto, gap] = [column('team'), column('merged_into'), column('gap')];
  const tagsOf = database
    .prepare<[string], string>('SELECT tags FROM ticket_desk WHERE ticket_id = ?')
    .pluck();
  const kept = function* (ticketId: string): Work<readonly string[]> {
    return JSON.parse((yield* tagsOf.get(ticketId)) ?? '[]') as readonly string[];
  };
  const add = function* (ticketId: string, more: readonly string[]): Work<void> {
    const all = [...new Set([...(yield* kept(ticketId)), ...more])].slice(0, MOST_TAGS);
    yield* tags.run({ ticketId, tags: JSON.stringify(all) });
  };
  return storeOf<TicketDeskStore>(database, {
    *setTags(ticketId, all) {
      yield* tags.run({ ticketId, tags: JSON.stringify(all) });
    },
    addTags: (ticketId, more) => database.transaction(() => add(ticketId, more)),
    *setTeam(ticketId, value) {
      yield* team.run({ ticketId, value });
    },
    merge: (ticketId, into) =>
      database.transaction(function* () {
        yield* add(into, yield* kept(ticketId));
        yield* mergedInto.run({ ticketId, value: into });
      }),
    *settleGap(ticketId, value) {
      yield* gap.run({ ticketId, value });
    },
    *snooze(ticketId, until) {
      yield* snooze.run({ ticketId, until, now: clock.now().toISOString() });
    },
  });
}

import type { DuePush, PushOwner, PushStore } from '../../src/core/ports/push.js';
import type { Clock } from '../../src/core/ports/system.js';
import { type Database, storeOf, type Work } from '../database.js';

const KEY = 'push:key';
/** Up to which message it has looked. */
const CURSOR = 'push:cursor';
const MOST_EACH = 10;

type Values = Record<string, string | null>;

/** The table `push_subscriptions`. */
export function createPushStore(database: Database, clock: Clock): PushStore {
  const nowIso = (): string => clock.now().toISOString();
  const setting = database.prepare<[string], string>('SELECT value FROM settings WHERE key = ?').pluck();
  const keep = database.prepare<Values>(
    'INSERT INTO settings (key, value, updated_at) VALUES (@key, @value, @now) ON CONFLICT DO NOTHING',
  );
  const move = database.prepare<Values>(
    `INSERT INTO settings (key, value, updated_at) VALUES (@key, @value, @now)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
  );
  const put = database.prepare<Values>(
    `INSERT INTO push_subscriptions (endpoint, customer_id, visitor_id, created_at)
     VALUES (@endpoint, @customerId, @visitorId, @now)
     ON CONFLICT (endpoint) DO UPDATE SET customer_id = @customerId, visitor_id = @visitorId, created_at = @now`,
  );
  const own = 'customer_id IS NOT DISTINCT FROM @customerId AND visitor_id IS NOT DISTINCT FROM @visitorId';
  const thin = database.prepare<Values>(
    `DELETE FROM push_subscriptions WHERE ${own} AND endpoint NOT IN (SELECT endpoint FROM push_subscriptions
       WHERE ${own} ORDER BY created_at DESC, rowid DESC LIMIT ${MOST_EACH})`,
  );
  const remove = database.prepare<Values>(
    `DELETE FROM push_subscriptions WHERE endpoint = @endpoint AND ${own}`,
  );
  const drop = database.prepare<[string]>('DELETE FROM push_subscriptions WHERE endpoint = ?');
  const latest = database
    .prepare<Values, string>(
      'SELECT CAST(coalesce(max(seq), 0) AS TEXT) FROM ticket_messages WHERE created_at <= @before',
    )
    .pluck();
  // Read is what the customer has had on the screen, and what they have written after.
  const unread = database.prepare<Values, DuePush>(
    `SELECT DISTINCT s.endpoint, h.thread_id AS threadId
     FROM ticket_messages m JOIN tickets t ON t.ticket_id = m.ticket_id JOIN threads h ON h.thread_id = t.thread_id
       JOIN push_subscriptions s ON s.customer_id = h.customer_id OR s.visitor_id = h.visitor_id
     WHERE m.seq > CAST(@after AS BIGINT) AND m.seq <= CAST(@upTo AS BIGINT) AND m.created_at >= @since
       AND m.audience = 'customer' AND m.role IN ('hub', 'operator')
       AND m.seq > coalesce((SELECT seq FROM ticket_messages WHERE message_id = h.customer_read_id), 0)
       AND NOT EXISTS (SELECT 1 FROM tickets a JOIN ticket_messages c ON c.ticket_id = a.ticket_id
         WHERE a.thread_id = h.thread_id AND c.role = 'customer' AND c.seq > m.seq)`,
  );
  const due = function* (before: string, since: string): Work<readonly DuePush[]> {
    const upTo = (yield* latest.get({ before })) ?? '0';
    const after = yield* setting.get(CURSOR);
    if (after === upTo) return [];
    yield* move.run({ key: CURSOR, value: upTo, now: nowIso() });
    return after === undefined ? [] : yield* unread.all({ after, upTo, since });
  };
  const values = (owner: PushOwner): Values => ({ customerId: null, visitorId: null, ...owner });
  return storeOf<PushStore>(database, {
    *key(made) {
      yield* keep.run({ key: KEY, value: made, now: nowIso() });
      return (yield* setting.get(KEY)) ?? made;
    },
    *put(endpoint, owner) {
      yield* put.run({ ...values(owner), endpoint, now: nowIso() });
      yield* thin.run(values(owner));
    },
    *remove(endpoint, owner) {
      yield* remove.run({ ...values(owner), endpoint });
    },
    *drop(endpoint) {
      yield* drop.run(endpoint);
    },
    *due(before, since) {
      const [upTo, from] = [before.toISOString(), since.toISOString()];
      // Where nothing was said, nothing is locked.
      if ((yield* setting.get(CURSOR)) === (yield* latest.get({ before: upTo }))) return [];
      return yield* database.transaction(() => due(upTo, from));
    },
  });
}

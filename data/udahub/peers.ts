import type { Peers } from '../../src/core/ports/peers.js';
import type { Ids } from '../../src/core/ports/system.js';
import { type Database, storeOf, type Work } from '../database.js';
import { holderName } from '../lease-holder.js';
import type { Presence } from '../postgres/presence.js';
import { preparedOnUse } from '../statements.js';
import type { HubOnPostgres } from './hub-on-postgres.js';

function prepare(database: Database) {
  return {
    follow: database.prepare<[string, string]>(
      'INSERT INTO thread_followers (thread_id, holder) VALUES (?, ?) ON CONFLICT DO NOTHING',
    ),
    unfollow: database.prepare<[string, string]>(
      'DELETE FROM thread_followers WHERE thread_id = ? AND holder = ?',
    ),
    elsewhere: database.prepare<[string, string]>(
      'SELECT 1 FROM thread_followers WHERE thread_id = ? AND holder <> ? LIMIT 1',
    ),
    holders: database
      .prepare<[], string>(
        `SELECT holder FROM thread_leases UNION SELECT holder FROM thread_followers
         UNION SELECT holder FROM thread_inbox WHERE status IN ('queued', 'running')`,
      )
      .pluck(),
    atWork: database.prepare<[string, string]>(
      `SELECT 1 FROM thread_leases WHERE holder = ?
       UNION SELECT 1 FROM thread_inbox WHERE status IN ('queued', 'running') AND holder = ?`,
    ),
    endLeases: database.prepare<[string]>('DELETE FROM thread_leases WHERE holder = ?'),
    endFollowing: database.prepare<[string]>('DELETE FROM thread_followers WHERE holder = ?'),
  };
}

/** What only servers on PostgreSQL have, because they share it; null on SQLite. */
export function sharedBy(hub: Database | HubOnPostgres, ids: Ids) {
  if (!('presence' in hub)) return { peers: null, rateCounters: null };
  return { peers: createPeers(hub, hub.presence, ids), rateCounters: hub.rateCounters };
}

function createPeers(database: Database, presence: Presence, ids: Ids): Peers {
  const statements = preparedOnUse(() => prepare(database));
  const self = holderName(ids.next('pages'));
  const store = storeOf<Omit<Peers, 'onEvent'>>(database, {
    *follow(threadId) {
      yield* statements.follow.run(threadId, self);
    },
    *unfollow(threadId) {
      yield* statements.unfollow.run(threadId, self);
    },
    *isFollowedElsewhere(threadId) {
      return (yield* statements.elsewhere.get(threadId, self)) !== undefined;
    },
    *sweep(): Work<boolean> {
      let wasAtWork = false;
      for (const holder of yield* database.goneOf(yield* statements.holders.all())) {
        wasAtWork = (yield* statements.atWork.get(holder, holder)) !== undefined || wasAtWork;
        yield* statements.endFollowing.run(holder);
        yield* statements.endLeases.run(holder);
      }
      return wasAtWork;
    },
  });
  return { ...store, onEvent: (listener) => presence.onEvent(listener) };
}

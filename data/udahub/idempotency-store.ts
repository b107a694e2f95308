import type { IdempotencyClaim, IdempotencyStore, StoredResponse } from '../../src/core/ports/inbox.js';
import type { Clock, Ids } from '../../src/core/ports/system.js';
import { type Database, storeOf, type Work } from '../database.js';
import { holderName } from '../lease-holder.js';
import { preparedOnUse } from '../statements.js';

interface Row {
  readonly request_hash: string;
  readonly holder: string | null;
  readonly status: number | null;
  readonly content_type: string | null;
  readonly body: string | null;
}

function prepare(database: Database) {
  const ofKey = 'caller = @caller AND key = @key';
  return {
    // Of any number that claim at once, one writes the row.
    claim: database.prepare<Record<string, string>>(
      `INSERT INTO idempotency_keys (caller, key, request_hash, holder, created_at)
       VALUES (@caller, @key, @requestHash, @holder, @now) ON CONFLICT (caller, key) DO NOTHING`,
    ),
    get: database.prepare<Record<string, string>, Row>(`SELECT * FROM idempotency_keys WHERE ${ofKey}`),
    takeOver: database.prepare<Record<string, string>>(
      `UPDATE idempotency_keys SET holder = @holder, created_at = @now
       WHERE ${ofKey} AND status IS NULL AND holder = @dead`,
    ),
    complete: database.prepare<Record<string, string | number>>(
      `UPDATE idempotency_keys SET holder = NULL, status = @status, content_type = @contentType, body = @body
       WHERE ${ofKey} AND status IS NULL`,
    ),
    abandon: database.prepare<Record<string, string>>(
      `DELETE FROM idempotency_keys WHERE ${ofKey} AND status IS NULL AND holder = @holder`,
    ),
    prune: database.prepare<[string]>('DELETE FROM idempotency_keys WHERE created_at < ?'),
  };
}

function responseOf(row: Row): StoredResponse {
  return { status: Number(row.status), contentType: row.content_type ?? '', body: row.body ?? '' };
}

/** The table `idempotency_keys`. */
export function createIdempotencyStore(database: Database, clock: Clock, ids: Ids): IdempotencyStore {
  const statements = preparedOnUse(() => prepare(database));
  const holder = holderName(ids.next('keys'));

  const claim = function* (caller: string, key: string, requestHash: string): Work<IdempotencyClaim> {
    const values = { caller, key, requestHash, holder, now: clock.now().toISOString() };
    if ((yield* statements.claim.run(values)).changes === 1) return { kind: 'new' };
    const row = yield* statements.get.get({ caller, key });
    // Abandoned at this very moment.
    if (row === undefined) return yield* claim(caller, key, requestHash);
    if (row.request_hash !== requestHash) return { kind: 'conflict' };
    if (row.status !== null) return { kind: 'done', response: responseOf(row) };
    if (row.holder === null || (yield* database.goneOf([row.holder])).size === 0) return { kind: 'running' };
    const taken = yield* statements.takeOver.run({ caller, key, holder, now: values.now, dead: row.holder });
    return { kind: taken.changes === 1 ? 'new' : 'running' };
  };

  return storeOf<IdempotencyStore>(database, {
    claim,
    *complete(caller, key, response) {
      yield* statements.complete.run({ caller, key, ...response });
    },
    *abandon(caller, key) {
      yield* statements.abandon.run({ caller, key, holder });
    },
    *prune(before) {
      return (yield* statements.prune.run(before.toISOString())).changes;
    },
  });
}

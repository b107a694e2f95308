import { HubError } from '../../src/core/errors.js';
import type { A2aTaskRecord } from '../../src/core/ports/a2a-tasks.js';
import type { Clock, Ids } from '../../src/core/ports/system.js';
import type {
  A2aPushConfig,
  DueWebhook,
  WebhookBody,
  WebhookOutbox,
  WebhookRecord,
} from '../../src/core/ports/webhooks.js';
import { type Database, storeOf, type Work } from '../database.js';
import { holderName } from '../lease-holder.js';
import { PRUNED_AT_ONCE, preparedOnUse, pruneInSteps } from '../statements.js';

type Values = Record<string, string | number | null>;

/** What may wait for one owner, and for all: a dead webhook costs this much room and no more. */
const MOST_EACH = { count: 2_000, bytes: 50_000_000 };
const MOST = { count: 20_000, bytes: 500_000_000 };
/** Visitors have as many names as they like, so they share what one owner may have. */
const VISITORS = 'anonymous';
const LISTED = 200;

interface Waiting {
  readonly count: number;
  readonly bytes: number;
}

function prepare(database: Database) {
  const waiting = `SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM a2a_push_outbox WHERE status = 'waiting'`;
  return {
    waiting: database.prepare<[], Waiting>(waiting),
    waitingOf: database.prepare<[string], Waiting>(`${waiting} AND owner = ?`),
    // What stands behind an earlier one is not due; whoever settles that one calls it up.
    insert: database.prepare<[Values]>(
      `INSERT INTO a2a_push_outbox (webhook_id, task_id, config_id, owner, content_type, body, bytes, status, attempts,
         next_at, since, created_at)
       VALUES (@webhookId, @taskId, @configId, @owner, @contentType, @body, @bytes, 'waiting', 0,
         CASE WHEN EXISTS (SELECT 1 FROM a2a_push_outbox
           WHERE task_id = @taskId AND config_id = @configId AND status = 'waiting') THEN NULL ELSE @now END, @now, @now)`,
    ),
    callUp: database.prepare<[Values]>(
      `UPDATE a2a_push_outbox SET next_at = @now WHERE next_at IS NULL AND seq = (SELECT min(seq) FROM a2a_push_outbox
         WHERE task_id = @taskId AND config_id = @configId AND status = 'waiting')`,
    ),
    isDue: database.prepare<[string], unknown>(
      `SELECT 1 FROM a2a_push_outbox WHERE status = 'waiting' AND next_at <= ? LIMIT 1`,
    ),
    take: database.prepare<[Values], { readonly webhook_id: string }>(
      `WITH out AS (SELECT owner, count(*) AS n FROM a2a_push_outbox
           WHERE status = 'waiting' AND holder IS NOT NULL AND next_at > @now GROUP BY owner),
         due AS (SELECT d.seq, coalesce(out.n, 0) + row_number() OVER (PARTITION BY d.owner ORDER BY d.next_at, d.seq)
             AS place FROM a2a_push_outbox d LEFT JOIN out ON out.owner = d.owner
           WHERE d.status = 'waiting' AND d.next_at <= @now)
       UPDATE a2a_push_outbox SET holder = @holder, next_at = @until
       WHERE seq IN (SELECT seq FROM due WHERE place <= @each ORDER BY place, seq LIMIT @limit) RETURNING webhook_id`,
    ),
    due: database.prepare<[string], DueWebhook>(
      `SELECT o.webhook_id AS webhookId, o.task_id AS taskId, o.config_id AS configId, c.url, c.token, c.scheme,
         c.credentials, o.content_type AS contentType, o.body, o.attempts, o.since
       FROM a2a_push_outbox o JOIN a2a_push_configs c ON c.task_id = o.task_id AND c.config_id = o.config_id
       WHERE o.webhook_id = ?`,
    ),
    // Of a lease that has ended another may be the holder: what that one comes to counts.
    settle: database.prepare<[Values], { readonly task_id: string; readonly config_id: string }>(
      `UPDATE a2a_push_outbox SET status = @status, attempts = attempts + 1, why = @why, next_at = @nextAt,
         settled_at = @settledAt, holder = NULL
       WHERE webhook_id = @webhookId AND holder = @holder AND status = 'waiting' RETURNING task_id, config_id`,
    ),
    release: database.prepare<[Values]>(
      `UPDATE a2a_push_outbox SET holder = NULL, next_at = @now WHERE webhook_id = @webhookId AND holder = @holder`,
    ),
    holders: database
      .prepare<[], string>('SELECT DISTINCT holder FROM a2a_push_outbox WHERE holder IS NOT NULL')
      .pluck(),
    takeOver: database.prepare<[Values]>(
      'UPDATE a2a_push_outbox SET holder = NULL, next_at = @now WHERE holder = @holder',
    ),
    list: database.prepare<[string], WebhookRecord>(
      `SELECT webhook_id AS webhookId, config_id AS configId, status, attempts, next_at AS nextAt, why,
         created_at AS createdAt, settled_at AS settledAt
       FROM a2a_push_outbox WHERE task_id = ? ORDER BY seq DESC LIMIT ${LISTED}`,
    ),
    replay: database.prepare<[Values]>(
      `UPDATE a2a_push_outbox SET status = 'waiting', attempts = 0, why = NULL, since = @now, settled_at = NULL
       WHERE task_id = @taskId AND CASE WHEN CAST(@webhookId AS TEXT) IS NULL THEN status = 'failed'
         ELSE webhook_id = @webhookId AND status <> 'waiting' END`,
    ),
    lineUp: database.prepare<[string]>(
      `UPDATE a2a_push_outbox SET next_at = NULL WHERE task_id = ? AND status = 'waiting' AND holder IS NULL`,
    ),
    configs: database
      .prepare<[string], string>('SELECT config_id FROM a2a_push_configs WHERE task_id = ?')
      .pluck(),
    prune: database.prepare<[string]>(
      `DELETE FROM a2a_push_outbox WHERE seq IN (SELECT seq FROM a2a_push_outbox
         WHERE status <> 'waiting' AND settled_at < ? ORDER BY settled_at LIMIT ${PRUNED_AT_ONCE})`,
    ),
  };
}

const shareOf = (owner: string): string => (owner.startsWith(`${VISITORS}:`) ? VISITORS : owner);

/** Whether so much more may wait for an owner. */
function* hasRoom(statements: ReturnType<typeof prepare>, owner: string, more: Waiting): Work<boolean> {
  const fits = (now: Waiting | undefined, most: Waiting): boolean =>
    now !== undefined && now.count + more.count <= most.count && now.bytes + more.bytes <= most.bytes;
  return (
    fits(yield* statements.waitingOf.get(shareOf(owner)), MOST_EACH) &&
    fits(yield* statements.waiting.get(), MOST)
  );
}

/** Puts what is to be told into the outbox, in the transaction of the caller. @returns false where there is no room for it */
export function createOutboxWriter(database: Database, ids: Ids, nowIso: () => string) {
  const statements = preparedOnUse(() => prepare(database));
  return function* (
    { taskId, owner }: Pick<A2aTaskRecord, 'taskId' | 'owner'>,
    { configId }: Pick<A2aPushConfig, 'configId'>,
    bodies: readonly WebhookBody[],
  ): Work<boolean> {
    const sized = bodies.map((one) => ({ ...one, bytes: Buffer.byteLength(one.body) }));
    const bytes = sized.reduce((sum, one) => sum + one.bytes, 0);
    if (!(yield* hasRoom(statements, owner, { count: sized.length, bytes }))) return false;
    const shared = { taskId, configId, owner: shareOf(owner), now: nowIso() };
    for (const one of sized)
      yield* statements.insert.run({ ...shared, ...one, webhookId: ids.unguessable('msg') });
    return true;
  };
}

/** The outbox of webhooks. */
export function createWebhookOutbox(database: Database, clock: Clock, ids: Ids): WebhookOutbox {
  const statements = preparedOnUse(() => prepare(database));
  const holder = holderName(ids.next('hooks'));
  const nowIso = (): string => clock.now().toISOString();
  const settle = (webhookId: string, change: Values): Work<void> =>
    database.transaction(function* () {
      const row = yield* statements.settle.get({
        webhookId,
        holder,
        nextAt: null,
        settledAt: null,
        ...change,
      });
      if (row && change.status !== 'waiting')
        yield* statements.callUp.run({ taskId: row.task_id, configId: row.config_id, now: nowIso() });
    });
  return storeOf<WebhookOutbox>(database, {
    *demandRoom(owner) {
      if (yield* hasRoom(statements, owner, { count: 1, bytes: 0 })) return;
      throw new HubError(
        'rate_limited',
        'Too many notifications wait for your webhooks already. Name more of them when those have been taken.',
      );
    },
    *take(limit, each, leaseMs) {
      const at = clock.now();
      const now = at.toISOString();
      if ((yield* statements.isDue.get(now)) === undefined) return [];
      const until = new Date(at.getTime() + leaseMs).toISOString();
      return yield* database.transaction(function* () {
        const due: DueWebhook[] = [];
        for (const { webhook_id } of yield* statements.take.all({ holder, now, until, each, limit })) {
          const one = yield* statements.due.get(webhook_id);
          if (one) due.push(one);
        }
        return due;
      });
    },
    delivered: (webhookId) => settle(webhookId, { status: 'delivered', why: null, settledAt: nowIso() }),
    failed: (webhookId, why, nextAt) =>
      nextAt === null
        ? settle(webhookId, { status: 'failed', why, settledAt: nowIso() })
        : settle(webhookId, { status: 'waiting', why, nextAt: nextAt.toISOString() }),
    *release(webhookId) {
      yield* statements.release.run({ webhookId, holder, now: nowIso() });
    },
    *reclaim() {
      for (const gone of yield* database.goneOf(yield* statements.holders.all()))
        yield* statements.takeOver.run({ holder: gone, now: nowIso() });
    },
    list: (taskId) => statements.list.all(taskId),
    replay: (taskId, webhookId) =>
      database.transaction(function* () {
        const now = nowIso();
        const { changes } = yield* statements.replay.run({ taskId, webhookId: webhookId ?? null, now });
        yield* statements.lineUp.run(taskId);
        for (const configId of yield* statements.configs.all(taskId))
          yield* statements.callUp.run({ taskId, configId, now });
        return changes;
      }),
    prune: (before) => pruneInSteps(() => statements.prune.run(before.toISOString())),
  });
}

import { and, asc, eq, getTableColumns, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import {
  closedQuestion,
  type Decision,
  type PendingAction,
  type PendingStatus,
} from '../../src/core/domain/pending.js';
import { HubError } from '../../src/core/errors.js';
import type { Clock } from '../../src/core/ports/system.js';
import type { NewPending, PendingStore } from '../../src/core/ports/thread-store.js';
import { type Database, storeOf, type Work } from '../database.js';
import { insertInto, preparedOnUse, whereGiven } from '../statements.js';
import { approvals } from './schema.js';

const { seq: _seq, releasedAt: _releasedAt, ...columns } = getTableColumns(approvals);

const selectFrom = (orm: BetterSQLite3Database) => orm.select(columns).from(approvals);

function prepare(database: Database) {
  const thread = sql.placeholder('threadId');
  type Select = ReturnType<typeof selectFrom>;
  const queryOf = (narrowed: (select: Select) => { prepare(): ReturnType<Select['prepare']> }) =>
    database.query((orm) => narrowed(selectFrom(orm)));
  const stillOpen = sql`${approvals.status} = 'pending' AND ${approvals.expiresAt} > ${sql.placeholder('now')}`;
  const unreleased = (also?: SQL) =>
    queryOf((select) =>
      select
        .where(
          and(
            also,
            inArray(approvals.status, ['approved', 'rejected', 'withdrawn']),
            isNull(approvals.releasedAt),
          ),
        )
        .orderBy(asc(approvals.decidedAt), asc(approvals.seq)),
    );
  return {
    insert: insertInto(database, approvals, { omit: ['seq'] }),
    byId: queryOf((select) => select.where(eq(approvals.pendingId, sql.placeholder('pendingId')))),
    openConfirmation: queryOf((select) =>
      select
        .where(and(eq(approvals.threadId, thread), eq(approvals.kind, 'confirmation'), stillOpen))
        .orderBy(sql`${approvals.seq} DESC`)
        .limit(1),
    ),
    latestAgreed: queryOf((select) =>
      select
        .where(and(eq(approvals.threadId, thread), inArray(approvals.status, ['approved', 'released'])))
        .orderBy(sql`${approvals.seq} DESC`)
        .limit(1),
    ),
    latestDeclined: queryOf((select) =>
      select
        .where(
          and(
            eq(approvals.threadId, thread),
            eq(approvals.kind, 'approval'),
            eq(approvals.status, 'rejected'),
          ),
        )
        .orderBy(sql`${approvals.seq} DESC`)
        .limit(1),
    ),
    ofTicket: queryOf((select) =>
      select
        .where(and(eq(approvals.kind, 'approval'), eq(approvals.ticketId, sql.placeholder('ticketId'))))
        .orderBy(asc(approvals.seq)),
    ),
    withdrawn: queryOf((select) =>
      select
        .where(
          and(
            eq(approvals.kind, 'approval'),
            eq(approvals.status, 'withdrawn'),
            sql`${approvals.decidedAt} >= ${sql.placeholder('since')}`,
          ),
        )
        .orderBy(asc(approvals.decidedAt), asc(approvals.seq)),
    ),
    openApprovals: queryOf((select) =>
      select
        .where(and(eq(approvals.kind, 'approval'), stillOpen, whereGiven(approvals.threadId, 'threadId')))
        .orderBy(asc(approvals.seq)),
    ),
    lapsedApprovals: queryOf((select) =>
      select
        .where(
          and(
            eq(approvals.kind, 'approval'),
            sql`(${approvals.status} = 'expired' OR (${approvals.status} = 'pending' AND ${approvals.expiresAt} <= ${sql.placeholder('now')}))`,
            isNull(approvals.releasedAt),
            whereGiven(approvals.threadId, 'threadId'),
          ),
        )
        .orderBy(asc(approvals.seq)),
    ),
    settleLapsed: database.prepare<[string, string]>(
      `UPDATE approvals SET released_at = ? WHERE pending_id = ? AND status = 'expired' AND released_at IS NULL`,
    ),
    unreleased: unreleased(),
    // A statement of its own, so that every message of a long-lived hub finds its rows by the index.
    unreleasedOf: unreleased(eq(approvals.threadId, thread)),
    expire: database.prepare<[string]>(
      `UPDATE approvals SET status = 'expired' WHERE status = 'pending' AND expires_at <= ?`,
    ),
    replaceConfirmations: database.prepare<[string, string]>(
      `UPDATE approvals SET status = 'superseded' WHERE thread_id = ? AND pending_id <> ? AND kind = 'confirmation' AND status = 'pending'`,
    ),
    supersede: database.prepare<[string]>(
      `UPDATE approvals SET status = 'superseded' WHERE pending_id = ? AND status = 'pending'`,
    ),
    // The whole decision in one statement: of any number that race, one changes the row.
    decide: database.prepare<[string, string, string, string | null, string, string]>(
      `UPDATE approvals SET status = ?, decided_at = ?, decided_by = ?, reason = ?
       WHERE pending_id = ? AND status = 'pending' AND expires_at > ?`,
    ),
    reopen: database.prepare<[string, string]>(
      `UPDATE approvals SET status = 'pending', decided_at = NULL, decided_by = NULL, reason = NULL
       WHERE pending_id = ? AND kind = 'confirmation' AND status = 'approved' AND expires_at > ?`,
    ),
    settleDone: database.prepare<[string, string, string, string]>(
      `UPDATE approvals SET status = 'released', decided_at = ?, decided_by = ?, released_at = ?
       WHERE pending_id = ? AND status NOT IN ('approved', 'released')`,
    ),
    release: database.prepare<[string, string]>(
      `UPDATE approvals SET status = CASE status WHEN 'approved' THEN 'released' ELSE status END, released_at = ?
       WHERE pending_id = ? AND status IN ('approved', 'rejected', 'withdrawn') AND released_at IS NULL`,
    ),
  };
}

function refuseDecision(pending: PendingAction | null, pendingId: string): never {
  if (pending === null) throw new HubError('pending_not_found', 'There is no such question.', { pendingId });
  throw closedQuestion(pending);
}

/** Open questions in the table `approvals`. */
export function createPendingStore(database: Database, clock: Clock): PendingStore {
  const statements = preparedOnUse(() => prepare(database));
  const nowIso = (): string => clock.now().toISOString();

  /** Stores the expiry of what is past its time; almost always there is nothing to do. */
  const read = function* (pendingId: string): Work<PendingAction | null> {
    const row = yield* statements.byId.get({ pendingId });
    if (row === undefined) return null;
    const now = nowIso();
    if (row.status !== 'pending' || row.expiresAt > now) return row;
    yield* statements.expire.run(now);
    return (yield* statements.byId.get({ pendingId })) ?? null;
  };
  const openOne = function* (pending: NewPending): Work<PendingAction> {
    const known = yield* read(pending.pendingId);
    if (known !== null) return known;
    if (pending.kind === 'confirmation')
      yield* statements.replaceConfirmations.run(pending.threadId, pending.pendingId);
    const row: PendingAction = {
      answers: null,
      ...pending,
      expiresAt: normalised(pending.expiresAt),
      status: 'pending',
      createdAt: nowIso(),
      decidedAt: null,
      decidedBy: null,
      reason: null,
    };
    yield* statements.insert(row);
    return row;
  };
  const settle = function* (
    pendingId: string,
    status: PendingStatus,
    { by, reason }: Pick<Decision, 'by' | 'reason'>,
  ): Work<PendingAction> {
    const now = nowIso();
    const { changes } = yield* statements.decide.run(status, now, by, reason ?? null, pendingId, now);
    const row = yield* read(pendingId);
    if (changes === 1 && row !== null) return row;
    return refuseDecision(row, pendingId);
  };
  /** What is past its time among them is stored as that. Almost always there is none, and who only reads waits for nobody who writes. */
  const listing = function* (
    select: (now: string) => Work<readonly PendingAction[]>,
  ): Work<readonly PendingAction[]> {
    const now = nowIso();
    const rows = yield* select(now);
    if (!rows.some(({ status, expiresAt }) => status === 'pending' && expiresAt <= now)) return rows;
    yield* statements.expire.run(now);
    return yield* select(now);
  };

  return storeOf<PendingStore>(database, {
    open: (pending) => database.transaction(() => openOne(pending)),
    get: read,
    *findOpenConfirmation(threadId) {
      return (yield* statements.openConfirmation.get({ threadId, now: nowIso() })) ?? null;
    },
    listOpenApprovals: (threadId) =>
      statements.openApprovals.all({ threadId: threadId ?? null, now: nowIso() }),
    listLapsedApprovals: (threadId) =>
      listing((now) => statements.lapsedApprovals.all({ threadId: threadId ?? null, now })),
    *settleLapsed(pendingId) {
      return (yield* statements.settleLapsed.run(nowIso(), pendingId)).changes === 1;
    },
    listUnreleased: (threadId) =>
      threadId === undefined ? statements.unreleased.all() : statements.unreleasedOf.all({ threadId }),
    *findLatestAgreed(threadId) {
      return (yield* statements.latestAgreed.get({ threadId })) ?? null;
    },
    *findLatestDeclined(threadId) {
      return (yield* statements.latestDeclined.get({ threadId })) ?? null;
    },
    listApprovalsOfTicket: (ticketId) => listing(() => statements.ofTicket.all({ ticketId })),
    listWithdrawn: (since) => statements.withdrawn.all({ since }),
    decide: (pendingId, decision) => settle(pendingId, decision.approved ? 'approved' : 'rejected', decision),
    withdraw: (pendingId, { by, words }) => settle(pendingId, 'withdrawn', { by, reason: words }),
    *reopen(pendingId) {
      return (yield* statements.reopen.run(pendingId, nowIso())).changes === 1;
    },
    *release(pendingId) {
      return (yield* statements.release.run(nowIso(), pendingId)).changes === 1;
    },
    *settleDone(pendingId, by, at) {
      return (yield* statements.settleDone.run(at, by, nowIso(), pendingId)).changes === 1;
    },
    *supersede(pendingId) {
      yield* statements.supersede.run(pendingId);
    },
  });
}

/** Expiry is compared as text, so it has to have the one form that sorts. */
function normalised(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime()))
    throw new HubError('input_invalid', 'The expiry of a question is not a time.', { expiresAt: iso });
  return at.toISOString();
}

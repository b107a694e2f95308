import { and, asc, eq, getTableColumns, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import {
  closedQuestion,
  type Decision,
  type PendingAction,
  type PendingStatus,
} from '../../src/core/domain/pending.js';
import { HubError } from '../../src/core/errors.js';
import type { Clock } from '../../src/core/ports/clock.js';
import type { NewPending, PendingStore } from '../../src/core/ports/thread-store.js';
import type { DatabaseHandle } from '../open-database.js';
import { preparedOnUse, prepareInsert } from '../statements.js';
import { withTranslatedErrors } from '../storage-errors.js';
import { approvals } from './schema.js';

const { seq: _seq, releasedAt: _releasedAt, ...columns } = getTableColumns(approvals);

function prepare({ orm, sqlite }: DatabaseHandle) {
  const thread = sql.placeholder('threadId');
  const select = () => orm.select(columns).from(approvals);
  const stillOpen = sql`${approvals.status} = 'pending' AND ${approvals.expiresAt} > ${sql.placeholder('now')}`;
  const unreleased = (also?: SQL) =>
    select()
      .where(
        and(
          also,
          inArray(approvals.status, ['approved', 'rejected', 'withdrawn']),
          isNull(approvals.releasedAt),
        ),
      )
      .orderBy(asc(approvals.decidedAt), asc(approvals.seq));
  return {
    insert: prepareInsert(orm, approvals, { omit: ['seq'] }),
    byId: select()
      .where(eq(approvals.pendingId, sql.placeholder('pendingId')))
      .prepare(),
    openConfirmation: select()
      .where(and(eq(approvals.threadId, thread), eq(approvals.kind, 'confirmation'), stillOpen))
      .orderBy(sql`${approvals.seq} DESC`)
      .limit(1)
      .prepare(),
    latestAgreed: select()
      .where(and(eq(approvals.threadId, thread), inArray(approvals.status, ['approved', 'released'])))
      .orderBy(sql`${approvals.seq} DESC`)
      .limit(1)
      .prepare(),
    ofTicket: select()
      .where(and(eq(approvals.kind, 'approval'), eq(approvals.ticketId, sql.placeholder('ticketId'))))
      .orderBy(asc(approvals.seq))
      .prepare(),
    withdrawn: select()
      .where(
        and(
          eq(approvals.kind, 'approval'),
          eq(approvals.status, 'withdrawn'),
          sql`${approvals.decidedAt} >= ${sql.placeholder('since')}`,
        ),
      )
      .orderBy(asc(approvals.decidedAt), asc(approvals.seq))
      .prepare(),
    openApprovals: select()
      .where(
        and(
          eq(approvals.kind, 'approval'),
          stillOpen,
          sql`(${thread} IS NULL OR ${approvals.threadId} = ${thread})`,
        ),
      )
      .orderBy(asc(approvals.seq))
      .prepare(),
    lapsedApprovals: select()
      .where(
        and(
          eq(approvals.kind, 'approval'),
          eq(approvals.status, 'expired'),
          isNull(approvals.releasedAt),
          sql`(${thread} IS NULL OR ${approvals.threadId} = ${thread})`,
        ),
      )
      .orderBy(asc(approvals.seq))
      .prepare(),
    settleLapsed: sqlite.prepare<[string, string]>(
      `UPDATE approvals SET released_at = ? WHERE pending_id = ? AND status = 'expired' AND released_at IS NULL`,
    ),
    unreleased: unreleased().prepare(),
    // A statement of its own, so that every message of a long-lived hub finds its rows by the index.
    unreleasedOf: unreleased(eq(approvals.threadId, thread)).prepare(),
    pastTheirTime: sqlite
      .prepare<[string], number>(
        `SELECT 1 FROM approvals WHERE status = 'pending' AND expires_at <= ? LIMIT 1`,
      )
      .pluck(),
    expire: sqlite.prepare<[string]>(
      `UPDATE approvals SET status = 'expired' WHERE status = 'pending' AND expires_at <= ?`,
    ),
    replaceConfirmations: sqlite.prepare<[string, string]>(
      `UPDATE approvals SET status = 'superseded' WHERE thread_id = ? AND pending_id <> ? AND kind = 'confirmation' AND status = 'pending'`,
    ),
    supersede: sqlite.prepare<[string]>(
      `UPDATE approvals SET status = 'superseded' WHERE pending_id = ? AND status = 'pending'`,
    ),
    // The whole decision in one statement: of any number that race, one changes the row.
    decide: sqlite.prepare<[string, string, string, string | null, string, string]>(
      `UPDATE approvals SET status = ?, decided_at = ?, decided_by = ?, reason = ?
       WHERE pending_id = ? AND status = 'pending' AND expires_at > ?`,
    ),
    reopen: sqlite.prepare<[string, string]>(
      `UPDATE approvals SET status = 'pending', decided_at = NULL, decided_by = NULL, reason = NULL
       WHERE pending_id = ? AND kind = 'confirmation' AND status = 'approved' AND expires_at > ?`,
    ),
    settleDone: sqlite.prepare<[string, string, string, string]>(
      `UPDATE approvals SET status = 'released', decided_at = ?, decided_by = ?, released_at = ?
       WHERE pending_id = ? AND status NOT IN ('approved', 'released')`,
    ),
    release: sqlite.prepare<[string, string]>(
      `UPDATE approvals SET status = CASE status WHEN 'approved' THEN 'released' ELSE status END, released_at = ?
       WHERE pending_id = ? AND status IN ('approved', 'rejected', 'withdrawn') AND released_at IS NULL`,
    ),
  };
}

function refuseDecision(pending: PendingAction | null, pendingId: string): never {
  if (pending === null) throw new HubError('pending_not_found', 'There is no such question.', { pendingId });
  throw closedQuestion(pending);
}

/** Open questions in the table `approvals` of udahub.db. */
export function createPendingStore(handle: DatabaseHandle, clock: Clock): PendingStore {
  const statements = preparedOnUse(() => prepare(handle));
  const nowIso = (): string => clock.now().toISOString();

  /** Stores the expiry of what is past its time; almost always there is nothing to do. */
  const read = (pendingId: string): PendingAction | null => {
    const row = statements.byId.get({ pendingId });
    if (row === undefined) return null;
    const now = nowIso();
    if (row.status !== 'pending' || row.expiresAt > now) return row;
    statements.expire.run(now);
    return statements.byId.get({ pendingId }) ?? null;
  };
  const openOne = handle.sqlite.transaction((pending: NewPending): PendingAction => {
    const known = read(pending.pendingId);
    if (known !== null) return known;
    if (pending.kind === 'confirmation')
      statements.replaceConfirmations.run(pending.threadId, pending.pendingId);
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
    statements.insert(row);
    return row;
  });
  const settle = (
    pendingId: string,
    status: PendingStatus,
    { by, reason }: Pick<Decision, 'by' | 'reason'>,
  ): PendingAction => {
    const now = nowIso();
    const { changes } = statements.decide.run(status, now, by, reason ?? null, pendingId, now);
    const row = read(pendingId);
    if (changes === 1 && row !== null) return row;
    return refuseDecision(row, pendingId);
  };
  /** Rows past their time are not selected; storing that keeps reports right. */
  const listing = <T>(select: (now: string) => T): T => {
    const now = nowIso();
    // Almost always there is none, and who only reads does not wait for those who write.
    if (statements.pastTheirTime.get(now) !== undefined) statements.expire.run(now);
    return select(now);
  };

  return withTranslatedErrors<PendingStore>(handle, {
    open: async (pending) => openOne.immediate(pending),
    get: async (pendingId) => read(pendingId),
    findOpenConfirmation: async (threadId) =>
      statements.openConfirmation.get({ threadId, now: nowIso() }) ?? null,
    listOpenApprovals: async (threadId) =>
      listing((now) => statements.openApprovals.all({ threadId: threadId ?? null, now })),
    listLapsedApprovals: async (threadId) =>
      listing(() => statements.lapsedApprovals.all({ threadId: threadId ?? null })),
    settleLapsed: async (pendingId) => statements.settleLapsed.run(nowIso(), pendingId).changes === 1,
    listUnreleased: async (threadId) =>
      threadId === undefined ? statements.unreleased.all() : statements.unreleasedOf.all({ threadId }),
    findLatestAgreed: async (threadId) => statements.latestAgreed.get({ threadId }) ?? null,
    listApprovalsOfTicket: async (ticketId) => listing(() => statements.ofTicket.all({ ticketId })),
    listWithdrawn: async (since) => statements.withdrawn.all({ since }),
    decide: async (pendingId, decision) =>
      settle(pendingId, decision.approved ? 'approved' : 'rejected', decision),
    withdraw: async (pendingId, { by, words }) => settle(pendingId, 'withdrawn', { by, reason: words }),
    reopen: async (pendingId) => statements.reopen.run(pendingId, nowIso()).changes === 1,
    release: async (pendingId) => statements.release.run(nowIso(), pendingId).changes === 1,
    settleDone: async (pendingId, by, at) =>
      statements.settleDone.run(at, by, nowIso(), pendingId).changes === 1,
    supersede: async (pendingId) => void statements.supersede.run(pendingId),
  });
}

/** Expiry is compared as text, so it has to have the one form that sorts. */
function normalised(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime()))
    throw new HubError('input_invalid', 'The expiry of a question is not a time.', { expiresAt: iso });
  return at.toISOString();
}

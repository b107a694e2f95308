import type { PendingAction } from '../core/domain/pending.js';
import { toHubError } from '../core/errors.js';
import type { BackgroundWork } from '../core/ports/background.js';
import type {
  A2aTasks,
  Clock,
  EventLog,
  FileStore,
  IdempotencyStore,
  Inbox,
  Log,
  MailStore,
  Metrics,
  Peers,
  PendingStore,
  ThreadLock,
  WebhookOutbox,
} from '../core/ports/index.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { auditRefused } from '../runtime/envelope.js';
import { waitFor } from '../runtime/plan-action.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long what is kept for coming back is kept. */
const KEPT_MS = {
  events: 2 * DAY_MS,
  idempotencyKeys: DAY_MS,
  answers: 7 * DAY_MS,
  tasks: 90 * DAY_MS,
  /** That were taken or given up; so long they can be replayed. */
  webhooks: 3 * DAY_MS,
  /** That opened no conversation; one that comes again so late is a new one. */
  mails: 30 * DAY_MS,
  /** That came with no message. */
  files: DAY_MS,
} as const;
/** How often messages are looked for that a crash elsewhere left behind. */
const RECOVERY_MS = 60_000;
/** How often it is looked whether another server is gone. */
const PEERS_MS = 1_000;

interface RetentionDeps {
  readonly events: EventLog;
  readonly inbox: Inbox;
  readonly idempotency: IdempotencyStore;
  readonly a2aTasks: A2aTasks;
  readonly webhookOutbox: WebhookOutbox;
  readonly mails: Pick<MailStore, 'prune'>;
  readonly files: Pick<FileStore, 'prune'>;
  readonly peers: Peers | null;
  readonly background: Pick<BackgroundWork, 'every'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly recover: () => Promise<unknown>;
}

/** Deletes what is past its retention. @returns how many rows of each kind */
async function prune(deps: RetentionDeps): Promise<Record<keyof typeof KEPT_MS, number>> {
  const before = (ms: number): Date => new Date(deps.clock.now().getTime() - ms);
  return {
    events: await deps.events.prune(before(KEPT_MS.events)),
    idempotencyKeys: await deps.idempotency.prune(before(KEPT_MS.idempotencyKeys)),
    answers: await deps.inbox.prune(before(KEPT_MS.answers)),
    tasks: await deps.a2aTasks.prune(before(KEPT_MS.tasks)),
    webhooks: await deps.webhookOutbox.prune(before(KEPT_MS.webhooks)),
    mails: await deps.mails.prune(before(KEPT_MS.mails)),
    files: await deps.files.prune(before(KEPT_MS.files)),
  };
}

/**
 * Sweeps now and every hour, and recovers messages that a crash left behind every minute. What a dead server that shares the
 * database left behind is recovered each second, because customers wait for it. The returned function stops it.
 */
export function startRetention(deps: RetentionDeps): () => Promise<void> {
  const tidy = deps.background.every({
    name: 'retention',
    everyMs: HOUR_MS,
    now: true,
    async work() {
      const forgotten = await prune(deps);
      if (Object.values(forgotten).every((count) => count === 0)) return;
      deps.log.info({ agent: 'hub', action: 'pruned', details: forgotten });
    },
  });
  const recovery = deps.background.every({ name: 'recovery', everyMs: RECOVERY_MS, work: deps.recover });
  let sweeping: Promise<void> | null = null;
  const sweep = async (): Promise<void> => {
    try {
      if (await deps.peers?.sweep()) await deps.recover();
    } catch (error) {
      deps.log.error({ agent: 'hub', action: 'recovery_failed' }, error);
    }
    sweeping = null;
  };
  const timer = deps.peers
    ? setInterval(() => {
        sweeping ??= sweep();
      }, PEERS_MS).unref()
    : undefined;
  return async () => {
    clearInterval(timer);
    await Promise.all([tidy.stop(), recovery.stop(), sweeping]);
  };
}

const RECENT = 20;

interface ExpiryDeps {
  readonly graph: GraphDeps;
  readonly pending: PendingStore;
  readonly locks: ThreadLock;
  readonly metrics: Pick<Metrics, 'approval'>;
}

/**
 * Notifies customers of approvals that were not decided in time, so that their tickets do not wait for ever. Safe to call
 * at any time and in several processes; a conversation that is busy is left for the next call. Never throws.
 * @returns how many customers were notified
 */
export async function expireApprovals({ graph, pending, locks, metrics }: ExpiryDeps): Promise<number> {
  const { log } = graph.tools;
  let notified = 0;
  const lapsed = await pending.listLapsedApprovals().catch((error: unknown) => {
    log.error({ agent: 'hub', action: 'expiry_failed', details: {} }, error);
    return [];
  });
  for (const row of lapsed) {
    try {
      const text = await locks.withThread(row.threadId, 0, () => notifyExpired(graph, row));
      if (text === null) continue;
      notified += 1;
      metrics.approval('expired');
    } catch (error) {
      if (toHubError(error).code === 'thread_busy') continue;
      const { ticketId, pendingId } = row;
      log.error({ agent: 'hub', action: 'expiry_failed', ticketId, details: { pendingId } }, error);
    }
  }
  return notified;
}

/**
 * Notifies one customer, once. The caller holds the thread.
 * @returns what was said; null where it was said before
 */
export async function notifyExpired(graph: GraphDeps, row: PendingAction): Promise<string | null> {
  const { tickets, tools } = graph;
  const lapsed = await tools.pending.listLapsedApprovals(row.threadId);
  if (!lapsed.some(({ pendingId }) => pendingId === row.pendingId)) return null;
  const language = (await tickets.getClassification(row.ticketId))?.language ?? 'en';
  const text = tools.texts.for(language).say('approval_expired');
  await auditRefused(tools, row, 'pending_expired');
  // The process may have stopped after the message was stored and before the row was closed.
  const said = await tickets.listMessages(row.ticketId, RECENT);
  if (!said.some(({ content, createdAt }) => content === text && createdAt >= row.expiresAt)) {
    await tickets.addMessage(row.ticketId, 'hub', text);
  }
  await waitFor(graph, row.ticketId, 'waiting_customer');
  await tools.pending.settleLapsed(row.pendingId);
  const { ticketId, pendingId } = row;
  tools.log.info({ agent: 'hub', action: 'approval_expired', ticketId, details: { pendingId } });
  return text;
}

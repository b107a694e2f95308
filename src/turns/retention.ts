import type {
  A2aTasks,
  Clock,
  EventLog,
  FileStore,
  IdempotencyStore,
  Inbox,
  Log,
  MailStore,
  WebhookOutbox,
} from '../core/ports/index.js';

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

interface RetentionDeps {
  readonly events: EventLog;
  readonly inbox: Inbox;
  readonly idempotency: IdempotencyStore;
  readonly a2aTasks: A2aTasks;
  readonly webhookOutbox: WebhookOutbox;
  readonly mails: Pick<MailStore, 'prune'>;
  readonly files: Pick<FileStore, 'prune'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly recover: () => Promise<unknown>;
}

/** Forgets what nobody will ask for any more. @returns how much */
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

/** Keeps house now and every hour, and looks for what was left behind every minute. The function stops it. */
export function startRetention(deps: RetentionDeps): () => Promise<void> {
  const running = new Set<Promise<void>>();
  const run = (action: string, work: () => Promise<unknown>): void => {
    const job = work().then(
      () => void running.delete(job),
      (error: unknown) => {
        running.delete(job);
        deps.log.error({ agent: 'hub', action }, error);
      },
    );
    running.add(job);
  };
  const tidy = async (): Promise<void> => {
    const forgotten = await prune(deps);
    if (Object.values(forgotten).every((count) => count === 0)) return;
    deps.log.info({ agent: 'hub', action: 'pruned', details: forgotten });
  };
  run('prune_failed', tidy);
  const timers = [
    setInterval(() => run('prune_failed', tidy), HOUR_MS).unref(),
    setInterval(() => run('recovery_failed', deps.recover), RECOVERY_MS).unref(),
  ];
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(running);
  };
}

import { toHubError } from '../core/errors.js';
import type { Inbox, Log, ThreadLock } from '../core/ports/index.js';
import type { InboxPump } from './inbox-pump.js';
import type { InboxRecovery } from './inbox-recovery.js';

interface LeftDeps {
  readonly inbox: Inbox;
  readonly locks: ThreadLock;
  readonly log: Log;
  readonly pump: InboxPump;
  readonly recovery: InboxRecovery;
  /** Finishes questions that were decided on conversations without a message in the inbox. */
  readonly recoverDecided: () => Promise<unknown>;
}

/** Conversations that are answered at the same time. */
const AT_ONCE = 4;

/**
 * Looks for messages that a crash left unanswered. Resolves when what they had led to is finished and told; those that
 * had come to nothing are answered while `answered` is waited for, which says how many were left.
 */
export async function recoverLeft(deps: LeftDeps): Promise<{ readonly answered: Promise<number> }> {
  const { inbox, locks, log, pump, recovery } = deps;
  await pump.tidy();
  pump.pumpLate();
  const left = await inbox.left();
  const threads = [...new Set(left.map(({ threadId }) => threadId))];
  for (const threadId of threads) {
    try {
      await locks.withThread(threadId, 0, async () => {
        const crashed = (await inbox.left(threadId)).filter(({ status }) => status === 'running');
        if (crashed.length > 0) await recovery.salvage(threadId, crashed);
      });
    } catch (error) {
      // Whoever holds it comes to it.
      if (toHubError(error).code === 'thread_busy') continue;
      log.error({ agent: 'hub', action: 'recovery_failed', details: { threadId } }, error);
    }
  }
  await deps.recoverDecided();
  const answered = pumpAll(pump, threads).then(() => left.length);
  return { answered };
}

async function pumpAll(pump: InboxPump, threads: readonly string[]): Promise<void> {
  const waiting = [...threads];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await pump.pump(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

import type { TurnReply } from '../core/domain/turn.js';
import { HubError, toHubError } from '../core/errors.js';
import { isLeaseLost } from '../core/held-lease.js';
import type { Inbox, InboxItem, Log, ThreadLock } from '../core/ports/index.js';
import { waitAtMost } from '../core/signals.js';
import type { InboxTurns } from './inbox-turns.js';
import {
  type Batch,
  FailedAfterAnswer,
  type Outcome,
  replyOf,
  type Sender,
  WaitingSenders,
} from './waiting-senders.js';

/** How often the outcome of a message is looked up that another process answers. */
const LOOK_MS = 150;
/** How long a stop waits for running turns. The next process to start completes what is left of them. */
const CLOSE_MS = 15_000;
/** How soon a turn is tried again that failed because another process held the database. */
const RETRY_MS = 1_000;

interface PumpDeps {
  readonly inbox: Inbox;
  readonly locks: ThreadLock;
  readonly log: Log;
  readonly waitMs: number;
  /** Completes what a dead process left on the thread. The caller holds its lease. */
  readonly recover: (threadId: string, left: readonly InboxItem[]) => Promise<void>;
  readonly batches: (threadId: string, items: readonly InboxItem[]) => Promise<readonly Batch[]>;
  readonly turns: Pick<InboxTurns, 'answer' | 'storeUnstored' | 'replay'>;
}

/**
 * Takes messages from the inbox and has them answered; one process works on a thread at a time. All messages that are queued
 * when the thread becomes free are answered together.
 */
export class InboxPump {
  readonly #senders = new WaitingSenders();
  readonly #pumps = new Map<string, Promise<void>>();
  /** Threads with messages that came in since they were last read from the inbox. */
  readonly #again = new Set<string>();
  /** Messages that a running turn of this process answers. */
  readonly #running = new Set<string>();
  /** Failed messages that could not be deleted: they are, as soon as the database takes writes. */
  readonly #failed = new Set<string>();
  /** Threads that were busy for so long that no sender waits any more. */
  readonly #late = new Set<string>();
  /** By thread: messages whose turn failed because another process held the database. They are answered later. */
  readonly #postponed = new Map<string, Set<string>>();
  #retry: NodeJS.Timeout | null = null;
  #looking: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(private readonly deps: PumpDeps) {}

  /** Has everything answered that is queued on the thread. Resolves when it is. */
  pump(threadId: string): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#again.add(threadId);
    const running = this.#pumps.get(threadId);
    if (running) return running;
    const pump = this.#run(threadId).finally(() => this.#pumps.delete(threadId));
    this.#pumps.set(threadId, pump);
    return pump;
  }

  /**
   * Waits for the answer to a message that is in the inbox; `pump` has it answered.
   * @throws HubError what it was refused with, `thread_busy`
   */
  wait(sender: Omit<Sender, 'deadline' | 'resolve' | 'reject'>): Promise<TurnReply> {
    const deadline = performance.now() + this.deps.waitMs;
    this.#looking ??= setInterval(() => void this.#checkOverdue(), LOOK_MS);
    return new Promise((resolve, reject) => {
      this.#senders.add({ ...sender, deadline, resolve, reject });
    });
  }

  /** Tries threads again that were busy for too long. */
  pumpLate(): void {
    const late = [...this.#late];
    this.#late.clear();
    for (const threadId of late) void this.pump(threadId);
  }

  /** Waits a while for the turns that run. The sender of a message whose turn has not begun learns that it is stored. */
  async close(): Promise<void> {
    this.#closed = true;
    await waitAtMost(CLOSE_MS, Promise.allSettled(this.#pumps.values()));
    if (this.#looking) clearInterval(this.#looking);
    this.#looking = null;
    if (this.#retry) clearTimeout(this.#retry);
    this.#retry = null;
    for (const sender of this.#senders.all())
      if (this.#senders.remove(sender)) sender.reject(busy(sender.threadId));
  }

  /** Stores what could not be stored before: answers that were given, and deletions of failed messages. */
  async tidy(): Promise<void> {
    await this.deps.turns.storeUnstored();
    if (this.#failed.size === 0) return;
    const itemIds = [...this.#failed];
    await this.deps.inbox.drop(itemIds);
    for (const itemId of itemIds) this.#failed.delete(itemId);
  }

  async #run(threadId: string): Promise<void> {
    while (!this.#closed && this.#again.delete(threadId)) {
      try {
        await this.deps.locks.withThread(threadId, this.deps.waitMs, async () => {
          const items = await this.#take(threadId);
          for (const batch of await this.deps.batches(threadId, items)) {
            const itemIds = batch.items.map(({ itemId }) => itemId);
            const senders = (): readonly Sender[] => this.#senders.of(itemIds);
            for (const itemId of itemIds) this.#running.add(itemId);
            try {
              const reply = await this.deps.turns.answer(batch, senders);
              for (const sender of senders()) if (this.#senders.remove(sender)) sender.resolve(reply);
            } catch (error) {
              if (isLeaseLost(error)) throw error;
              await this.#unansweredFor(batch, toHubError(error));
            } finally {
              for (const itemId of itemIds) this.#running.delete(itemId);
            }
            await this.#checkSenders(senders());
          }
          // Meanwhile another process may have answered what is waited for here.
          if (items.length === 0) await this.#checkSenders(this.#senders.onThread(threadId));
        });
      } catch (error) {
        await this.#refuseWaiting(threadId, toHubError(error));
      }
    }
  }

  /** Completes what a dead process left on the thread, and takes what is queued. The caller holds its lease. */
  async #take(threadId: string): Promise<readonly InboxItem[]> {
    await this.tidy();
    const left = await this.deps.inbox.left(threadId);
    const postponed = await this.#postponedOn(threadId);
    const crashed = [
      ...left.filter(({ itemId }) => !postponed.some((item) => item.itemId === itemId)),
      ...postponed,
    ].filter(({ itemId, status }) => status === 'running' && !this.#running.has(itemId));
    if (crashed.length > 0) await this.deps.recover(threadId, crashed);
    this.#postponed.delete(threadId);
    // What comes in from here on is for the next round.
    this.#again.delete(threadId);
    return this.deps.inbox.take(threadId);
  }

  async #unansweredFor(batch: Batch, error: HubError): Promise<void> {
    const itemIds = batch.items.map(({ itemId }) => itemId);
    const left = error instanceof FailedAfterAnswer ? await this.#unanswered(batch) : itemIds;
    if (error.code === 'database_busy') this.#postpone(batch.items[0]?.threadId ?? '', left, error);
    else await this.fail(left, error);
  }

  /** The answer was stored before the turn failed: it is kept with its messages. @returns the messages that have none */
  async #unanswered({ items }: Batch): Promise<readonly string[]> {
    const [first] = items;
    if (!first) return [];
    try {
      await this.deps.recover(first.threadId, items);
    } catch (error) {
      this.deps.log.error({ agent: 'hub', action: 'answer_not_stored' }, error);
    }
    const left: string[] = [];
    for (const { itemId } of items) {
      if ((await this.deps.inbox.get(itemId))?.status !== 'answered') left.push(itemId);
    }
    return left;
  }

  /** Rejects the senders and deletes the messages: the same ids may be sent again. */
  async fail(itemIds: readonly string[], error: HubError): Promise<void> {
    try {
      await this.deps.inbox.drop(itemIds);
    } catch (failure) {
      for (const itemId of itemIds) this.#failed.add(itemId);
      this.deps.log.error({ agent: 'hub', action: 'inbox_not_dropped' }, failure);
    }
    for (const sender of this.#senders.of(itemIds)) if (this.#senders.remove(sender)) sender.reject(error);
  }

  /** The senders learn that their messages are stored. The turn is completed later, as after a crash. */
  #postpone(threadId: string, itemIds: readonly string[], { fields }: HubError): void {
    const kept = this.#postponed.get(threadId) ?? new Set();
    for (const itemId of itemIds) kept.add(itemId);
    this.#postponed.set(threadId, kept);
    const error = held(fields);
    for (const sender of this.#senders.of(itemIds)) if (this.#senders.remove(sender)) sender.reject(error);
    this.#retryLater();
  }

  #retryLater(): void {
    if (this.#closed || this.#postponed.size === 0) return;
    this.#retry ??= setTimeout(() => {
      this.#retry = null;
      for (const threadId of this.#postponed.keys()) void this.pump(threadId);
    }, RETRY_MS).unref();
  }

  async #postponedOn(threadId: string): Promise<readonly InboxItem[]> {
    const ids = [...(this.#postponed.get(threadId) ?? [])];
    const items = await Promise.all(ids.map((itemId) => this.deps.inbox.get(itemId)));
    return items.flatMap((item) => item ?? []);
  }

  /** The thread's lease could not be taken, or the database takes no writes. */
  async #refuseWaiting(threadId: string, error: HubError): Promise<void> {
    if (error.code !== 'thread_busy') {
      this.deps.log.error({ agent: 'hub', action: 'inbox_failed', details: { threadId } }, error);
      const itemIds = this.#senders.onThread(threadId).map(({ itemId }) => itemId);
      if (error.code === 'database_busy') return this.#postpone(threadId, itemIds, error);
      return this.fail(itemIds, error);
    }
    this.#retryLater();
    await this.#checkSenders(this.#senders.onThread(threadId));
    if (this.#senders.onThread(threadId).length > 0) this.#again.add(threadId);
    else this.#late.add(threadId);
  }

  /** Checks messages that have waited longer than a turn of this process takes to begin. */
  async #checkOverdue(): Promise<void> {
    const since = performance.now() + this.deps.waitMs - LOOK_MS;
    await this.#checkSenders(this.#senders.all().filter(({ deadline }) => deadline < since));
    if (this.#senders.size > 0 || this.#looking === null) return;
    clearInterval(this.#looking);
    this.#looking = null;
  }

  /** Looks up the outcome of messages that another process answers. */
  async #checkSenders(senders: readonly Sender[]): Promise<void> {
    for (const sender of senders) {
      try {
        if (!this.#running.has(sender.itemId)) await this.#lookFor(sender);
      } catch (error) {
        this.deps.log.error({ agent: 'hub', action: 'inbox_not_read' }, error);
      }
    }
  }

  async #lookFor(sender: Sender): Promise<void> {
    const item = await this.deps.inbox.get(sender.itemId);
    if (this.#running.has(sender.itemId)) return;
    if (item && item.status !== 'answered') {
      if (performance.now() < sender.deadline || !this.#senders.remove(sender)) return;
      const { threadId } = sender;
      return sender.reject(this.#postponed.has(threadId) ? held({ threadId }) : busy(threadId));
    }
    if (!this.#senders.remove(sender)) return;
    if (!item) {
      sender.reject(new HubError('database_failed', 'The message could not be answered. Send it again.'));
      return;
    }
    const outcome = item.outcome as Outcome;
    try {
      await this.deps.turns.replay(sender, outcome);
      sender.resolve(replyOf(outcome));
    } catch (error) {
      sender.reject(error);
    }
  }
}

function held(fields: HubError['fields']): HubError {
  const message =
    'The hub cannot store anything at the moment, because another process holds its database. Your message is kept and will be answered.';
  return new HubError('database_busy', message, fields);
}

function busy(threadId: string): HubError {
  const message =
    'This conversation is busy with an earlier message. Yours is kept and will be answered on it.';
  return new HubError('thread_busy', message, { threadId });
}

import type { TurnReply } from '../core/domain/turn.js';
import { HubError, toHubError } from '../core/errors.js';
import { isLeaseLost } from '../core/held-lease.js';
import type { Inbox, InboxItem, Log, ThreadLock } from '../core/ports/index.js';
import type { InboxTurns } from './inbox-turns.js';
import {
  type Batch,
  FailedAfterAnswer,
  type Outcome,
  replyOf,
  type Sender,
  WaitingSenders,
} from './waiting-senders.js';

/** How often a message is looked for that another process may have answered. */
const LOOK_MS = 150;
/** How long a stop waits for turns that run. What they come to is found again by the one who starts next. */
const CLOSE_MS = 15_000;
/** How soon a conversation is tried again whose turn met a database that another process held. */
const RETRY_MS = 1_000;

interface PumpDeps {
  readonly inbox: Inbox;
  readonly locks: ThreadLock;
  readonly log: Log;
  readonly waitMs: number;
  /** Completes what a dead process left on the conversation. The caller holds it. */
  readonly salvage: (threadId: string, left: readonly InboxItem[]) => Promise<void>;
  readonly batches: (threadId: string, items: readonly InboxItem[]) => Promise<readonly Batch[]>;
  readonly turns: Pick<InboxTurns, 'answer' | 'storeUnstored' | 'replay'>;
}

/**
 * Takes messages from the inbox and has them answered, one conversation at a time by one process. Whatever is queued when
 * the conversation is free is answered together.
 */
export class InboxPump {
  readonly #senders = new WaitingSenders();
  readonly #pumps = new Map<string, Promise<void>>();
  /** Conversations on which something came in since their pump last looked. */
  readonly #again = new Set<string>();
  /** Messages of which a turn of this process is running. */
  readonly #running = new Set<string>();
  /** Messages that failed and could not even be forgotten: they are, as soon as anything can be stored. */
  readonly #failed = new Set<string>();
  /** Conversations that were busy for so long that nobody waits any more. */
  readonly #late = new Set<string>();
  /** Messages whose turn met a database that another process held, by conversation: they are kept, and answered later. */
  readonly #postponed = new Map<string, Set<string>>();
  #retry: NodeJS.Timeout | null = null;
  #looking: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(private readonly deps: PumpDeps) {}

  /** Sees to it that everything queued on the conversation is answered. Resolves when it was. */
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
    this.#looking ??= setInterval(() => void this.#lookAround(), LOOK_MS);
    return new Promise((resolve, reject) => {
      this.#senders.add({ ...sender, deadline, resolve, reject });
    });
  }

  /** Tries again what was busy for too long. */
  pumpLate(): void {
    const late = [...this.#late];
    this.#late.clear();
    for (const threadId of late) void this.pump(threadId);
  }

  /** Waits for the turns that run, for a while. The sender of one that is not begun is told that it is kept. */
  async close(): Promise<void> {
    this.#closed = true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    });
    await Promise.race([Promise.allSettled(this.#pumps.values()), late]);
    clearTimeout(timer);
    if (this.#looking) clearInterval(this.#looking);
    this.#looking = null;
    if (this.#retry) clearTimeout(this.#retry);
    this.#retry = null;
    for (const sender of this.#senders.all())
      if (this.#senders.remove(sender)) sender.reject(busy(sender.threadId));
  }

  /** Stores now what could not be stored when it happened: answers that were given, and that messages are forgotten. */
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
            await this.#look(senders());
          }
          // Meanwhile another process may have answered what is waited for here.
          if (items.length === 0) await this.#look(this.#senders.onThread(threadId));
        });
      } catch (error) {
        await this.#stuck(threadId, toHubError(error));
      }
    }
  }

  /** Makes good what a dead process left on the conversation, and takes what is queued. The caller holds it. */
  async #take(threadId: string): Promise<readonly InboxItem[]> {
    await this.tidy();
    const left = await this.deps.inbox.left(threadId);
    const postponed = await this.#postponedOn(threadId);
    const crashed = [
      ...left.filter(({ itemId }) => !postponed.some((item) => item.itemId === itemId)),
      ...postponed,
    ].filter(({ itemId, status }) => status === 'running' && !this.#running.has(itemId));
    if (crashed.length > 0) await this.deps.salvage(threadId, crashed);
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
      await this.deps.salvage(first.threadId, items);
    } catch (error) {
      this.deps.log.error({ agent: 'hub', action: 'answer_not_stored' }, error);
    }
    const left: string[] = [];
    for (const { itemId } of items) {
      if ((await this.deps.inbox.get(itemId))?.status !== 'answered') left.push(itemId);
    }
    return left;
  }

  /** The senders are told, and the messages forgotten: the same ids may be sent again. */
  async fail(itemIds: readonly string[], error: HubError): Promise<void> {
    try {
      await this.deps.inbox.drop(itemIds);
    } catch (failure) {
      for (const itemId of itemIds) this.#failed.add(itemId);
      this.deps.log.error({ agent: 'hub', action: 'inbox_not_dropped' }, failure);
    }
    for (const sender of this.#senders.of(itemIds)) if (this.#senders.remove(sender)) sender.reject(error);
  }

  /** The senders are told that their messages are kept. What the turn had come to is made good as after a crash. */
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

  /** The conversation could not be had, or nothing could be stored. */
  async #stuck(threadId: string, error: HubError): Promise<void> {
    if (error.code !== 'thread_busy') {
      this.deps.log.error({ agent: 'hub', action: 'inbox_failed', details: { threadId } }, error);
      const itemIds = this.#senders.onThread(threadId).map(({ itemId }) => itemId);
      if (error.code === 'database_busy') return this.#postpone(threadId, itemIds, error);
      return this.fail(itemIds, error);
    }
    this.#retryLater();
    await this.#look(this.#senders.onThread(threadId));
    if (this.#senders.onThread(threadId).length > 0) this.#again.add(threadId);
    else this.#late.add(threadId);
  }

  /** Messages that are waited for longer than a pump of this process takes to come to them. */
  async #lookAround(): Promise<void> {
    const since = performance.now() + this.deps.waitMs - LOOK_MS;
    await this.#look(this.#senders.all().filter(({ deadline }) => deadline < since));
    if (this.#senders.size > 0 || this.#looking === null) return;
    clearInterval(this.#looking);
    this.#looking = null;
  }

  /** Finds out what became of messages that no turn of this process works on. */
  async #look(senders: readonly Sender[]): Promise<void> {
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

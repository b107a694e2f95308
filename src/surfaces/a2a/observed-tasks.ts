import type { StreamResponse } from '@a2a-js/sdk';
import { HubError } from '../../core/errors.js';
import type { A2aTaskChange, A2aTaskRecord, A2aTasks, WebhookNotifier } from '../../core/ports/a2a-tasks.js';
import { eventsBetween, isOver, isSettled, taskEvent } from './tasks.js';

/* A2A tasks with subscriptions to their changes. It decides nothing about a task. */

/** What a task was before a change and is after it. */
type ChangeListener = (before: A2aTaskRecord, after: A2aTaskRecord) => void;

/** How soon changes of another process are seen. */
const POLL_MS = 200;
/** How often a concurrent change may come first before it is an error. */
const MAX_TRIES = 50;

/** The tasks, and the subscriptions to their changes. It decides nothing about a task. */
export class ObservedTasks {
  readonly #watchers = new Map<string, Set<TaskSubscription>>();
  readonly #listeners: ChangeListener[] = [];

  constructor(
    readonly store: A2aTasks,
    /** Makes the notifications for webhooks, stored with the change. */
    private readonly notifier: WebhookNotifier,
  ) {}

  /** Calls the listener with every change that this process makes. */
  onChange(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  /** @throws HubError `not_found` */
  async get(taskId: string): Promise<A2aTaskRecord> {
    const task = await this.store.get(taskId);
    if (!task) throw new HubError('not_found', 'There is no such task.', { taskId });
    return task;
  }

  /**
   * Changes a task, deciding again where a concurrent change came first.
   * @param decide given the task as it is; null leaves it so
   * @param answered ids of messages that are answered with the change
   * @returns the task as it is then
   */
  async change(
    taskId: string,
    decide: (task: A2aTaskRecord) => A2aTaskChange | null,
    answered: readonly string[] = [],
  ): Promise<A2aTaskRecord> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const before = await this.get(taskId);
      const change = decide(before);
      if (change === null) return before;
      const after = await this.store.save(before, change, answered, this.notifier);
      if (after === null) continue;
      for (const listener of this.#listeners) listener(before, after);
      for (const watcher of this.#watchers.get(taskId) ?? []) watcher.notify(after);
      return after;
    }
    throw new HubError('thread_busy', 'This task is busy. Please try again.', { taskId });
  }

  /** Subscribes to a task from this moment on. The caller ends the subscription. */
  watch(taskId: string): TaskSubscription {
    const watchers = this.#watchers.get(taskId) ?? new Set();
    const forget = (): void => {
      watchers.delete(watcher);
      if (watchers.size === 0) this.#watchers.delete(taskId);
    };
    const watcher = new TaskSubscription((version) => this.store.newer(taskId, version), forget);
    this.#watchers.set(taskId, watchers.add(watcher));
    return watcher;
  }

  /** Resolves when the task is over or waits for input, or when the signal is aborted. */
  async settled(taskId: string, signal: AbortSignal): Promise<A2aTaskRecord> {
    const watcher = this.watch(taskId);
    try {
      let task = await this.get(taskId);
      while (!(isSettled(task) && task.open.length === 0)) {
        const next = await watcher.next(task.version, signal);
        if (next === null) break;
        task = next;
      }
      return task;
    } finally {
      watcher.end();
    }
  }
}

/**
 * The events of a task: first the task as it was read, then every change, until it is over.
 * @param until true ends the stream before that
 */
export async function* eventsOf(
  watcher: TaskSubscription,
  first: A2aTaskRecord,
  signal: AbortSignal,
  until: (task: A2aTaskRecord) => boolean = () => false,
): AsyncGenerator<StreamResponse, void, undefined> {
  try {
    yield taskEvent(first);
    for (let known = first; !isOver(known); ) {
      const task = await watcher.next(known.version, signal);
      if (task === null) return;
      yield* eventsBetween(known, task);
      known = task;
      if (until(task)) return;
    }
  } finally {
    watcher.end();
  }
}

/** Delivers each change of a task once; quick changes of another process come as one. */
class TaskSubscription {
  readonly #changes: A2aTaskRecord[] = [];
  #wake: () => void = () => {};

  constructor(
    /** What has become of it since a version; null where nothing has. */
    private readonly read: (version: number) => Promise<A2aTaskRecord | null>,
    readonly end: () => void,
  ) {}

  notify(task: A2aTaskRecord): void {
    this.#changes.push(task);
    this.#wake();
  }

  /** The next change after a version; null where the signal is aborted. */
  async next(version: number, signal: AbortSignal): Promise<A2aTaskRecord | null> {
    while (!signal.aborted) {
      const change = this.#changes.shift() ?? (await this.read(version));
      if (change && change.version > version) return change;
      if (this.#changes.length === 0) await this.#pause(signal);
    }
    return null;
  }

  #pause(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const awake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', awake);
        this.#wake = () => {};
        resolve();
      };
      const timer = setTimeout(awake, POLL_MS);
      signal.addEventListener('abort', awake, { once: true });
      this.#wake = awake;
    });
  }
}

import type { StreamResponse } from '@a2a-js/sdk';
import { HubError } from '../../core/errors.js';
import type { A2aTaskChange, A2aTaskRecord, A2aTasks, WebhookNotifier } from '../../core/ports/a2a-tasks.js';
import { eventsBetween, isOver, isSettled, taskEvent } from './tasks-document.js';

/** What a task was before a change and is after it. */
export type ChangeListener = (before: A2aTaskRecord, after: A2aTaskRecord) => void;

/** How soon changes of another process are seen. */
const POLL_MS = 200;
/** So often somebody else may be faster before something is wrong. */
const MAX_TRIES = 50;

/** The tasks, and who wants to know what happens to them. */
export class TaskBook {
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #listeners: ChangeListener[] = [];

  constructor(
    readonly store: A2aTasks,
    /** What webhooks are told of a change, kept with it. */
    private readonly notifier: WebhookNotifier,
  ) {}

  /** Tells every change that this process makes. */
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
   * Changes a task, looking again where somebody else was faster.
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
      for (const watcher of this.#watchers.get(taskId) ?? []) watcher.tell(after);
      return after;
    }
    throw new HubError('thread_busy', 'This task is busy. Please try again.', { taskId });
  }

  /** Watches a task from this moment on. Whoever does ends it. */
  watch(taskId: string): Watcher {
    const watchers = this.#watchers.get(taskId) ?? new Set();
    const forget = (): void => {
      watchers.delete(watcher);
      if (watchers.size === 0) this.#watchers.delete(taskId);
    };
    const watcher = new Watcher((version) => this.store.newer(taskId, version), forget);
    this.#watchers.set(taskId, watchers.add(watcher));
    return watcher;
  }

  /** Resolves when the task is over or waits for somebody, or when the signal is aborted. */
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
 * What happens to a task: first the task as it was read, then every change, until it is over.
 * @param until true ends the telling before that
 */
export async function* eventsOf(
  watcher: Watcher,
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

/** Somebody who is told each change of a task once; what another process changes quickly, in one. */
export class Watcher {
  readonly #told: A2aTaskRecord[] = [];
  #wake: () => void = () => {};

  constructor(
    /** What has become of it since a version; null where nothing has. */
    private readonly read: (version: number) => Promise<A2aTaskRecord | null>,
    readonly end: () => void,
  ) {}

  tell(task: A2aTaskRecord): void {
    this.#told.push(task);
    this.#wake();
  }

  /** The next change after a version; null where the signal is aborted. */
  async next(version: number, signal: AbortSignal): Promise<A2aTaskRecord | null> {
    while (!signal.aborted) {
      const told = this.#told.shift() ?? (await this.read(version));
      if (told && told.version > version) return told;
      if (this.#told.length === 0) await this.#pause(signal);
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

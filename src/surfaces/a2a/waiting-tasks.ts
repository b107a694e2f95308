import type { App } from '../../app/app.js';
import type { A2aTaskRecord } from '../../core/ports/a2a-tasks.js';
import type { TaskBook } from './tasks-book.js';
import type { TaskRunner } from './tasks-runner.js';

interface WaitingTasksDeps {
  readonly app: Pick<App, 'a2a' | 'deskEvents' | 'log'>;
  readonly book: TaskBook;
  readonly runner: TaskRunner;
}

/** An operator's decision publishes several events at once; they are looked at together. */
const TOGETHER_MS = 20;

/** Brings tasks that wait up to date when operators, or turns on another surface, change their conversation. */
export class WaitingTasks {
  #following = false;
  readonly #soon = new Map<string, NodeJS.Timeout>();

  constructor(private readonly deps: WaitingTasksDeps) {
    deps.book.onChange((_before, after) => {
      if (after.state === 'input_required') this.follow();
    });
    deps.app.a2a.closing.addEventListener('abort', () => this.#stop(), { once: true });
  }

  /** Begins to listen to what happens at the desk, whichever process it happens in. */
  follow(): void {
    const { app } = this.deps;
    if (this.#following || app.a2a.closing.aborted) return;
    this.#following = true;
    const onEvent = ({ data }: { readonly data: Readonly<Record<string, unknown>> }): void => {
      if (typeof data.threadId === 'string') this.#touched(data.threadId);
    };
    app.deskEvents.follow({ onEvent, signal: app.a2a.closing }).catch((error: unknown) => {
      this.#following = false;
      app.log.error({ agent: 'a2a', action: 'desk_not_followed' }, error);
    });
  }

  #touched(threadId: string): void {
    if (this.#soon.has(threadId) || this.deps.app.a2a.closing.aborted) return;
    const look = (): void => {
      this.#soon.delete(threadId);
      void this.deps.app.a2a.track(this.#lookAt(threadId));
    };
    this.#soon.set(threadId, setTimeout(look, TOGETHER_MS).unref());
  }

  async #lookAt(threadId: string): Promise<void> {
    try {
      await this.look(await this.deps.book.store.waiting(threadId));
    } catch (error) {
      this.deps.app.log.error({ agent: 'a2a', action: 'task_not_read', details: { threadId } }, error);
    }
  }

  /** Brings each of these tasks up to date; one that cannot be read stops no other. */
  async look(tasks: readonly A2aTaskRecord[]): Promise<void> {
    for (const task of tasks) {
      try {
        await this.deps.runner.look(task);
      } catch (error) {
        const { taskId } = task;
        this.deps.app.log.error({ agent: 'a2a', action: 'task_not_read', details: { taskId } }, error);
      }
    }
  }

  #stop(): void {
    for (const timer of this.#soon.values()) clearTimeout(timer);
    this.#soon.clear();
  }
}

/** How old an unanswered message must be to be resumed, and how often such messages are looked for. */
const STALE_MS = 120_000;

/** Resumes messages that no process works on any more, at intervals. Ends when the App closes. */
export function resumeStaleTasks({ app, book, runner }: WaitingTasksDeps): void {
  const { a2a, log } = app;
  const look = async (): Promise<void> => {
    try {
      const before = new Date(a2a.clock.now().getTime() - STALE_MS);
      for (const { taskId } of await book.store.left(before)) runner.now(taskId);
    } catch (error) {
      log.error({ agent: 'a2a', action: 'tasks_not_resumed' }, error);
    }
  };
  const timer = setInterval(() => void a2a.track(look()), STALE_MS).unref();
  a2a.closing.addEventListener('abort', () => clearInterval(timer), { once: true });
}

/** Resumes what an earlier process has left: unanswered messages, and tasks that wait. */
export async function resumeTasks(
  { app, book, runner }: WaitingTasksDeps,
  people: WaitingTasks,
): Promise<void> {
  try {
    const tasks = await book.store.listOpen();
    if (tasks.some(({ state }) => state === 'input_required')) people.follow();
    for (const task of tasks) {
      if (app.a2a.closing.aborted) return;
      if (task.open.length > 0) runner.now(task.taskId);
      else await people.look([task]);
    }
  } catch (error) {
    app.log.error({ agent: 'a2a', action: 'tasks_not_resumed' }, error);
  }
}

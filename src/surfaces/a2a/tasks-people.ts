import type { App } from '../../app/app.js';
import type { A2aTaskRecord } from '../../core/ports/a2a-tasks.js';
import type { TaskBook } from './tasks-book.js';
import type { TaskRunner } from './tasks-runner.js';

export interface PeopleDeps {
  readonly app: Pick<App, 'a2a' | 'deskEvents' | 'log'>;
  readonly book: TaskBook;
  readonly runner: TaskRunner;
}

/** Several things happen at once where a person decides something. */
const TOGETHER_MS = 20;

/** Looks after tasks that wait: what people do, and turns elsewhere, may be what they wait for. */
export class TaskPeople {
  #following = false;
  readonly #soon = new Map<string, NodeJS.Timeout>();

  constructor(private readonly deps: PeopleDeps) {
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

  /** Looks what tasks that wait have come to; one that cannot be read keeps no other waiting. */
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

/** How often, and for how long untouched, messages are looked for that nobody answers although their process lives. */
const LEFT_MS = 120_000;

/** Looks for messages that nobody works on any more, time and again. Ends when the App closes. */
export function lookAfterTasks({ app, book, runner }: PeopleDeps): void {
  const { a2a, log } = app;
  const look = async (): Promise<void> => {
    try {
      const before = new Date(a2a.clock.now().getTime() - LEFT_MS);
      for (const { taskId } of await book.store.left(before)) runner.now(taskId);
    } catch (error) {
      log.error({ agent: 'a2a', action: 'tasks_not_resumed' }, error);
    }
  };
  const timer = setInterval(() => void a2a.track(look()), LEFT_MS).unref();
  a2a.closing.addEventListener('abort', () => clearInterval(timer), { once: true });
}

/** Takes up again what an earlier process has left: messages nobody has answered, and what was waited for. */
export async function resumeTasks({ app, book, runner }: PeopleDeps, people: TaskPeople): Promise<void> {
  try {
    const tasks = await book.store.unfinished();
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

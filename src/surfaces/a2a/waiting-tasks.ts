import type { App } from '../../app/app.js';
import { HubError, toHubError } from '../../core/errors.js';
import type { A2aTaskChange, A2aTaskRecord } from '../../core/ports/a2a-tasks.js';
import type { ObservedTasks } from './observed-tasks.js';
import { isOver, languageOf } from './tasks.js';
import { canceled, changeTo, decline } from './tasks-outcome.js';
import type { RunnerDeps, TaskRunner } from './tasks-runner.js';

interface CancelDeps {
  readonly app: RunnerDeps['app'];
  readonly observed: ObservedTasks;
  readonly runner: TaskRunner;
}

/** How long a turn that runs may take to come to its end; longer, and the task is given back as it is. */
const LONGEST_WAIT_MS = 15_000;
/** What changes while it is being taken back is looked at again. */
const MAX_LOOKS = 5;

/**
 * Takes a task back: what nobody has begun is dropped, a question is declined, what waits for an operator's yes is
 * withdrawn, and a turn that runs ends without asking.
 * @throws HubError `wrong_status` where it is over, or has changed something (also: an operator was faster)
 */
export async function cancelTask(deps: CancelDeps, taskId: string): Promise<A2aTaskRecord> {
  const { app, observed, runner } = deps;
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const task = await runner.look(await observed.get(taskId));
    if (isOver(task)) throw over(task, looks);
    if (hasBegun(task)) {
      await observed.change(taskId, (now) =>
        isOver(now) || !hasBegun(now) ? null : { ...now, cancelAsked: true },
      );
      const signal = AbortSignal.any([app.a2a.closing, AbortSignal.timeout(LONGEST_WAIT_MS)]);
      const ended = await observed.settled(taskId, signal);
      if (ended.state === 'canceled' || hasBegun(ended)) return ended;
    } else {
      const ended = await drop(deps, task);
      if (ended.state === 'canceled') return ended;
    }
  }
  throw refused(await observed.get(taskId), 'it changes too quickly; try again');
}

function hasBegun({ open }: A2aTaskRecord): boolean {
  return open.some(({ begun }) => begun);
}

/** Nobody works on it. */
async function drop({ app, observed, runner }: CancelDeps, task: A2aTaskRecord): Promise<A2aTaskRecord> {
  const { taskId, wait } = task;
  const unchanged = (now: A2aTaskRecord): boolean => !isOver(now) && !hasBegun(now);
  if (wait?.kind !== 'confirmation' && wait?.kind !== 'approval') {
    const language = languageOf(task) ?? 'en';
    const change = (now: A2aTaskRecord): A2aTaskChange | null =>
      unchanged(now) && now.wait?.kind === wait?.kind
        ? changeTo(now, canceled(null, language, app.texts))
        : null;
    return observed.change(taskId, change);
  }
  try {
    const outcome = await decline({ app }, task, await runner.identityOf(task), {
      id: wait.pendingId,
      kind: wait.kind,
    });
    return await observed.change(taskId, (now) => (unchanged(now) ? changeTo(now, outcome) : null));
  } catch (error) {
    // Answered at this very moment: what was answered counts.
    if (/^pending_/.test(toHubError(error).code)) return observed.get(taskId);
    throw error;
  }
}

/** @param looks 0 where it was over when it was to be taken back */
function over(task: A2aTaskRecord, looks: number): HubError {
  return refused(task, looks === 0 ? `it is over (${task.state})` : 'what it was asked for is done');
}

function refused({ taskId }: A2aTaskRecord, why: string): HubError {
  return new HubError('wrong_status', `The task cannot be canceled: ${why}.`, { taskId });
}

interface WaitingTasksDeps {
  readonly app: Pick<App, 'a2a' | 'deskEvents' | 'log'>;
  readonly observed: ObservedTasks;
  readonly runner: TaskRunner;
}

/** An operator's decision publishes several events at once; they are looked at together. */
const TOGETHER_MS = 20;

/** Brings tasks that wait up to date when operators, or turns on another surface, change their conversation. */
export class WaitingTasks {
  #following = false;
  readonly #soon = new Map<string, NodeJS.Timeout>();

  constructor(private readonly deps: WaitingTasksDeps) {
    deps.observed.onChange((_before, after) => {
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
      await this.look(await this.deps.observed.store.waiting(threadId));
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
export function resumeStaleTasks({ app, observed, runner }: WaitingTasksDeps): void {
  const { a2a, log } = app;
  const look = async (): Promise<void> => {
    try {
      const before = new Date(a2a.clock.now().getTime() - STALE_MS);
      for (const { taskId } of await observed.store.left(before)) runner.now(taskId);
    } catch (error) {
      log.error({ agent: 'a2a', action: 'tasks_not_resumed' }, error);
    }
  };
  const timer = setInterval(() => void a2a.track(look()), STALE_MS).unref();
  a2a.closing.addEventListener('abort', () => clearInterval(timer), { once: true });
}

/** Resumes what an earlier process has left: unanswered messages, and tasks that wait. */
export async function resumeTasks(
  { app, observed, runner }: WaitingTasksDeps,
  people: WaitingTasks,
): Promise<void> {
  try {
    const tasks = await observed.store.listOpen();
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

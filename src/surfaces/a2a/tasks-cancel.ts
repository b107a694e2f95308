import { HubError, toHubError } from '../../core/errors.js';
import type { A2aTaskChange, A2aTaskRecord } from '../../core/ports/a2a-tasks.js';
import type { TaskBook } from './tasks-book.js';
import { isOver, languageOf } from './tasks-document.js';
import { canceled, changeTo, decline } from './tasks-outcome.js';
import type { RunnerDeps, TaskRunner } from './tasks-runner.js';

interface CancelDeps {
  readonly app: RunnerDeps['app'];
  readonly book: TaskBook;
  readonly runner: TaskRunner;
}

/** How long a turn that runs may take to come to its end; longer, and the task is given back as it is. */
const PATIENCE_MS = 15_000;
/** What changes while it is being taken back is looked at again. */
const MAX_LOOKS = 5;

/**
 * Takes a task back: what nobody has begun is dropped, a question is declined, what waits for an operator's yes is
 * withdrawn, and a turn that runs ends without asking.
 * @throws HubError `wrong_status` where it is over, or has changed something (also: an operator was faster)
 */
export async function cancelTask(deps: CancelDeps, taskId: string): Promise<A2aTaskRecord> {
  const { app, book, runner } = deps;
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const task = await runner.look(await book.get(taskId));
    if (isOver(task)) throw over(task, looks);
    if (hasBegun(task)) {
      await book.change(taskId, (now) =>
        isOver(now) || !hasBegun(now) ? null : { ...now, cancelAsked: true },
      );
      const signal = AbortSignal.any([app.a2a.closing, AbortSignal.timeout(PATIENCE_MS)]);
      const ended = await book.settled(taskId, signal);
      if (ended.state === 'canceled' || hasBegun(ended)) return ended;
    } else {
      const ended = await drop(deps, task);
      if (ended.state === 'canceled') return ended;
    }
  }
  throw refused(await book.get(taskId), 'it changes too quickly; try again');
}

function hasBegun({ open }: A2aTaskRecord): boolean {
  return open.some(({ begun }) => begun);
}

/** Nobody works on it. */
async function drop({ app, book, runner }: CancelDeps, task: A2aTaskRecord): Promise<A2aTaskRecord> {
  const { taskId, wait } = task;
  const unchanged = (now: A2aTaskRecord): boolean => !isOver(now) && !hasBegun(now);
  if (wait?.kind !== 'confirmation' && wait?.kind !== 'approval') {
    const language = languageOf(task) ?? 'en';
    const change = (now: A2aTaskRecord): A2aTaskChange | null =>
      unchanged(now) && now.wait?.kind === wait?.kind
        ? changeTo(now, canceled(null, language, app.texts))
        : null;
    return book.change(taskId, change);
  }
  try {
    const outcome = await decline({ app }, task, await runner.identityOf(task), {
      id: wait.pendingId,
      kind: wait.kind,
    });
    return await book.change(taskId, (now) => (unchanged(now) ? changeTo(now, outcome) : null));
  } catch (error) {
    // Answered at this very moment: what was answered counts.
    if (/^pending_/.test(toHubError(error).code)) return book.get(taskId);
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

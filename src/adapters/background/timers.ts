import type { BackgroundWork, Repeated, RepeatedTask } from '../../core/ports/background.js';
import type { Log } from '../../core/ports/system.js';

/** Background work of one process: timers. */
export function createTimers(log: Log): BackgroundWork {
  const repeated = new Set<Repeated>();
  return {
    every(task) {
      const made = repeat(task, log);
      repeated.add(made);
      return made;
    },
    jobs: null,
    depth: async () => [],
    close: async () => void (await Promise.all([...repeated].map((one) => one.stop()))),
  };
}

function repeat({ name, everyMs, now, work }: RepeatedTask, log: Log): Repeated {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let stopped = false;
  const begin = (): Promise<void> => {
    if (stopped) return Promise.resolve();
    running = Promise.resolve()
      .then(work)
      .then(
        () => undefined,
        (error: unknown) => {
          if (!stopped)
            log.error({ agent: 'hub', action: 'background_failed', details: { task: name } }, error);
        },
      )
      .finally(() => {
        running = null;
      });
    return running;
  };
  const soon = (): Promise<void> => {
    if (running === null) return begin();
    // What is in work may have looked already.
    next ??= running.then(() => {
      next = null;
      return running ?? begin();
    });
    return next;
  };
  const timer = setInterval(() => void (running ?? begin()), everyMs).unref();
  if (now) void begin();
  return {
    soon,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

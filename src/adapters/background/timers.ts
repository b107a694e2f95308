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
  let stopped = false;
  const soon = (): Promise<void> => {
    if (stopped) return running ?? Promise.resolve();
    running ??= Promise.resolve()
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
  const timer = setInterval(() => void soon(), everyMs).unref();
  if (now) void soon();
  return {
    soon,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

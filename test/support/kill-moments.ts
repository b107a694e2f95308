import { cpSync, existsSync } from 'node:fs';

/** Several moments of one run, see {@link killMoments}. */
const BETWEEN = ',';

/** What {@link killMoments} reads. */
export function momentsArgument(moments: readonly string[]): string {
  return moments.join(BETWEEN);
}

/** Where the copy of a moment is put, if it is not the last. */
export const copyAt = (dataDir: string, moment: string): string => `${dataDir} ${moment}`;

/** The data directory as a process left it that was killed at this moment; the last one's is where it was. */
export function leftAt(dataDir: string, moment: string): string {
  const copy = copyAt(dataDir, moment);
  return existsSync(copy) ? copy : dataDir;
}

type Method = (...args: never[]) => Promise<unknown>;

/**
 * Lets this process die as if the power had gone. Where there are several moments, what a process killed there leaves is
 * copied at each, see {@link leftAt}, and the process is killed at the last: whoever is killed leaves the files as they are,
 * and nothing is written while they are copied.
 * @param moments see {@link momentsArgument}
 */
export function killMoments(dataDir: string, moments: string) {
  const awaited = new Set(moments.split(BETWEEN));
  let armed = false;
  const at = (here: string): void => {
    if (!armed || !awaited.delete(here)) return;
    if (awaited.size === 0) process.kill(process.pid, 'SIGKILL');
    else cpSync(dataDir, copyAt(dataDir, here), { recursive: true });
  };
  return {
    /** From now on it may happen. */
    arm(): void {
      armed = true;
    },
    /** This is a moment. */
    at,
    /** Two moments of a method: `before <what>` and `after <what>`. */
    around<T extends Method>(
      what: string,
      method: T,
      applies: (...args: Parameters<T>) => boolean = () => true,
    ): T {
      return (async (...args: Parameters<T>) => {
        const here = applies(...args);
        if (here) at(`before ${what}`);
        const result = await method(...args);
        if (here) at(`after ${what}`);
        return result;
      }) as T;
    },
  };
}

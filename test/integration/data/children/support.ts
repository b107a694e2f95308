import type { Log } from '../../../../src/core/ports/system.js';

/** What child processes need of a log: nothing. */
export const noLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** The arguments after the script's path. */
export function argument(index: number): string {
  const value = process.argv[index + 2];
  if (value === undefined) throw new Error(`argument ${index} is missing`);
  return value;
}

/** Reports to the parent, one line. */
export function report(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Dies as a machine without power does: nothing is cleaned up. */
export function dieNow(): void {
  process.kill(process.pid, 'SIGKILL');
}

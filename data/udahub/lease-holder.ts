import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Where process ids mean the same: this host and, on Linux, this process namespace.
 * Two containers may share a host name and a data directory, but not their process ids.
 */
function processScope(): string {
  try {
    return `${hostname()}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

const SCOPE = processScope();

/** Names a holder so that others can see whether its process still lives: `scope|pid|id`. */
export function holderName(id: string): string {
  return `${SCOPE}|${process.pid}|${id}`;
}

/** True only where it is certain that the holder's process is gone; a holder elsewhere may well be alive. */
export function isHolderDead(holder: string): boolean {
  const [scope, pid] = holder.split('|');
  if (scope !== SCOPE || pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

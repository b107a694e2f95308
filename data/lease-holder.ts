import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { hasCode } from '../src/core/errors.js';

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

/**
 * When a process began, in the kernel's own count; empty where that cannot be known. A process id is used again: a
 * restarted container gives its server the one it had before.
 */
function beginningOf(pid: number): string {
  try {
    // The name of the program, in parentheses, may hold anything; the 22nd field is the 20th after it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

const SCOPE = processScope();
const BEGINNING = beginningOf(process.pid);

/** Names a holder so that others can see whether its process still lives: `scope|pid|beginning|id`. */
export function holderName(id: string): string {
  return `${SCOPE}|${process.pid}|${BEGINNING}|${id}`;
}

/** The part of a holder's name that is its process. */
export function processOf(holder: string): string {
  return holder.split('|').slice(0, 3).join('|');
}

/** True only where it is certain that the holder's process is gone; a holder elsewhere may well be alive. */
export function isHolderDead(holder: string): boolean {
  const [scope, pid, beginning] = holder.split('|');
  if (scope !== SCOPE || pid === undefined) return false;
  if (pid === String(process.pid)) return beginning !== BEGINNING;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return hasCode(error, 'ESRCH');
  }
  const now = beginningOf(Number(pid));
  return now !== '' && beginning !== '' && now !== beginning;
}

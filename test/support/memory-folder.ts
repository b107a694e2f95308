import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const NAME = 'uda-tests-';
const OWN = join(MEMORY, `${NAME}${process.pid}`);
/** Bytes that must be free: the folders of all tests that run at once take less than a tenth of it. */
const ROOM = 4 * 2 ** 30;

/**
 * Puts the temporary folders of the tests into memory where the system has room there: what they store is synced to the disk
 * thousands of times, and kept by none of them. Elsewhere they stay where the system has them. Beside them is the folder
 * of the programs that all processes of the run start, see child-process.ts.
 */
export function setup(): void {
  if (isRoomy()) useMemory();
  const programs = mkdtempSync(join(tmpdir(), 'uda-programs-'));
  // Some are started as another user.
  chmodSync(programs, 0o755);
  process.env.UDA_TEST_PROGRAMS = programs;
}

function useMemory(): void {
  for (const name of readdirSync(MEMORY))
    if (name.startsWith(NAME) && !isAlive(Number(name.slice(NAME.length)))) remove(join(MEMORY, name));
  mkdirSync(OWN, { recursive: true });
  process.env.TMPDIR = OWN;
}

/** Removes them, also where a test left some. */
export function teardown(): void {
  remove(process.env.UDA_TEST_PROGRAMS ?? OWN);
  remove(OWN);
}

/** Some tests start programs from their folders. */
function isRoomy(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const options = mounts.findLast((line) => line.split(' ')[1] === MEMORY)?.split(' ')[3];
    const { bavail, bsize } = statfsSync(MEMORY);
    return options !== undefined && !options.split(',').includes('noexec') && bavail * bsize >= ROOM;
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

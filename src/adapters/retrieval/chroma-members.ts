import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { HubError } from '../../core/errors.js';
import { makePrivate } from '../../core/sqlite-files.js';

const RETRY_MS = 20;

/**
 * Runs `work` while this process holds an exclusive kernel lock on a file. SQLite takes it, so it ends with the
 * process, however that ends: there are no stale locks to recognise.
 * @param waitMs how long to wait for another holder
 * @throws HubError `index_unavailable` when the wait is over or the file cannot be opened
 */
export async function withFileLock<T>(path: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const handle = open(path);
  try {
    await acquire(handle, path, waitMs);
    return await work();
  } finally {
    // Closing rolls back and releases.
    handle.close();
  }
}

function open(path: string): Database.Database {
  try {
    makePrivate(path);
    return new Database(path, { timeout: 0 });
  } catch (error) {
    throw unavailable(path, error);
  }
}

async function acquire(handle: Database.Database, path: string, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      handle.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      const busy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!busy || performance.now() > deadline) throw unavailable(path, error);
    }
    await sleep(RETRY_MS);
  }
}

function unavailable(path: string, cause: unknown): HubError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new HubError(
    'index_unavailable',
    `The lock of the vector index could not be taken: ${reason}`,
    { path },
    { cause },
  );
}

/** A server some hub process started, as every other one finds it. */
export interface ServerState {
  readonly pid: number;
  /** Start time of that pid, so that a reused number is not taken for the server. */
  readonly start: string;
  readonly port: number;
  /** Inode of the database file it serves; another one means that the directory was replaced under it. */
  readonly inode: string | null;
}

/** When a process started, as the OS counts it; '' where there is none (or only a zombie). */
export function processStart(pid: number): string {
  try {
    if (process.platform === 'linux') {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /su, '')
        .split(' ');
      return fields[0] === 'Z' ? '' : (fields[19] ?? '');
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .replaceAll(/\W/gu, '');
  } catch {
    return '';
  }
}

/** True where the pid runs and is the process that had this start time. */
export function isProcess(pid: number, start: string): boolean {
  return pid > 0 && start !== '' && processStart(pid) === start;
}

/** As `isProcess`, but cheap enough for every request on every system; may take a reused pid for the process. */
export function seemsRunning(pid: number, start: string): boolean {
  if (process.platform === 'linux') return isProcess(pid, start);
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

let nextMember = 0;

/** Files beside Chroma's directory: which server runs and who uses it. Callers hold the lock for everything but `join`. */
export class ChromaMembers {
  private readonly usersDir: string;
  private readonly statePath: string;
  private member: string | null = null;

  constructor(readonly stateDir: string) {
    this.usersDir = join(stateDir, 'users');
    this.statePath = join(stateDir, 'server.json');
  }

  /** Registers this process as a user; repeated calls are one membership. */
  join(): void {
    if (this.member !== null) return;
    mkdirSync(this.usersDir, { recursive: true, mode: 0o700 });
    nextMember += 1;
    const member = join(this.usersDir, `${process.pid}-${processStart(process.pid)}-${nextMember}`);
    writeFileSync(member, '', { mode: 0o600 });
    this.member = member;
  }

  /** Ends this membership; false where there was none. */
  leave(): boolean {
    if (this.member === null) return false;
    rmSync(this.member, { force: true });
    this.member = null;
    return true;
  }

  /** True where a live process (this one included) is a member; the files of dead ones are removed. */
  hasLiveMembers(): boolean {
    let live = false;
    for (const name of this.memberNames()) {
      const [pid = '', start = ''] = name.split('-');
      if (isProcess(Number(pid), start)) live = true;
      else rmSync(join(this.usersDir, name), { force: true });
    }
    return live;
  }

  /** The recorded server if that very process still runs, else null. */
  readServer(): ServerState | null {
    try {
      const state = JSON.parse(readFileSync(this.statePath, 'utf8')) as Partial<ServerState>;
      if (typeof state.pid !== 'number' || typeof state.start !== 'string' || typeof state.port !== 'number')
        return null;
      if (!isProcess(state.pid, state.start)) return null;
      return { pid: state.pid, start: state.start, port: state.port, inode: state.inode ?? null };
    } catch {
      return null;
    }
  }

  /** Atomic: readers see the old state or the new one. */
  writeServer(state: ServerState): void {
    const draft = `${this.statePath}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(state), { mode: 0o600 });
    renameSync(draft, this.statePath);
  }

  clearServer(): void {
    rmSync(this.statePath, { force: true });
  }

  private memberNames(): readonly string[] {
    try {
      return readdirSync(this.usersDir);
    } catch {
      return [];
    }
  }
}

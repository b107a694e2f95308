import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProcess } from './chroma-members.js';

const POLL_MS = 15;
const HOST = '127.0.0.1';
/** The watchdog's exit code where another server holds the path. */
export const EXIT_PATH_IN_USE = 75;

/** A server that was spawned a moment ago and may not answer yet. */
interface SpawnedChroma {
  readonly pid: number;
  readonly port: number;
  /** Exit code once it ended (null after a signal), undefined while it runs. */
  exitCode(): number | null | undefined;
}

/** Base URL of a local server. */
export function chromaUrl(port: number): string {
  return `http://${HOST}:${port}`;
}

/** A port that is free now. Somebody may take it before Chroma does; then Chroma exits and the caller tries another. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  return await new Promise((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, HOST, () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/**
 * Spawns the CLI of the `chromadb` package in a session of its own, so that Ctrl-C in one hub's terminal does not end
 * the server that others use. It inherits no environment: no secret of ours has any business there.
 */
export function spawnChroma(dataPath: string, stateDir: string, port: number): SpawnedChroma {
  // The package exports no path to its CLI; it lies one folder above the CommonJS entry.
  const cli = join(dirname(createRequire(import.meta.url).resolve('chromadb')), '..', 'cli.mjs');
  const watchdog = new URL('./chroma-watchdog.mjs', import.meta.url);
  watchdog.searchParams.set('state', stateDir);
  const log = openSync(join(stateDir, 'server.log'), 'w', 0o600);
  try {
    const child: ChildProcess = spawn(
      process.execPath,
      ['--import', watchdog.href, cli, 'run', '--path', dataPath, '--port', String(port), '--host', HOST],
      { detached: true, stdio: ['ignore', log, log], env: {}, cwd: stateDir },
    );
    let exitCode: number | null | undefined;
    child.once('exit', (code) => {
      exitCode = code;
    });
    child.once('error', () => {
      exitCode = -1;
    });
    child.unref();
    return { pid: child.pid ?? 0, port, exitCode: () => exitCode };
  } finally {
    closeSync(log);
  }
}

/** True where a Chroma server answers within the time. */
export async function heartbeat(url: string, timeoutMs: number): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/v2/heartbeat`, { signal: AbortSignal.timeout(timeoutMs) });
    const body = await response.text();
    return response.ok && body.includes('heartbeat');
  } catch {
    return false;
  }
}

/** Waits until the spawned server answers (true), or ended or ran out of time (false). */
export async function untilReady(server: SpawnedChroma, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline && server.exitCode() === undefined) {
    if (await heartbeat(chromaUrl(server.port), 1000)) return server.exitCode() === undefined;
    await sleep(POLL_MS);
  }
  return false;
}

/** SIGINT (newer builds spin on SIGTERM), then SIGKILL after the grace. What was acknowledged is on disk either way. */
export async function stopProcess(pid: number, start: string, graceMs: number): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGINT', graceMs],
    ['SIGKILL', 1000],
  ] as const) {
    if (!isProcess(pid, start)) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const deadline = performance.now() + waitMs;
    while (isProcess(pid, start) && performance.now() < deadline) await sleep(POLL_MS);
  }
}

/** Inode of the database file, null where there is none yet. */
export function databaseInode(dataPath: string): string | null {
  try {
    return String(statSync(join(dataPath, 'chroma.sqlite3')).ino);
  } catch {
    return null;
  }
}

/** The last words of the server, for the log. */
export function serverLogTail(stateDir: string): string {
  try {
    return readFileSync(join(stateDir, 'server.log'), 'utf8').trim().slice(-300);
  } catch {
    return '';
  }
}

const ASIDE = 'chroma-damaged-';

/**
 * Renames a damaged data directory, for its owner's eyes only. One is kept: an older one goes.
 * @returns where it is now, null where there was nothing to set aside
 */
export function setAside(dataPath: string, now: Date): string | null {
  if (databaseInode(dataPath) === null) return null;
  const dataDir = dirname(dataPath);
  for (const name of readdirSync(dataDir))
    if (name.startsWith(ASIDE)) rmSync(join(dataDir, name), { recursive: true, force: true });
  const kept = join(dataDir, `${ASIDE}${now.toISOString().replaceAll(/[-:]|\.\d+/gu, '')}`);
  renameSync(dataPath, kept);
  chmodSync(kept, 0o700);
  return kept;
}

/** Undoes `setAside`, where the directory was not to blame. */
export function putBack(kept: string, dataPath: string): void {
  rmSync(dataPath, { recursive: true, force: true });
  renameSync(kept, dataPath);
}

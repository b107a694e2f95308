import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const START_MS = 120_000;
const STOP_MS = 20_000;

/** A server in a process of its own. */
export interface ServerProcess {
  readonly url: string;
  /** Resident memory now, MB; NaN where the system does not tell. */
  memoryMb(): number;
  /** Most resident memory it ever had, MB; NaN where the system does not tell. */
  peakMb(): number;
  /** Processor time so far, ms; NaN where the system does not tell. */
  processorMs(): number;
  stop(): Promise<void>;
}

/**
 * Starts a script and waits until it says where it listens.
 * @throws where it ends before, or takes too long
 */
export async function startServerProcess(
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const { PATH = '', HOME = '' } = process.env;
  const command = script.startsWith('bench/') ? ['--import', 'tsx', script] : ['scripts/run.mjs', script];
  const child = spawn(process.execPath, command, {
    cwd: ROOT,
    env: { PATH, HOME, HUB_ENV_FILE: 'none', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await listening(child);
  return {
    url,
    memoryMb: () => memoryOf(child.pid),
    peakMb: () => memoryOf(child.pid, 'VmHWM'),
    processorMs: () => processorMs(child.pid),
    stop: () => stop(child),
  };
}

function listening(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      child.kill('SIGKILL');
      reject(new Error(`the server ${why}:\n${said.slice(-2_000)}`));
    };
    const timer = setTimeout(() => fail('did not start in time'), START_MS);
    child.on('exit', (code) => fail(`ended with ${code}`));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      if (url === undefined) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      resolve(url);
    });
  });
}

function memoryOf(pid: number | undefined, figure: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${figure}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** Processor time of a process so far, ms, with that of its ended children; NaN where the system does not tell. */
export function processorMs(pid: number | undefined): number {
  const fields = statOf(pid);
  return fields === null
    ? Number.NaN
    : fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
}

/** The process that started another one; NaN where the system does not tell. */
export function parentOf(pid: number): number {
  return Number(statOf(pid)?.[1] ?? Number.NaN);
}

/** What the system tells of a process after its name, which may hold anything; null where it does not. */
function statOf(pid: number | undefined): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    child.on('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

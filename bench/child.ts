import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SAMPLE_MS = 100;

export interface ChildRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  /** Until the first line on standard output. */
  readonly firstLineMs: number;
  /** Highest resident memory, MB; NaN where the system does not tell. */
  readonly peakMb: number;
}

/** Runs one of the hub's commands as users do, in a process of its own. */
export function runCommand(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<ChildRun> {
  const started = performance.now();
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['scripts/run.mjs', script, ...args], {
    cwd: ROOT,
    env: { PATH, HOME, HUB_ENV_FILE: 'none', ...env },
  });
  let stdout = '';
  let stderr = '';
  let firstLineMs = Number.NaN;
  let peakMb = Number.NaN;
  const sample = setInterval(() => {
    peakMb = peakOf(child.pid) ?? peakMb;
  }, SAMPLE_MS);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (Number.isNaN(firstLineMs) && stdout.includes('\n')) firstLineMs = performance.now() - started;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearInterval(sample);
      resolve({ code, stdout, stderr, ms: performance.now() - started, firstLineMs, peakMb });
    });
  });
}

function peakOf(pid: number | undefined): number | undefined {
  try {
    const kb = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kb === undefined ? undefined : Number(kb) / 1024;
  } catch {
    return undefined;
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { programOf, SHORT_LIVED } from '../../support/child-process.js';

export interface ChildResult {
  readonly signal: NodeJS.Signals | null;
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningChild {
  readonly process: ChildProcess;
  /** The first line it prints. */
  readonly firstLine: Promise<string>;
  readonly done: Promise<ChildResult>;
}

/** Starts a script of `children/` in a process of its own, as a user id where one is given. */
export function startChild(script: string, args: readonly string[], uid?: number): RunningChild {
  const path = new URL(`./children/${script}.ts`, import.meta.url);
  const child = spawn(process.execPath, [...SHORT_LIVED, programOf(path), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: '/nonexistent' },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const [out, err]: [string[], string[]] = [[], []];
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk.toString()));
  const firstLine = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      out.push(chunk.toString());
      const line = out.join('').split('\n');
      if (line.length > 1) resolve(line[0] ?? '');
    });
  });
  const done = new Promise<ChildResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) =>
      resolve({ exitCode, signal, stdout: out.join(''), stderr: err.join('') }),
    );
  });
  return { process: child, firstLine, done };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { programOf } from '../../support/child-process.js';

const CHILD = new URL('./chroma-child.ts', import.meta.url);

/** Another process that uses the server of a data directory. */
interface HubProcess {
  readonly url: string;
  /** Ends it in good order. */
  leave(): Promise<void>;
  kill(): Promise<void>;
}

export async function startHubProcess(dataDir: string): Promise<HubProcess> {
  const child = spawn(process.execPath, [programOf(CHILD), dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const url = await firstLine(child);
  const exited = once(child, 'exit');
  return {
    url,
    leave: async () => {
      child.stdin?.end();
      await exited;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.setEncoding('utf8');
  for await (const part of child.stdout ?? []) {
    text += String(part);
    if (text.includes('\n')) return text.split('\n')[0] ?? '';
  }
  throw new Error(`the child said nothing but "${text}"`);
}

/** The server a data directory names, or null. */
export function serverPid(dataDir: string): number | null {
  const path = join(dataDir, 'chroma-server', 'server.json');
  if (!existsSync(path)) return null;
  const { pid } = JSON.parse(readFileSync(path, 'utf8')) as { pid: number };
  return isRunning(pid) ? pid : null;
}

export function isRunning(pid: number): boolean {
  try {
    const [, state] = /^\d+ \(.*\) (\S)/su.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return state !== 'Z';
  } catch {
    return false;
  }
}

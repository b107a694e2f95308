import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';

/** The value of a metric with exactly these labels; NaN where it is not told. */
export async function figure(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}

/** The processes that a process has started. */
export const workersOf = (pid: number): readonly number[] => {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=']).toString().trim().split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([own, parent]) => (own !== undefined && parent === pid ? [own] : []));
};

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The process that answers a conversation now. */
export function holderOf(dataDir: string, thread: string): number | undefined {
  const db = new BetterSqlite3(join(dataDir, 'udahub.db'), { readonly: true });
  try {
    const holder = db.prepare('SELECT holder FROM thread_leases WHERE thread_id = ?').pluck().get(thread);
    return holder === undefined ? undefined : Number(String(holder).split('|')[1]);
  } finally {
    db.close();
  }
}

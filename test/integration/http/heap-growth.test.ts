import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Of so many objects that are alive, a part is replaced again and again: each lives long enough to leave the young part of
 * the heap, as what a turn makes does. Prints the most that the heap held for each megabyte that is alive.
 */
const CHURN = `
  const make = (at) => ({ at, text: ['some', 'words', at], more: { at } });
  const alive = Array.from({ length: 400_000 }, (_, at) => make(at));
  globalThis.gc();
  const live = process.memoryUsage().heapUsed;
  let most = 0;
  for (let at = 0; at < 6_000_000; at += 1) {
    alive[(at * 7) % alive.length] = make(at);
    if (at % 50_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
  }
  process.stdout.write(String(most / live));
`;

function churn(before: string): number {
  const args = ['--expose-gc', '--import', 'tsx', '--input-type=module', '-e', `${before}${CHURN}`];
  return Number(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }));
}

it('[ATKB-18] a serving process collects its heap before garbage outgrows what is alive in it', () => {
  const serving = churn(`
    import { keepHeapSmall } from './src/surfaces/http/run-server.ts';
    keepHeapSmall();
  `);
  expect(serving).toBeGreaterThan(1);
  expect(serving).toBeLessThan(3);
});

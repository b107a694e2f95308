import { setImmediate as breathe } from 'node:timers/promises';

/** Rows that are deleted before others get their turn at the database and in this process. */
export const PRUNED_AT_ONCE = 1_000;

/** Deletes until there is nothing left to delete. @returns how many rows went */
export async function pruneInSteps(step: () => number): Promise<number> {
  let total = 0;
  for (;;) {
    const changes = step();
    total += changes;
    if (changes === 0) return total;
    await breathe();
  }
}

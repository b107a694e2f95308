import type { Ids } from '../../src/core/ports/system.js';

/**
 * Ids that are the same in every run: `tkt_a_1`, `tkt_a_2`, …
 * @param label tells instances apart that write to one database; give each its own
 */
export function createSequentialIds(label = 'a'): Ids {
  const last = new Map<string, number>();
  const next = (prefix: string): string => {
    const count = (last.get(prefix) ?? 0) + 1;
    last.set(prefix, count);
    return `${prefix}_${label}_${count}`;
  };
  return { next, unguessable: next };
}

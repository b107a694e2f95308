import { describe, expect, it } from 'vitest';
import { createRunAdmission } from '../../../src/turns/graph-run.js';

const nextRound = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the admission of runs to the graph', () => {
  it('[PRF-02] admits one run a round of the event loop, in order, and the next batch as well', async () => {
    const enter = createRunAdmission();
    for (const batch of ['first', 'second']) {
      const admitted: number[] = [];
      const runs = [1, 2, 3].map((run) => enter().then(() => admitted.push(run)));
      expect(admitted, batch).toEqual([]);
      const after: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        await nextRound();
        after.push(admitted.length);
      }
      expect(after, batch).toEqual([1, 2, 3]);
      await Promise.all(runs);
      expect(admitted, batch).toEqual([1, 2, 3]);
    }
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runOrdered } from '../../../src/triage-batch/run-batch.js';

async function* batches(sizes: readonly number[]): AsyncGenerator<readonly number[]> {
  let next = 0;
  for (const size of sizes) yield Array.from({ length: size }, () => next++);
}

const never = () => new AbortController().signal;
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
};

describe('the ordered pool', () => {
  test('[BATCH-01 BATCH-04] hands out every result once and in order, within its bounds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 8 }),
        fc.integer({ min: 1, max: 6 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 12 })),
        async (sizes, concurrency, delays) => {
          let running = 0;
          let most = 0;
          let ahead = 0;
          const got: number[] = [];
          await runOrdered(batches(sizes), {
            concurrency,
            window: concurrency * 2,
            signal: never(),
            async work(item) {
              running += 1;
              most = Math.max(most, running);
              ahead = Math.max(ahead, item - got.length);
              await turns(delays.next().value ?? 0);
              running -= 1;
              return { item };
            },
            emit: ({ item }) => got.push(item),
          });
          expect(got).toEqual([...Array(sizes.reduce((sum, size) => sum + size, 0)).keys()]);
          expect(most).toBeLessThanOrEqual(concurrency);
          expect(ahead).toBeLessThan(concurrency * 2);
        },
      ),
    );
  });

  test('goes on behind a slow item, until the window is full', async () => {
    let release: () => void = () => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const started: number[] = [];
    const got: number[] = [];
    const run = runOrdered(batches([100]), {
      concurrency: 2,
      window: 10,
      signal: never(),
      async work(item) {
        started.push(item);
        if (item === 0) await slow;
        return { item };
      },
      emit: ({ item }) => got.push(item),
    });
    await turns(200);
    expect(started).toHaveLength(10);
    expect(got).toEqual([]);
    release();
    await run;
    expect(got).toHaveLength(100);
  });

  test('stops at the signal, drops what comes later and keeps the prefix', async () => {
    const stop = new AbortController();
    const got: number[] = [];
    const run = runOrdered(batches([50]), {
      concurrency: 4,
      window: 8,
      signal: stop.signal,
      async work(item) {
        await turns(item === 3 ? 40 : 1);
        return { item };
      },
      emit({ item }) {
        got.push(item);
        if (item === 2) stop.abort();
      },
    });
    await run;
    await turns(100);
    expect(got).toEqual([0, 1, 2]);
  });

  test.each([
    ['work', { work: async () => Promise.reject(new Error('broken')), emit: () => {} }],
    [
      'emit',
      {
        work: async (item: number) => ({ item }),
        emit: () => {
          throw new Error('broken');
        },
      },
    ],
  ])('ends with the error of %s', async (_, parts) => {
    const run = runOrdered(batches([9]), { concurrency: 2, window: 4, signal: never(), ...parts });
    await expect(run).rejects.toThrow('broken');
  });
});

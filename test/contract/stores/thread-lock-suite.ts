import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { letOthersRun, until } from '../../support/until.js';
import { codeOf, type HubWorld, type OpenHubWorld } from './world.js';

/** What every ThreadLock must do. */
export function threadLockSuite(name: string, open: OpenHubWorld): void {
  describe(`ThreadLock: ${name}`, () => {
    let world: HubWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());
    const lock = () => world.stores.locks;

    it('returns what the work returns and passes on what it throws', async () => {
      expect(await lock().withThread('t', 100, async () => 42)).toBe(42);
      await expect(
        lock().withThread('t', 100, async () => {
          throw new Error('boom');
        }),
      ).rejects.toThrow('boom');
      expect(await lock().withThread('t', 100, async () => 'free again')).toBe('free again');
    });

    it('[GRAPH-12] runs one at a time, first come first served', async () => {
      const seen: string[] = [];
      const work = (label: string) =>
        lock().withThread('t', 120_000, async () => {
          seen.push(`+${label}`);
          await letOthersRun();
          seen.push(`-${label}`);
        });
      await Promise.all(['a', 'b', 'c', 'd'].map(work));
      expect(seen).toEqual(['+a', '-a', '+b', '-b', '+c', '-c', '+d', '-d']);
    });

    it('does not hold up other threads', async () => {
      let inner = false;
      await lock().withThread('t1', 100, () =>
        lock().withThread('t2', 100, async () => {
          inner = true;
        }),
      );
      expect(inner).toBe(true);
    });

    it('keeps two connections apart as well', async () => {
      const other = (await world.another()).locks;
      let [inside, most, ran] = [0, 0, 0];
      const work = async () => {
        inside += 1;
        most = Math.max(most, inside);
        await letOthersRun();
        inside -= 1;
        ran += 1;
      };
      await Promise.all(
        Array.from({ length: 6 }, (_, i) => (i % 2 === 0 ? lock() : other).withThread('t', 120_000, work)),
      );
      expect([most, ran]).toEqual([1, 6]);
    });

    it('gives up when the wait is over, here or elsewhere, and lets the others go on', async () => {
      const other = (await world.another()).locks;
      let finish = (): void => undefined;
      let isHeld = false;
      const held = lock().withThread(
        't',
        100,
        () =>
          new Promise<void>((resolve) => {
            finish = resolve;
            isHeld = true;
          }),
      );
      await until(() => isHeld);
      expect(await codeOf(lock().withThread('t', 20, async () => undefined))).toBe('thread_busy');
      expect(await codeOf(other.withThread('t', 20, async () => undefined))).toBe('thread_busy');
      const patient = lock().withThread('t', 120_000, async () => 'late');
      finish();
      await held;
      expect(await patient).toBe('late');
      expect(await other.withThread('t', 120_000, async () => 'too')).toBe('too');
    });
  });
}

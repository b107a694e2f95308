import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HubWorld, OpenHubWorld } from './world.js';

const DONE = { status: 201, contentType: 'application/json', body: '{"ok":true}' };

/** What every IdempotencyStore must do. */
export function idempotencyStoreSuite(name: string, open: OpenHubWorld): void {
  describe(`IdempotencyStore: ${name}`, () => {
    let world: HubWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());
    const store = () => world.stores.idempotency;

    it('[CNV-04] gives a key to one request, and its answer to the same request again', async () => {
      expect(await store().claim('customer:a', 'k', 'hash')).toEqual({ kind: 'new' });
      expect(await store().claim('customer:a', 'k', 'hash')).toEqual({ kind: 'running' });
      expect(await store().claim('customer:a', 'k', 'other')).toEqual({ kind: 'conflict' });
      expect(await store().claim('customer:b', 'k', 'other')).toEqual({ kind: 'new' });
      await store().complete('customer:a', 'k', DONE);
      const other = (await world.another()).idempotency;
      expect(await other.claim('customer:a', 'k', 'hash')).toEqual({ kind: 'done', response: DONE });
      expect(await other.claim('customer:a', 'k', 'other')).toEqual({ kind: 'conflict' });
    });

    it('gives a key back that was abandoned, but not one that was answered', async () => {
      await store().claim('c', 'k', 'hash');
      await store().abandon('c', 'k');
      expect(await store().claim('c', 'k', 'other')).toEqual({ kind: 'new' });
      await store().complete('c', 'k', DONE);
      await store().abandon('c', 'k');
      await store().complete('c', 'k', { ...DONE, body: 'changed' });
      expect(await store().claim('c', 'k', 'other')).toEqual({ kind: 'done', response: DONE });
    });

    it('forgets what is older', async () => {
      await store().claim('c', 'old', 'hash');
      world.clock.advance({ ms: 10 });
      await store().claim('c', 'new', 'hash');
      expect(await store().prune(world.clock.now())).toBe(1);
      expect(await store().claim('c', 'old', 'other')).toEqual({ kind: 'new' });
      expect(await store().claim('c', 'new', 'hash')).toEqual({ kind: 'running' });
    });

    it('[CNV-04] runs one of any claims that race, whatever they ask', async () => {
      const stores = [world.stores, await world.another(), await world.another()];
      let round = 0;
      const claims = fc.array(
        fc.record({ by: fc.nat(2), caller: fc.constantFrom('a', 'b'), hash: fc.constantFrom('x', 'y') }),
        { minLength: 1, maxLength: 12 },
      );
      await fc.assert(
        fc.asyncProperty(claims, fc.boolean(), async (asked, completes) => {
          round += 1;
          const key = `k${round}`;
          const kinds = await Promise.all(
            asked.map(async ({ by, caller, hash }) => {
              const claim = await stores[by]?.idempotency.claim(caller, key, hash);
              if (claim?.kind === 'new' && completes)
                await stores[by]?.idempotency.complete(caller, key, { ...DONE, body: hash });
              return { caller, hash, claim };
            }),
          );
          for (const caller of new Set(asked.map((one) => one.caller))) {
            const own = kinds.filter((one) => one.caller === caller);
            const [first, ...others] = own.filter(({ claim }) => claim?.kind === 'new');
            expect(others).toEqual([]);
            for (const { hash, claim } of own) {
              if (hash !== first?.hash) expect(claim?.kind).toBe('conflict');
              else if (claim?.kind === 'done') expect(claim.response.body).toBe(hash);
              else expect(['new', 'running']).toContain(claim?.kind);
            }
          }
        }),
        { numRuns: 60 },
      );
    });
  });
}

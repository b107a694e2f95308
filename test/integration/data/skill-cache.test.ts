import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SkillRun } from '../../../src/core/domain/skill.js';
import type { SkillCache } from '../../../src/core/ports/skills.js';
import type { Pack } from '../../../src/skills/pack/pack.js';
import { openSqliteWorld, type StoresWorld } from '../../contract/stores/world.js';
import { answering, loadPack, openEngine } from '../../support/skill-engine.js';

/** Asks a source whose answers are kept for a minute. */
const stock = (): Pack =>
  loadPack({
    'skill.yaml': `
id: stock
version: 1.0.0
title: Stock
description: Looks at the stock.
status: active
type: decision_tree
input_schema: { type: object, properties: { item: { type: string } } }
data_sources: { depot: { kind: sqlite, database: depot } }
`,
    'decision_tree.yaml': `
entry_point: look
steps:
  look:
    name: Look
    action: { type: query, mapping: stock, params: { item: "{item}" } }
    decisions:
      any: { condition: "true", confidence: 1, conclusion: { root_cause: "{result.left} left" } }
`,
    'api_mappings.yaml': `
mappings:
  stock: { source: depot, query: "SELECT left FROM stock WHERE item = {item}", params: { required: [item] }, cache_ttl: 60 }
`,
  });

let world: StoresWorld;
beforeEach(async () => {
  world = await openSqliteWorld();
});
afterEach(() => world.close());

const cacheOf = ({ skillCache }: Pick<StoresWorld['stores'], 'skillCache'>): SkillCache => {
  if (skillCache === null) throw new Error('SQLite has none');
  return skillCache;
};

describe('[SKD-84] what skills keep', () => {
  it('[SKD-84] is found by every process on the same data until it expires, by one customer at a time, and counted', async () => {
    const other = await world.another();
    const sources = answering({ depot: [{ left: 3 }] });
    let count = 0;
    const run = (
      stores: Pick<typeof other, 'skillCache' | 'skillRuns'>,
      customerId: string,
    ): Promise<SkillRun> => {
      const { skillRuns: store } = stores;
      const cache = cacheOf(stores);
      count += 1;
      const label = `run${count}`;
      const { skills } = openEngine({ packs: [stock()], sources, cache, store, label });
      const caller = { kind: 'customer', customerId } as const;
      return skills.run({ skillId: 'stock', input: { item: 'chair' }, caller });
    };
    const first = await run(world.stores, 'c1');
    const second = await run(other, 'c1');
    expect(sources.asked).toEqual(['depot']);
    expect(second.result).toMatchObject({ value: { root_cause: '3 left' } });
    expect([first.usage, second.usage]).toMatchObject([
      { api_calls: 1, cache_lookups: 1, cache_hits: 0 },
      { api_calls: 0, cache_lookups: 1, cache_hits: 1 },
    ]);
    await run(other, 'c2');
    expect(sources.asked).toHaveLength(2);
    world.clock.advance({ ms: 61_000 });
    await run(other, 'c1');
    expect(sources.asked).toHaveLength(3);
    expect(await world.stores.skillRuns.stats()).toMatchObject([
      { skillId: 'stock', uses: 4, cacheHitRate: 0.25 },
    ]);
  });

  it('[SKD-84] goes with the customer, and costs no answer where it cannot be kept', async () => {
    const skillCache = cacheOf(world.stores);
    skillCache.set('large', 'x'.repeat(2_000_000), 60_000);
    skillCache.set('never', 1, 0);
    expect([skillCache.get('large'), skillCache.get('never')]).toEqual([undefined, undefined]);
    skillCache.set('kept', { a: [1] }, 60_000, 'customer:c1');
    expect(skillCache.get('kept')).toEqual({ a: [1] });
  });
});

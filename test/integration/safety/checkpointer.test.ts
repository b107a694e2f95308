import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { emptyCheckpoint } from '@langchain/langgraph-checkpoint';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { HubSqliteSaver } from '../../../src/adapters/checkpoints/checkpointers.js';
import { type Hub, makeTempDir, openHub } from '../../support/hub.js';
import { ANA, effects, outcomeOf } from './books.js';

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleanUps.splice(0).reverse()) await clean();
});

async function hubWithSqlite(): Promise<Hub> {
  const hub = await openHub({ checkpointer: 'sqlite' });
  cleanUps.push(() => hub.close());
  return hub;
}

function storedBytes(hub: Hub): number {
  const db = new BetterSqlite3(join(hub.dataDir, 'checkpoints.db'), { readonly: true });
  const bytes = db.prepare<[], number>('SELECT sum(length(checkpoint)) FROM checkpoints').pluck().get();
  db.close();
  return bytes ?? 0;
}

describe('the sqlite checkpointer', () => {
  it('keeps what a conversation needs to go on, and does not grow with every turn', async () => {
    const hub = await hubWithSqlite();
    const { threadId } = await hub.say(ANA, 'hello');
    const sizes: number[] = [];
    for (let turn = 0; turn < 12; turn += 1) {
      await hub.say(ANA, 'how many visits do I have left?', threadId);
      sizes.push(storedBytes(hub));
    }
    const [third = 0, last = 0] = [sizes[2], sizes.at(-1)];
    expect(third).toBeGreaterThan(0);
    expect(last).toBeLessThan(third * 2);
    // It can still pause in a subgraph and go on.
    const asked = await hub.say(ANA, 'cancel my samba night booking', threadId);
    const again = await hub.another();
    expect((await again.say(ANA, 'yes', asked.threadId)).toolCalls).toMatchObject([{ ok: true }]);
    expect(effects(hub)).toHaveLength(1);
  });

  it('says that the disk is full, or that it cannot be used, in the codes of the hub', async () => {
    const dir = makeTempDir();
    cleanUps.push(() => rmSync(dir, { recursive: true, force: true }));
    const db = new BetterSqlite3(join(dir, 'full.db'));
    cleanUps.push(() => void db.close());
    const saver = new HubSqliteSaver(db);
    const config = { configurable: { thread_id: 't', checkpoint_ns: '' } };
    const metadata = { source: 'input' as const, step: -1, parents: {} };
    await saver.put(config, emptyCheckpoint(), metadata);
    db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`);
    const big = { ...emptyCheckpoint(), channel_values: { text: 'x'.repeat(100_000) } };
    expect(await outcomeOf(saver.put(config, big, metadata))).toBe('disk_full');
    db.pragma('max_page_count = 100000');
    expect(await outcomeOf(saver.put(config, big, metadata))).toBe('resolved');
    db.pragma('query_only = ON');
    expect(await outcomeOf(saver.put(config, big, metadata))).toBe('data_dir_unusable');
  });
});

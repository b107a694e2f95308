import type { BaseCheckpointSaver } from '@langchain/langgraph';
import { type ChannelVersions, emptyCheckpoint } from '@langchain/langgraph-checkpoint';
import { validate } from '@langchain/langgraph-checkpoint-validation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresCheckpointer } from '../../../src/adapters/checkpoints/postgres-checkpointer.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.js';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

const opened = new Map<BaseCheckpointSaver, () => Promise<void>>();
validate({
  checkpointerName: '[PGS-05] @langchain/langgraph-checkpoint-postgres',
  async createCheckpointer() {
    const { saver, close } = await openPostgresCheckpointer(server.url, { keepHistory: true });
    opened.set(saver, close);
    return saver;
  },
  async destroyCheckpointer(saver) {
    await opened.get(saver)?.();
    opened.delete(saver);
    await server.exec(
      'TRUNCATE checkpoints.checkpoints, checkpoints.checkpoint_blobs, checkpoints.checkpoint_writes',
    );
  },
});

describe('checkpoints on PostgreSQL', () => {
  it('[PGS-05] keep of a conversation what it needs to go on, and nothing before that', async () => {
    const [{ saver, close }, other] = await Promise.all([
      openPostgresCheckpointer(server.url),
      openPostgresCheckpointer(server.url),
    ]);
    const metadata = { source: 'loop', step: 1, parents: {} } as const;
    let config: Awaited<ReturnType<typeof saver.put>> = {
      configurable: { thread_id: 't', checkpoint_ns: '' },
    };
    for (let step = 1; step <= 12; step += 1) {
      const id = `1f0-${String(step).padStart(4, '0')}`;
      const checkpoint = {
        ...emptyCheckpoint(),
        id,
        channel_values: { messages: [`m${step}`], stays: 'as it was' },
        channel_versions: { messages: step, stays: 1 },
      };
      const versions: ChannelVersions = step === 1 ? { messages: 1, stays: 1 } : { messages: step };
      config = await saver.put(config, checkpoint, metadata, versions);
      await saver.putWrites(config, [['messages', `m${step}`]], 'task');
    }
    const read = await other.saver.getTuple({ configurable: { thread_id: 't', checkpoint_ns: '' } });
    expect(read?.checkpoint.channel_values).toEqual({ messages: ['m12'], stays: 'as it was' });
    const kept = [];
    for await (const tuple of saver.list({ configurable: { thread_id: 't' } })) kept.push(tuple);
    expect(kept.map(({ checkpoint }) => checkpoint.channel_values)).toEqual([
      { messages: ['m12'], stays: 'as it was' },
      { messages: ['m11'], stays: 'as it was' },
    ]);
    await expect(
      server.exec(
        `DO $$ BEGIN ASSERT (SELECT count(*) FROM checkpoints.checkpoint_blobs) = 3; ASSERT (SELECT count(*) FROM checkpoints.checkpoint_writes) = 2; END $$`,
      ),
    ).resolves.toBeUndefined();
    await Promise.all([close(), other.close()]);
  });
});

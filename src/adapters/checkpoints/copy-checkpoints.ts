import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PendingWrite } from '@langchain/langgraph-checkpoint';
import Database from 'better-sqlite3';
import pg from 'pg';
import { type OpenCheckpointer, openCheckpointer } from './checkpointers.js';
import { openPostgresCheckpointer } from './postgres-checkpointer.js';

/**
 * Copies the state of conversations to a server, so that runs which wait for an answer go on. Safe to repeat.
 * @param url `postgres://...`
 * @returns how many steps
 * @throws HubError as `OpenCheckpointer.canWrite`
 */
export async function copyCheckpoints(dataDir: string, url: string): Promise<number> {
  const path = join(dataDir, 'checkpoints.db');
  if (!existsSync(path)) return 0;
  const from = openCheckpointer('sqlite', dataDir);
  const to = await openPostgresCheckpointer(url, { keepHistory: true });
  return copySteps(stepsOf(path), from, to);
}

/** The other way, see `copyCheckpoints`. */
export async function takeCheckpoints(url: string, dataDir: string): Promise<number> {
  const from = await openPostgresCheckpointer(url);
  const to = openCheckpointer('sqlite', dataDir, { keepHistory: true });
  return copySteps(await stepsOn(url), from, to);
}

/** Closes both. @returns how many steps */
async function copySteps(
  steps: readonly Step[],
  from: OpenCheckpointer,
  to: OpenCheckpointer,
): Promise<number> {
  try {
    for (const { thread_id, checkpoint_ns, checkpoint_id } of steps) {
      const place = { thread_id, checkpoint_ns, checkpoint_id };
      const step = await from.saver.getTuple({ configurable: place });
      if (!step) continue;
      const parent = step.parentConfig?.configurable?.checkpoint_id;
      const { checkpoint, metadata = { source: 'loop', step: 0, parents: {} } } = step;
      await to.saver.put(
        { configurable: { thread_id, checkpoint_ns, checkpoint_id: parent } },
        checkpoint,
        metadata,
        checkpoint.channel_versions,
      );
      for (const [task, writes] of writesByTask(step.pendingWrites ?? []))
        await to.saver.putWrites({ configurable: place }, writes, task);
    }
    return steps.length;
  } finally {
    await from.close();
    await to.close();
  }
}

interface Step {
  readonly thread_id: string;
  readonly checkpoint_ns: string;
  readonly checkpoint_id: string;
}

async function stepsOn(url: string): Promise<readonly Step[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Step>(
      'SELECT thread_id, checkpoint_ns, checkpoint_id FROM checkpoints.checkpoints ORDER BY checkpoint_id',
    );
    return rows;
  } finally {
    await client.end();
  }
}

function stepsOf(path: string): readonly Step[] {
  const database = new Database(path, { readonly: true });
  try {
    return database
      .prepare<[], Step>(
        'SELECT thread_id, checkpoint_ns, checkpoint_id FROM checkpoints ORDER BY checkpoint_id',
      )
      .all();
  } finally {
    database.close();
  }
}

function writesByTask(
  writes: readonly (readonly [task: string, channel: string, value: unknown])[],
): ReadonlyMap<string, PendingWrite[]> {
  const byTask = new Map<string, PendingWrite[]>();
  for (const [task, channel, value] of writes)
    byTask.set(task, [...(byTask.get(task) ?? []), [channel, value]]);
  return byTask;
}

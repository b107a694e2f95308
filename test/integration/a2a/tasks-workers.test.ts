import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Timers } from '../../../src/surfaces/a2a/tasks-runner.js';
import { seededDir } from '../../support/hub.js';
import { openServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { QUESTION, rpc, sayingOld } from './tasks-support.js';

/** Timers whose time comes when the test says so; between two of them no time passes. */
class HandTimers implements Timers {
  readonly #waiting = new Set<() => void>();
  /** How many have been set so far. */
  set = 0;

  now(): number {
    return 0;
  }

  after(_ms: number, call: () => void): () => void {
    this.set += 1;
    this.#waiting.add(call);
    return () => this.#waiting.delete(call);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  ring(): void {
    const calls = [...this.#waiting];
    this.#waiting.clear();
    for (const call of calls) call();
  }
}

const [here, there] = [new HandTimers(), new HandTimers()];
let dir: string;
let one: TestServer;
let two: TestServer;

beforeAll(async () => {
  dir = await seededDir();
  one = await openServer({ dataDir: dir, checkpointer: 'sqlite', taskTimers: here });
  two = await openServer({ dataDir: dir, checkpointer: 'sqlite', taskTimers: there });
});

afterAll(async () => {
  await one.close();
  await two.close();
  rmSync(dir, { recursive: true, force: true });
});

describe('a task that two processes hear', () => {
  it('[A2T-14] is begun when nothing more was said to either of them for a while', async () => {
    const { id: taskId } = (await rpc(one, 'message/send', sayingOld(QUESTION))).result;
    const sayMore = async (at: TestServer): Promise<void> => {
      const more = await rpc(at, 'message/send', sayingOld('And what does it cost?', { taskId }));
      expect(more.result).toMatchObject({ id: taskId, status: { state: 'working' } });
    };
    const held = (): unknown => one.hub.query('udahub', 'SELECT count(*) AS n FROM a2a_messages')[0]?.n;
    /** The while of a process is over: it finds that the other one has heard more, and waits anew. */
    const waitsOn = async (timers: HandTimers): Promise<void> => {
      const before = timers.set;
      timers.ring();
      await until(() => timers.set === before + 1, 'the while begins anew');
    };
    await sayMore(two);
    await waitsOn(here);
    await sayMore(one);
    await waitsOn(there);
    await sayMore(two);
    await waitsOn(here);
    expect([here.waiting, there.waiting]).toEqual([1, 1]);
    expect(held()).toBe(4);
    const { result: still } = await rpc(one, 'tasks/get', { id: taskId });
    expect(still.status.state).toBe('working');

    there.ring();
    const done = await until(async () => {
      const { result } = await rpc(one, 'tasks/get', { id: taskId });
      return result.status.state === 'completed' && result;
    });
    expect(done.history.filter(({ role }) => role === 'user')).toHaveLength(4);
    expect(one.hub.query('udahub', 'SELECT content FROM ticket_messages')).not.toEqual([]);
  });
});

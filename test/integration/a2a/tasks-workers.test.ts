import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededDir } from '../../support/hub.js';
import { openServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { QUESTION, rpc, sayingOld } from './tasks-support.js';

let dir: string;
let one: TestServer;
let two: TestServer;

beforeAll(async () => {
  dir = await seededDir();
  one = await openServer({ dataDir: dir, checkpointer: 'sqlite' });
  two = await openServer({ dataDir: dir, checkpointer: 'sqlite' });
});

afterAll(async () => {
  await one.close();
  await two.close();
  rmSync(dir, { recursive: true, force: true });
});

describe('a task that two processes hear', () => {
  it('[A2T-14] is begun when nothing more was said to either of them for a while', async () => {
    const { id: taskId } = (await rpc(one, 'message/send', sayingOld(QUESTION))).result;
    for (const at of [two, one, two]) {
      await setTimeout(500);
      const more = await rpc(at, 'message/send', sayingOld('And what does it cost?', { taskId }));
      expect(more.result).toMatchObject({ id: taskId, status: { state: 'working' } });
    }
    const done = await until(async () => {
      const { result } = await rpc(one, 'tasks/get', { id: taskId });
      return result.status.state === 'completed' && result;
    });
    expect(done.history.filter(({ role }) => role === 'user')).toHaveLength(4);
  });
});

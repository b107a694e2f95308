import { afterAll, beforeAll, expect, it } from 'vitest';
import { MOST_STREAMS_PER_CALLER } from '../../../src/surfaces/a2a/rpc-request.js';
import { openServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { ANA, BRUNO, programToken } from './support.js';
import { rpc, SAMBA, saying, streamOf, UNANSWERABLE, V1 } from './tasks-support.js';

let at: TestServer;
beforeAll(async () => {
  at = await openServer({ env: { HUB_TURNS_PER_MINUTE: '0', HUB_TURNS_PER_MINUTE_PER_ADDRESS: '0' } });
});
afterAll(() => at.close());

it('[A2T-38] one caller cannot follow more streams at once than there are for each', async () => {
  const ana = await programToken(at, ANA);
  const waiting = async (text: string, token: string) =>
    (await rpc(at, 'SendMessage', saying(text), { token, headers: V1 })).result.task.id;
  const id = await waiting(SAMBA, ana);
  const follow = (token = ana, taskId = id) =>
    streamOf(at, 'SubscribeToTask', { id: taskId }, { token, headers: V1 });
  const nobodys = async (method: string) => {
    const answer = await at.post('/a2a', ana, { jsonrpc: '2.0', id: 1, method, params: { id: 'tsk_none' } });
    expect(answer.text).not.toContain('Too many streams');
  };
  const refused = async () =>
    (await rpc(at, 'SubscribeToTask', { id }, { token: ana, headers: V1 })).error?.message;
  // What is refused is no stream, and takes no place.
  for (const method of ['SubscribeToTask', 'tasks/resubscribe'])
    for (let count = 0; count < MOST_STREAMS_PER_CALLER; count += 1) await nobodys(method);
  const open = await Promise.all(Array.from({ length: MOST_STREAMS_PER_CALLER }, () => follow()));
  expect(await refused()).toContain('Too many streams');
  // Methods that are no stream, and other callers, go on.
  expect((await rpc(at, 'GetTask', { id }, { token: ana, headers: V1 })).result.id).toBe(id);
  const bruno = await programToken(at, BRUNO);
  const other = await follow(bruno, await waiting(UNANSWERABLE, bruno));
  await other.until(() => true);
  open.pop()?.close();
  const next = await until(async () => {
    const stream = await follow();
    const first = await stream.until(() => true).catch(() => null);
    return first !== null && stream;
  });
  for (const stream of [...open, other, next]) stream.close();
});

import { rmSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Stores } from '../../../data/index.js';
import { HubError } from '../../../src/core/errors.js';
import { runChild } from '../../support/child-process.js';
import { openHub, seededDir } from '../../support/hub.js';
import { copyAt, leftAt, momentsArgument } from '../../support/kill-moments.js';
import { openServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { openWebhookReceiver } from '../../support/webhook-receiver.js';
import { ANA, programToken } from './support.js';
import {
  OLGA,
  QUESTION,
  rpc,
  SAMBA,
  saying,
  sayingOld,
  streamOf,
  UNANSWERABLE,
  V1,
} from './tasks-support.js';

const CHILD = new URL('../../support/a2a-process.ts', import.meta.url);

const open: TestServer[] = [];
const dirs: string[] = [];
/** What was left by the process that all of the moments share. */
const left: string[] = [];

async function stop(): Promise<void> {
  for (const at of open.splice(0)) await at.close();
}

afterEach(async () => {
  await stop();
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

afterAll(() => {
  for (const dir of left.splice(0)) rmSync(dir, { recursive: true, force: true });
});

async function serverOn(dataDir: string): Promise<TestServer> {
  const at = await openServer({ dataDir, checkpointer: 'sqlite' });
  open.push(at);
  return at;
}

async function newDir(): Promise<string> {
  const dir = await seededDir();
  dirs.push(dir);
  return dir;
}

const YES_MOMENTS = ['after take', 'after effect', 'before settling'];
let yes: ReturnType<typeof killedInYes> | undefined;

/** A yes said in another process, which is killed at moments of it: one process for all of them. */
async function killedInYes() {
  const dataDir = await seededDir();
  left.push(dataDir, ...YES_MOMENTS.map((moment) => copyAt(dataDir, moment)));
  const { signal, stdout, stderr } = await runChild(CHILD, [
    ...[dataDir, momentsArgument(YES_MOMENTS), ANA],
    ...[SAMBA, 'yes'],
  ]);
  expect(signal, stderr).toBe('SIGKILL');
  const said = JSON.parse(stdout.split('\n')[0] || '{}') as Partial<Record<'token' | 'taskId', string>>;
  return { dataDir, ...said };
}

async function settled(at: TestServer, id: string, token: string) {
  return until(async () => {
    const { result } = await rpc(at, 'GetTask', { id }, { token, headers: V1 });
    const { state } = result.status;
    return state !== 'TASK_STATE_WORKING' && state !== 'TASK_STATE_SUBMITTED' && result;
  });
}

describe('tasks and their server', () => {
  it('[A2T-31] answers after a restart what nobody had begun to answer', async () => {
    const dir = await newDir();
    const before = await openServer({ dataDir: dir, checkpointer: 'sqlite' });
    const token = await programToken(before, ANA);
    const { id } = (await rpc(before, 'message/send', sayingOld(QUESTION), { token })).result;
    await before.close();
    const after = await serverOn(dir);
    const task = await settled(after, id, token);
    expect(task.status.message.parts[0].text).toContain('gives you 2 visits');
    expect(after.hub.query('udahub', 'SELECT * FROM thread_inbox')).toHaveLength(1);
  });

  it('[A2T-15 A2T-31] keeps a message in the inbox of its conversation, from which any process answers it', async () => {
    const dir = await newDir();
    const before = await openServer({ dataDir: dir, checkpointer: 'sqlite' });
    const token = await programToken(before, ANA);
    const ask = async () => (await rpc(before, 'message/send', sayingOld(QUESTION), { token })).result.id;
    const [asked, taken] = [await ask(), await ask()];
    const inbox = (at: TestServer['hub']) =>
      at.query('udahub', 'SELECT thread_id, status FROM thread_inbox ORDER BY seq');
    expect(inbox(before.hub)).toMatchObject([{ status: 'queued' }, { status: 'queued' }]);
    const { result } = await rpc(before, 'tasks/cancel', { id: taken }, { token });
    expect(result.status.state).toBe('canceled');
    expect(inbox(before.hub)).toMatchObject([{ status: 'queued' }]);
    await before.close();
    // It serves no agents.
    const hub = await openHub({ dataDir: dir, checkpointer: 'sqlite' });
    // Nobody has looked after it for longer than a process takes that lives.
    hub.clock.advance({ minutes: 3 });
    await hub.app.conversations.recover();
    expect(inbox(hub)).toMatchObject([{ status: 'answered' }]);
    await hub.close();
    const after = await serverOn(dir);
    expect((await settled(after, asked, token)).status.message.parts[0].text).toContain('gives you 2 visits');
    expect(inbox(after.hub)).toHaveLength(1);
  });

  it.each(YES_MOMENTS)(
    '[A2T-32] gives the money back once, and ends the task, although the power goes %s',
    async (moment) => {
      yes ??= killedInYes();
      const { dataDir, token = '', taskId = '' } = await yes;
      const at = await serverOn(leftAt(dataDir, moment));
      const done = await settled(at, taskId, token);
      expect(done.status.state).toBe('TASK_STATE_COMPLETED');
      expect(done.status.message.parts[0].text).toContain('R$ 60.00 is on its way back');
      // The same words again are the same task.
      const again = await rpc(at, 'SendMessage', saying('yes', { taskId, messageId: 'said-2' }), {
        token,
        headers: V1,
      });
      expect(again.result.task).toEqual(done);
      expect(
        at.hub.query('cultpass', 'SELECT * FROM refunds WHERE reservation_id = ?', 'res_002'),
      ).toHaveLength(1);
      const said = at.hub.query(
        'udahub',
        `SELECT * FROM ticket_messages WHERE role = 'hub' AND content LIKE 'Done:%'`,
      );
      expect(said).toHaveLength(1);
    },
  );

  it('[A2T-33] hears after a restart what a person did meanwhile, and what one does then', async () => {
    const dir = await newDir();
    const before = await openServer({ dataDir: dir, checkpointer: 'sqlite' });
    const token = await programToken(before, ANA);
    const ask = async (text: string) =>
      (await rpc(before, 'SendMessage', saying(text), { token, headers: V1 })).result.task;
    const [first, second] = [await ask(UNANSWERABLE), await ask('Can I bring my parrot to a museum?')];
    const ticketOf = (at: TestServer, id: string) =>
      String(
        at.hub.query(
          'udahub',
          'SELECT ticket_id FROM tickets WHERE thread_id = (SELECT thread_id FROM a2a_tasks WHERE task_id = ?)',
          id,
        )[0]?.ticket_id,
      );
    await before.close();
    // The desk in a terminal is another process, and knows nothing of A2A.
    const hub = await openHub({ dataDir: dir, checkpointer: 'sqlite' });
    const answer = async (at: TestServer['hub'], ticketId: string, text: string) => {
      await at.app.desk.claim(ticketId, OLGA);
      await at.app.desk.reply(ticketId, OLGA, text);
    };
    await answer(hub, ticketOf({ hub } as TestServer, first.id), 'No dogs, sorry.');
    const after = await serverOn(dir);
    expect((await settled(after, first.id, token)).status.state).toBe('TASK_STATE_COMPLETED');
    const stream = await streamOf(after, 'SubscribeToTask', { id: second.id }, { token, headers: V1 });
    await stream.until(() => true);
    // Still the other process.
    await answer(hub, ticketOf(after, second.id), 'No parrots either.');
    const told = JSON.stringify(await stream.all());
    expect(told).toContain('No parrots either.');
    await hub.close();
  });

  it('[A2T-24] tells a webhook after a restart, once, what it could not be told before', async () => {
    const dir = await newDir();
    const hook = await openWebhookReceiver();
    hook.status = 503;
    const one = await serverOn(dir);
    const configuration = { taskPushNotificationConfig: { url: hook.url, token: 'tok-1' } };
    const { task } = (await rpc(one, 'SendMessage', { ...saying(QUESTION), configuration }, { headers: V1 }))
      .result;
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    await until(async () => hook.tries.length === 1);
    await stop();
    expect(hook.told).toEqual([]);
    hook.status = 200;
    const two = await serverOn(dir);
    two.hub.clock.advance({ ms: 2_000 });
    await until(async () => hook.told.length === 3);
    expect(hook.told).toMatchObject([
      { body: { statusUpdate: { status: { state: 'TASK_STATE_WORKING' } } } },
      { body: { artifactUpdate: { taskId: task.id } }, headers: { 'x-a2a-notification-token': 'tok-1' } },
      { body: { statusUpdate: { taskId: task.id, status: { state: 'TASK_STATE_COMPLETED' } } } },
    ]);
    await stop();
    const three = await serverOn(dir);
    const other = await rpc(three, 'SendMessage', { ...saying(QUESTION), configuration }, { headers: V1 });
    await until(async () => hook.told.length === 6);
    const told = hook.told.slice(3).map(({ body }) => JSON.stringify(body));
    for (const body of told) expect(body).toContain(other.result.task.id);
    await hook.close();
  });

  it('[A2T-34] looks at a task that is watched without reading all of it each time', async () => {
    const counts = { whole: 0, looks: 0 };
    const wrapStores = (stores: Stores): Stores => ({
      ...stores,
      a2aTasks: {
        ...stores.a2aTasks,
        async get(...args) {
          counts.whole += 1;
          return stores.a2aTasks.get(...args);
        },
        async newer(...args) {
          counts.looks += 1;
          return stores.a2aTasks.newer(...args);
        },
      },
    });
    const at = await openServer({ overrides: { wrapStores } });
    open.push(at);
    const { task } = (await rpc(at, 'SendMessage', saying('hello'), { headers: V1 })).result;
    const stream = await streamOf(at, 'SubscribeToTask', { id: task.id }, { headers: V1 });
    await stream.until(() => true);
    const { whole } = counts;
    await until(async () => counts.looks >= 3);
    expect(counts.whole).toBe(whole);
    await rpc(at, 'CancelTask', { id: task.id }, { headers: V1 });
    expect(JSON.stringify((await stream.all()).at(-1)?.data)).toContain('TASK_STATE_CANCELED');
  });

  it('[A2T-06] checks the scopes of a conversation that two tokens name at the same moment', async () => {
    // Both look for the conversation before either of them has begun it.
    let looked = 0;
    const wrapStores = (stores: Stores): Stores => ({
      ...stores,
      a2aTasks: {
        ...stores.a2aTasks,
        async thread(...args) {
          const found = await stores.a2aTasks.thread(...args);
          looked += 1;
          const first = looked === 1;
          // The first goes on when the second has looked, and the second when the first has begun it.
          if (found === null)
            await until(async () => (first ? looked > 1 : (await stores.a2aTasks.thread(...args)) !== null));
          return found;
        },
      },
    });
    const at = await openServer({ overrides: { wrapStores } });
    open.push(at);
    const [wide, narrow] = [await programToken(at, ANA), await programToken(at, ANA, ['account:read'])];
    const named = saying('hello', { contextId: 'both' });
    const again = saying('hello', { contextId: 'both' });
    const first = rpc(at, 'SendMessage', named, { token: wide, headers: V1 });
    await until(() => looked >= 1);
    const second = await rpc(at, 'SendMessage', again, { token: narrow, headers: V1 });
    expect((await first).result.task.contextId).toBe('both');
    expect(second).toMatchObject({
      status: 403,
      error: { message: expect.stringContaining('action:write') },
    });
  });

  it('[A2T-36] answers although nothing could be stored for a moment, and forgets what is long over', async () => {
    const dir = await newDir();
    let faults = 2;
    const wrapStores = (stores: Stores): Stores => ({
      ...stores,
      a2aTasks: {
        ...stores.a2aTasks,
        async save(...args) {
          faults -= 1;
          if (faults >= 0) throw new HubError('disk_full', 'The disk is full.');
          return stores.a2aTasks.save(...args);
        },
      },
    });
    const at = await openServer({ dataDir: dir, checkpointer: 'sqlite', overrides: { wrapStores } });
    open.push(at);
    const config = { taskPushNotificationConfig: { url: 'http://127.0.0.1:9/' } };
    const { task } = (
      await rpc(at, 'SendMessage', { ...saying(QUESTION), configuration: config }, { headers: V1 })
    ).result;
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(at.hub.query('udahub', 'SELECT * FROM thread_inbox')).toHaveLength(1);
    at.hub.clock.advance({ days: 91 });
    await at.hub.another();
    const kept = () =>
      ['a2a_tasks', 'a2a_messages', 'a2a_push_configs', 'a2a_push_outbox', 'a2a_contexts'].flatMap((table) =>
        at.hub.query('udahub', `SELECT * FROM ${table}`),
      );
    await until(async () => kept().length === 0);
  });

  it('[A2T-34] serves a task from two processes: one effect, the same answer, and streams that hear of both', async () => {
    const dir = await newDir();
    const [one, two] = [await serverOn(dir), await serverOn(dir)];
    const token = await programToken(one, ANA);
    const asked = (await rpc(one, 'SendMessage', saying(SAMBA), { token, headers: V1 })).result.task;
    const stream = await streamOf(two, 'SubscribeToTask', { id: asked.id }, { token, headers: V1 });
    await stream.until(() => true);
    const yes = saying('yes', { taskId: asked.id, messageId: 'one-yes' });
    const answers = await Promise.all(
      [one, two, one, two].map((at) => rpc(at, 'SendMessage', yes, { token, headers: V1 })),
    );
    for (const { result } of answers) expect(result.task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(new Set(answers.map(({ result }) => JSON.stringify(result.task))).size).toBe(1);
    expect(
      one.hub.query('cultpass', 'SELECT * FROM refunds WHERE reservation_id = ?', 'res_002'),
    ).toHaveLength(1);
    const last = (await stream.all()).at(-1)?.data as { readonly result: { readonly statusUpdate: unknown } };
    expect(last.result.statusUpdate).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
  });
});

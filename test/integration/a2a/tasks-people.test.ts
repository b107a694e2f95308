import type { StreamResponse, Task } from '@a2a-js/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { ANA, programToken } from './support.js';
import {
  dataOf,
  ELIS,
  OLGA,
  rpc,
  SAMBA,
  saying,
  sdkClient,
  sdkMessage,
  streamOf,
  TaskState,
  UNANSWERABLE,
  V1,
  wordsOf,
} from './tasks-support.js';

let at: TestServer;
let ana: string;

beforeAll(async () => {
  at = await openServer();
  ana = await programToken(at, ANA);
});

afterAll(async () => {
  await at.close();
});

const send = async (
  text: string,
  spoken: Parameters<typeof saying>[1] = {},
  token: string | undefined = ana,
) => (await rpc(at, 'SendMessage', saying(text, spoken), { token, headers: V1 })).result.task;
const get = async (id: string, token: string | undefined = ana) =>
  (await rpc(at, 'GetTask', { id }, { token, headers: V1 })).result;
const ticketOf = (taskId: string) =>
  String(
    at.hub.query(
      'udahub',
      'SELECT ticket_id FROM tickets WHERE thread_id = (SELECT thread_id FROM a2a_tasks WHERE task_id = ?)',
      taskId,
    )[0]?.ticket_id,
  );

describe('a task that waits for people', () => {
  it('[A2T-20] tells a refused approval as the answer', async () => {
    const asked = await send(ELIS);
    const agreed = await send('yes', { taskId: asked.id });
    const { data } = agreed.status.message.parts[1];
    expect(data.kind).toBe('approval');
    await at.hub.app.desk.reject(String(data.pending_id), OLGA, 'Please call us first');
    const done = await until(async () => {
      const now = await get(asked.id);
      return now.status.state === 'TASK_STATE_COMPLETED' && now;
    });
    expect(done.status.message.parts[0].text).toContain('Please call us first');
  });

  it('[A2T-18] [ATK-01] is taken back by its caller while it waits for an operator’s approval', async () => {
    const client = await sdkClient(at, ana);
    const asked = (await client.sendMessage(sdkMessage(ELIS))) as Task;
    const agreed = (await client.sendMessage(sdkMessage('yes', { taskId: asked.id }))) as Task;
    const before = at.hub.dump('cultpass');
    const cancel = await rpc(at, 'CancelTask', { id: asked.id }, { token: ana, headers: V1 });
    expect(JSON.stringify(cancel.result)).toMatch(/CANCELED.*Nothing has been cancelled: your booking/s);
    const refused = at.hub.app.desk.approve(String(dataOf(agreed).pending_id), OLGA);
    await expect(refused).rejects.toMatchObject({ code: 'pending_withdrawn' });
    expect(at.hub.dump('cultpass')).toEqual(before);
    const again = await rpc(at, 'CancelTask', { id: asked.id }, { token: ana, headers: V1 });
    expect(again.error).toMatchObject({ code: -32_002 });
  });

  it('[A2T-18] waits for an operator’s approval, and ends when it is given', async () => {
    const client = await sdkClient(at, ana);
    const asked = (await client.sendMessage(sdkMessage(ELIS))) as Task;
    const agreed = (await client.sendMessage(sdkMessage('yes', { taskId: asked.id }))) as Task;
    expect(agreed.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(dataOf(agreed)).toMatchObject({ kind: 'approval', tool: 'cancel_reservation' });
    expect(wordsOf(agreed)).toContain('I have asked our team');
    const told: StreamResponse[] = [];
    const listening = (async () => {
      for await (const event of client.resubscribeTask({ tenant: '', id: asked.id })) told.push(event);
    })();
    await until(async () => told.length > 0);
    const again = await streamOf(at, 'SubscribeToTask', { id: asked.id }, { token: ana, headers: V1 });
    await again.until(() => true);
    await at.hub.app.desk.approve(String(dataOf(agreed).pending_id), OLGA);
    await listening;
    expect(told.map(({ payload }) => payload?.$case)).toEqual(['task', 'artifactUpdate', 'statusUpdate']);
    expect((await again.all()).length).toBe(3);
    const done = await get(asked.id);
    expect(done.status.state).toBe('TASK_STATE_COMPLETED');
    expect(done.status.message.parts[0].text).toContain('R$ 380.00 is on its way back');
    expect(
      at.hub.query('cultpass', 'SELECT * FROM refunds WHERE reservation_id = ?', 'res_004'),
    ).toHaveLength(1);
  });

  it('[A2T-19] waits for a person where the hub does not know, and ends with that person’s words', async () => {
    const task = await send(UNANSWERABLE);
    expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(task.status.message.parts[0].text).toContain('passed it on to our team');
    const ticketId = ticketOf(task.id);
    await at.hub.app.desk.claim(ticketId, OLGA);
    // What is said meanwhile goes to the person.
    const more = await send('It is a very small dog', { taskId: task.id });
    expect(more).toMatchObject({ id: task.id, status: { state: 'TASK_STATE_INPUT_REQUIRED' } });
    await at.hub.app.desk.reply(ticketId, OLGA, 'Small dogs are welcome in the garden.');
    const done = await until(async () => {
      const now = await get(task.id);
      return now.status.state === 'TASK_STATE_COMPLETED' && now;
    });
    expect(done.status.message.parts[0].text).toBe('Small dogs are welcome in the garden.');
    expect(done.artifacts.at(-1)?.parts[1].data).toMatchObject({ operator: 'Olga' });
    const { messages } = await at.hub.app.desk.show(ticketId);
    expect(messages.map(({ content }) => content)).toContain('It is a very small dog');
  });

  it('[A2T-21] declines the question of a task that is taken back; the answer of a person may still come', async () => {
    const asked = await send(SAMBA);
    const canceled = await rpc(at, 'CancelTask', { id: asked.id }, { token: ana, headers: V1 });
    expect(canceled.result.status.state).toBe('TASK_STATE_CANCELED');
    const { pending_id: pendingId } = asked.status.message.parts[1].data;
    expect(at.hub.query('udahub', 'SELECT status FROM approvals WHERE pending_id = ?', pendingId)).toEqual([
      { status: expect.not.stringMatching('pending') },
    ]);
    expect(at.hub.query('cultpass', 'SELECT * FROM refunds WHERE reservation_id = ?', 'res_002')).toEqual([]);
    const waiting = await send('Can I bring my parrot to a museum?');
    const dropped = await rpc(at, 'CancelTask', { id: waiting.id }, { token: ana, headers: V1 });
    expect(dropped.result.status.state).toBe('TASK_STATE_CANCELED');
    const [ticket] = at.hub.query(
      'udahub',
      'SELECT owner, status FROM tickets WHERE ticket_id = ?',
      ticketOf(waiting.id),
    );
    expect(ticket).toMatchObject({ owner: 'operator' });
  });

  it('[A2T-22] ends when the customer answers its question in the chat', async () => {
    const asked = await send('Cancel my booking for the Samba Night');
    const { pending_id: pendingId } = asked.status.message.parts[1].data;
    const identity = await at.hub.app.signIn(ANA);
    const [row] = at.hub.query('udahub', 'SELECT thread_id FROM a2a_tasks WHERE task_id = ?', asked.id);
    const threadId = String(row?.thread_id);
    await at.hub.app.conversations.answer({
      identity,
      threadId,
      pendingId: String(pendingId),
      answer: 'no',
      channel: 'http',
    });
    const done = await until(async () => {
      const [now] = at.hub.query('udahub', 'SELECT state FROM a2a_tasks WHERE task_id = ?', asked.id);
      return now?.state === 'completed';
    });
    expect(done).toBe(true);
    const late = {
      message: {
        messageId: 'late',
        role: 'ROLE_USER',
        taskId: asked.id,
        parts: [{ data: { pending_id: pendingId, answer: 'yes' } }],
      },
    };
    expect((await rpc(at, 'SendMessage', late, { token: ana, headers: V1 })).error?.code).toBe(-32_004);
  });

  it('[A2T-23] gives the money back once although the task is taken back while yes is being done', async () => {
    const asked = await send(SAMBA);
    // An answer may come sooner than a look: the stream tells each state.
    const stream = await streamOf(at, 'SubscribeToTask', { id: asked.id }, { token: ana, headers: V1 });
    await stream.until(() => true);
    const yes = send('yes', { taskId: asked.id });
    await stream.until(({ data }) => JSON.stringify(data).includes('TASK_STATE_WORKING'));
    const cancel = await rpc(at, 'CancelTask', { id: asked.id }, { token: ana, headers: V1 });
    const done = await yes;
    const refunds = at.hub.query('cultpass', 'SELECT * FROM refunds WHERE reservation_id = ?', 'res_002');
    expect(cancel.error?.code).toBe(-32_002);
    expect(done.status.state).toBe('TASK_STATE_COMPLETED');
    expect(refunds).toHaveLength(1);
  });
});

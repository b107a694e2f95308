import { randomUUID } from 'node:crypto';
import type { Task } from '@a2a-js/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer, type TestServer } from '../../support/server.js';
import { ANA, ANAS_BOOKING, BRUNO, programToken } from './support.js';
import {
  dataOf,
  QUESTION,
  rpc,
  SAMBA,
  saying,
  sdkClient,
  sdkMessage,
  streamOf,
  TaskState,
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

describe('a message to the hub over A2A', () => {
  it('[A2T-01] answers a visitor with the words as status, and with an artifact that carries the sources', async () => {
    const task = (await (await sdkClient(at)).sendMessage(sdkMessage(QUESTION))) as Task;
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(wordsOf(task)).toContain('gives you 2 visits');
    expect(dataOf(task)).toMatchObject({
      reply: wordsOf(task),
      language: 'en',
      provider: 'offline',
      escalated: false,
      citations: [{ article_id: 'kb-plans-compare-en' }],
    });
    expect(task.history.map(({ role }) => role)).toEqual([1, 2]);
  });

  it('[A2T-02] asks before it changes something, and does it once when it is told yes, in words or as data', async () => {
    const client = await sdkClient(at, ana);
    const asked = (await client.sendMessage(sdkMessage(SAMBA))) as Task;
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const question = dataOf(asked);
    expect(question).toMatchObject({
      kind: 'confirmation',
      tool: 'cancel_reservation',
      args: { reservation_id: ANAS_BOOKING },
      answer: ['yes', 'no'],
    });
    const yes = {
      message: {
        messageId: 'ana-says-yes',
        role: 'ROLE_USER',
        taskId: asked.id,
        parts: [{ data: { pending_id: question.pending_id, answer: 'yes' } }],
      },
    };
    const [first, second] = await Promise.all(
      [1, 2].map(() => rpc(at, 'SendMessage', yes, { token: ana, headers: V1 })),
    );
    expect(first?.result.task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(second?.result.task).toEqual(first?.result.task);
    expect(first?.result.task.status.message.parts[0].text).toContain('is cancelled and R$ 60.00');
    const ledger = at.hub.query(
      'cultpass',
      'SELECT * FROM action_ledger WHERE tool = ?',
      'cancel_reservation',
    );
    expect(ledger).toHaveLength(1);
    const refunds = at.hub.query('cultpass', 'SELECT * FROM refunds WHERE reservation_id = ?', ANAS_BOOKING);
    expect(refunds).toHaveLength(1);
  });

  it('[A2T-03] gives the same task for the same message, and another one for other words under its id', async () => {
    const messageId = randomUUID();
    const both = await Promise.all([1, 2].map(() => send('How many visits do I have left?', { messageId })));
    expect(both[1]?.id).toBe(both[0]?.id);
    expect(both[0]?.status.state).toBe('TASK_STATE_COMPLETED');
    const others = await Promise.all([1, 2].map(() => send('When does my plan renew?', { messageId })));
    expect(others[0]?.id).not.toBe(both[0]?.id);
    expect(others[1]?.id).toBe(others[0]?.id);
    expect(others[0]?.status.message.parts[0].text).not.toBe(both[0]?.status.message.parts[0].text);
    expect((await send('How many visits do I have left?', { messageId })).id).toBe(both[0]?.id);
    // Somebody else's messages are called what they like.
    const bruno = await programToken(at, BRUNO);
    expect((await send('How many visits do I have left?', { messageId }, bruno)).id).not.toBe(both[0]?.id);
  });

  it('[A2T-04] goes on with a conversation by its context, the client’s own name for one included', async () => {
    const contextId = `trip-${randomUUID()}`;
    const first = await send('What are my bookings?', { contextId });
    expect(first.contextId).toBe(contextId);
    const next = await send('Cancel the second one', { contextId });
    expect(next.contextId).toBe(contextId);
    expect(next.id).not.toBe(first.id);
    // Only the conversation knows what was the second one.
    expect(next.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    await rpc(at, 'CancelTask', { id: next.id }, { token: ana, headers: V1 });
    const own = await send(QUESTION);
    expect((await send(QUESTION, { contextId: own.contextId })).contextId).toBe(own.contextId);
  });

  it('[A2T-05] waits with the task where it has to ask back, and completes it with the answer', async () => {
    const vague = await send('Cancel one of my bookings');
    expect(vague.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const chosen = await send('the first one', { taskId: vague.id });
    expect(chosen.id).toBe(vague.id);
    expect(chosen.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(chosen.status.message.parts[1].data.kind).toBe('confirmation');
    const no = await send('no', { taskId: vague.id });
    expect(no.status.state).toBe('TASK_STATE_COMPLETED');
    expect(no.history.map(({ role }) => role)).toEqual(
      Array.from({ length: 3 }, () => ['ROLE_USER', 'ROLE_AGENT']).flat(),
    );
  });

  it('[A2T-06] holds a conversation to the scopes it was begun with, and each call to those of its token', async () => {
    const reading = await programToken(at, ANA, ['account:read']);
    const none = await programToken(at, ANA, ['skill:run']);
    const contextId = `narrow-${randomUUID()}`;
    const task = await send('What are my bookings?', { contextId }, reading);
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    // A wider token does not widen it.
    const wider = await send('Cancel the first one', { contextId }, ana);
    expect(wider.status.message.parts.some(({ data }) => data)).toBe(false);
    for (const refused of [
      await rpc(at, 'SendMessage', saying('And now?', { contextId }), { token: none, headers: V1 }),
      await rpc(at, 'GetTask', { id: task.id }, { token: none, headers: V1 }),
      await rpc(at, 'SendMessage', saying('And now?', { taskId: task.id }), { token: none, headers: V1 }),
    ]) {
      expect(refused.status).toBe(403);
      expect(refused.error?.code).toBe(-32_000);
      expect(refused.error?.data).toMatchObject([
        { reason: 'SCOPE_MISSING', metadata: { scope: 'account:read' } },
      ]);
    }
    const shown = await rpc(at, 'ListTasks', {}, { token: none, headers: V1 });
    expect(shown.result.tasks.map(({ id }) => id)).not.toContain(task.id);
  });

  it('[A2T-04] keeps of each message what was said and where, so that a task may go on for long', async () => {
    let task = await send('Cancel my reservation');
    for (let count = 0; count < 12; count += 1)
      task = await send('Cancel my reservation', { taskId: task.id });
    const [row] = at.hub.query('udahub', 'SELECT document FROM a2a_tasks WHERE task_id = ?', task.id);
    const { history } = JSON.parse(String(row?.document)) as { readonly history: readonly object[] };
    expect(history).toHaveLength(26);
    const names = new Set(history.flatMap((message) => Object.keys(message)));
    expect([...names].sort()).toEqual(['contextId', 'messageId', 'metadata', 'parts', 'role', 'taskId']);
  });

  it('[A2T-07] knows no task and no conversation of anybody else', async () => {
    const contextId = `mine-${randomUUID()}`;
    const task = await send('What are my bookings?', { contextId });
    const bruno = await programToken(at, BRUNO);
    const missing = await rpc(at, 'GetTask', { id: 'tsk_nothing' }, { token: ana, headers: V1 });
    for (const token of [bruno, undefined]) {
      for (const [method, params] of [
        ['GetTask', { id: task.id }],
        ['CancelTask', { id: task.id }],
        ['SubscribeToTask', { id: task.id }],
        ['SendMessage', saying('Tell me more', { taskId: task.id })],
        ['CreateTaskPushNotificationConfig', { taskId: task.id, url: 'https://example.com/hook' }],
        ['ListTaskPushNotificationConfigs', { taskId: task.id }],
      ] as const) {
        const answer = await rpc(at, method, params, { token, headers: V1 });
        expect(answer.error?.code, method).toBe(-32_001);
        expect(answer.error?.message.replaceAll(task.id, 'tsk_nothing'), method).toBe(missing.error?.message);
      }
      // The same name is another conversation, of which nothing is known.
      const named = await send('Cancel the second one', { contextId }, token);
      expect(JSON.stringify(named)).not.toContain('Samba');
      expect(
        at.hub.query('udahub', 'SELECT DISTINCT thread_id FROM a2a_tasks WHERE context_id = ?', contextId)
          .length,
      ).toBeGreaterThan(1);
    }
    const listed = await rpc(at, 'ListTasks', { contextId: task.contextId }, { token: bruno, headers: V1 });
    expect(listed.result.tasks.map(({ id }) => id)).not.toContain(task.id);
  });

  it('[A2T-08] refuses staff, and an agent that is not addressed knows nothing of the task', async () => {
    const staff = await rpc(at, 'SendMessage', saying(QUESTION), { token: await at.operator(), headers: V1 });
    expect(staff.status).toBe(403);
    expect(staff.error).toMatchObject({
      code: -32_000,
      message: expect.stringContaining('Operators cannot talk'),
    });
    const task = await send(QUESTION);
    const other = await rpc(at, 'GetTask', { id: task.id }, { token: ana, agent: 'knowledge', headers: V1 });
    expect(other.error?.code).toBe(-32_001);
  });

  it('[A2T-09] has one agent answer where that was addressed, and triage classify without a conversation', async () => {
    const client = await sdkClient(at, ana, 'account');
    const task = (await client.sendMessage(sdkMessage('How many visits do I have left?'))) as Task;
    expect(dataOf(task)).toMatchObject({ agents: expect.arrayContaining(['account']) });
    const triaged = await rpc(at, 'SendMessage', saying('I want my money back, this is urgent!'), {
      agent: 'triage',
      headers: V1,
    });
    const { task: classified } = triaged.result;
    expect(classified.status.state).toBe('TASK_STATE_COMPLETED');
    const parts = classified.artifacts[0].parts;
    expect(parts.at(-1)?.data).toMatchObject({ issue_type: 'refund', route: expect.any(String) });
    expect(
      at.hub.query('udahub', 'SELECT thread_id FROM a2a_tasks WHERE task_id = ?', classified.id),
    ).toEqual([{ thread_id: null }]);
  });

  it('[A2T-37] counts the hubs a message came through, by the message or the header beside it', async () => {
    const messages = [
      [{ ...saying(QUESTION).message, metadata: { uda_hub_hops: 2 } }, {}],
      [saying(QUESTION).message, { 'x-uda-hub-hops': '3' }],
    ] as const;
    for (const [message, headers] of messages)
      await rpc(at, 'SendMessage', { message }, { headers: { ...V1, ...headers } });
    const ids = JSON.stringify(messages.map(([{ messageId }]) => messageId));
    const kept = at.hub.query(
      'udahub',
      `SELECT json_extract(i.content, '$.hops') AS hops FROM thread_inbox i JOIN a2a_messages m USING (client_message_id)
       WHERE m.message_id IN (SELECT value FROM json_each(?)) ORDER BY m.seq`,
      ids,
    );
    expect(kept).toEqual([{ hops: 2 }, { hops: 3 }]);
  });

  it('[A2T-10] tells a stream the task, that it is worked on, its artifact and its end, in both versions', async () => {
    const events: string[] = [];
    for await (const { payload } of (await sdkClient(at)).sendMessageStream(sdkMessage(QUESTION)))
      events.push(
        payload?.$case === 'statusUpdate' ? `status ${payload.value.status?.state}` : String(payload?.$case),
      );
    expect(events).toEqual([
      'task',
      `status ${TaskState.TASK_STATE_WORKING}`,
      'artifactUpdate',
      `status ${TaskState.TASK_STATE_COMPLETED}`,
    ]);
    const old = {
      kind: 'message',
      messageId: randomUUID(),
      role: 'user',
      parts: [{ kind: 'text', text: SAMBA }],
    };
    const bruno = await programToken(at, BRUNO);
    const stream = await streamOf(at, 'message/stream', { message: old }, { token: bruno });
    const told = (await stream.all()).map(
      ({ data }) => (data as { readonly result: Record<string, unknown> }).result,
    );
    expect(told.map(({ kind, final }) => [kind, final])).toEqual([
      ['task', undefined],
      ['status-update', false],
      ...told.slice(2, -1).map(({ kind }) => [kind, undefined]),
      ['status-update', true],
    ]);
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
  });
});

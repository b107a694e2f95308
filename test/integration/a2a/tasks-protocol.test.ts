import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { ANA, programToken } from './support.js';
import { QUESTION, raw, rpc, saying, sayingOld, streamOf, V1 } from './tasks-support.js';

let at: TestServer;
let ana: string;

beforeAll(async () => {
  at = await openServer();
  ana = await programToken(at, ANA);
});

afterAll(async () => {
  await at.close();
});

const part = { kind: 'text', text: 'Hello' };
const message = (change: object) => ({
  message: { messageId: randomUUID(), role: 'user', parts: [part], ...change },
});
const file = { url: 'https://example.com/a.pdf', mediaType: 'application/pdf' };

describe('JSON-RPC of the agents', () => {
  it.each<[string, unknown, number]>([
    ['no JSON', '{"jsonrpc": "2.0", "method": "message/send", "params": {"foo": "bar"', -32_700],
    ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), -32_700],
    ['an empty body', '', -32_700],
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'x' } }], -32_600],
    ['an empty batch', [], -32_600],
    ['a text', '"hello"', -32_600],
    ['null', 'null', -32_600],
    ['no version of JSON-RPC', { id: 1, method: 'message/send', params: {} }, -32_600],
    ['another version of JSON-RPC', { jsonrpc: '1.0', id: 1, method: 'message/send' }, -32_600],
    ['no method', { jsonrpc: '2.0', id: 1, params: {} }, -32_600],
    ['a method that is no text', { jsonrpc: '2.0', id: 1, method: 7 }, -32_600],
    ['an id that is an object', { jsonrpc: '2.0', id: { bad: 'type' }, method: 'message/send' }, -32_600],
    ['an id with a fraction', { jsonrpc: '2.0', id: 1.5, method: 'message/send' }, -32_600],
    ['a nesting that nobody means', `${'['.repeat(50)}${']'.repeat(50)}`, -32_600],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'nonexistent/method', params: {} }, -32_601],
    ['a method of every object', { jsonrpc: '2.0', id: 1, method: 'toString', params: {} }, -32_601],
  ])('[A2T-11] answers %s with its code, and 200', async (_what, body, code) => {
    for (const headers of [{}, V1]) {
      const answer = await raw(at, body, { headers });
      expect(answer.status).toBe(200);
      expect(answer.error?.code).toBe(code);
      const { id } = (typeof body === 'object' ? body : {}) as { readonly id?: unknown };
      expect(answer.id).toBe(id === 1 ? 1 : null);
    }
  });

  it.each<[string, string, unknown]>([
    ['no parameters', 'message/send', undefined],
    ['a list', 'message/send', [1, 2]],
    ['a parameter without a name', 'message/send', { '': 'not_a_dict' }],
    ['no message', 'message/send', {}],
    ['a message without anything', 'message/send', { message: { kind: 'message' } }],
    ['parts that are no list', 'message/send', { message: { parts: 'invalid' } }],
    ['no parts', 'message/send', message({ parts: [] })],
    ['a part of no kind', 'message/send', message({ parts: [{ text: 'Hello' }] })],
    ['a text that is none', 'message/send', message({ parts: [{ kind: 'text', text: 5 }] })],
    ['no id', 'message/send', message({ messageId: '' })],
    ['an id without end', 'message/send', message({ messageId: 'x'.repeat(300) })],
    ['a message of an agent', 'message/send', message({ role: 'agent' })],
    ['blank words', 'message/send', message({ parts: [{ kind: 'text', text: ' \n ' }] })],
    ['words without end', 'message/send', message({ parts: [{ kind: 'text', text: 'x'.repeat(30_000) }] })],
    ['a history of less than nothing', 'tasks/get', { id: 'x', historyLength: -1 }],
    ['no task', 'tasks/get', {}],
    ['no task', 'tasks/cancel', { id: '' }],
    [
      'an answer to nothing',
      'message/send',
      message({ parts: [{ kind: 'data', data: { pending_id: 'p', answer: 'yes' } }] }),
    ],
    ['no part of a message', 'SendMessage', { message: { messageId: 'a', role: 'ROLE_USER', parts: [{}] } }],
    [
      'two in one part',
      'SendMessage',
      { message: { messageId: 'a', role: 'ROLE_USER', parts: [{ text: 'a', url: 'b' }] } },
    ],
    [
      'a role of its own',
      'SendMessage',
      { message: { messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: 'a' }] } },
    ],
    ['a page of nothing', 'ListTasks', { pageSize: 0 }],
    ['a page of less', 'ListTasks', { pageSize: -1 }],
    ['a page of too much', 'ListTasks', { pageSize: 101 }],
    ['a page that was not given out', 'ListTasks', { pageToken: 'invalid-token-xyz' }],
    ['a state that is none', 'ListTasks', { status: 'INVALID_STATUS' }],
    ['a history of less', 'ListTasks', { historyLength: -1 }],
    ['a time that is none', 'ListTasks', { statusTimestampAfter: '-1' }],
    [
      'a webhook that is no address',
      'SendMessage',
      { ...saying('Hi'), configuration: { taskPushNotificationConfig: { url: 'ftp://x' } } },
    ],
  ])('[A2T-12] answers %s of %s with -32602', async (_what, method, params) => {
    const answer = await rpc(at, method, params, { token: ana });
    expect(answer.status).toBe(200);
    expect(answer.error?.code).toBe(-32_602);
    expect(answer.error?.message.length).toBeGreaterThan(10);
  });

  it('[A2T-13] says which files and versions are not understood, and when something is too large', async () => {
    const types = await rpc(at, 'SendMessage', {
      message: { messageId: 'f', role: 'ROLE_USER', parts: [{ text: 'a' }, file] },
    });
    expect(types.error).toMatchObject({
      code: -32_005,
      message: expect.stringMatching(/incompatible content type: file application\/pdf is not supported/i),
    });
    const old = message({ parts: [{ kind: 'file', file: { bytes: 'aGk=', mimeType: 'image/png' } }] });
    expect((await rpc(at, 'message/send', old)).error?.code).toBe(-32_005);
    const modes = { ...saying('Hi'), configuration: { acceptedOutputModes: ['application/x-unknown'] } };
    expect((await rpc(at, 'SendMessage', modes, { headers: V1 })).error?.code).toBe(-32_005);
    const version = await rpc(at, 'SendMessage', saying('Hi'), { headers: { 'a2a-version': '99.0' } });
    expect(version.error).toMatchObject({ code: -32_009, message: expect.stringContaining('99.0') });
    const body = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: saying('Hi') };
    const asked = await at.post('/a2a?A2A-Version=99.0', undefined, body);
    expect(asked.body).toMatchObject({ error: { code: -32_009 } });
    const text = await raw(at, JSON.stringify({}), { headers: { 'content-type': 'text/plain' } });
    expect(text.error?.code).toBe(-32_005);
    const huge = await raw(at, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(1_100_000) }));
    expect(huge).toMatchObject({ status: 413, error: { code: -32_600 } });
    const extended = await rpc(at, 'GetExtendedAgentCard', undefined, { headers: V1 });
    expect(extended.error?.code).toBe(-32_004);
  });

  it('[A2T-13] takes no more of a task than a stream can begin with', async () => {
    const metadata = { notes: '漢'.repeat(60_000) };
    const say = (more: object) =>
      rpc(at, 'SendMessage', { message: { ...saying('asdf').message, metadata, ...more } }, { headers: V1 });
    const { id: taskId } = (await say({})).result.task;
    const refused = await until(async () => (await say({ taskId })).error);
    expect(refused).toMatchObject({ code: -32_602, message: expect.stringContaining('too long') });
    const stream = await streamOf(at, 'SubscribeToTask', { id: taskId }, { headers: V1 });
    const { data } = await stream.until(() => true);
    expect(data).toMatchObject({ result: { task: { id: taskId } } });
    await stream.close();
  });

  it('[A2T-14] shows a task at work before it is done where its client does not wait, and does where it does', async () => {
    const begun = await rpc(at, 'message/send', sayingOld(QUESTION), { token: ana });
    expect(begun.result).toMatchObject({ kind: 'task', status: { state: 'working' } });
    const { id } = begun.result;
    expect((await rpc(at, 'tasks/get', { id }, { token: ana })).result.status.state).toBe('working');
    // What is added while it has not begun is answered together with it.
    const added = await rpc(at, 'message/send', sayingOld('And what does Premium include?', { taskId: id }), {
      token: ana,
    });
    expect(added.result).toMatchObject({ id, status: { state: 'working' } });
    const done = await until(async () => {
      const { result } = await rpc(at, 'tasks/get', { id }, { token: ana });
      return result.status.state === 'completed' && result;
    });
    expect(done.artifacts).toHaveLength(1);
    const waited = { ...sayingOld(QUESTION), configuration: { blocking: true } };
    expect((await rpc(at, 'message/send', waited, { token: ana })).result.status.state).toBe('completed');
    expect((await rpc(at, 'SendMessage', saying(QUESTION), { headers: V1 })).result.task.status.state).toBe(
      'TASK_STATE_COMPLETED',
    );
    const later = { ...saying(QUESTION), configuration: { returnImmediately: true } };
    expect((await rpc(at, 'SendMessage', later, { headers: V1 })).result.task.status.state).toBe(
      'TASK_STATE_WORKING',
    );
    // A client that does not say which version it speaks is treated like one of the older.
    expect((await rpc(at, 'SendMessage', saying(QUESTION))).result.task.status.state).toBe(
      'TASK_STATE_WORKING',
    );
  });

  it('[A2T-15] takes back what nobody has begun, and nothing that is over', async () => {
    const { result } = await rpc(at, 'message/send', sayingOld('Task for cancel test'), { token: ana });
    const canceled = await rpc(at, 'tasks/cancel', { id: result.id }, { token: ana });
    expect(canceled.result).toMatchObject({ id: result.id, status: { state: 'canceled' } });
    expect(at.hub.query('udahub', `SELECT * FROM thread_inbox WHERE content LIKE '%cancel test%'`)).toEqual(
      [],
    );
    expect((await rpc(at, 'tasks/cancel', { id: result.id }, { token: ana })).error?.code).toBe(-32_002);
    expect((await rpc(at, 'tasks/cancel', { id: 'nonexistent-task-id' }, { token: ana })).error?.code).toBe(
      -32_001,
    );
    const { task } = (await rpc(at, 'SendMessage', saying(QUESTION), { token: ana, headers: V1 })).result;
    expect((await rpc(at, 'CancelTask', { id: task.id }, { token: ana, headers: V1 })).error?.code).toBe(
      -32_002,
    );
    for (const [method, params] of [
      ['SendMessage', saying('Follow-up', { taskId: task.id })],
      ['SubscribeToTask', { id: task.id }],
    ] as const)
      expect((await rpc(at, method, params, { token: ana, headers: V1 })).error?.code).toBe(-32_004);
    const gone = await streamOf(at, 'tasks/resubscribe', { id: 'tsk_nothing' }, { token: ana });
    expect(await gone.all()).toMatchObject([{ event: 'error', data: { id: 7, error: { code: -32_001 } } }]);
    const elsewhere = saying('Follow-up', { taskId: task.id, contextId: 'wrong-context' });
    expect((await rpc(at, 'SendMessage', elsewhere, { token: ana, headers: V1 })).error?.code).toBe(-32_602);
    const nowhere = saying('Follow-up', { taskId: 'tsk_nothing' });
    expect((await rpc(at, 'SendMessage', nowhere, { token: ana, headers: V1 })).error?.code).toBe(-32_001);
  });

  it('[A2T-16] shows as much of the history as is asked for', async () => {
    const { result } = await rpc(at, 'message/send', {
      ...sayingOld(QUESTION),
      configuration: { blocking: true },
    });
    const of = async (historyLength?: number) =>
      (await rpc(at, 'tasks/get', { id: result.id, historyLength })).result.history?.length;
    expect([await of(), await of(0), await of(1), await of(2), await of(50)]).toEqual([
      2,
      undefined,
      1,
      2,
      2,
    ]);
    const none = { ...saying(QUESTION), configuration: { historyLength: 0 } };
    expect((await rpc(at, 'SendMessage', none, { headers: V1 })).result.task.history).toBeUndefined();
  });

  it('[A2T-17] lists the caller’s tasks in pages, those that changed last first', async () => {
    const contextId = `list-${randomUUID()}`;
    const ids: string[] = [];
    for (let number = 0; number < 5; number += 1) {
      at.hub.clock.advance({ ms: 1_000 });
      const asked = saying(`${QUESTION} ${number}`, { contextId });
      ids.unshift((await rpc(at, 'SendMessage', asked, { token: ana, headers: V1 })).result.task.id);
    }
    const list = async (more: object) =>
      (await rpc(at, 'ListTasks', { contextId, ...more }, { token: ana, headers: V1 })).result;
    const all = await list({});
    expect(all).toMatchObject({ totalSize: 5, pageSize: 5, nextPageToken: '' });
    expect(all.tasks.map(({ id }) => id)).toEqual(ids);
    const seen: string[] = [];
    for (let pageToken = ''; ; ) {
      const page = await list({ pageSize: 2, pageToken });
      expect(page.totalSize).toBe(5);
      expect(page.pageSize).toBe(page.tasks.length);
      seen.push(...page.tasks.map(({ id }) => id));
      pageToken = page.nextPageToken;
      if (pageToken === '') break;
    }
    expect(seen).toEqual(ids);
    expect(await list({ contextId: 'nothing' })).toEqual({
      tasks: [],
      totalSize: 0,
      pageSize: 0,
      nextPageToken: '',
    });
    const last = all.tasks[4]?.status.timestamp;
    expect((await list({ statusTimestampAfter: last })).totalSize).toBe(4);
    expect((await list({ status: 'TASK_STATE_COMPLETED' })).totalSize).toBe(5);
    expect((await list({})).tasks[0]?.artifacts ?? []).toEqual([]);
    expect((await list({ includeArtifacts: true, historyLength: 0 })).tasks[0]).toMatchObject({
      artifacts: [{ name: 'answer' }],
    });
    const old = await rpc(at, 'tasks/list', { contextId, status: 'completed', pageSize: 1 }, { token: ana });
    expect(old.result).toMatchObject({
      totalSize: 5,
      tasks: [{ kind: 'task', status: { state: 'completed' } }],
    });
  });
});

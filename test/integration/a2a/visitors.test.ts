import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededDir } from '../../support/hub.js';
import { openServer, type TestServer } from '../../support/server.js';
import { ANA, BRUNO, programToken } from './support.js';
import { QUESTION, rpc, saying, sayingOld, streamOf, V1, type WireTask } from './tasks-support.js';

const SECRET = 'urn:uda-hub:a2a:caller-secret:v1';
/** No two visitors say the same, so that what one reads of the other is seen. */
const PRIVATE = 'Is the Mozart night wheelchair-accessible? My chair is 71 cm wide.';

let at: TestServer;
let dataDir: string;

beforeAll(async () => {
  dataDir = await seededDir();
  at = await openServer({ dataDir, checkpointer: 'sqlite' });
});

afterAll(async () => {
  await at.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** All visitors of a test have one address; what tells them apart is the secret they show. */
const visit = (method: string, params: unknown, secret?: string) =>
  rpc(at, method, params, { headers: { ...V1, ...(secret && { 'caller-secret': secret }) } });
const ask = async (text: string, spoken: Parameters<typeof saying>[1] = {}, secret?: string) =>
  (await visit('SendMessage', saying(text, spoken), secret)).result.task;
const secretOf = ({ metadata }: Pick<WireTask, 'metadata'>): string => String(metadata?.[SECRET]);
const listed = async (params: unknown, secret?: string): Promise<readonly string[]> =>
  (await visit('ListTasks', params, secret)).result.tasks.map(({ id }) => id);

describe('visitors over A2A', () => {
  it('[ATK-10] list what their secret proves to be theirs, and without one nothing, whatever their address', async () => {
    const [one, other] = [await ask(PRIVATE), await ask(QUESTION)];
    const secret = secretOf(one);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(secretOf(other)).not.toBe(secret);
    expect(await listed({}, secret)).toEqual([one.id]);
    expect(await listed({}, secretOf(other))).toEqual([other.id]);
    const nobody = await visit('ListTasks', {});
    expect(nobody.result).toMatchObject({ tasks: [], totalSize: 0 });
    // A secret nobody was given opens nothing, and one that cannot be any is refused.
    expect(await listed({}, 'x'.repeat(43))).toEqual([]);
    expect((await visit('ListTasks', {}, 'guess')).status).toBe(422);
    const inMetadata = await visit('ListTasks', { metadata: { [SECRET]: 'guess' } });
    expect(inMetadata.error).toMatchObject({
      code: -32_602,
      message: expect.stringMatching(/caller secret/),
    });
    for (const path of ['/agents/hub/tasks', `/agents/hub/tasks?context_id=trip`])
      expect((await at.get(path)).body).toMatchObject({ tasks: [], total: 0 });
    const own = await at.get('/agents/hub/tasks', undefined, { 'caller-secret': secret });
    expect((own.body.tasks as { id: string }[]).map(({ id }) => id)).toEqual([one.id]);
    expect((await at.get('/agents/hub/tasks', undefined, { 'caller-secret': 'guess' })).status).toBe(422);
  });

  it('[ATK-10] own the tasks that they begin with their secret, in a header or in metadata of either version', async () => {
    const first = await ask(QUESTION);
    const secret = secretOf(first);
    const second = await ask(PRIVATE, {}, secret);
    // Told once.
    expect(secretOf(second)).toBe('undefined');
    const inMessage = saying(QUESTION);
    const metadata = { [SECRET]: secret, trip: 'lisbon' };
    const third = (await visit('SendMessage', { message: { ...inMessage.message, metadata } })).result.task;
    const old = await rpc(at, 'message/send', {
      ...sayingOld(QUESTION),
      configuration: { blocking: true },
      metadata: { [SECRET]: secret },
    });
    const plain = await at.post(
      '/agents/hub/tasks',
      undefined,
      { message: PRIVATE },
      { 'caller-secret': secret },
    );
    const all = [first.id, second.id, third.id, old.result.id, String(plain.body.id)];
    expect([...(await listed({}, secret))].sort()).toEqual([...all].sort());
    const inParams = await visit('ListTasks', { metadata: { [SECRET]: secret } });
    expect(inParams.result.totalSize).toBe(all.length);
    // What else a message carries is kept with it, the secret is kept nowhere.
    expect(JSON.stringify(third)).toContain('lisbon');
    expect(JSON.stringify(third)).not.toContain(secret);
    expect(JSON.stringify(at.hub.dump('udahub'))).not.toContain(secret);
    expect(JSON.stringify(at.hub.log.entries)).not.toContain(secret);
  });

  it('[ATK-10] reach a task by its id, which nobody can guess and nobody else is told', async () => {
    const task = await ask(PRIVATE);
    // 26 letters of 32: 130 bits.
    expect(task.id).toMatch(/^tsk_[0-9a-z]{26}$/);
    expect(task.contextId).toMatch(/^thr_[0-9a-z]{26}$/);
    const again = await visit('GetTask', { id: task.id });
    expect(again.result.history).toHaveLength(2);
    expect(secretOf(again.result)).toBe('undefined');
    // Who shows a secret is who it proves to be.
    expect((await visit('GetTask', { id: task.id }, 'x'.repeat(43))).error?.code).toBe(-32_001);
    // It opens the visitor's tasks alone, and no customer's; nor a visitor's to a customer.
    const token = await programToken(at, ANA);
    const anas = (await rpc(at, 'SendMessage', saying(QUESTION), { token, headers: V1 })).result.task;
    expect(secretOf(anas)).toBe('undefined');
    const bruno = await programToken(at, BRUNO);
    for (const [id, options] of [
      [anas.id, {}],
      [anas.id, { token: bruno }],
      [task.id, { token }],
    ] as const)
      for (const method of ['GetTask', 'CancelTask', 'ListTaskPushNotificationConfigs'] as const) {
        const params = { id, taskId: id };
        expect((await rpc(at, method, params, { ...options, headers: V1 })).error?.code, method).toBe(
          -32_001,
        );
      }
  });

  it("[ATK-10] keep a name of their own for a conversation to themselves, and cannot take up another's", async () => {
    const contextId = 'trip';
    const mine = await ask(PRIVATE, { contextId });
    const theirs = await ask(QUESTION, { contextId });
    const threads = (id: string) =>
      at.hub.query('udahub', 'SELECT thread_id FROM a2a_tasks WHERE task_id = ?', id)[0]?.thread_id;
    expect(threads(theirs.id)).not.toBe(threads(mine.id));
    const next = await ask(QUESTION, { contextId }, secretOf(mine));
    expect(threads(next.id)).toBe(threads(mine.id));
    expect(await listed({ contextId })).toEqual([]);
    expect(await listed({ contextId }, secretOf(theirs))).toEqual([theirs.id]);
    // The same words under the same id are another visitor's message.
    const messageId = 'msg-1';
    const [a, b] = [await ask(PRIVATE, { messageId }), await ask(PRIVATE, { messageId })];
    expect(b.id).not.toBe(a.id);
    expect((await ask(PRIVATE, { messageId }, secretOf(a))).id).toBe(a.id);
  });

  it('[ATK-10] go on without a secret with the conversation whose name they were given, and see its tasks', async () => {
    const first = await ask(QUESTION);
    const { contextId } = first;
    const next = await ask('And how much is it?', { contextId });
    expect(next.contextId).toBe(contextId);
    expect(secretOf(next)).toBe('undefined');
    const elsewhere = await ask(PRIVATE, { messageId: 'msg-7' }, secretOf(first));
    expect([...(await listed({ contextId }))].sort()).toEqual([first.id, next.id].sort());
    expect(await listed({}, secretOf(first))).toHaveLength(3);
    // The name of one conversation opens no other of the same visitor, not by the id of a message either.
    const stolen = await ask(PRIVATE, { contextId, messageId: 'msg-7' });
    expect(stolen.id).not.toBe(elsewhere.id);
  });

  it('[ATK-10] show their secret to streams, and own them over a restart', async () => {
    const stream = await streamOf(at, 'SendStreamingMessage', saying(PRIVATE), { headers: V1 });
    const events = (await stream.all()) as unknown as readonly { data: { result: { task?: WireTask } } }[];
    const begun = events[0]?.data.result.task as WireTask;
    const secret = secretOf(begun);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(events.slice(1))).not.toContain(secret);
    const asked = { ...V1, 'caller-secret': 'x'.repeat(43) };
    const refused = await rpc(at, 'SubscribeToTask', { id: begun.id }, { headers: asked });
    expect(refused.error?.code).toBe(-32_001);
    await at.close();
    at = await openServer({ dataDir, checkpointer: 'sqlite' });
    expect(await listed({}, secret)).toEqual([begun.id]);
    expect(await listed({})).toEqual([]);
  });

  it('[ATK-10] are told of the secret by the card, where they may ask at all', async () => {
    const extensions = async (server: TestServer) =>
      (
        (await server.get('/.well-known/agent-card.json', undefined, V1)).body as unknown as {
          capabilities: {
            extensions: readonly { uri: string; params?: Readonly<Record<string, unknown>> }[];
          };
        }
      ).capabilities.extensions;
    expect(await extensions(at)).toContainEqual(
      expect.objectContaining({ uri: SECRET, params: { header: 'Caller-Secret', metadata: SECRET } }),
    );
    const closed = await openServer({ env: { HUB_A2A_ANONYMOUS: '0' } });
    expect((await extensions(closed)).map(({ uri }) => uri)).not.toContain(SECRET);
    await closed.close();
  });
});

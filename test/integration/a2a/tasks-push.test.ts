import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWebhooks } from '../../../src/adapters/a2a/webhooks.js';
import { openServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { openWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { ANA, programToken } from './support.js';
import { OLGA, QUESTION, rpc, saying, sayingOld, UNANSWERABLE, V1 } from './tasks-support.js';

let at: TestServer;
let ana: string;
let hook: WebhookReceiver;

beforeAll(async () => {
  [at, hook] = await Promise.all([openServer(), openWebhookReceiver()]);
  ana = await programToken(at, ANA);
});

beforeEach(() => {
  hook.forget();
});

afterAll(async () => {
  await at.close();
  await hook.close();
});

const asked = (method: string, params: unknown, headers: Record<string, string> = V1) =>
  rpc(at, method, params, { token: ana, headers });

describe('push notifications', () => {
  it('[A2T-24] tells a webhook each change in its order, with its token and credentials', async () => {
    const authentication = { scheme: 'Bearer', credentials: 'secret-of-the-client' };
    const taskPushNotificationConfig = { id: 'mine', url: hook.url, token: 'tok-1', authentication };
    const { task } = (
      await asked('SendMessage', { ...saying(QUESTION), configuration: { taskPushNotificationConfig } })
    ).result;
    await until(async () => hook.told.length === 3);
    const text = expect.stringContaining('gives you 2 visits');
    expect(hook.told.map(({ body }) => body)).toMatchObject([
      { statusUpdate: { taskId: task.id, status: { state: 'TASK_STATE_WORKING' } } },
      { artifactUpdate: { artifact: { parts: [{ text }, {}] } } },
      { statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } },
    ]);
    for (const { headers } of hook.told)
      expect(headers).toMatchObject({
        'content-type': 'application/a2a+json',
        'x-a2a-notification-token': 'tok-1',
        authorization: 'Bearer secret-of-the-client',
      });
    const kept = await asked('GetTaskPushNotificationConfig', { taskId: task.id, id: 'mine' });
    expect(kept.result).toMatchObject({
      id: 'mine',
      taskId: task.id,
      url: hook.url,
      token: 'tok-1',
      authentication,
    });
  });

  it('[A2T-25] tells a client of 0.3 the whole task, and tries again what may pass', async () => {
    hook.next.push(503);
    const configuration = { blocking: true, pushNotificationConfig: { url: hook.url, token: 'tok-2' } };
    const { id } = (await asked('message/send', { ...sayingOld(QUESTION), configuration }, {})).result;
    await until(async () => hook.tries.length === 1);
    // The try may have arrived here before the hub has noted that it failed: what it waits for begins then.
    await until(async () => {
      at.hub.clock.advance({ ms: 2_000 });
      return hook.told.length === 3;
    });
    expect(hook.told.map(({ body }) => body)).toMatchObject(
      ['working', 'completed', 'completed'].map((state) => ({ kind: 'task', id, status: { state } })),
    );
  });

  it('[A2T-26] tells a webhook that was named later when a person has answered', async () => {
    const { task } = (await asked('SendMessage', saying(UNANSWERABLE))).result;
    const named = await asked(
      'tasks/pushNotificationConfig/set',
      { taskId: task.id, pushNotificationConfig: { url: hook.url } },
      {},
    );
    const { id } = named.result.pushNotificationConfig;
    expect(id).toEqual(expect.any(String));
    const [row] = at.hub.query(
      'udahub',
      'SELECT ticket_id FROM tickets WHERE thread_id = (SELECT thread_id FROM a2a_tasks WHERE task_id = ?)',
      task.id,
    );
    const ticketId = String(row?.ticket_id);
    await at.hub.app.desk.claim(ticketId, OLGA);
    await at.hub.app.desk.reply(ticketId, OLGA, 'No, only guide dogs.');
    await until(async () => hook.told.length === 2);
    expect(hook.told.at(-1)?.body).toMatchObject({
      status: { state: 'completed', message: { parts: [{ text: 'No, only guide dogs.' }] } },
    });
  });

  it('[A2T-27] keeps the webhooks of a task, and forgets them when it is told to', async () => {
    const { task } = (await asked('SendMessage', saying(QUESTION))).result;
    const config = (id: string) => ({ taskId: task.id, id, url: hook.url });
    for (const id of ['a', 'b', 'a']) await asked('CreateTaskPushNotificationConfig', config(id));
    const list = async () =>
      (await asked('ListTaskPushNotificationConfigs', { taskId: task.id })).result.configs ?? [];
    expect((await list()).map(({ id }) => id)).toEqual(['a', 'b']);
    for (const _twice of [1, 2])
      expect(
        (await asked('DeleteTaskPushNotificationConfig', { taskId: task.id, id: 'a' })).error,
      ).toBeUndefined();
    expect(await list()).toHaveLength(1);
    expect((await asked('GetTaskPushNotificationConfig', { taskId: task.id, id: 'a' })).error?.code).toBe(
      -32_001,
    );
    for (let count = 0; count < 9; count += 1)
      await asked('CreateTaskPushNotificationConfig', config(`more-${count}`));
    expect((await asked('CreateTaskPushNotificationConfig', config('too-many'))).error?.code).toBe(-32_602);
  });

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'http://10.1.2.3/hook',
    'http://[fd00:ec2::254]/',
    'http://[::ffff:169.254.169.254]/',
    'http://0.0.0.0/',
    'http://192.168.0.1:8080/',
    'https://user:secret@example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'not a url',
  ])('[A2T-28] never calls %s', async (url) => {
    const { task } = (await asked('SendMessage', saying(QUESTION))).result;
    const refused = await asked('CreateTaskPushNotificationConfig', { taskId: task.id, url });
    expect(refused.error).toMatchObject({ code: -32_602, message: expect.stringMatching(/webhook/) });
    const withMessage = {
      ...saying(QUESTION, { messageId: randomUUID() }),
      configuration: { taskPushNotificationConfig: { url } },
    };
    expect((await asked('SendMessage', withMessage)).error?.code).toBe(-32_602);
  });

  it('[A2T-29] calls nothing of this machine for a server that others reach, by no name and no redirect', async () => {
    const webhooks = createWebhooks({ allowLoopback: false });
    const call = { headers: {}, body: '{}', timeoutMs: 2_000 };
    expect(() => webhooks.check(hook.url)).toThrow(/its address is in the internal network/);
    expect(() => webhooks.check('http://localhost:3000/')).toThrow(/this machine/);
    // The name is one that the machine resolves by itself, to its own address.
    const { hostname } = await import('node:os');
    await expect(webhooks.post({ ...call, url: `http://${hostname()}:9/` })).rejects.toThrow(
      /not called|cannot be reached/,
    );
    const open = createWebhooks({ allowLoopback: true });
    hook.next.push(302);
    expect(await open.post({ ...call, url: hook.url })).toBe(302);
    expect(hook.told).toEqual([]);
  });

  it.each<Record<string, string>>([{ HUB_PUBLIC_URL: 'https://hub.example.com' }, { HUB_TRUST_PROXY: '1' }])(
    '[A2T-29] calls nothing of this machine where a proxy lets others in: %j',
    async (env) => {
      const behind = await openServer({ env });
      try {
        const configuration = { taskPushNotificationConfig: { url: hook.url } };
        const sent = await rpc(
          behind,
          'SendMessage',
          { ...saying(QUESTION), configuration },
          { headers: V1 },
        );
        expect(sent.error).toMatchObject({
          code: -32_602,
          message: expect.stringMatching(/internal network/),
        });
      } finally {
        await behind.close();
      }
    },
  );

  it('[A2T-30] keeps no turn waiting for a webhook that does not answer', async () => {
    const { createServer } = await import('node:net');
    const open = new Set<Socket>();
    const silent = createServer((socket) => void open.add(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { readonly port: number };
    const taskPushNotificationConfig = { url: `http://127.0.0.1:${port}/` };
    const { task } = (
      await asked('SendMessage', { ...saying(QUESTION), configuration: { taskPushNotificationConfig } })
    ).result;
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    // The webhook is told of the task, and has said nothing to it.
    await until(() => open.size > 0);
    for (const socket of open) {
      expect(socket.bytesWritten).toBe(0);
      socket.destroy();
    }
    silent.close();
  });
});

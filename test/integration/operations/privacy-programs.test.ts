import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../data/open-database.js';
import { createA2aTasks } from '../../../data/udahub/a2a-tasks.js';
import { HUB_DATABASE } from '../../../data/udahub/database.js';
import { createLog } from '../../../src/adapters/telemetry/pino-log.js';
import { SCOPES } from '../../../src/core/domain/customer.js';
import type { A2aTasks } from '../../../src/core/ports/a2a-tasks.js';
import { type Hub, seededDir } from '../../support/hub.js';
import { createSequentialIds } from '../../support/sequential-ids.js';
import { openServer } from '../../support/server.js';
import { ANA, customerIdOf, durableHub, filesWith, GABI, privacyOf } from './privacy-support.js';

const TEXTS = {
  [GABI]: 'My cousin Ubirajara has lost the turquoise ticket',
  [ANA]: 'The drummer of the second band waved at me',
} as const;
const ANSWER = 'We have found the turquoise ticket of Ubirajara again';
const SECRETS = ['whsec_turquoise_token', 'turquoise:credentials'];

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleanUps.splice(0).reverse()) await clean();
});

/** A hub whose customers were spoken for by programs: a conversation with a task, and a task that needs none. */
async function start() {
  const hub = await durableHub();
  cleanUps.push(() => hub.close());
  const handle = openDatabase(HUB_DATABASE, hub.dataDir);
  cleanUps.push(() => handle.close());
  const tasks = createA2aTasks(handle, hub.clock, createSequentialIds(`programs-${cleanUps.length}`));
  for (const email of [GABI, ANA] as const) await spokenFor(hub, tasks, email);
  return { hub, tasks };
}

async function spokenFor(hub: Hub, tasks: A2aTasks, email: typeof GABI | typeof ANA): Promise<void> {
  const { conversations, capabilities, signIn } = hub.app;
  const identity = await signIn(email);
  const customerId = customerIdOf(hub, email);
  const limits = { scopes: ['account:read'], agent: 'account' } as const;
  const { threadId } = await conversations.create(identity, limits);
  const text = TEXTS[email];
  await conversations.send({ identity, threadId, text: `How many visits? ${text}`, channel: 'a2a' });
  const part = (said: string) => ({ role: 'ROLE_USER', parts: [{ text: said }] });
  const document = { statusMessage: null, history: [part(text)], artifacts: [] };
  const common = {
    owner: `customer:${customerId}`,
    customerId,
    agent: 'account',
    scopes: ['account:read'],
  } as const;
  const named = `ctx-of-${customerId}`;
  await tasks.nameThread(common.owner, common.agent, named, threadId);
  const taskId = `tsk_${customerId}`;
  const { task } = await tasks.begin(
    { ...common, taskId, contextId: named, threadId, document },
    { messageId: 'm-1', content: { kind: 'text', text } },
  );
  if (email === GABI)
    await tasks.save(task, {
      ...task,
      state: 'input_required',
      document: { ...document, artifacts: [part(ANSWER)] },
    });
  await tasks.begin(
    { ...common, taskId: `tsk_alone_${customerId}`, contextId: 'alone', threadId: null, document },
    { messageId: 'm-2', content: { kind: 'text', text } },
  );
  const [token = '', credentials = ''] = email === GABI ? SECRETS : ['', ''];
  const push = {
    configId: 'p-1',
    taskId,
    url: `https://hooks.example.com/${customerId}`,
    token,
    credentials,
  };
  await tasks.putPush({ ...push, scheme: 'Bearer', protocol: '1.0' });
  const kept = await tasks.get(taskId);
  if (kept === null) throw new Error('there is no task');
  await tasks.save(kept, kept, [], {
    bodies: () => [{ contentType: 'application/json', body: JSON.stringify({ said: text }) }],
    refused: () => {
      throw new Error('there is room');
    },
  });
  const caller = { identity, scopes: ['action:write'], channel: 'mcp' } as const;
  const input = { key: 'contact_method', value: 'whatsapp' };
  await capabilities.call({
    caller,
    name: 'record_customer_preference',
    input,
    idempotencyKey: `key-${customerId}`,
  });
}

async function opened(hub: Hub) {
  const privacy = await privacyOf(hub);
  cleanUps.push(() => privacy.close());
  return privacy;
}

const TABLES = ['a2a_tasks', 'a2a_messages', 'a2a_contexts', 'a2a_push_configs', 'a2a_push_outbox'] as const;

describe("what programs did in a customer's name", () => {
  it('[SCP-20 ATK-14] is handed over with the rest: tasks, messages, where answers go; no secrets, and nothing of anybody else', async () => {
    const { hub } = await start();
    const held = await (await opened(hub)).export(GABI);
    expect(held.hub.a2a_tasks).toHaveLength(2);
    expect(held.hub.a2a_messages).toHaveLength(2);
    expect(held.hub.a2a_contexts).toHaveLength(1);
    expect(held.hub.a2a_push_outbox).toMatchObject([{ body: { said: TEXTS[GABI] }, status: 'waiting' }]);
    expect(held.hub.a2a_push_configs).toMatchObject([{ token: '(withheld)', credentials: '(withheld)' }]);
    expect(held.hub.threads).toContainEqual(
      expect.objectContaining({ scopes: ['account:read'], agent: 'account' }),
    );
    const keys = (held.hub.idempotency_keys ?? []).map(({ key }) => String(key));
    expect(keys).toContainEqual(expect.stringContaining(`key-${customerIdOf(hub, GABI)}`));
    const text = JSON.stringify(held);
    for (const own of [TEXTS[GABI], ANSWER, `https://hooks.example.com/${customerIdOf(hub, GABI)}`])
      expect(text.includes(own), own).toBe(true);
    for (const foreign of [...SECRETS, TEXTS[ANA], `tsk_${customerIdOf(hub, ANA)}`])
      expect(text.includes(foreign), foreign).toBe(false);
  });

  it('[SCP-21 ATK-14] is erased with the rest, secrets too, and nothing of it is written again', async () => {
    const { hub, tasks } = await start();
    const [id, anas] = [customerIdOf(hub, GABI), customerIdOf(hub, ANA)];
    const kept = TABLES.map((table) => hub.dump('udahub')[table]?.filter((row) => row.includes(anas)));
    expect(kept.every((rows) => (rows?.length ?? 0) > 0)).toBe(true);
    const task = await tasks.get(`tsk_${id}`);
    for (const said of [TEXTS[GABI], ANSWER, ...SECRETS])
      expect(filesWith(hub.dataDir, said), said).not.toEqual([]);
    const report = await (await opened(hub)).erase(GABI);
    expect(report).toMatchObject({ status: 'erased', proof: { leftovers: [] } });
    for (const said of [TEXTS[GABI], ANSWER, ...SECRETS, `hooks.example.com/${id}`, `ctx-of-${id}`])
      expect(filesWith(hub.dataDir, said), said).toEqual([]);
    for (const [index, table] of TABLES.entries())
      expect(hub.dump('udahub')[table], table).toEqual(kept[index]);

    const erased = { code: 'customer_erased' };
    if (task === null) throw new Error('there was no task');
    const content = { kind: 'text', text: 'again' } as const;
    const { owner, agent } = task;
    expect(await tasks.save(task, task)).toBeNull();
    for (const [taskId, who] of [
      [task.taskId, { owner: `customer:${anas}`, customerId: anas }],
      ['tsk_new', { owner, customerId: id }],
      ['tsk_new', { owner: `customer:${anas}`, customerId: id }],
    ] as const) {
      const again = { ...task, ...who, taskId, threadId: null };
      await expect(tasks.begin(again, { messageId: 'm-9', content })).rejects.toMatchObject(erased);
    }
    const onThread = { ...task, taskId: 'tsk_new', owner: `customer:${anas}`, customerId: anas };
    await expect(tasks.begin(onThread, { messageId: 'm-9', content })).rejects.toMatchObject(erased);
    await expect(tasks.nameThread(owner, agent, 'ctx-late', 'thr_late')).rejects.toMatchObject(erased);
    const push = {
      url: 'https://late.example.com',
      token: '',
      credentials: '',
      scheme: '',
      protocol: '1.0',
    } as const;
    await expect(tasks.putPush({ ...push, configId: 'p', taskId: task.taskId })).rejects.toMatchObject(
      erased,
    );
    expect(await tasks.get(`tsk_${anas}`)).not.toBeNull();
  });

  it('[SCP-22] is gone after real requests too: tasks with answers, a confirmed call, a skill that was run', async () => {
    const dataDir = await seededDir();
    const log = createLog({ level: 'debug', file: join(dataDir, 'hub.log') });
    const at = await openServer({ dataDir, checkpointer: 'sqlite', overrides: { log } });
    cleanUps.push(() => at.close());
    const { token } = await at.hub.app.sessions.issueFor({ email: GABI }, { scopes: SCOPES });
    const keys = Array.from({ length: 9 }, (_, index) => `key-${index}`);
    const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
      const {
        status,
        text,
        body: answer,
      } = await at.post(path, token, body, { 'idempotency-key': keys.pop() ?? '' });
      expect(status, text).toBeLessThan(300);
      return answer;
    };
    await post('/agents/hub/tasks', { message: `How do I pause my plan? ${TEXTS[GABI]}` });
    const asked = await post('/agents/hub/tasks', { message: 'cancel my next booking' });
    const pendingId = /"pending_id":"(\w+)"/.exec(JSON.stringify(asked))?.[1];
    expect(pendingId).toBeDefined();
    await post(`/agents/hub/tasks/${String(asked.id)}`, { pending_id: pendingId, answer: 'yes' });
    const plan = await post('/agents/action/skills/update_subscription', { action: 'pause', days: 10 });
    const { confirmation_token } = plan;
    await post('/agents/action/skills/update_subscription', {
      action: 'pause',
      days: 10,
      confirmation_token,
    });
    await post('/agents/triage/tasks', { message: TEXTS[GABI] });
    await post('/agents/investigation/skills/missing_refund', { message: TEXTS[GABI] });
    expect(filesWith(dataDir, TEXTS[GABI])).not.toEqual([]);
    const report = await (await opened(at.hub)).erase(GABI);
    expect(report).toMatchObject({ status: 'erased', proof: { leftovers: [] } });
    for (const said of [TEXTS[GABI], GABI]) expect(filesWith(dataDir, said), said).toEqual([]);
    expect((await at.post('/agents/hub/tasks', token, { message: 'again' })).status).toBe(401);
  });
});

import { afterEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../data/open-database.js';
import { createA2aTasks } from '../../../data/udahub/a2a-tasks.js';
import { HUB_DATABASE } from '../../../data/udahub/database.js';
import { createWebhookOutbox } from '../../../data/udahub/webhook-outbox.js';
import { runChild } from '../../support/child-process.js';
import { createFixedClock } from '../../support/fixed-clock.js';
import { createSequentialIds } from '../../support/sequential-ids.js';
import { openServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { ANA, BRUNO, programToken } from './support.js';
import { QUESTION, rpc, UNANSWERABLE, V1 } from './tasks-support.js';
import {
  ask,
  cleanUp,
  cleanUps,
  idsOf,
  logged,
  newDir,
  outbox,
  receiver,
  serverOn,
  statuses,
} from './webhook-support.js';

const CHILD = new URL('../../support/a2a-process.ts', import.meta.url);
vi.setConfig({ testTimeout: 180_000 });

afterEach(cleanUp);

describe('the outbox of notifications', () => {
  it.each(['after settling', 'before delivered'])(
    '[ATK-14] holds what was to be told although the power goes %s',
    async (moment) => {
      const [dir, hook] = [await newDir(), await receiver()];
      const env = { A2A_HOOK: hook.url };
      const { signal, stderr } = await runChild(CHILD, [dir, moment, ANA, QUESTION], env);
      expect(signal, stderr).toBe('SIGKILL');
      const early = idsOf(hook.told);
      const at = await serverOn(dir);
      const all = () => at.hub.query('udahub', 'SELECT * FROM a2a_push_outbox ORDER BY seq');
      await until(async () => all().length === 3 && all().every(({ status }) => status === 'delivered'));
      // Told once more where the power went before that was noted, under the same id, and in the order of what happened.
      const ids = all().map(({ webhook_id }) => webhook_id);
      expect([...new Set(idsOf(hook.told))]).toEqual(ids);
      if (moment === 'before delivered') expect(idsOf(hook.told).slice(early.length)).toContain(early.at(-1));
      expect(hook.told.length - ids.length).toBeLessThanOrEqual(1);
    },
  );

  it('[ATK-14] is sent by several processes, each notification by one of them', async () => {
    const [dir, hook] = [await newDir(), await receiver()];
    const [one, two] = [await serverOn(dir), await serverOn(dir)];
    const tasks = await Promise.all(
      Array.from({ length: 12 }, (_, index) => ask(index % 2 ? one : two, { url: hook.url })),
    );
    const rows = () => one.hub.query('udahub', 'SELECT * FROM a2a_push_outbox ORDER BY seq');
    await until(async () => rows().length === 36 && rows().every(({ status }) => status === 'delivered'));
    expect(new Set(idsOf(hook.told)).size).toBe(hook.told.length);
    for (const { id } of tasks)
      expect(
        idsOf(hook.told).filter((told) => outbox(one, id).some((row) => row.webhook_id === told)),
      ).toEqual(outbox(one, id).map(({ webhook_id }) => webhook_id));
  });

  it('[ATK-14] has room for so much and says no to more, to the one whose room it is', async () => {
    const [at, hook] = [await serverOn(await newDir()), await receiver()];
    const [ana, bruno] = [await programToken(at, ANA), await programToken(at, BRUNO)];
    hook.status = 503;
    const waits = await ask(at, { url: hook.url, id: 'one' }, ana, UNANSWERABLE);
    await until(async () => hook.tries.length > 0 && outbox(at, waits.id)[0]?.holder === null);
    at.hub.exec(
      'udahub',
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
       INSERT INTO a2a_push_outbox (webhook_id, task_id, config_id, owner, content_type, body, bytes, status, attempts,
         since, created_at)
       SELECT 'msg_full_' || i, task_id, config_id, owner, content_type, body, bytes, 'waiting', 0, since, created_at
       FROM a2a_push_outbox, n WHERE seq = (SELECT min(seq) FROM a2a_push_outbox)`,
    );
    const config = { taskId: waits.id, url: hook.url };
    const refused = await rpc(at, 'CreateTaskPushNotificationConfig', config, { token: ana, headers: V1 });
    expect(refused).toMatchObject({
      status: 429,
      error: { code: -32_000, data: [{ reason: 'RATE_LIMITED' }] },
    });
    // What happens is not told any more, and that is: in the log, and in the figures.
    const before = outbox(at, waits.id).length;
    await rpc(at, 'CancelTask', { id: waits.id }, { token: ana, headers: V1 });
    await until(async () => logged(at, 'push_refused').length === 1);
    expect(logged(at, 'push_refused')[0]).toMatchObject({
      level: 'warn',
      details: { code: 'outbox_full', taskId: waits.id, configId: 'one' },
    });
    expect(outbox(at, waits.id)).toHaveLength(before);
    hook.status = 200;
    hook.forget();
    const other = await ask(at, { url: hook.url }, bruno);
    await until(async () => statuses(at, other.id).filter((status) => status === 'delivered').length === 3);
    expect(logged(at, 'push_refused')).toHaveLength(1);
  });

  it('[ATK-14 A2T-30] lets one owner hold no more places than its share, over all processes', async () => {
    const dir = await newDir();
    const handle = openDatabase(HUB_DATABASE, dir);
    cleanUps.push(() => handle.close());
    const clock = createFixedClock();
    const tasks = createA2aTasks(handle, clock, createSequentialIds('tasks'));
    const tell = async (owner: string, taskId: string): Promise<void> => {
      const document = { statusMessage: null, history: [], artifacts: [] };
      const about = { taskId, owner, customerId: null, agent: 'hub', contextId: 'c', threadId: null };
      const said = { messageId: taskId, content: { kind: 'text', text: 'hello' } } as const;
      const { task } = await tasks.begin({ ...about, scopes: [], document }, said);
      const config = { configId: 'one', taskId, url: 'https://hooks.example.com/', token: 'tok' };
      await tasks.putPush({ ...config, scheme: '', credentials: '', protocol: '1.0' });
      const bodies = () => ['1', '2'].map((body) => ({ contentType: 'application/json', body }));
      await tasks.save(task, task, [], { bodies, refused: () => expect.unreachable() });
    };
    for (let count = 1; count <= 12; count += 1) await tell('customer:u_ana', `tsk_a${count}`);
    for (let count = 1; count <= 12; count += 1) await tell(`anonymous:${count}`, `tsk_v${count}`);
    await tell('customer:u_bruno', 'tsk_b1');
    const [one, two] = ['one', 'two'].map((name) =>
      createWebhookOutbox(handle, clock, createSequentialIds(name)),
    );
    if (!one || !two) throw new Error('there are two');
    const taken = [...(await one.take(6, 4, 60_000)), ...(await two.take(32, 4, 60_000))];
    const by = (letter: string) => taken.filter(({ taskId }) => taskId.startsWith(`tsk_${letter}`));
    // Visitors share one place in the line, however many names they have.
    expect([by('a').length, by('v').length, by('b').length]).toEqual([4, 4, 1]);
    expect(await two.take(32, 4, 60_000)).toEqual([]);
    const [first] = by('b');
    if (!first) throw new Error('nothing was taken');
    // Only who has taken it settles it; the next one is due when it is.
    await two.delivered(first.webhookId);
    await one.delivered(first.webhookId);
    expect((await one.take(32, 4, 60_000)).map(({ taskId, body }) => [taskId, body])).toEqual([
      ['tsk_b1', '2'],
    ]);
    // Whoever took the others is gone without a word.
    clock.advance({ ms: 60_000 });
    expect(await two.take(32, 4, 60_000)).toHaveLength(9);
  });

  it('[ATK-14] checks the address at every try, not only when it is named', async () => {
    const [dir, hook] = [await newDir(), await receiver()];
    hook.status = 503;
    const before = await openServer({ dataDir: dir, checkpointer: 'sqlite' });
    const task = await ask(before, { url: hook.url });
    await until(async () => outbox(before, task.id)[0]?.attempts === 1);
    await before.close();
    // The same address is one of the internal network now that others reach the hub.
    const at = await serverOn(dir, { HUB_PUBLIC_URL: 'https://hub.example.com' });
    at.hub.clock.advance({ ms: 2_000 });
    await until(async () => outbox(at, task.id)[0]?.attempts === 2);
    expect(outbox(at, task.id)[0]?.why).toMatch(/internal network/);
    expect(hook.tries).toHaveLength(1);
  });
});

import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { signedHeaders } from '../../../src/surfaces/a2a/push.js';
import { until } from '../../support/until.js';
import type { Told } from '../../support/webhook-receiver.js';
import { BRUNO, programToken } from './support.js';
import { rpc, UNANSWERABLE, V1 } from './tasks-support.js';
import {
  ask,
  cleanUp,
  idsOf,
  logged,
  newDir,
  outbox,
  receiver,
  serverOn,
  statuses,
} from './webhook-support.js';

const HOUR_MS = 3_600_000;
vi.setConfig({ testTimeout: 180_000 });

afterEach(cleanUp);

/** What a receiver does with a notification, as the scheme's own text says it. */
function isGenuine({ headers, text }: Told, key: Buffer | string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given } = headers;
  const right = createHmac('sha256', key).update(`${id}.${time}.${text}`).digest('base64');
  return String(given).split(' ').includes(`v1,${right}`);
}

describe('a notification', () => {
  it('[ATK-14] is signed as the published example of the scheme is', () => {
    const at = new Date(1_614_265_330_000);
    const key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    expect(signedHeaders(key, 'msg_p5jXN8AQM9LWM0D4loKWxJek', at, '{"test": 2432232314}')).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('[ATK-14] is signed with a key that its receiver knows: made here, or given as the token', async () => {
    const [at, hook] = [await serverOn(await newDir()), await receiver()];
    const own = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    for (const [given, sentAlong] of [
      [undefined, undefined],
      [own, undefined],
      ['tok-1', 'tok-1'],
    ] as const) {
      hook.forget();
      const task = await ask(at, { url: hook.url, id: 'one', ...(given && { token: given }) });
      const kept = await rpc(
        at,
        'GetTaskPushNotificationConfig',
        { taskId: task.id, id: 'one' },
        { headers: V1 },
      );
      const { token } = kept.result as unknown as { readonly token: string };
      if (given === undefined) expect(token).toMatch(/^whsec_[\w+/]{43}=$/);
      else expect(token).toBe(given);
      const key = token.startsWith('whsec_') ? Buffer.from(token.slice(6), 'base64') : token;
      await until(async () => hook.told.length === 3);
      for (const told of hook.told) {
        expect(isGenuine(told, key)).toBe(true);
        expect(isGenuine({ ...told, text: told.text.replace('2 visits', '9 visits') }, key)).toBe(
          !told.text.includes('2 visits'),
        );
        expect(isGenuine(told, Buffer.alloc(32, 8))).toBe(false);
        expect(told.headers['x-a2a-notification-token']).toBe(sentAlong);
        expect(JSON.stringify(told.headers)).not.toContain('whsec_');
        expect(told.headers['webhook-timestamp']).toBe(String(at.hub.clock.now().getTime() / 1_000));
      }
      expect(new Set(idsOf(hook.told)).size).toBe(3);
    }
    const { id: taskId } = await ask(at, { url: hook.url });
    for (const token of ['whsec_', 'whsec_c2hvcnQ=', 'whsec_no base64 at all, but long enough to be one']) {
      const refused = await rpc(
        at,
        'CreateTaskPushNotificationConfig',
        { taskId, url: hook.url, token },
        { headers: V1 },
      );
      expect(refused.error).toMatchObject({
        code: -32_602,
        message: expect.stringMatching(/24 to 64 bytes/),
      });
    }
  });

  it('[ATK-14] is tried for 24 hours, further and further apart, and can be replayed after that', async () => {
    const [at, hook] = [await serverOn(await newDir(), {}, { measure: true }), await receiver()];
    hook.status = 503;
    const task = await ask(at, { url: hook.url });
    const begun = at.hub.clock.now().getTime();
    const times: number[] = [];
    // The next try is when the row says, and not a moment before.
    for (let tries = 1; ; tries += 1) {
      const [first] = await until(async () => {
        const rows = outbox(at, task.id);
        return Number(rows[0]?.attempts) === tries && rows[0]?.holder === null && rows;
      });
      times.push(at.hub.clock.now().getTime() - begun);
      if (first?.status !== 'waiting') break;
      expect(hook.tries).toHaveLength(tries);
      at.hub.clock.set(String(first.next_at));
    }
    expect(times.length).toBeGreaterThan(10);
    expect(times.length).toBeLessThan(30);
    expect(times.at(-1)).toBe(24 * HOUR_MS);
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses[0]).toBeLessThan(1_300);
    for (const [index, pause] of pauses.slice(0, -1).entries()) {
      const meant = Math.min(1_000 * 3 ** index, 3 * HOUR_MS);
      expect(Math.abs(pause / meant - 1)).toBeLessThanOrEqual(0.2501);
    }
    const firsts = hook.tries.slice(0, times.length);
    expect(new Set(idsOf(firsts)).size).toBe(1);
    // Each is signed for the second in which it is sent.
    const distinct = (header: string) => new Set(firsts.map(({ headers }) => headers[header])).size;
    expect(distinct('webhook-signature')).toBe(distinct('webhook-timestamp'));
    expect(distinct('webhook-timestamp')).toBe(new Set(times.map((time) => Math.floor(time / 1_000))).size);
    // What stood behind it has had its chance as well, and is as old.
    await until(async () => statuses(at, task.id).every((status) => status === 'failed'));
    expect(logged(at, 'push_failed')).toHaveLength(3);
    expect(logged(at, 'push_failed')[0]).toMatchObject({
      level: 'warn',
      details: { taskId: task.id, why: 'answered 503', attempts: times.length },
    });
    const { text } = await at.get('/metrics');
    expect(text).toMatch(/^hub_webhooks\{state="failed"\} 3$/m);
    expect(text).toMatch(/^hub_webhooks\{state="waiting"\} 0$/m);
    expect(text).toMatch(/^hub_webhook_calls_total\{outcome="failed"\} 3$/m);

    hook.status = 200;
    hook.forget();
    const path = `/agents/hub/tasks/${task.id}/webhooks`;
    const listed = (await at.get(path)).body.webhooks as readonly Record<string, unknown>[];
    expect(listed.map(({ status, error }) => [status, error])).toEqual(
      listed.map(() => ['failed', 'answered 503']),
    );
    const stranger = await programToken(at, BRUNO);
    expect((await at.get(path, stranger)).status).toBe(404);
    expect((await at.post(`${path}/replay`, stranger, {})).status).toBe(404);
    expect((await at.post(`${path}/replay`, undefined, {})).body).toEqual({ replayed: 3 });
    await until(async () => hook.told.length === 3);
    expect(idsOf(hook.told)).toEqual([...listed].reverse().map(({ webhook_id }) => webhook_id));
    await until(async () => statuses(at, task.id).every((status) => status === 'delivered'));
    // One that was taken is told again where it is named.
    const named = { webhook_id: listed[0]?.webhook_id };
    expect((await at.post(`${path}/replay`, undefined, named)).body).toEqual({ replayed: 1 });
    await until(async () => hook.told.length === 4);
    expect(idsOf(hook.told).at(-1)).toBe(named.webhook_id);
    expect((await at.post(`${path}/replay`, undefined, {})).body).toEqual({ replayed: 0 });
    expect((await at.post(`${path}/replay`, undefined, { all: true })).status).toBe(422);

    at.hub.clock.advance({ days: 4 });
    await at.hub.another();
    await until(async () => outbox(at, task.id).length === 0);
  });

  it('[ATK-14] waits for the earlier ones of its task, and for no other webhook', async () => {
    const [at, dead, live] = [await serverOn(await newDir()), await receiver(), await receiver()];
    dead.status = 500;
    const first = await ask(at, { url: dead.url, id: 'dead' });
    const second = await ask(at, { url: live.url }, undefined, UNANSWERABLE);
    await until(async () => live.told.length === 2);
    await until(async () => dead.tries.length === 1 && outbox(at, first.id)[0]?.holder === null);
    expect(outbox(at, first.id).map(({ next_at }) => next_at !== null)).toEqual([true, false, false]);
    dead.status = 200;
    at.hub.clock.advance({ ms: 2_000 });
    await until(async () => dead.told.length === 3);
    expect(dead.told.map(({ body }) => Object.keys(body as object)[0])).toEqual([
      'statusUpdate',
      'artifactUpdate',
      'statusUpdate',
    ]);
    expect(idsOf(dead.tries)[1]).toBe(idsOf(dead.tries)[0]);
    expect(second.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  });

  it('[ATK-14] ends the subscription where the receiver says that it is gone', async () => {
    const [at, hook] = [await serverOn(await newDir()), await receiver()];
    hook.status = 410;
    const task = await ask(at, { url: hook.url });
    await until(async () => outbox(at, task.id).length === 0);
    const listed = await rpc(at, 'ListTaskPushNotificationConfigs', { taskId: task.id }, { headers: V1 });
    expect(listed.result.configs ?? []).toEqual([]);
    expect(logged(at, 'push_gone')).toHaveLength(1);
    expect(hook.tries).toHaveLength(1);
  });
});

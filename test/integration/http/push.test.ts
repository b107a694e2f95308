import { createPublicKey, verify } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTimers } from '../../../src/adapters/background/timers.js';
import { createWebPush } from '../../../src/adapters/push/web-push.js';
import type { PushStore } from '../../../src/core/ports/push.js';
import type { Webhooks } from '../../../src/core/ports/webhooks.js';
import { createRecordingLog } from '../../support/recording-log.js';
import { openServer, type TestServer } from '../../support/server.js';
import { openWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { privacyOf } from '../operations/privacy-support.js';

const ANA = 'ana.souza@example.com';
const PERSON = 'I want to talk to a person';
const OLGA = { operatorId: 'olga', name: 'Olga' };

let at: TestServer;
let service: WebhookReceiver;
beforeEach(async () => {
  service = await openWebhookReceiver();
  at = await openServer({ env: { HUB_DEMO: '1' } });
  // Where it begins to look.
  await at.hub.app.push.deliver();
});
afterEach(async () => {
  await at.close();
  await service.close();
});

const choose = (token: string, on: boolean, endpoint = service.url) =>
  at.post('/api/push', token, { endpoint, on });
/** What the push service was told, once pages have had their time to show what was said. */
async function pushes(): Promise<readonly (typeof service.tries)[number][]> {
  service.forget();
  at.hub.clock.advance({ ms: 11_000 });
  await at.hub.app.push.deliver();
  return [...service.tries];
}

/** A conversation that an operator has claimed. */
async function claimed(token: string) {
  const threadId = await at.thread(token);
  const { body } = await at.post(`/api/threads/${threadId}/messages`, token, { text: PERSON });
  const ticketId = String(body.ticket_id);
  await at.hub.app.desk.claim(ticketId, OLGA);
  const reply = (text: string) => at.hub.app.desk.reply(ticketId, OLGA, text);
  return { threadId, reply };
}

describe('web push', () => {
  it('[PSH-01 PSH-02] wakes the browser of a customer who has left, once an answer, with the key of the hub and no word of it', async () => {
    const token = await at.token(ANA);
    expect((await choose(token, true)).status).toBe(204);
    const { threadId, reply } = await claimed(token);
    await pushes();
    await reply('Your refund of R$ 60.00 is on its way.');
    at.hub.clock.advance({ ms: 5_000 });
    await at.hub.app.push.deliver();
    const [told, ...others] = await pushes();
    expect(others).toEqual([]);
    expect(told?.text).toBe('');
    // Signatures and keys are chance: any letters may stand in them.
    const { authorization: _signed, topic: _topic, ...headers } = told?.headers ?? {};
    expect(JSON.stringify(headers)).not.toMatch(/refund|60\.00|usr_|thr_|ana\./i);
    const { body: config } = await at.get('/api/config');
    expectSigned(told?.headers.authorization, String(config.push_key), new URL(service.url).origin);
    expect(await pushes()).toEqual([]);
    // What a page has shown in time wakes nobody, nor does what the customer has answered.
    await reply('Anything else?');
    const messages = (await at.get(`/api/threads/${threadId}`, token)).body.messages as { id: string }[];
    await at.post(`/api/threads/${threadId}/read`, token, { message_id: messages.at(-1)?.id });
    expect(await pushes()).toEqual([]);
    await reply('Shall I close it?');
    await at.post(`/api/threads/${threadId}/messages`, token, { text: 'Yes please' });
    expect(await pushes()).toEqual([]);
  });

  it('[PSH-02] calls no address that only the hub can reach', async () => {
    const token = await at.token(ANA);
    for (const endpoint of [
      'http://169.254.169.254/latest',
      'https://10.0.0.7/x',
      'ftp://push.example.com/x',
      'x',
    ])
      expect((await choose(token, true, endpoint)).status, endpoint).toBe(422);
    expect((await choose(await at.operator(), true)).status).toBe(403);
    const open = await openServer({ env: { HUB_DEMO: '1', HUB_PUBLIC_URL: 'https://help.example.com' } });
    const answer = await open.post('/api/push', await open.token(ANA), { endpoint: service.url, on: true });
    expect(answer.status).toBe(422);
    await open.close();
  });

  it('[PSH-03] ends where the customer says so, somebody else signs in there, or the browser is gone', async () => {
    const token = await at.token(ANA);
    const { reply } = await claimed(token);
    await choose(token, true);
    await choose(token, false);
    await reply('One');
    expect(await pushes()).toEqual([]);
    await choose(token, true);
    await choose(await at.token('bruno.lima@example.com'), true);
    await choose(token, false);
    await reply('Two');
    expect(await pushes()).toEqual([]);
    await choose(token, true);
    service.status = 410;
    await reply('Three');
    expect(await pushes()).toHaveLength(1);
    await reply('Four');
    expect(await pushes()).toEqual([]);
    expect(at.hub.query('udahub', 'SELECT * FROM push_subscriptions')).toEqual([]);
  });

  it('[PSH-01] wakes the browser of a visitor, whose conversation nobody has signed in for', async () => {
    const { body } = await at.post('/api/session', undefined, { visitor: true });
    const token = String(body.token);
    await choose(token, true);
    const { reply } = await claimed(token);
    await pushes();
    await reply('Welcome!');
    expect(await pushes()).toHaveLength(1);
  });

  it('[PSH-01] asks for its key again where the store once failed', async () => {
    const keys: string[] = [];
    const store = {
      async key(made: string) {
        keys.push(made);
        if (keys.length === 1) throw new Error('the disk is full');
        return made;
      },
    } as PushStore;
    const webhooks = {} as Webhooks;
    const { clock } = at.hub;
    const log = createRecordingLog();
    const push = createWebPush({
      ...{ store, webhooks, clock, log, background: createTimers(log) },
      track: (work) => work,
      contact: 'mailto:help@example.com',
      allowLoopback: true,
    });
    await expect(push.publicKey()).rejects.toThrow('the disk is full');
    const key = await push.publicKey();
    expect(Buffer.from(key, 'base64url')).toHaveLength(65);
    expect(await push.publicKey()).toBe(key);
    expect(keys).toHaveLength(2);
  });

  it('[PSH-05] is forgotten with the customer, and its address handed over to nobody', async () => {
    await choose(await at.token(ANA), true);
    const privacy = await privacyOf(at.hub);
    const exported = JSON.stringify(await privacy.export(ANA));
    expect(exported).toContain('push_subscriptions');
    expect(exported).not.toContain(service.url);
    await privacy.erase(ANA);
    await privacy.close();
    expect(at.hub.query('udahub', 'SELECT * FROM push_subscriptions')).toEqual([]);
  });
});

/** VAPID (RFC 8292): a JWT for the origin of the push service, signed with the key that the browser subscribed with. */
function expectSigned(authorization: string | undefined, key: string, audience: string): void {
  const [, token = '', named] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization ?? '') ?? [];
  expect(named).toBe(key);
  const point = Buffer.from(key, 'base64url');
  expect([point.length, point[0]]).toEqual([65, 4]);
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((one) => one.toString('base64url'));
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const [head = '', claims = '', signature = ''] = token.split('.');
  const signed = Buffer.from(`${head}.${claims}`);
  const as = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  expect(verify('sha256', signed, as, Buffer.from(signature, 'base64url'))).toBe(true);
  const said = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
  expect(said).toMatchObject({ aud: audience, sub: expect.stringMatching(/^(?:mailto|https):/) });
  expect(said.exp).toBeTypeOf('number');
}

import { afterEach, describe, expect, it } from 'vitest';
import { createRateLimits } from '../../../src/surfaces/http/rate-limits.js';
import { openServer, type TestServer } from '../../support/server.js';
import { ANA, BRUNO } from './support.js';

describe('limits', () => {
  let at: TestServer | null = null;
  afterEach(() => at?.close());

  const say = async (token: string, thread: string, text = 'hello') =>
    (await at?.post(`/api/threads/${thread}/messages`, token, { text })) ?? { status: 0 };

  it('[HTP-50] so many turns a minute for one customer, and not for the next', async () => {
    at = await openServer({ env: { HUB_TURNS_PER_MINUTE: '3' } });
    const [ana, bruno] = [await at.token(ANA), await at.token(BRUNO)];
    const [hers, his] = [await at.thread(ana), await at.thread(bruno)];
    const statuses = [];
    for (let turn = 0; turn < 4; turn += 1) statuses.push((await say(ana, hers)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await at.post(`/api/threads/${hers}/messages`, ana, { text: 'hello' });
    expect(refused.body).toMatchObject({ code: 'rate_limited' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit')).toMatch(/^"default";r=0;t=\d+$/);
    expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=3;w=60');
    expect((await say(bruno, his)).status).toBe(200);
    expect((await at.get(`/api/threads/${hers}`, ana)).status).toBe(200);
  });

  it('[HTP-50] so many turns a minute from one address, whoever sends them', async () => {
    at = await openServer({ env: { HUB_TURNS_PER_MINUTE: '0', HUB_TURNS_PER_MINUTE_PER_ADDRESS: '2' } });
    const [ana, bruno] = [await at.token(ANA), await at.token(BRUNO)];
    const [hers, his] = [await at.thread(ana), await at.thread(bruno)];
    expect((await say(ana, hers)).status).toBe(200);
    expect((await say(bruno, his)).status).toBe(200);
    expect((await say(bruno, his)).status).toBe(429);
  });

  it('[HTP-50] an answer that was given before costs nothing', async () => {
    at = await openServer({ env: { HUB_TURNS_PER_MINUTE: '1' } });
    const ana = await at.token(ANA);
    const path = `/api/threads/${await at.thread(ana)}/messages`;
    for (let time = 0; time < 3; time += 1)
      expect((await at.post(path, ana, { text: 'hello' }, { 'idempotency-key': 'k' })).status).toBe(200);
  });

  it('[HTP-50] counts a network of IPv6 as one, and an IPv4 address in any clothes', async () => {
    const limits = createRateLimits({
      turnsPerIdentity: 0,
      turnsPerAddress: 0,
      signInsPerAddress: 2,
      demoSignInsPerAddress: 0,
    });
    await limits.signIn('2001:db8:1:2::1');
    await limits.signIn('2001:db8:1:2:ffff:1:2:3');
    await expect(limits.signIn('2001:0db8:0001:0002::9')).rejects.toMatchObject({ code: 'rate_limited' });
    await limits.signIn('2001:db8:1:3::1');
    await limits.signIn('10.0.0.1');
    await limits.signIn('::ffff:10.0.0.1');
    await expect(limits.signIn('10.0.0.1')).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

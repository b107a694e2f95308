import { afterEach, describe, expect, it } from 'vitest';
import { COUNTED_MS, UNDER_ATTACK } from '../../../src/core/ports/sign-in.js';
import type { Hub } from '../../support/hub.js';
import { openServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { ANA, BRUNO, tokenOf } from './support.js';

const ENV = { HUB_DEMO: '0', HUB_TRUST_PROXY: '1' };
const HERE = '192.0.2.1';
const DAY_S = COUNTED_MS / 1_000;

let at: TestServer;
afterEach(() => at.close());

const from = (address: string) => ({ 'x-forwarded-for': address });
const ask = (email: string, address = HERE) =>
  at.post('/api/session/code', undefined, { email }, from(address));
const guess = (email: string, code: string, address = HERE, more: object = {}) =>
  at.post('/api/session', undefined, { email, code, ...more }, from(address));
const mailsTo = (email: string, hub: Hub = at.hub) =>
  hub.log.entries
    .filter(({ action, details }) => action === 'mail_logged' && details?.to === email)
    .map(({ details }) => String(details?.text));
const codesTo = (email: string) =>
  mailsTo(email).flatMap((text) => /\b(?:\d{6}|\d{9})\b/.exec(text)?.[0] ?? []);
const noticesTo = (email: string) =>
  mailsTo(email).filter((text) => /wrong sign-in codes|códigos de acesso errados/.test(text));
/** One that is not the code, nor any other that was sent. */
const wrong = (): string => {
  const sent = new Set(codesTo(ANA));
  let code = '000000';
  while (sent.has(code)) code = String(Number(code) + 1).padStart(6, '0');
  return code;
};

describe('guessing at one-time codes', () => {
  it('[ATK-11] never takes the code from the person who asked for it, with or without what came with it', async () => {
    at = await openServer({ env: ENV });
    for (const bound of [true, false]) {
      const asked = await ask(ANA);
      expect(asked.status).toBe(202);
      const code = codesTo(ANA).at(-1) ?? '';
      const attacker = bound ? '198.51.100.7' : '198.51.100.8';
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 9; attempt += 1)
        statuses.push((await guess(ANA, wrong(), attacker)).status);
      expect(statuses).toEqual([401, 401, 401, 429, 429, 429, 429, 429, 429]);
      const challenge = bound ? { challenge: asked.body.challenge } : {};
      const session = await guess(ANA, code, HERE, challenge);
      expect(session.status).toBe(200);
      expect((await at.get('/api/session', tokenOf(session))).body).toMatchObject({ email: ANA });
      at.hub.clock.advance({ minutes: 2 });
    }
  });

  it('[ATK-11] from very many addresses closes the way without the challenge, and not the one with it', async () => {
    at = await openServer({ env: ENV });
    const asked = await ask(ANA);
    const [code = ''] = codesTo(ANA);
    for (let network = 0; network < 60; network += 1)
      expect((await guess(ANA, wrong(), `198.51.100.${network}`)).status).toBe(401);
    expect((await guess(ANA, code, '203.0.113.9')).status).toBe(401);
    const forged = { challenge: `${String(asked.body.challenge).slice(0, -2)}xx` };
    expect((await guess(ANA, code, '203.0.113.10', forged)).status).toBe(401);
    // Even the address that was guessed from gets in with what belongs to the code.
    expect((await guess(ANA, code, '198.51.100.3', { challenge: asked.body.challenge })).status).toBe(200);
  });

  it('[ATK-11] slows down by itself, ever more, and a restart and another process know of it', async () => {
    at = await openServer({ env: ENV });
    const { sessions } = at.hub.app;
    const other = await at.hub.another();
    const waits: number[] = [];
    let tried = 0;
    for (let round = 0; round < 40 && waits.length < 12; round += 1) {
      const who = round % 2 === 0 ? sessions : other.app.sessions;
      const error = await who.useCode({ email: ANA, code: '000000', network: HERE }).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      const { code, fields } = error as { code: string; fields: { retryAfterSeconds?: number } };
      if (code === 'code_invalid') {
        tried += 1;
        continue;
      }
      expect(code).toBe('rate_limited');
      waits.push(fields.retryAfterSeconds ?? 0);
      at.hub.clock.advance({ ms: (fields.retryAfterSeconds ?? 0) * 1_000 });
    }
    expect(waits.slice(0, 9)).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
    expect(tried).toBeLessThanOrEqual(waits.length + 3);
    await guess(ANA, '000000');
    await at.server.close();
    const again = await openServer({ env: ENV, dataDir: at.hub.dataDir, clock: at.hub.clock });
    try {
      const answer = await again.post('/api/session', undefined, { email: ANA, code: '000000' }, from(HERE));
      expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect(Number(answer.headers.get('retry-after'))).toBe(3_600);
      expect(answer.body.detail).toBe('There were too many wrong codes. Try again in 60 minutes.');
    } finally {
      await again.close();
    }
  });

  it('[ATK-11] has less than one chance in 10,000 a day, whatever addresses it comes from', async () => {
    at = await openServer({ env: ENV });
    const { sessions } = at.hub.app;
    let chance = 0;
    let guesses = 0;
    let network = 0;
    const end = at.hub.clock.now().getTime() + DAY_S * 1_000;
    const somewhere = () => {
      network += 1;
      return `n${network}`;
    };
    const made = (): number =>
      Number(
        at.hub.query('udahub', 'SELECT sum(asker_guesses + other_guesses) AS made FROM sign_in_codes')[0]
          ?.made,
      );
    /** Has a code sent and guesses, with and without the challenge, as long as that is held against a code. */
    const spend = async (): Promise<number> => {
      const asked = await sessions
        .requestCode({ email: ANA, network: somewhere() })
        .catch((error: { fields: { retryAfterSeconds: number } }) => error.fields.retryAfterSeconds);
      if (typeof asked === 'number') return asked;
      const digits = codesTo(ANA).at(-1)?.length ?? 6;
      for (let vain = 0; vain < 2; ) {
        const before = made();
        for (const proof of [asked, {}])
          await sessions
            .useCode({ email: ANA, code: 'x'.repeat(digits), network: somewhere(), ...proof })
            .catch(() => {});
        const now = made() - before;
        vain = now === 0 ? vain + 1 : 0;
        guesses += now;
        chance += now / 10 ** digits;
      }
      return 0;
    };
    while (at.hub.clock.now().getTime() < end) at.hub.clock.advance({ ms: (await spend()) * 1_000 });
    expect(guesses).toBeGreaterThan(UNDER_ATTACK);
    expect(guesses).toBeLessThan(500);
    expect(chance, `${guesses} guesses`).toBeLessThan(1e-4);
    // The owner signs in all the same, with a code that is longer now.
    at.hub.clock.advance({ minutes: 61 });
    const asked = await ask(ANA);
    const code = codesTo(ANA).at(-1) ?? '';
    expect(code).toMatch(/^\d{9}$/);
    expect((await guess(ANA, code, HERE, { challenge: asked.body.challenge })).status).toBe(200);
    // And from there asks without waiting for others.
    await sessions.requestCode({ email: ANA, network: 'n-last' }).catch(() => {});
    expect((await ask(ANA)).status).toBe(202);
  });

  it('[ATK-11] says the same of an address that nobody has, at every step', async () => {
    at = await openServer({ env: ENV });
    const steps = async (email: string, address: string) => {
      const seen: unknown[] = [];
      const tell = ({ status, body, headers }: Awaited<ReturnType<typeof ask>>) => {
        const { challenge, instance: _instance, ...rest } = body as Record<string, unknown>;
        seen.push([status, rest, String(challenge ?? '').length, headers.get('retry-after')]);
        return challenge;
      };
      const challenge = tell(await ask(email, address));
      tell(await ask(email, address));
      for (let attempt = 0; attempt < 6; attempt += 1)
        tell(await guess(email, '00000x', address, attempt > 3 ? { challenge } : {}));
      return seen;
    };
    const known = await steps(ANA, HERE);
    expect(await steps('nobody@example.com', '192.0.2.2')).toEqual(known);
    expect(JSON.stringify(known)).toContain('429');
  });

  it('[ATK-11] is told to the owner of the account, in her language, once a day and to nobody else', async () => {
    at = await openServer({ env: ENV });
    const { customerId } = (await at.hub.app.signIn(ANA)) as { readonly customerId: string };
    at.hub.exec(
      'udahub',
      `INSERT OR REPLACE INTO customer_preferences VALUES ('${customerId}', 'language', 'pt-BR', '2026-03-11T15:00:00.000Z')`,
    );
    const attack = async (email: string, count: number, net: number) => {
      for (let attempt = 0; attempt < count; attempt += 1)
        await guess(email, '00000x', `198.51.${net}.${attempt}`);
    };
    await attack(ANA, 4, 100);
    await attack('nobody@example.com', 8, 101);
    await attack(BRUNO, 5, 102);
    await until(async () => noticesTo(BRUNO).length === 1);
    expect(noticesTo(ANA)).toEqual([]);
    await attack(ANA, 8, 103);
    await until(async () => noticesTo(ANA).length > 0);
    expect(noticesTo(ANA)).toEqual([expect.stringMatching(/^Vários códigos de acesso errados/)]);
    expect(noticesTo(ANA)[0]).not.toContain('wrong');
    expect(noticesTo(BRUNO)).toEqual([expect.stringContaining('wrong sign-in codes')]);
    at.hub.clock.advance({ hours: 23 });
    await attack(ANA, 8, 104);
    at.hub.clock.advance({ hours: 2 });
    await attack(ANA, 8, 105);
    await until(async () => noticesTo(ANA).length > 1);
    expect(noticesTo(ANA)).toHaveLength(2);
    expect(noticesTo('nobody@example.com')).toEqual([]);
    const kept = JSON.stringify([
      at.hub.query('udahub', 'SELECT * FROM sign_in_limits'),
      at.hub.query('udahub', 'SELECT * FROM sign_in_codes'),
    ]);
    for (const secret of ['ana.souza', '198.51', 'nobody']) expect(kept).not.toContain(secret);
  });
});

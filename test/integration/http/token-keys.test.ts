import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { rotateAuthSecret } from '../../../src/adapters/tokens/auth-secret.js';
import { openServer, SECRET, type TestServer } from '../../support/server.js';
import { ANA } from './support.js';

const DAY_MS = 86_400_000;
/** Keys of the data directory's own, not of the environment. */
const KEPT = { env: { HUB_AUTH_SECRET: '' } };

let at: TestServer;
afterEach(() => at.close());

const file = (): string => join(at.hub.dataDir, 'auth-secret');
const kidOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
const statusOf = async (token: string): Promise<number> => (await at.get('/api/session', token)).status;
const rotate = (keptDays: number | null): string => {
  const now = at.hub.clock.now();
  const kept = keptDays === null ? null : new Date(now.getTime() + keptDays * DAY_MS);
  return rotateAuthSecret(at.hub.dataDir, now, kept).keyId;
};

describe('the key that signs tokens', () => {
  it('[ATK-13] is taken from the file of an earlier version as it is, and nobody is signed out', async () => {
    at = await openServer(KEPT);
    for (const text of [`${SECRET}\n`, `${SECRET}\nand a second line\n`]) {
      writeFileSync(file(), text, { mode: 0o600 });
      const before = await at.token(ANA);
      expect(readFileSync(file(), 'utf8')).toBe(text);
      rotate(90);
      const after = await at.token(ANA);
      expect(kidOf(after)).not.toBe(kidOf(before));
      expect([await statusOf(before), await statusOf(after)]).toEqual([200, 200]);
    }
  });

  it('[ATK-13] rotates under a running server: the next token is signed anew, the earlier are taken till they end', async () => {
    at = await openServer(KEPT);
    const first = await at.token(ANA);
    const keyId = rotate(1);
    const second = await at.token(ANA);
    expect(kidOf(second)).toBe(keyId);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(at.hub.dataDir).filter((name) => name.startsWith('auth-secret'))).toEqual([
      'auth-secret',
    ]);
    rotate(1);
    const third = await at.token(ANA);
    for (const token of [first, second, third]) expect(await statusOf(token)).toBe(200);
    const long = await at.hub.app.sessions.issueFor(
      { email: ANA },
      { scopes: ['account:read'], minutes: 90 * 24 * 60 },
    );
    rotate(1);
    at.hub.clock.advance({ days: 1, minutes: 1 });
    expect(await statusOf(long.token)).toBe(401);
    expect(await statusOf(await at.token(ANA))).toBe(200);
  });

  it('[ATK-13] dropped at once signs everybody out, and ends what they follow', async () => {
    at = await openServer(KEPT);
    const token = await at.token(ANA);
    const stream = await at.stream(`/api/threads/${await at.thread(token)}/events`, { token });
    expect(stream.response.status).toBe(200);
    rotate(null);
    expect(await statusOf(token)).toBe(401);
    await stream.all();
    expect(await statusOf(await at.token(ANA))).toBe(200);
  });

  it('[ATK-13] from the environment has one before it, which verifies and signs nothing', async () => {
    at = await openServer();
    const before = await at.token(ANA);
    const next = await openServer({
      dataDir: at.hub.dataDir,
      env: { HUB_AUTH_SECRET: 'another secret of the tests, also long', HUB_AUTH_SECRET_PREVIOUS: SECRET },
    });
    try {
      const after = await next.token(ANA);
      expect((await next.get('/api/session', before)).status).toBe(200);
      expect((await next.get('/api/session', after)).status).toBe(200);
      expect(await statusOf(after)).toBe(401);
    } finally {
      await next.close();
    }
  });

  it('[ATK-13] is not lost with its file while the server runs, and an emptied one makes no new one', async () => {
    at = await openServer(KEPT);
    const token = await at.token(ANA);
    const kept = readFileSync(file(), 'utf8');
    for (const spoil of [
      () => writeFileSync(file(), ''),
      () => writeFileSync(file(), '[]'),
      () => rmSync(file()),
    ]) {
      spoil();
      expect(await statusOf(token)).toBe(200);
      expect(await statusOf(await at.token(ANA))).toBe(200);
    }
    writeFileSync(file(), '');
    const other = await at.hub.another();
    await expect(other.app.sessions.identify(token)).rejects.toMatchObject({ code: 'data_dir_unusable' });
    expect(readFileSync(file(), 'utf8')).toBe('');
    writeFileSync(file(), kept);
    await expect(other.app.sessions.identify(token)).resolves.toMatchObject({ role: 'customer' });
  });
});

import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Stores } from '../../../data/index.js';
import { openServer, type ServerTestOptions, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { inboxRows, spoken } from '../conversations-durable/support.js';
import { ANA, effects, expectBooksToAgree, newRefunds, timesTold } from '../safety/books.js';
import { type RunningChild, startChild } from './run-child.js';

const SAMBA = 'cancel my samba night booking';
const FILES = ['udahub.db', 'cultpass.db', 'checkpoints.db'] as const;
/** Answers of the server that must come while the database is held: many more than a frozen process gives. */
const ANSWERS = 25;

let server: TestServer | null = null;
const holders: RunningChild[] = [];
afterEach(async () => {
  for (const holder of holders.splice(0)) await release(holder);
  await server?.close();
  server = null;
});

/** Another process that writes to the file, until it is released. */
async function hold(dataDir: string, file: string): Promise<RunningChild> {
  const holder = startChild('hold-write-lock', [join(dataDir, file)]);
  holders.push(holder);
  await holder.firstLine;
  return holder;
}

async function release(holder: RunningChild): Promise<void> {
  holder.process.kill('SIGKILL');
  await holder.done;
}

/** A customer who has been asked whether to cancel a booking. */
async function asked(options: ServerTestOptions = {}) {
  server = await openServer({ checkpointer: 'sqlite', ...options });
  const { hub } = server;
  const token = await server.token(ANA);
  const threadId = await server.thread(token);
  const path = `/api/threads/${threadId}/messages`;
  expect((await server.post(path, token, { text: SAMBA })).status).toBe(200);
  // What a turn came to is told apart from what was there before by the time.
  hub.clock.advance({ ms: 1_000 });
  return { one: server, hub, token, threadId, path };
}

describe('a database that another process holds', () => {
  it.each(FILES)(
    '[ATK-04] %s: the turn waits and is done once; the server answers and reads all the while',
    async (file) => {
      const { one, hub, token, threadId, path } = await asked();
      const holder = await hold(hub.dataDir, file);
      let answered = false;
      const yes = one.post(path, token, { text: 'yes', client_message_id: 'yes' }).finally(() => {
        answered = true;
      });
      for (let answers = 0; answers < ANSWERS; answers += 1) {
        expect((await one.get('/healthz')).status).toBe(200);
        expect((await one.get(`/api/threads/${threadId}`, token)).status).toBe(200);
        expect(answered).toBe(false);
      }
      await release(holder);
      const reply = await yes;
      expect(reply.text).toContain('Done');
      expect(reply.status).toBe(200);
      expect(newRefunds(hub)).toHaveLength(1);
      expect(timesTold(hub, threadId, /Done/)).toBe(1);
      expect(spoken(hub, threadId).map(({ role }) => role)).toEqual(['customer', 'hub', 'customer', 'hub']);
      expect(inboxRows(hub).every(({ status }) => status === 'answered')).toBe(true);
      expectBooksToAgree(hub);
    },
  );

  it('[ATK-04] for longer than a call waits, before a message is taken: 503, when to come back, and nothing is kept', async () => {
    const { one, hub, token, threadId, path } = await asked({ overrides: { busyWaitMs: 300 } });
    const holder = await hold(hub.dataDir, 'udahub.db');
    const refused = await one.post(path, token, { text: 'yes', client_message_id: 'yes' });
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({ code: 'database_busy' });
    expect(String(refused.body.detail)).toMatch(/^[A-Z][^/]*nothing was changed[^/]*\.$/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await release(holder);
    expect(spoken(hub, threadId)).toHaveLength(2);
    expect((await one.post(path, token, { text: 'yes', client_message_id: 'yes' })).text).toContain('Done');
    expect(newRefunds(hub)).toHaveLength(1);
  });

  it.each(['cultpass.db', 'checkpoints.db'])(
    '[ATK-04] %s, for longer than a call waits, after a message was taken: 503, and it is answered later, once',
    async (file) => {
      const { one, hub, token, threadId, path } = await asked({ overrides: { busyWaitMs: 300 } });
      const holder = await hold(hub.dataDir, file);
      const late = await one.post(path, token, { text: 'yes', client_message_id: 'yes' });
      expect(late.status).toBe(503);
      expect(late.body).toMatchObject({ code: 'database_busy' });
      expect(String(late.body.detail)).toContain('Your message is kept');
      expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(effects(hub)).toEqual([]);
      await release(holder);
      await until(() => timesTold(hub, threadId, /Done/) > 0);
      await until(() => inboxRows(hub).every(({ status }) => status === 'answered'));
      expect(timesTold(hub, threadId, /Done/)).toBe(1);
      expect(spoken(hub, threadId).filter(({ content }) => content === 'yes')).toHaveLength(1);
      expect(newRefunds(hub)).toHaveLength(1);
      expectBooksToAgree(hub);
    },
  );

  it('[ATK-04] udahub.db, from the middle of a turn and for longer than a call waits: the message is answered later, once', async () => {
    let holder: RunningChild | null = null;
    let held: (() => Promise<RunningChild>) | null = null;
    const wrapStores = (stores: Stores): Stores => ({
      ...stores,
      tickets: {
        ...stores.tickets,
        addMessage: async (...args) => {
          if (held) {
            const take = held;
            held = null;
            holder = await take();
          }
          return stores.tickets.addMessage(...args);
        },
      },
    });
    const { one, hub, token, threadId, path } = await asked({ overrides: { busyWaitMs: 300, wrapStores } });
    held = () => hold(hub.dataDir, 'udahub.db');
    const late = await one.post(path, token, {
      text: 'how many visits do I have left?',
      client_message_id: 'm',
    });
    expect(late.body).toMatchObject({ status: 503, code: 'database_busy' });
    expect(String(late.body.detail)).toContain('Your message is kept');
    if (holder) await release(holder);
    await until(() => timesTold(hub, threadId, /visits? left/) > 0);
    await until(() => inboxRows(hub).every(({ status }) => status === 'answered'));
    expect(timesTold(hub, threadId, /visits? left/)).toBe(1);
    expect(
      spoken(hub, threadId).filter(({ content }) => String(content).startsWith('how many')),
    ).toHaveLength(1);
  });
});

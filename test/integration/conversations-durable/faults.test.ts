import { afterEach, describe, expect, it } from 'vitest';
import type { DatabaseHandle } from '../../../data/open-database.js';
import type { ThreadEvent } from '../../../src/core/domain/conversation.js';
import { until } from '../../support/until.js';
import {
  effects,
  expectBooksToAgree,
  newRefunds,
  outcomeOf,
  reservationStatus,
  timesTold,
} from '../safety/books.js';
import { sayElsewhere } from './processes.js';
import { inboxRows, openTalk, SAMBA, spoken, type Talk, VISITS } from './support.js';

let talk: Talk | null = null;
afterEach(async () => {
  await talk?.hub.close();
  talk = null;
});

/** A hub whose databases can be filled up to a number of pages more than they have. */
async function fillable(): Promise<{
  talk: Talk;
  fill(name: string, spare: number): void;
  free(): void;
}> {
  const handles = new Map<string, DatabaseHandle>();
  talk = await openTalk({ overrides: { onOpened: (name, handle) => void handles.set(name, handle) } });
  const limit = (name: string, pages: number): void => {
    handles.get(name)?.sqlite.pragma(`max_page_count = ${pages}`);
  };
  return {
    talk,
    fill: (name, spare) =>
      limit(name, Number(handles.get(name)?.sqlite.pragma('page_count', { simple: true })) + spare),
    free: () => {
      for (const name of handles.keys()) limit(name, 1_000_000);
    },
  };
}

describe('a disk that is full', () => {
  it.each([
    ['udahub', 0],
    ['udahub', 1],
    ['udahub', 2],
    ['udahub', 3],
    ['udahub', 4],
    ['udahub', 5],
    ['udahub', 6],
    ['udahub', 8],
    ['cultpass', 0],
    ['cultpass', 1],
  ] as const)(
    '[CNV-24] %s with %i pages left: a yes that fails moves no money, and the same message works later',
    async (name, spare) => {
      const { talk: one, fill, free } = await fillable();
      const { hub, threadId, send } = one;
      await send(SAMBA);
      fill(name, spare);
      // Until it is full: words that need room.
      const filler = `hello ${'there '.repeat(500)}`;
      const during: string[] = [];
      for (let index = 0; index < 4; index += 1) during.push(await outcomeOf(send('yes', 'yes')));
      for (const outcome of during) expect(['resolved', 'disk_full', 'database_failed']).toContain(outcome);
      if (during.at(-1) !== 'resolved') {
        expect(effects(hub)).toEqual([]);
        expect(reservationStatus(hub, 'res_002')).toBe('reserved');
      }
      free();
      const done = await send('yes', 'yes');
      expect(done.reply).toContain('Done');
      expect(newRefunds(hub)).toHaveLength(1);
      expect(timesTold(hub, threadId, /Done/)).toBe(1);
      expect(spoken(hub, threadId).filter(({ content }) => content === 'yes')).toHaveLength(1);
      await send(filler);
      expect(inboxRows(hub).every(({ status }) => status === 'answered')).toBe(true);
      await hub.another();
      expectBooksToAgree(hub);
    },
  );

  it('[CNV-24] refuses a message before it is taken, and takes it later', async () => {
    const { talk: one, fill, free } = await fillable();
    await one.send('hello');
    fill('udahub', 0);
    const filler = 'how many visits do I have left? '.repeat(400);
    expect(await outcomeOf(one.send(filler, 'm'))).toBe('disk_full');
    free();
    expect((await one.send(filler, 'm')).reply).toMatch(/visits? left/);
    expect(spoken(one.hub, one.threadId).filter(({ role }) => role === 'customer')).toHaveLength(2);
  });
});

describe('a client that goes away', () => {
  it('[CNV-25] in the middle of its stream: the turn ends and is stored, and the next connection has it all', async () => {
    talk = await openTalk();
    const { hub, identity, threadId, send, follow } = talk;
    const gone = new AbortController();
    const before: ThreadEvent[] = [];
    await hub.app.conversations.follow({
      ...{ identity, threadId, signal: gone.signal },
      onEvent: (event) => {
        before.push(event);
        if (event.body.type === 'triage') gone.abort();
      },
    });
    const lost = send(VISITS, 'm1', (event) => {
      if (event.body.type === 'token') throw new Error('The connection is gone.');
    });
    expect((await lost).reply).toMatch(/visits? left/);
    expect(before.at(-1)?.body.type).toBe('triage');
    const rest: ThreadEvent[] = [];
    const stop = await follow((event) => rest.push(event), before.at(-1)?.id);
    stop();
    expect(rest.at(-1)?.body.type).toBe('done');
    expect(spoken(hub, threadId)).toHaveLength(2);
  });

  it('[CNV-25] with its whole hub: a stop waits for the turn that runs', async () => {
    talk = await openTalk();
    const { hub, identity, threadId, send } = talk;
    const other = await hub.another();
    const { conversations } = other.app;
    const reply = conversations.send({
      identity,
      threadId,
      text: VISITS,
      clientMessageId: 'm1',
      channel: 'http',
    });
    await until(() => inboxRows(hub).length === 1);
    await other.close();
    expect((await reply).reply).toMatch(/visits? left/);
    expect(await send(VISITS, 'm1')).toEqual(await reply);
  });
});

describe('many messages at once from two processes', () => {
  it('[CNV-26] are kept once each, all answered, and the answers do not interleave', async () => {
    talk = await openTalk();
    const { hub, threadId, send } = talk;
    await send('hello', 'first');
    const there = Array.from({ length: 10 }, (_, index) => `${VISITS} There ${index}`);
    const elsewhere = sayElsewhere(hub.dataDir, threadId, 'none', there, 'there');
    const here: string[] = [];
    const replies: Promise<string>[] = [];
    let over = false;
    void elsewhere.then(() => {
      over = true;
    });
    const came = (): number =>
      inboxRows(hub).filter((row) => String(row.client_message_id).startsWith('there')).length;
    // Ours come between those of the other process, as they come, so that both are at it at the same time.
    for (let count = 1; count <= 10; count += 1) {
      await until(() => over || came() >= count);
      const text = `${VISITS} Here ${count}`;
      here.push(text);
      replies.push(send(text, `here-${count}`).then(({ reply }) => reply));
    }
    const { stdout, stderr } = await elsewhere;
    const told = JSON.parse(stdout.split('\n').at(-2) ?? '') as { reply?: string; error?: string }[];
    expect(told, stderr).toHaveLength(10);
    for (const { reply } of told) expect(reply).toMatch(/visits? left/);
    for (const reply of await Promise.all(replies)) expect(reply).toMatch(/visits? left/);
    const rows = spoken(hub, threadId);
    const said = rows.filter(({ role }) => role === 'customer').map(({ content }) => content);
    expect([...said].sort()).toEqual(['hello', ...here, ...there].sort());
    expect(inboxRows(hub).every(({ status }) => status === 'answered')).toBe(true);
    // Customer's words, then one answer to them, and so on.
    for (const [index, { role }] of rows.entries())
      if (role === 'hub') expect(rows[index - 1]?.role).toBe('customer');
    expect(rows.at(-1)?.role).toBe('hub');
  });

  it('[CNV-26] say yes as often as they like: one decision, told once', async () => {
    talk = await openTalk();
    const { hub, threadId, send } = talk;
    await send(SAMBA);
    const there = sayElsewhere(hub.dataDir, threadId, 'none', ['yes', 'yes', 'yes'], 'there');
    let over = false;
    void there.then(() => {
      over = true;
    });
    await until(() => over || hub.query('udahub', 'SELECT 1 FROM thread_inbox').length > 1);
    await Promise.all([send('yes'), send('yes')]);
    await there;
    expect(newRefunds(hub)).toHaveLength(1);
    expect(timesTold(hub, threadId, /Done/)).toBe(1);
    expectBooksToAgree(hub);
  });
});

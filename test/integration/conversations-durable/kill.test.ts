import { rmSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Hub, openHub, seededDir } from '../../support/hub.js';
import { copyAt, leftAt, momentsArgument } from '../../support/kill-moments.js';
import { until } from '../../support/until.js';
import {
  auditRows,
  effects,
  expectBooksToAgree,
  newRefunds,
  reservationStatus,
  timesTold,
} from '../safety/books.js';
import { sayElsewhere } from './processes.js';
import { ANA, inboxRows, SAMBA, spoken, type Talk, talkOn, VISITS } from './support.js';

const opened: Hub[] = [];
const directories: string[] = [];
afterEach(async () => {
  for (const hub of opened.splice(0)) await hub.close();
});
afterAll(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

async function restart(dataDir: string): Promise<Hub> {
  const hub = await openHub({ dataDir, checkpointer: 'sqlite' });
  opened.push(hub);
  return hub;
}

/**
 * Says the words in a process that is killed at moments of the last of them: one process for all of them, when the first
 * test asks for it.
 * @returns starts the hub again on what was left at a moment
 */
function killedIn(moments: readonly string[], ...words: readonly string[]) {
  const play = async () => {
    const dataDir = await seededDir();
    directories.push(dataDir, ...moments.map((moment) => copyAt(dataDir, moment)));
    const first = await openHub({ dataDir, checkpointer: 'sqlite' });
    const identity = await first.app.signIn(ANA);
    const { threadId } = await first.app.conversations.create(identity);
    await first.close();
    const { signal, stderr } = await sayElsewhere(dataDir, threadId, momentsArgument(moments), words);
    expect(signal, stderr).toBe('SIGKILL');
    return { dataDir, threadId, identity };
  };
  let played: ReturnType<typeof play> | undefined;
  return async (moment: string): Promise<Talk> => {
    played ??= play();
    const { dataDir, threadId, identity } = await played;
    return talkOn(await restart(leftAt(dataDir, moment)), identity, threadId);
  };
}

/** Every message that was taken has one answer, and everybody who looks on is told of each message once. */
async function expectAllAnswered({ hub, threadId, send }: Talk, ...words: readonly string[]): Promise<void> {
  await until(() => inboxRows(hub).every(({ status }) => status === 'answered'));
  const said = spoken(hub, threadId).filter(({ role }) => role === 'customer');
  // A press stays as what stood on the button.
  expect(said.map(({ content }) => content)).toEqual(
    words.map((text) => text.replace('button:yes', 'Cancel, R$ 60.00 back')),
  );
  const last = spoken(hub, threadId).at(-1);
  expect(last?.role).toBe('hub');
  const text = words.at(-1) ?? '';
  if (!text.startsWith('button:')) {
    const again = await send(text, `m-${words.length}`);
    expect(again.reply).toContain(last?.content);
    expect(spoken(hub, threadId).at(-1)).toEqual(last);
  }
  const told = hub.query(
    'udahub',
    `SELECT json_extract(data, '$.message.content') AS content FROM thread_events WHERE type = 'message' ORDER BY seq`,
  );
  const all = spoken(hub, threadId).map(({ content }) => content);
  expect(told.map(({ content }) => content)).toEqual(all);
}

function expectCancelledOnce({ hub, threadId }: Talk): void {
  expect(newRefunds(hub)).toMatchObject([{ reservation_id: 'res_002', amount_cents: 6_000 }]);
  expect(effects(hub)).toHaveLength(1);
  expect(reservationStatus(hub, 'res_002')).toBe('cancelled');
  expect(timesTold(hub, threadId, /Done/)).toBe(1);
  expect(auditRows(hub)).toHaveLength(1);
  expectBooksToAgree(hub);
}

const YES_MOMENTS = [
  'after accept',
  'after take',
  'after decision',
  'after words',
  'before effect',
  'after effect',
  'before audit',
  'before the hub has spoken',
  'after the hub has spoken',
  'before checkpoint',
  'after checkpoint',
  'before release',
  'after release',
  'in the stream',
  'before answer',
  'after answer',
];

const BUTTON_MOMENTS = ['after decision', 'after effect', 'before answer'];
const NO_MOMENTS = ['after decision', 'before answer'];
const REQUEST_MOMENTS = [
  'after take',
  'after words',
  'after question',
  'before the hub has spoken',
  'after the hub has spoken',
  'after checkpoint',
  'before answer',
];
const PERSON = 'I want to talk to a person';
const PERSON_MOMENTS = ['after words', 'after escalation', 'after the hub has spoken'];

describe('a process killed in the middle of a refund', () => {
  const killedInYes = killedIn(YES_MOMENTS, SAMBA, 'yes');
  it.each(YES_MOMENTS)(
    '[CNV-20] %s of a yes: refunded once, told once, and the message has its answer',
    async (moment) => {
      const talk = await killedInYes(moment);
      await expectAllAnswered(talk, SAMBA, 'yes');
      expectCancelledOnce(talk);
      await talk.hub.app.conversations.recover();
      const later = talkOn(await restart(talk.hub.dataDir), talk.identity, talk.threadId);
      expect((await later.send(VISITS)).reply).toMatch(/visits? left/);
      expectCancelledOnce(later);
    },
  );

  const killedInButton = killedIn(BUTTON_MOMENTS, SAMBA, 'button:yes');
  it.each(BUTTON_MOMENTS)('[CNV-20] %s of the button: the same', async (moment) => {
    const talk = await killedInButton(moment);
    await expectAllAnswered(talk, SAMBA, 'button:yes');
    expectCancelledOnce(talk);
  });

  const killedInNo = killedIn(NO_MOMENTS, SAMBA, 'no');
  it.each(NO_MOMENTS)('[CNV-20] %s of a no: nothing is changed, and that is told once', async (moment) => {
    const talk = await killedInNo(moment);
    await expectAllAnswered(talk, SAMBA, 'no');
    expect(effects(talk.hub)).toEqual([]);
    expect(timesTold(talk.hub, talk.threadId, /not changed/)).toBe(1);
  });

  const killedInRequest = killedIn(REQUEST_MOMENTS, SAMBA);
  it.each(REQUEST_MOMENTS)(
    '[CNV-21] %s of the request: it is asked once, and a yes does it',
    async (moment) => {
      const talk = await killedInRequest(moment);
      await expectAllAnswered(talk, SAMBA);
      expect(timesTold(talk.hub, talk.threadId, /\(yes\/no\)|\?/)).toBe(1);
      const asked = talk.hub.query('udahub', 'SELECT pending_id FROM approvals');
      expect(asked).toHaveLength(1);
      const { pending } = await talk.hub.app.conversations.show(talk.identity, talk.threadId);
      expect(pending?.id).toBe(asked[0]?.pending_id);
      expect((await talk.send('yes')).reply).toContain('Done');
      expectCancelledOnce(talk);
    },
  );

  const killedInCall = killedIn(PERSON_MOMENTS, PERSON);
  it.each(PERSON_MOMENTS)(
    '[CNV-22] %s of a call for a person: the ticket is handed over, and the customer knows',
    async (moment) => {
      const talk = await killedInCall(moment);
      await expectAllAnswered(talk, PERSON);
      const { owner } = await talk.hub.app.conversations.show(talk.identity, talk.threadId);
      expect(owner.kind).toBe('operator');
      const tickets = await talk.hub.app.desk.queue({ owner: 'operator', limit: 10 });
      expect(tickets).toHaveLength(1);
    },
  );

  it('[CNV-23] a process that lives takes over within moments what a dead one left', async () => {
    const dataDir = await seededDir();
    directories.push(dataDir);
    const hub = await restart(dataDir);
    const identity = await hub.app.signIn(ANA);
    const { threadId } = await hub.app.conversations.create(identity);
    const talk = talkOn(hub, identity, threadId);
    const { signal } = await sayElsewhere(dataDir, threadId, 'after words', [VISITS]);
    expect(signal).toBe('SIGKILL');
    expect(spoken(hub, threadId)).toHaveLength(1);
    expect(await hub.app.conversations.recover()).toBe(1);
    expect((await talk.send(VISITS, 'm-1')).reply).toMatch(/visits? left/);
    expect(spoken(hub, threadId)).toHaveLength(2);
    expect(await hub.app.conversations.recover()).toBe(0);
  });
});

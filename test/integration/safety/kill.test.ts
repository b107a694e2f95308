import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { runChild } from '../../support/child-process.js';
import { type Hub, openHub, seededDir } from '../../support/hub.js';
import {
  ANA,
  auditRows,
  effects,
  expectBooksToAgree,
  newRefunds,
  OPERATOR,
  reservationStatus,
  timesTold,
} from './books.js';

const CHILD = new URL('./children/turn-and-die.ts', import.meta.url);
const SAMBA = 'cancel my samba night booking';
const LATE = 'cancel my booking res_001';

const opened: Hub[] = [];
const directories: string[] = [];
afterEach(async () => {
  for (const hub of opened.splice(0)) await hub.close();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

interface Killed {
  readonly dataDir: string;
  readonly threadId: string;
}

/** Plays the words in a process that is killed at the moment, and makes sure that it was. */
async function killedAt(moment: string, ...words: readonly string[]): Promise<Killed> {
  const dataDir = await seededDir();
  directories.push(dataDir);
  const { signal, stdout, stderr } = await runChild(CHILD, [dataDir, moment, ANA, ...words]);
  expect(signal, stderr).toBe('SIGKILL');
  return { dataDir, threadId: stdout.trim() };
}

async function restart({ dataDir }: Killed): Promise<Hub> {
  const hub = await openHub({ dataDir, checkpointer: 'sqlite' });
  opened.push(hub);
  return hub;
}

/** Samba night is cancelled and refunded once, everybody knows it once, and no start or word changes that. */
async function expectCancelledOnce(killed: Killed, reservationId: string, cents: number): Promise<void> {
  const hub = await restart(killed);
  const check = (): void => {
    expect(newRefunds(hub)).toMatchObject([{ reservation_id: reservationId, amount_cents: cents }]);
    expect(effects(hub)).toHaveLength(1);
    expect(reservationStatus(hub, reservationId)).toBe('cancelled');
    expect(timesTold(hub, killed.threadId, /Done/)).toBe(1);
    expect(auditRows(hub)).toHaveLength(1);
    expectBooksToAgree(hub);
  };
  check();
  await restart(killed);
  for (const words of ['yes', 'how many visits do I have left?', 'yes'])
    await hub.say(ANA, words, killed.threadId);
  check();
}

describe('a process killed in the middle, sqlite checkpointer', () => {
  it('[CONF-10] has left its question open, and the next process takes the answer', async () => {
    const killed = await killedAt('the end', SAMBA);
    const hub = await restart(killed);
    expect(effects(hub)).toEqual([]);
    const done = await hub.say(ANA, 'yes', killed.threadId);
    expect(done.toolCalls).toMatchObject([{ tool: 'cancel_reservation', ok: true }]);
    await expectCancelledOnce(killed, 'res_002', 6_000);
  });

  it.each([
    'after decision',
    'after effect',
    'before audit',
    'after audit',
    'before release',
    'after release',
  ])(
    '[CONF-10 CONF-11] %s of a yes: what was agreed to is done once, and the customer is told',
    async (moment) => {
      await expectCancelledOnce(await killedAt(moment, SAMBA, 'yes'), 'res_002', 6_000);
    },
  );

  it.each(['after decision', 'after effect'])('%s of an approval: the same', async (moment) => {
    await expectCancelledOnce(await killedAt(moment, LATE, 'yes', 'approve'), 'res_001', 9_000);
  });

  it('after the yes, before the operators were asked: they are asked', async () => {
    const killed = await killedAt('after decision', LATE, 'yes');
    const hub = await restart(killed);
    expect(effects(hub)).toEqual([]);
    const [approval, ...others] = await hub.app.desk.approvals();
    expect(others).toEqual([]);
    expect(timesTold(hub, killed.threadId, /asked our team/)).toBe(1);
    await hub.app.desk.approve(approval?.pendingId ?? '', OPERATOR);
    await expectCancelledOnce(killed, 'res_001', 9_000);
  });

  it('after an operator said no: the customer is told once, and nothing was changed', async () => {
    const killed = await killedAt('after decision', LATE, 'yes', 'reject');
    const hub = await restart(killed);
    await hub.say(ANA, 'any news?', killed.threadId);
    await hub.say(ANA, 'and now?', killed.threadId);
    expect(timesTold(hub, killed.threadId, /not this time/)).toBe(1);
    expect(effects(hub)).toEqual([]);
    expect(reservationStatus(hub, 'res_001')).toBe('reserved');
    expectBooksToAgree(hub);
  });
});

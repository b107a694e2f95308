import { rmSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { runChild } from '../../support/child-process.js';
import { type Hub, openHub, seededDir } from '../../support/hub.js';
import { copyAt, leftAt, momentsArgument } from '../../support/kill-moments.js';
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
});
afterAll(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

interface Killed {
  readonly dataDir: string;
  readonly threadId: string;
}

/**
 * Plays the words in a process that is killed at moments of the last of them: one process for all of them, when the first
 * test asks for it.
 * @returns what was left at a moment
 */
function killedIn(moments: readonly string[], ...words: readonly string[]) {
  const play = async () => {
    const dataDir = await seededDir();
    directories.push(dataDir, ...moments.map((moment) => copyAt(dataDir, moment)));
    const { signal, stdout, stderr } = await runChild(CHILD, [
      ...[dataDir, momentsArgument(moments), ANA],
      ...words,
    ]);
    expect(signal, stderr).toBe('SIGKILL');
    return { dataDir, threadId: stdout.trim() };
  };
  let played: ReturnType<typeof play> | undefined;
  return async (moment: string): Promise<Killed> => {
    played ??= play();
    const { dataDir, threadId } = await played;
    return { dataDir: leftAt(dataDir, moment), threadId };
  };
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

const YES_MOMENTS = [
  'after decision',
  'after effect',
  'before audit',
  'after audit',
  'before release',
  'after release',
];
const APPROVAL_MOMENTS = ['after decision', 'after effect'];

describe('a process killed in the middle, sqlite checkpointer', () => {
  it('[CONF-10] has left its question open, and the next process takes the answer', async () => {
    const killed = await killedIn(['the end'], SAMBA)('the end');
    const hub = await restart(killed);
    expect(effects(hub)).toEqual([]);
    const done = await hub.say(ANA, 'yes', killed.threadId);
    expect(done.toolCalls).toMatchObject([{ tool: 'cancel_reservation', ok: true }]);
    await expectCancelledOnce(killed, 'res_002', 6_000);
  });

  const killedInYes = killedIn(YES_MOMENTS, SAMBA, 'yes');
  it.each(YES_MOMENTS)(
    '[CONF-10 CONF-11] %s of a yes: what was agreed to is done once, and the customer is told',
    async (moment) => {
      await expectCancelledOnce(await killedInYes(moment), 'res_002', 6_000);
    },
  );

  const killedInApproval = killedIn(APPROVAL_MOMENTS, LATE, 'yes', 'approve');
  it.each(APPROVAL_MOMENTS)('%s of an approval: the same', async (moment) => {
    await expectCancelledOnce(await killedInApproval(moment), 'res_001', 9_000);
  });

  it('after the yes, before the operators were asked: they are asked', async () => {
    const killed = await killedIn(['after decision'], LATE, 'yes')('after decision');
    const hub = await restart(killed);
    expect(effects(hub)).toEqual([]);
    const [approval, ...others] = await hub.app.desk.approvals();
    expect(others).toEqual([]);
    expect(timesTold(hub, killed.threadId, /asked our team/)).toBe(1);
    await hub.app.desk.approve(approval?.pendingId ?? '', OPERATOR);
    await expectCancelledOnce(killed, 'res_001', 9_000);
  });

  it('after an operator said no: the customer is told once, and nothing was changed', async () => {
    const killed = await killedIn(['after decision'], LATE, 'yes', 'reject')('after decision');
    const hub = await restart(killed);
    await hub.say(ANA, 'any news?', killed.threadId);
    await hub.say(ANA, 'and now?', killed.threadId);
    expect(timesTold(hub, killed.threadId, /not this time/)).toBe(1);
    expect(effects(hub)).toEqual([]);
    expect(reservationStatus(hub, 'res_001')).toBe('reserved');
    expectBooksToAgree(hub);
  });
});

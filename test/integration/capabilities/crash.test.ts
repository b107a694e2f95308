import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ConfirmationNeeded } from '../../../src/core/capabilities.js';
import { HubError } from '../../../src/core/errors.js';
import { runChild } from '../../support/child-process.js';
import { wrapEffects } from '../../support/effects.js';
import { type Hub, openHub, seededDir } from '../../support/hub.js';
import { ANA, effects, expectBooksToAgree, newRefunds, outcomeOf, timesTold } from '../safety/books.js';
import { as, OPERATOR, programOf, proposed } from './support.js';

const CHILD = new URL('../../support/capability-process.ts', import.meta.url);
const SAMBA = { reservation_id: 'res_002' };

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleanUps.splice(0).reverse()) await clean();
});

/** @returns the plan, where the process came so far */
async function killedAt(
  moment: string,
  reservation: string,
  dataDir: string,
): Promise<ConfirmationNeeded | null> {
  const { signal, stdout, stderr } = await runChild(CHILD, [dataDir, moment, ANA, reservation]);
  expect(signal, stderr).toBe('SIGKILL');
  return stdout === '' ? null : (JSON.parse(stdout) as ConfirmationNeeded);
}

async function newDir(): Promise<string> {
  const dataDir = await seededDir();
  cleanUps.push(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

async function restart(dataDir: string): Promise<Hub> {
  const hub = await openHub({ dataDir });
  cleanUps.push(() => hub.close());
  return hub;
}

const MOMENTS = ['after decision', 'after effect', 'before release', 'after question'] as const;

interface Left {
  readonly dataDir: string;
  /** Null where the process did not come so far. */
  readonly plan: ConfirmationNeeded | null;
}

/** All at once, since starting a process takes longer than all else. */
const killed = new Map<string, Left>();
const left: string[] = [];
beforeAll(async () => {
  const all = MOMENTS.map(async (moment) => {
    const dataDir = await seededDir();
    left.push(dataDir);
    killed.set(moment, { dataDir, plan: await killedAt(moment, 'res_002', dataDir) });
  });
  await Promise.all(all);
});
afterAll(() => {
  for (const dataDir of left) rmSync(dataDir, { recursive: true, force: true });
});

const leftAt = (moment: (typeof MOMENTS)[number]): Left => killed.get(moment) ?? { dataDir: '', plan: null };

describe('a hub that is killed while a program changes something', () => {
  it.each(['after decision', 'after effect', 'before release'] as const)(
    '[CAP-16] %s: the next start finishes it once, and says so to customer and program',
    async (moment) => {
      const { dataDir, plan } = leftAt(moment);
      const hub = await restart(dataDir);
      const ana = await programOf(hub, ANA);
      const check = async (at: Hub): Promise<void> => {
        expect(newRefunds(at)).toMatchObject([{ reservation_id: 'res_002', amount_cents: 6_000 }]);
        expect(effects(at)).toHaveLength(1);
        expectBooksToAgree(at);
        const [ticket] = at.query('udahub', 'SELECT thread_id FROM tickets');
        expect(timesTold(at, String(ticket?.thread_id), /^Done/)).toBe(1);
        expect((await at.app.capabilities.status(ana, plan?.pendingId ?? '')).kind).toBe('done');
      };
      await check(hub);
      const token = plan?.token ?? '';
      const again = hub.app.capabilities.confirm({ caller: ana, token, approved: true });
      expect(await outcomeOf(again)).toBe('pending_decided');
      await check(await restart(dataDir));
    },
  );

  it('[CAP-16] after question: the same key finds what was begun', async () => {
    const { dataDir, plan: none } = leftAt('after question');
    expect(none).toBeNull();
    const hub = await restart(dataDir);
    const ana = await programOf(hub, ANA);
    const plan = await proposed(hub, ana, 'cancel_reservation', SAMBA, 'kill');
    for (const table of ['threads', 'tickets', 'approvals'])
      expect(hub.query('udahub', `SELECT * FROM ${table}`), table).toHaveLength(1);
    const [ticket] = hub.query('udahub', 'SELECT thread_id FROM tickets');
    expect(timesTold(hub, String(ticket?.thread_id), /Shall I cancel/)).toBe(1);
    as('done', await hub.app.capabilities.confirm({ caller: ana, token: plan.token, approved: true }));
    expect(effects(hub)).toHaveLength(1);
  });

  it('[CAP-16] right after an approval: the effect comes once with the next start', async () => {
    const dataDir = await newDir();
    const hub = await openHub({ dataDir });
    const ana = await programOf(hub, ANA);
    const plan = await proposed(hub, ana, 'cancel_reservation', { reservation_id: 'res_001' });
    const asked = await hub.app.capabilities.confirm({ caller: ana, token: plan.token, approved: true });
    const { pendingId } = as('awaiting_operator', asked);
    await hub.close();
    const dying = await openHub({ dataDir });
    dying.exec(
      'udahub',
      `UPDATE approvals SET status = 'approved', decided_at = '2026-03-11T15:00:01.000Z', decided_by = 'operator:${OPERATOR.operatorId}'
       WHERE pending_id = '${pendingId}'`,
    );
    await dying.close();
    const after = await restart(dataDir);
    expect(effects(after)).toMatchObject([{ released_by: 'operator:op_1' }]);
    expect(await after.app.capabilities.status(ana, plan.pendingId)).toMatchObject({ kind: 'done' });
  });

  it('[CAP-17] a full disk undoes the yes, so that the same confirmation may be given again', async () => {
    const dataDir = await newDir();
    let full = true;
    const hub = await openHub({
      dataDir,
      overrides: {
        wrapCompany: (backend) =>
          wrapEffects(backend, (perform) => async (...args) => {
            if (full) throw new HubError('disk_full', 'The disk is full.');
            return perform(...args);
          }),
      },
    });
    cleanUps.push(() => hub.close());
    const ana = await programOf(hub, ANA);
    const { token, pendingId } = await proposed(hub, ana, 'cancel_reservation', SAMBA);
    const confirm = () => hub.app.capabilities.confirm({ caller: ana, token, approved: true });
    expect(await outcomeOf(confirm())).toBe('disk_full');
    expect((await hub.app.capabilities.status(ana, pendingId)).kind).toBe('confirmation');
    expect(effects(hub)).toEqual([]);
    full = false;
    as('done', await confirm());
    expect(effects(hub)).toHaveLength(1);
    expectBooksToAgree(hub);
  });
});

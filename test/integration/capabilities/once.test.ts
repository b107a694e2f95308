import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CapabilityOutcome, OutsideCaller } from '../../../src/core/capabilities.js';
import { HubError } from '../../../src/core/errors.js';
import { type Hub, openHub } from '../../support/hub.js';
import { ANA, BRUNO, effects, expectBooksToAgree, outcomeOf } from '../safety/books.js';
import { as, call, programOf, proposed } from './support.js';

const SAMBA = { reservation_id: 'res_002' };

let hub: Hub;
let ana: OutsideCaller;
beforeEach(async () => {
  hub = await openHub();
  ana = await programOf(hub, ANA);
});
afterEach(async () => {
  expectBooksToAgree(hub);
  await hub.close();
});

const count = (table: string): number => Number(hub.query('udahub', `SELECT count(*) n FROM ${table}`)[0]?.n);

describe('a call with an idempotency key', () => {
  it('[CAP-14] asks once and does once, however often and wherever it is repeated', async () => {
    const other = await hub.another();
    const keyed = (at: Hub): Promise<CapabilityOutcome> =>
      call(at, ana, 'cancel_reservation', SAMBA, { idempotencyKey: 'k-1' });
    const all = await Promise.all([keyed(hub), keyed(other), keyed(hub), keyed(other)]);
    expect(new Set(all.map((outcome) => as('confirmation', outcome).token)).size).toBe(1);
    expect([count('approvals'), count('tickets'), count('threads')]).toEqual([1, 1, 1]);
    const { token } = as('confirmation', await keyed(hub));
    const done = await hub.app.capabilities.confirm({ caller: ana, token, approved: true });
    expect(await keyed(other)).toEqual(done);
    expect(as('done', await keyed(hub)).data).toMatchObject({ status: 'cancelled' });
    expect(effects(hub)).toHaveLength(1);
    expect(count('approvals')).toBe(1);
  });

  it("[CAP-14] gives a read the same answer again, and is its caller's own", async () => {
    const keyed = (caller: OutsideCaller) =>
      call(hub, caller, 'get_subscription', {}, { idempotencyKey: 'k-2' });
    const first = await keyed(ana);
    hub.exec('cultpass', `UPDATE subscriptions SET tier = 'basic' WHERE user_id = 'usr_001'`);
    expect(await keyed(ana)).toEqual(first);
    expect(await call(hub, ana, 'get_subscription')).not.toEqual(first);
    expect(await keyed(await programOf(hub, BRUNO))).not.toEqual(first);
  });

  it('[CAP-15] is refused with another input or tool, and a faulty call uses up no key', async () => {
    const keyed = (name: string, input = {}) => call(hub, ana, name, input, { idempotencyKey: 'k-3' });
    expect(await outcomeOf(keyed('cancel_reservation', { reservation_id: 7 }))).toBe('input_invalid');
    as('confirmation', await keyed('cancel_reservation', SAMBA));
    expect(await outcomeOf(keyed('cancel_reservation', { reservation_id: 'res_003' }))).toBe(
      'idempotency_conflict',
    );
    expect(await outcomeOf(keyed('lookup_user'))).toBe('idempotency_conflict');
    for (const bad of ['', '  ', 'x'.repeat(201), 'naïve'])
      expect(await outcomeOf(call(hub, ana, 'lookup_user', {}, { idempotencyKey: bad })), bad).toBe(
        'input_invalid',
      );
  });

  it('[CAP-15] may be used again after a fault: what was begun is found', async () => {
    let broken = true;
    const faulty = await hub.another({
      overrides: {
        wrapStores: (stores) => ({
          ...stores,
          pending: {
            ...stores.pending,
            open: async (next) => {
              if (broken) throw new HubError('disk_full', 'The disk is full.');
              return stores.pending.open(next);
            },
          },
        }),
      },
    });
    const keyed = () => call(faulty, ana, 'cancel_reservation', SAMBA, { idempotencyKey: 'k-4' });
    expect(await outcomeOf(keyed())).toBe('disk_full');
    broken = false;
    as('confirmation', await keyed());
    expect([count('approvals'), count('tickets')]).toEqual([1, 1]);
  });

  it('[CAP-15] runs a skill once for the same key', async () => {
    const input = { message: 'my refund is missing' };
    const keyed = () => call(hub, ana, 'missing_refund', input, { idempotencyKey: 'k-5' });
    const [one, two] = await Promise.all([keyed(), keyed()]);
    expect(two).toEqual(one);
    expect(count('skill_runs')).toBe(1);
    const another = await proposed(hub, ana, 'cancel_reservation', SAMBA);
    expect(another.kind).toBe('confirmation');
  });
});

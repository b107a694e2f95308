import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/core/ports/effect-ledger.js';
import type { HubWorld, OpenHubWorld } from './world.js';

const entry = (auditKey: string, over: Partial<AuditEntry> = {}): AuditEntry => ({
  auditKey,
  ticketId: 'tkt_1',
  customerId: 'usr_001',
  actor: 'customer:usr_001',
  action: 'cancel_reservation',
  outcome: 'done',
  details: { args: { reservation_id: 'res_001' }, nested: [1, null, 'ação'] },
  createdAt: '2026-03-11T15:00:00.000Z',
  ...over,
});

/** What every AuditLog must do. */
export function auditLogSuite(name: string, open: OpenHubWorld): void {
  describe(`AuditLog: ${name}`, () => {
    let world: HubWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());
    const audit = () => world.stores.audit;

    it('keeps entries as they were, oldest first', async () => {
      await audit().append(entry('a'));
      await audit().append(
        entry('b', { ticketId: null, customerId: null, actor: 'hub', outcome: 'refused', details: {} }),
      );
      expect(await audit().list({ limit: 10 })).toEqual([
        entry('a'),
        entry('b', { ticketId: null, customerId: null, actor: 'hub', outcome: 'refused', details: {} }),
      ]);
    });

    it('leaves an existing key as it is', async () => {
      await audit().append(entry('a'));
      await audit().append(entry('a', { outcome: 'failed', details: {} }));
      expect(await audit().list({ limit: 10 })).toEqual([entry('a')]);
    });

    it('filters by ticket and by customer', async () => {
      await audit().append(entry('a'));
      await audit().append(entry('b', { ticketId: 'tkt_2' }));
      await audit().append(entry('c', { ticketId: 'tkt_2', customerId: 'usr_002' }));
      const keys = async (filter: object) =>
        (await audit().list({ limit: 10, ...filter })).map((one) => one.auditKey);
      expect(await keys({ ticketId: 'tkt_2' })).toEqual(['b', 'c']);
      expect(await keys({ customerId: 'usr_001' })).toEqual(['a', 'b']);
      expect(await keys({ ticketId: 'tkt_2', customerId: 'usr_001' })).toEqual(['b']);
      expect(await keys({ limit: 1 })).toEqual(['a']);
    });
  });
}

import { createRandomIds, createSystemClock } from '../../../../src/adapters/system.js';
import { openStores } from '../../../support/stores.js';
import { argument, dieNow, noLog } from './support.js';

/** Cancels a reservation and dies before it can write the audit row. */
const clock = createSystemClock();
const stores = await openStores({ dataDir: argument(0), clock, ids: createRandomIds(), log: noLog });
const { ticketId } = await stores.tickets.create({
  customerId: 'usr_001',
  threadId: 'thr_crash',
  channel: 'chat',
});
await stores.pending.open({
  ...{
    pendingId: 'pnd_crash',
    kind: 'confirmation',
    threadId: 'thr_crash',
    graphThreadId: 'thr_crash',
    ticketId,
  },
  ...{ customerId: 'usr_001', tool: 'cancel_reservation', args: {}, argsHash: 'hash', question: '?' },
  ...{ needsOperator: false, expiresAt: new Date(clock.now().getTime() + 600_000).toISOString() },
});
await stores.pending.decide('pnd_crash', { approved: true, by: 'customer:usr_001' });
await stores.customerWrites.cancelReservation(
  {
    customerId: 'usr_001',
    idempotencyKey: 'pnd_crash',
    argsHash: 'hash',
    ticketId,
    releasedBy: 'customer:usr_001',
    at: clock.now(),
  },
  'res_002',
  6000,
);
dieNow();

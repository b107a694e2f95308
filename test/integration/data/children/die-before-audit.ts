import { openStores } from '../../../../data/index.js';
import { createRandomIds } from '../../../../src/adapters/random-ids.js';
import { createSystemClock } from '../../../../src/adapters/system-clock.js';
import { argument, dieNow, noLog } from './support.js';

/** Cancels a reservation and dies before it can write the audit row. */
const clock = createSystemClock();
const stores = await openStores({ dataDir: argument(0), clock, ids: createRandomIds(), log: noLog });
await stores.customerWrites.cancelReservation(
  {
    customerId: 'usr_001',
    idempotencyKey: 'pnd_crash',
    argsHash: 'hash',
    ticketId: 'tkt_crash',
    releasedBy: 'customer:usr_001',
    at: clock.now(),
  },
  'res_002',
  6000,
);
dieNow();

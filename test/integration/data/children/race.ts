import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandomIds, createSystemClock } from '../../../../src/adapters/system.js';
import { toHubError } from '../../../../src/core/errors.js';
import { openStores } from '../../../support/stores.js';
import { argument, noLog, report } from './support.js';

/**
 * Cancels every reservation of some customers under keys of its own and decides every open approval; reports each
 * outcome. Says that it is ready, and begins when there is a file of the third argument's name.
 */
const [dataDir, me, starter] = [argument(0), argument(1), argument(2)];
const clock = createSystemClock();
const stores = await openStores({ dataDir, clock, ids: createRandomIds(), log: noLog });
const outcomes: Record<string, string> = {};
const attempt = async (what: string, work: Promise<unknown>): Promise<void> => {
  outcomes[what] = await work.then(
    () => 'done',
    (error: unknown) => toHubError(error).code,
  );
};

const reservations = [];
for (const customerId of ['usr_001', 'usr_019', 'usr_021', 'usr_024', 'usr_025', 'usr_027']) {
  const own = await stores.customers.listReservations(customerId);
  reservations.push(...own.filter(({ status }) => status === 'reserved'));
}
const approvals = await stores.pending.listOpenApprovals();
// All start together, however long each took to get here, or there is no race.
report('ready');
while (!existsSync(starter)) await sleep(1);
for (const { userId: customerId, reservationId } of reservations) {
  const key = { idempotencyKey: `${me}:${reservationId}`, argsHash: 'h', ticketId: 't' };
  const context = { ...key, customerId, releasedBy: me, at: clock.now() };
  await attempt(reservationId, stores.customerWrites.cancelReservation(context, reservationId, 0));
}
for (const { pendingId } of approvals) {
  await attempt(pendingId, stores.pending.decide(pendingId, { approved: me === 'a', by: me }));
}
await stores.close();
report(outcomes);

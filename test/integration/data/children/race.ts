import { openStores } from '../../../../data/index.js';
import { createRandomIds } from '../../../../src/adapters/random-ids.js';
import { createSystemClock } from '../../../../src/adapters/system-clock.js';
import { toHubError } from '../../../../src/core/errors.js';
import { argument, noLog, report } from './support.js';

/** Cancels every reservation of some customers under keys of its own and decides every open approval; reports each outcome. */
const [dataDir, me] = [argument(0), argument(1)];
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
// Both start at the same full second, or there is no race.
const start = Math.ceil((Date.now() + 300) / 1_000) * 1_000;
await new Promise((resolve) => setTimeout(resolve, start - Date.now()));
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

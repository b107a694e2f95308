import { createRandomIds, createSystemClock } from '../../../../src/adapters/system.js';
import { openStores } from '../../../support/stores.js';
import { argument, noLog, report } from './support.js';

/** Takes a thread, says so, and holds it until it is killed. */
const stores = await openStores({
  dataDir: argument(0),
  clock: createSystemClock(),
  ids: createRandomIds(),
  log: noLog,
});
await stores.locks.withThread('thr_1', 1_000, async () => {
  report('held');
  setInterval(() => undefined, 1_000);
  await new Promise(() => undefined);
});

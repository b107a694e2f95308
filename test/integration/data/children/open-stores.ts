import { createRandomIds, createSystemClock } from '../../../../src/adapters/system.js';
import { toHubError } from '../../../../src/core/errors.js';
import { openStores } from '../../../support/stores.js';
import { argument, noLog, report } from './support.js';

/** Opens the stores of a directory and reports what it found, or the code of the error. */
try {
  const stores = await openStores({
    dataDir: argument(0),
    clock: createSystemClock(),
    ids: createRandomIds(),
    log: noLog,
  });
  const ana = await stores.customers.findUserByEmail('ana.souza@example.com');
  const reservations = await stores.customers.listReservations(ana?.userId ?? '');
  const articles = await stores.knowledge.list();
  await stores.close();
  report({ ok: true, reservations: reservations.length, articles: articles.length });
} catch (error) {
  report({ ok: false, code: toHubError(error).code, message: toHubError(error).message });
}

import { openStores } from '../../data/index.js';
import { openDatabase } from '../../data/open-database.js';
import { HUB_DATABASE } from '../../data/udahub/database.js';
import { createHubPrivacy } from '../../data/udahub/privacy.js';
import { openCheckpointer } from '../adapters/checkpoints/checkpointers.js';
import { createRandomIds, createSystemClock } from '../adapters/system.js';
import { createLog } from '../adapters/telemetry/pino-log.js';
import type { Config } from '../config/config.js';
import { HubError } from '../core/errors.js';
import type { Clock } from '../core/ports/system.js';
import type { Privacy } from '../core/privacy.js';
import { createPrivacy } from '../privacy/customer-privacy.js';
import { companySources, openCompany, readCompany, storageOf } from './company.js';

/**
 * Opens what is needed to export or erase one customer: the stores, without models and index.
 * @throws HubError `data_dir_unusable`, `database_newer`, `database_failed`
 */
export async function openPrivacy(
  config: Config,
  overrides: { readonly clock?: Clock } = {},
): Promise<Privacy> {
  const { dataDir } = config;
  if (config.databaseUrl !== undefined)
    throw new HubError(
      'usage',
      "A customer's data cannot be exported or erased on PostgreSQL yet: nothing was read or changed.",
    );
  const clock = overrides.clock ?? createSystemClock();
  const log = createLog({ ...config.log, clock });
  const company = await readCompany(config);
  const ids = createRandomIds();
  const { database } = company.code;
  const storage = { dataDir, demo: config.server.demo, clock, ids, log, company: storageOf(company) };
  const stores = await openStores(storage);
  const sources = companySources(config, log);
  const udahub = openDatabase(HUB_DATABASE, dataDir);
  const own = openDatabase(database, dataDir);
  return {
    ...createPrivacy({
      dataDir,
      logFile: config.log.file,
      turnMs: config.turn.timeoutMs,
      clock,
      locks: stores.locks,
      customers: openCompany(company, { stores, clock, ids, log, sources }).customers,
      hub: createHubPrivacy(udahub, clock),
      company: { ...company.code.privacy(own), database: database.name },
      openCheckpoints: (dir) => openCheckpointer('sqlite', dir),
    }),
    async close() {
      udahub.close();
      own.close();
      await sources.close();
      await stores.close();
      log.close();
    },
  };
}

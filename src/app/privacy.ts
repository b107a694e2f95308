import { createCultpassPrivacy } from '../../data/cultpass/privacy.js';
import { openStores } from '../../data/index.js';
import { openDatabase } from '../../data/open-database.js';
import { createHubPrivacy } from '../../data/udahub/privacy.js';
import { openCheckpointer } from '../adapters/checkpoints/checkpointers.js';
import { createRandomIds } from '../adapters/system/random-ids.js';
import { createSystemClock } from '../adapters/system/system-clock.js';
import { createLog } from '../adapters/telemetry/pino-log.js';
import type { Config } from '../config/config.js';
import type { Clock } from '../core/ports/clock.js';
import type { Privacy } from '../core/privacy.js';
import { createPrivacy } from '../privacy/customer-privacy.js';

/**
 * Opens what is needed to export or erase one customer: the stores, without models and index.
 * @throws HubError `data_dir_unusable`, `database_newer`, `database_failed`
 */
export async function openPrivacy(
  config: Config,
  overrides: { readonly clock?: Clock } = {},
): Promise<Privacy> {
  const { dataDir } = config;
  const clock = overrides.clock ?? createSystemClock();
  const log = createLog({ ...config.log, clock });
  const stores = await openStores({ dataDir, demo: config.server.demo, clock, ids: createRandomIds(), log });
  const udahub = openDatabase('udahub', dataDir);
  const cultpass = openDatabase('cultpass', dataDir);
  return {
    ...createPrivacy({
      dataDir,
      logFile: config.log.file,
      turnMs: config.turn.timeoutMs,
      clock,
      stores,
      hub: createHubPrivacy(udahub, clock),
      cultpass: createCultpassPrivacy(cultpass),
      openCheckpoints: (dir) => openCheckpointer('sqlite', dir),
    }),
    async close() {
      udahub.close();
      cultpass.close();
      await stores.close();
      log.close();
    },
  };
}

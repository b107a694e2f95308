import { openStores } from '../data/index.js';
import { createLog } from './adapters/pino-log.js';
import { createRandomIds } from './adapters/random-ids.js';
import { createSystemClock } from './adapters/system-clock.js';
import { openSessions } from './app-access.js';
import type { Config } from './config.js';
import type { Sessions } from './core/sessions.js';

/** Makes tokens for other programs, and puts its things away. */
export interface Tokens extends Pick<Sessions, 'issueFor'> {
  close(): Promise<void>;
}

/**
 * Opens what is needed to make a token: the stores and the secret, without models and index.
 * @throws HubError `data_dir_unusable`, `database_newer`, `database_failed`
 */
export async function openTokens(config: Config): Promise<Tokens> {
  const clock = createSystemClock();
  const log = createLog({ ...config.log, clock });
  const stores = await openStores({ dataDir: config.dataDir, clock, ids: createRandomIds(), log });
  const sessions = openSessions(config, { stores, clock, log });
  return {
    issueFor: (who, wish) => sessions.issueFor(who, wish),
    async close() {
      await stores.close();
      log.close();
    },
  };
}

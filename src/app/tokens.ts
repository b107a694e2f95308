import { openStores } from '../../data/index.js';
import { createRandomIds, createSystemClock } from '../adapters/system.js';
import { createLog } from '../adapters/telemetry/pino-log.js';
import { rotateAuthSecret } from '../adapters/tokens/auth-secret.js';
import type { Config } from '../config/config.js';
import { HubError } from '../core/errors.js';
import { MAX_TOKEN_MINUTES, type Sessions } from '../core/sessions.js';
import { openSessions } from './access.js';
import { companySources, openCompany, readCompany, storageOf } from './company.js';

/** The tokens of other programs and the key that signs all tokens, for a command; it puts its things away. */
interface Tokens extends Pick<Sessions, 'issueFor' | 'programTokens' | 'revokeToken'> {
  /**
   * Makes a new key, which signs from now on, also in processes that run.
   * @param now drops the earlier ones at once; else they verify until the last token they can have signed has ended
   * @returns the key's id, and until when the earlier ones verify (ISO 8601 UTC)
   * @throws HubError `usage` where the environment names the key, `data_dir_unusable`
   */
  rotate(now: boolean): { readonly keyId: string; readonly until: string | null };
  close(): Promise<void>;
}

/**
 * Opens what is needed to make and revoke tokens: the stores and the secret, without models and index.
 * @throws HubError `data_dir_unusable`, `database_newer`, `database_failed`
 */
export async function openTokens(config: Config): Promise<Tokens> {
  const clock = createSystemClock();
  const log = createLog({ ...config.log, clock });
  const { dataDir, server } = config;
  const company = await readCompany(config);
  const ids = createRandomIds();
  const storage = { dataDir, demo: server.demo, clock, ids, log, company: storageOf(company) };
  const stores = await openStores(storage);
  const sources = companySources(config, log);
  const { customers } = openCompany(company, { stores, clock, ids, log, sources });
  const sessions = openSessions(config, { stores, customers, clock, ids, log, texts: company.texts });
  return {
    issueFor: (who, wish) => sessions.issueFor(who, wish),
    programTokens: (holder) => sessions.programTokens(holder),
    revokeToken: (tokenId, holder) => sessions.revokeToken(tokenId, holder),
    rotate(now) {
      if (config.server.authSecret !== undefined)
        throw new HubError(
          'usage',
          'The key comes from HUB_AUTH_SECRET: move it to HUB_AUTH_SECRET_PREVIOUS, put a new one into HUB_AUTH_SECRET, and start the server again',
        );
      const time = clock.now();
      const until = now ? null : new Date(time.getTime() + MAX_TOKEN_MINUTES * 60_000);
      const { keyId } = rotateAuthSecret(config.dataDir, time, until);
      log.info({ agent: 'sessions', action: 'key_rotated', details: { key_id: keyId, until } });
      return { keyId, until: until?.toISOString() ?? null };
    },
    async close() {
      await sources.close();
      await stores.close();
      log.close();
    },
  };
}

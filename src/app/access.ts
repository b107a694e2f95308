import { openStores } from '../../data/index.js';
import type { OpenCheckpointer } from '../adapters/checkpoints/checkpointers.js';
import { createLogMailer, createSmtpMailer } from '../adapters/mail/mailers.js';
import { createRandomIds, createSystemClock } from '../adapters/system.js';
import { createLog } from '../adapters/telemetry/pino-log.js';
import {
  type AuthSecrets,
  keptAuthSecrets,
  namedSecrets,
  readKeptSecret,
  rotateAuthSecret,
} from '../adapters/tokens/auth-secret.js';
import { createJwtSessionTokens } from '../adapters/tokens/jwt-session-tokens.js';
import { createSessions } from '../adapters/tokens/sessions.js';
import type { Config } from '../config/config.js';
import type { App } from '../core/app.js';
import { HubError } from '../core/errors.js';
import type { Texts } from '../core/i18n/index.js';
import { MAX_TOKEN_MINUTES, type Sessions } from '../core/ports/sign-in.js';
import type { Clock, Ids } from '../core/ports/system.js';
import { companySources, openCompany, readCompany, storageOf } from './company.js';
import { createHealth, healthProbes } from './operations.js';
import type { Parts } from './parts.js';

/** Fewer bytes than the hash has are easier to guess than to sign. */
const GOOD_SECRET_BYTES = 32;

/** What the server needs besides conversations: sign-in, health and business hours. */
export function openAccess(
  config: Config,
  {
    stores,
    customers,
    index,
    knowledge,
    graph,
    log,
    company,
  }: Pick<Parts, 'stores' | 'customers' | 'index' | 'knowledge' | 'graph' | 'log' | 'company'>,
  checkpoints: OpenCheckpointer,
): Pick<App, 'sessions' | 'health' | 'supportHours'> {
  const { clock, policy } = graph.tools;
  const { hours, weekdays } = policy.support;
  return {
    sessions: onFirstUse(config.server.demo, () =>
      openSessions(config, { stores, customers, clock, ids: graph.ids, log, texts: graph.tools.texts }),
    ),
    health: createHealth(
      healthProbes({
        ...{ stores, customers, checkpoints, index, knowledge, models: config.models },
        database: company.code.database.name,
        proveSigning: signingProof(config, clock),
      }),
      { clock, log },
    ),
    supportHours: { ...hours, weekdays, timeZone: company.profile.timeZone },
  };
}

/** The secrets that sign and verify tokens: those of the environment first, then those of the data directory. */
export function authSecrets(
  { server: { authSecret, previousAuthSecret }, dataDir }: Pick<Config, 'server' | 'dataDir'>,
  clock: Clock,
): () => AuthSecrets {
  if (authSecret === undefined) return keptAuthSecrets(dataDir, () => clock.now());
  const secrets = namedSecrets(authSecret, ...(previousAuthSecret === undefined ? [] : [previousAuthSecret]));
  return () => secrets;
}

/** Signs and verifies a throw-away token with the secret as it is stored: the one in memory is lost with the process. */
function signingProof(config: Config, clock: Clock): () => Promise<void> {
  const tokens = createJwtSessionTokens({ secrets: authSecrets(config, clock), clock, minutes: 1 });
  const anonymous = {
    role: 'operator',
    operator: { operatorId: 'health-check', name: 'health-check' },
  } as const;
  return async () => {
    const { token } = await tokens.issue(anonymous);
    await tokens.verify(token);
    if (config.server.authSecret === undefined) readKeptSecret(config.dataDir);
  };
}

/** Signing in alone, for a command that needs nothing else of the hub. Reads or makes the secret. */
function openSessions(
  { server, dataDir, locale }: Config,
  {
    stores,
    customers,
    clock,
    ids,
    log,
    texts,
  }: Pick<Parts, 'stores' | 'customers' | 'log'> & {
    readonly clock: Clock;
    readonly ids: Ids;
    readonly texts: Texts;
  },
): Sessions {
  const secrets = authSecrets({ server, dataDir }, clock);
  const [{ secret }] = secrets();
  if (Buffer.byteLength(secret) < GOOD_SECRET_BYTES)
    log.warn({ agent: 'sessions', action: 'secret_short', details: { bytes: Buffer.byteLength(secret) } });
  const { sessionMinutes: minutes, companySignIn: company, mail, demo } = server;
  return createSessions({
    customers,
    tokens: createJwtSessionTokens({ secrets, clock, minutes, company }),
    programTokens: stores.programTokens,
    codes: stores.signInCodes(() => secrets().map((one) => one.secret)),
    memory: stores.memory,
    mailer: mail ? createSmtpMailer({ url: mail.smtpUrl, from: mail.from }) : createLogMailer(log),
    clock,
    ids,
    log,
    demo,
    texts,
    locale,
    isErased: stores.isErased,
  });
}

/** A command without sign-in needs no secret and makes none. */
function onFirstUse(demo: boolean, open: () => Sessions): Sessions {
  let opened: Sessions | undefined;
  const sessions = (): Sessions => {
    opened ??= open();
    return opened;
  };
  return {
    demo,
    openDemo: async (who) => sessions().openDemo(who),
    openVisitor: async () => sessions().openVisitor(),
    requestCode: async (attempt) => sessions().requestCode(attempt),
    useCode: async (guess) => sessions().useCode(guess),
    issueFor: async (who, wish) => sessions().issueFor(who, wish),
    programTokens: async (holder) => sessions().programTokens(holder),
    revokeToken: async (tokenId, holder) => sessions().revokeToken(tokenId, holder),
    revision: async () => sessions().revision(),
    identify: async (token) => sessions().identify(token),
  };
}

/** Tokens of other programs and the key that signs all tokens, for one command; close it afterwards. */
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
  const { dataDir, databaseUrl, databaseDirectUrl, server } = config;
  const company = await readCompany(config);
  const ids = createRandomIds();
  const at = { dataDir, databaseUrl, databaseDirectUrl };
  const storage = { ...at, demo: server.demo, clock, ids, log, company: storageOf(company) };
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

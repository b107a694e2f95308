import { createHash, generateKeyPairSync } from 'node:crypto';
import { importJWK, type JWK, SignJWT } from 'jose';
import type { Identity } from '../../core/domain/customer.js';
import { HubError, toHubError } from '../../core/errors.js';
import type { BackgroundWork } from '../../core/ports/background.js';
import type { DuePush, PushOwner, PushStore, PushSupport } from '../../core/ports/push.js';
import type { Clock, Log } from '../../core/ports/system.js';
import type { Webhooks } from '../../core/ports/webhooks.js';
import type { RunningWork } from '../../core/signals.js';

interface WebPushDeps extends Pick<RunningWork, 'track'> {
  readonly background: Pick<BackgroundWork, 'every'>;
  readonly store: PushStore;
  /** Calls addresses that browsers have named, and none that only the hub can reach. */
  readonly webhooks: Webhooks;
  readonly clock: Clock;
  readonly log: Log;
  /** Whom a push service writes to about the hub: `mailto:` or an address of the web. */
  readonly contact: string;
  /** True where a push service on this machine itself may be called, and without TLS. */
  readonly allowLoopback: boolean;
}

type PrivateKey = JWK & Required<Pick<JWK, 'x' | 'y' | 'd'>>;

/** How long a page that is open may take to show an answer, so that nobody is told twice. */
const GRACE_MS = 10_000;
/** What is older wakes nobody: the hub was stopped meanwhile. */
const STALE_MS = 3_600_000;
const POLL_MS = 2_000;
const TIMEOUT_MS = 10_000;
/** A browser that is switched off is told within a day, or not at all. */
const KEPT_S = 86_400;
/** The most that a topic may have. */
const TOPIC_CHARS = 32;
const TOKEN_S = 12 * 3_600;
/** The push service has forgotten the browser. */
const GONE_STATUSES: ReadonlySet<number> = new Set([404, 410]);

/**
 * Web push by its standards: VAPID (RFC 8292) says who calls, and a push carries nothing (RFC 8030), so that there is nothing to
 * encrypt and the push service learns nothing but that there was one.
 */
export function createWebPush(deps: WebPushDeps): PushSupport {
  const { store, webhooks, clock, log, background, track } = deps;
  let key: Promise<PrivateKey> | undefined;
  const ownKey = (): Promise<PrivateKey> => {
    key ??= store
      .key(JSON.stringify(newKey()))
      .then((text) => JSON.parse(text) as PrivateKey)
      .catch((error: unknown) => {
        // A failure is not kept: the store is asked again next time.
        key = undefined;
        throw error;
      });
    return key;
  };
  const publicKey = async (): Promise<string> => {
    const { x, y } = await ownKey();
    return Buffer.concat([Buffer.from([4]), bytesOf(x), bytesOf(y)]).toString('base64url');
  };
  const wake = async ({ endpoint, threadId }: DuePush): Promise<void> => {
    const now = Math.floor(clock.now().getTime() / 1_000);
    const token = await new SignJWT()
      .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
      .setAudience(new URL(endpoint).origin)
      .setSubject(deps.contact)
      .setExpirationTime(now + TOKEN_S)
      .sign(await importJWK(await ownKey(), 'ES256'));
    const headers = {
      authorization: `vapid t=${token}, k=${await publicKey()}`,
      ttl: String(KEPT_S),
      urgency: 'normal',
      topic: createHash('sha256').update(threadId).digest('base64url').slice(0, TOPIC_CHARS),
    };
    const status = await webhooks.post({ url: endpoint, headers, body: '', timeoutMs: TIMEOUT_MS });
    if (GONE_STATUSES.has(status)) await store.drop(endpoint);
    else if (status >= 300) log.warn({ agent: 'push', action: 'push_refused', details: { status } });
  };
  const deliver = async (): Promise<void> => {
    const now = clock.now().getTime();
    const due = await store.due(new Date(now - GRACE_MS), new Date(now - STALE_MS));
    const sent = due.map((one) =>
      wake(one).catch((error: unknown) => {
        // The endpoint stands in no log: whoever knows it can wake the browser.
        log.warn({ agent: 'push', action: 'push_not_sent', details: { why: toHubError(error).code } });
      }),
    );
    await Promise.all(sent);
  };
  return {
    publicKey,
    async subscribe(identity, endpoint) {
      webhooks.check(endpoint);
      if (!deps.allowLoopback && !endpoint.startsWith('https:'))
        throw new HubError('input_invalid', 'A push service is called over https alone.', {
          field: 'endpoint',
        });
      await store.put(endpoint, ownerOf(identity));
    },
    unsubscribe: (identity, endpoint) => store.remove(endpoint, ownerOf(identity)),
    begin() {
      background.every({ name: 'web-push', everyMs: POLL_MS, now: true, work: () => track(deliver()) });
    },
    deliver,
  };
}

function ownerOf(identity: Identity): PushOwner {
  if (identity.kind === 'customer') return { customerId: identity.customerId };
  if (identity.visitorId !== undefined) return { visitorId: identity.visitorId };
  throw new HubError('forbidden', 'Only a customer or a visitor of the chat can be told.');
}

function newKey(): JWK {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
}

function bytesOf(coordinate: string): Buffer {
  return Buffer.from(coordinate, 'base64url');
}

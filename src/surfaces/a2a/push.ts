import { createHash, createHmac, randomBytes } from 'node:crypto';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { V1PushNotificationSerializer } from '@a2a-js/sdk/server';
import { HubError, toHubError } from '../../core/errors.js';
import type { A2aSupport } from '../../core/ports/a2a-tasks.js';
import type { Repeated } from '../../core/ports/background.js';
import type { DueWebhook, Log, Metrics, WebhookNotifier } from '../../core/ports/index.js';
import { eventsBetween, toTask } from './tasks.js';

interface PushDeps extends Omit<A2aSupport, 'customer' | 'ids'> {
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'webhook'>;
}

const TIMEOUT_MS = 15_000;
/** Longer than a try takes: what is not settled by then was left by a process that is gone. */
const LEASE_MS = 45_000;
/** Pauses between tries grow threefold up to three hours, and differ by up to a quarter from each other. */
const FIRST_PAUSE_MS = 1_000;
const GROWTH = 3;
const LONGEST_PAUSE_MS = 3 * 3_600_000;
const JITTER = 0.25;
const TRIED_MS = 24 * 3_600_000;
/** Webhooks that one process calls at once; of one owner's, all processes together: slow ones delay nobody else's. */
const AT_ONCE = 32;
const AT_ONCE_EACH = 8;
/** How soon what is due by the clock, or was left by another process, is seen. */
const POLL_MS = 250;
const STATUS_GONE = 410;

const serializers = { '1.0': new V1PushNotificationSerializer(), '0.3': new V03PushNotificationSerializer() };

/** Makes the notifications of a change: each event of a stream, in the version of the protocol that was asked for. */
export function webhookNotifier({ log, metrics }: Pick<PushDeps, 'log' | 'metrics'>): WebhookNotifier {
  return {
    bodies: (before, after, protocol) =>
      eventsBetween(before, after).map((event) => serializers[protocol].serialize(event, toTask(after))),
    refused({ taskId, owner }, { configId, url }) {
      metrics.webhook('refused');
      const details = { taskId, configId, owner, host: new URL(url).host, code: 'outbox_full' };
      log.warn({ agent: 'a2a', action: 'push_refused', details });
    },
  };
}

/** Sends what is in the outbox: of each webhook of a task in its order, and never keeping a turn waiting. */
export class PushNotifications {
  #busy = 0;
  #looking = false;
  #again = false;
  #repeated: Repeated | null = null;

  constructor(private readonly deps: PushDeps) {}

  /** Takes up what an earlier process has left, and looks for what is due from then on. Ends when the App closes. */
  begin(): void {
    const { background, outbox, track } = this.deps;
    void track(outbox.reclaim().catch((error: unknown) => this.#failed(error)));
    this.#repeated = background.every({ name: 'webhooks', everyMs: POLL_MS, work: async () => this.#look() });
  }

  /** Something is due. */
  look(): void {
    void this.#repeated?.soon();
  }

  #look(): void {
    this.#again = true;
    if (this.#looking || this.deps.closing.aborted) return;
    this.#looking = true;
    void this.deps.track(
      this.#send()
        .catch((error: unknown) => this.#failed(error))
        .finally(() => {
          this.#looking = false;
        }),
    );
  }

  async #send(): Promise<void> {
    const { closing, outbox, track } = this.deps;
    while (this.#again && this.#busy < AT_ONCE && !closing.aborted) {
      this.#again = false;
      for (const due of await outbox.take(AT_ONCE - this.#busy, AT_ONCE_EACH, LEASE_MS)) {
        this.#busy += 1;
        const sent = this.#deliver(due).catch((error: unknown) => this.#failed(error));
        // The next of the same webhook is due now, and there is room for one more.
        const done = (): void => {
          this.#busy -= 1;
          this.#look();
        };
        void track(sent.finally(done));
      }
    }
  }

  async #deliver(due: DueWebhook): Promise<void> {
    const { closing, metrics, outbox, tasks } = this.deps;
    const { webhookId, taskId, configId } = due;
    const fault = await this.#call(due);
    // What is cut short when the App closes was no try.
    if (fault !== null && closing.aborted) return outbox.release(webhookId);
    if (fault === null) {
      metrics.webhook('delivered');
      return outbox.delivered(webhookId);
    }
    if (fault.status === STATUS_GONE) {
      metrics.webhook('gone');
      this.#warn('push_gone', due, fault.why);
      return tasks.deletePush(taskId, configId);
    }
    const nextAt = this.#nextTry(due);
    metrics.webhook(nextAt === null ? 'failed' : 'retried');
    this.#warn(nextAt === null ? 'push_failed' : 'push_not_delivered', due, fault.why, nextAt);
    await outbox.failed(webhookId, fault.why, nextAt);
  }

  /** One try; the address is resolved and checked anew. @returns what is wrong, with the status of the answer if there was one */
  async #call(due: DueWebhook): Promise<{ readonly why: string; readonly status?: number } | null> {
    const { clock, closing: signal, webhooks } = this.deps;
    const { url, body } = due;
    const headers = { ...headersOf(due), ...signedHeaders(due.token, due.webhookId, clock.now(), body) };
    try {
      const status = await webhooks.post({ url, headers, body, timeoutMs: TIMEOUT_MS, signal });
      return status >= 200 && status < 300 ? null : { why: `answered ${status}`, status };
    } catch (error) {
      return { why: toHubError(error).message };
    }
  }

  /** Null where it was tried long enough. */
  #nextTry({ webhookId, attempts, since }: DueWebhook): Date | null {
    const now = this.deps.clock.now().getTime();
    const end = Date.parse(since) + TRIED_MS;
    if (now >= end) return null;
    const pause = Math.min(FIRST_PAUSE_MS * GROWTH ** attempts, LONGEST_PAUSE_MS);
    const spread = 1 - JITTER + spreadOf(`${webhookId} ${attempts}`) * 2 * JITTER;
    return new Date(Math.min(now + pause * spread, end));
  }

  #warn(action: string, due: DueWebhook, why: string, nextAt: Date | null = null): void {
    const { webhookId, taskId, url, attempts } = due;
    const { host } = new URL(url);
    const next = nextAt === null ? {} : { nextAt: nextAt.toISOString() };
    const details = { webhookId, taskId, host, why, attempts: attempts + 1, ...next };
    this.deps.log.warn({ agent: 'a2a', action, details });
  }

  #failed(error: unknown): void {
    if (!this.deps.closing.aborted)
      this.deps.log.error({ agent: 'a2a', action: 'push_outbox_failed' }, error);
  }
}

/** A number from 0 to 1 that is another for each try: notifications that failed together do not come back together. */
function spreadOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;
}

function headersOf({ token, scheme, credentials, contentType }: DueWebhook): Record<string, string> {
  return {
    'content-type': contentType,
    'user-agent': 'uda-hub',
    // A key that is sent along is none any more.
    ...(token === '' || isSigningKey(token) ? {} : { 'x-a2a-notification-token': token }),
    ...(scheme === '' ? {} : { authorization: `${scheme} ${credentials}`.trim() }),
  };
}

/** How the scheme writes a key: its bytes follow in base64. */
const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const KEY_BYTES = { least: 24, most: 64, made: 32 } as const;

/** A key for a webhook whose token is none. */
export function newSigningKey(): string {
  return `${PREFIX}${randomBytes(KEY_BYTES.made).toString('base64')}`;
}

/** True of a token that is a key: it signs, and is never sent along. */
function isSigningKey(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** @throws HubError `input_invalid` for what begins like a key and is none */
export function checkSigningKey(token: string): void {
  if (!isSigningKey(token)) return;
  const text = token.slice(PREFIX.length);
  const { length } = Buffer.from(text, 'base64');
  if (BASE64.test(text) && length >= KEY_BYTES.least && length <= KEY_BYTES.most) return;
  const { least, most } = KEY_BYTES;
  const message = `A token that begins with ${PREFIX} is a signing key: ${least} to ${most} bytes in base64 follow.`;
  throw new HubError('input_invalid', message, { field: 'token' });
}

/**
 * The headers by which a receiver knows who calls, that nobody has changed the body, and that it is no old one again:
 * the scheme of standardwebhooks.com. HMAC-SHA256 over `id.timestamp.body` is all there is to it, so no package is needed.
 * @param token a key of the scheme; of any other token its bytes are the key
 * @param at when it is sent
 */
export function signedHeaders(
  token: string,
  webhookId: string,
  at: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const key = isSigningKey(token) ? Buffer.from(token.slice(PREFIX.length), 'base64') : token;
  const signature = createHmac('sha256', key).update(`${webhookId}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': webhookId, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

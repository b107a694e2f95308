import { setTimeout as wait } from 'node:timers/promises';
import type { StreamResponse, Task } from '@a2a-js/sdk';
import { V03PushNotificationSerializer } from '@a2a-js/sdk/compat/v0_3/server';
import { V1PushNotificationSerializer } from '@a2a-js/sdk/server';
import type { A2aSupport } from '../../core/a2a.js';
import { toHubError } from '../../core/errors.js';
import type { A2aPushConfig, A2aTaskRecord } from '../../core/ports/a2a-tasks.js';
import type { Log } from '../../core/ports/log.js';
import { FairPlaces } from './fair-places.js';
import { eventsBetween, toTask } from './tasks-document.js';

export interface PushDeps extends Pick<A2aSupport, 'tasks' | 'webhooks' | 'closing' | 'track'> {
  readonly log: Log;
}

const TIMEOUT_MS = 5_000;
/** Pauses before each further attempt. */
const RETRIES_MS = [300, 1_500] as const;
/** Changes that wait to be told; what is beyond that is not told, so that a dead webhook costs no memory. */
const MAX_WAITING = 2_000;
/** Webhooks that are called at once, and of these by one caller's tasks: slow ones delay nobody else's. */
const AT_ONCE = 32;
const AT_ONCE_EACH = 8;

const serializers = { '1.0': new V1PushNotificationSerializer(), '0.3': new V03PushNotificationSerializer() };

/** Tells webhooks what happens to tasks: of each task in its order, and never keeping a turn waiting. */
export class PushNotifications {
  /** What is told of each task, one thing after another. */
  readonly #chains = new Map<string, Promise<void>>();
  #waiting = 0;
  readonly #places = new FairPlaces(AT_ONCE, AT_ONCE_EACH);

  constructor(private readonly deps: PushDeps) {}

  /** Tells a change that this process has made, so that each is told by one process. */
  changed(before: A2aTaskRecord, after: A2aTaskRecord): void {
    const events = eventsBetween(before, after);
    if (events.length > 0) this.#begin(after, events, () => this.deps.tasks.listPush(after.taskId));
  }

  /** Tells what an earlier process has stored, and could not tell any more. */
  async resume(): Promise<void> {
    const { tasks, log } = this.deps;
    try {
      for (const config of await tasks.untold()) {
        const task = await tasks.get(config.taskId);
        if (task) this.#begin(task, eventsBetween(unheard(task), task), async () => [config]);
      }
    } catch (error) {
      log.error({ agent: 'a2a', action: 'push_not_resumed' }, error);
    }
  }

  #begin(
    after: A2aTaskRecord,
    events: readonly StreamResponse[],
    whom: () => Promise<readonly A2aPushConfig[]>,
  ): void {
    const { taskId } = after;
    if (this.#waiting >= MAX_WAITING) {
      this.deps.log.warn({ agent: 'a2a', action: 'push_dropped', details: { taskId } });
      return;
    }
    this.#waiting += 1;
    const earlier = this.#chains.get(taskId) ?? Promise.resolve();
    const chain = earlier
      .then(() => this.#tell(after, events, whom))
      .catch((error: unknown) => {
        this.deps.log.error({ agent: 'a2a', action: 'push_failed', details: { taskId } }, error);
      })
      .finally(() => {
        this.#waiting -= 1;
        if (this.#chains.get(taskId) === chain) this.#chains.delete(taskId);
      });
    this.#chains.set(taskId, chain);
    void this.deps.track(chain);
  }

  async #tell(
    after: A2aTaskRecord,
    events: readonly StreamResponse[],
    whom: () => Promise<readonly A2aPushConfig[]>,
  ): Promise<void> {
    if (this.deps.closing.aborted) return;
    await Promise.all((await whom()).map((config) => this.#tellOne(config, events, after)));
  }

  /** What is cut short when the App closes is left for whoever starts next. */
  async #tellOne(
    config: A2aPushConfig,
    events: readonly StreamResponse[],
    after: A2aTaskRecord,
  ): Promise<void> {
    const { closing, tasks } = this.deps;
    for (const event of events) {
      await this.#places.within(after.owner, () => this.#call(config, event, toTask(after)));
      if (closing.aborted) return;
    }
    await tasks.pushTold(after.taskId, config.configId, after.version);
  }

  async #call(config: A2aPushConfig, event: StreamResponse, task: Task): Promise<void> {
    const { closing, webhooks } = this.deps;
    const { body, contentType } = serializers[config.protocol].serialize(event, task);
    const headers = headersOf(config, contentType);
    const call = { url: config.url, headers, body, timeoutMs: TIMEOUT_MS, signal: closing };
    for (const pause of [...RETRIES_MS, null]) {
      const fault = await webhooks.post(call).then(faultOf, (error: unknown) => {
        const { code, message } = toHubError(error);
        return { why: message, passing: code === 'remote_unreachable' };
      });
      if (fault === null || closing.aborted) return;
      if (fault.passing && pause !== null && (await this.#pause(pause))) continue;
      const details = { taskId: task.id, host: new URL(config.url).host, why: fault.why };
      this.deps.log.warn({ agent: 'a2a', action: 'push_not_delivered', details });
      return;
    }
  }

  /** @returns false where the App closes */
  #pause(ms: number): Promise<boolean> {
    const { closing: signal } = this.deps;
    return wait(ms, true, { signal }).catch(() => false);
  }
}

/** The task as somebody knows it who was told nothing of it. */
function unheard(task: A2aTaskRecord): A2aTaskRecord {
  return { ...task, state: 'submitted', document: { ...task.document, artifacts: [], statusMessage: null } };
}

function headersOf(
  { token, scheme, credentials }: A2aPushConfig,
  contentType: string,
): Record<string, string> {
  return {
    'content-type': contentType,
    'user-agent': 'uda-hub',
    ...(token === '' ? {} : { 'x-a2a-notification-token': token }),
    ...(scheme === '' ? {} : { authorization: `${scheme} ${credentials}`.trim() }),
  };
}

function faultOf(status: number): { readonly why: string; readonly passing: boolean } | null {
  if (status >= 200 && status < 300) return null;
  return { why: `answered ${status}`, passing: status >= 500 || status === 429 || status === 408 };
}

import type { App } from '../../app/app.js';
import type { Config } from '../../config/config.js';
import type { RunningWork } from '../../core/signals.js';
import type { Timers } from '../a2a/tasks-runner.js';
import type { TokenWatch } from './client.js';
import type { EventStreams } from './event-streams.js';
import type { RateLimits } from './rate-limits.js';

/** What the routes work with. */
export interface HttpDeps {
  readonly app: App;
  readonly config: Config;
  readonly streams: EventStreams;
  /** Ends what stays open when its token is revoked. */
  readonly tokens: TokenWatch;
  readonly limits: RateLimits;
  /** Work that continues although the client is gone; a stopping server waits for it. */
  readonly work: RunningWork;
  /** What else must be stopped. */
  readonly stop: StopList;
  /** When tasks of other agents are begun; the machine's where absent. */
  readonly taskTimers?: Timers | undefined;
}

/** What holds connections or memory of its own. It hears of a stop twice, each time in the order of registration. */
interface Stoppable {
  /** The server takes no more requests: whatever waits for another one waits in vain. Running work may continue. */
  stopping?(): void;
  /** What still runs has had its time. */
  stop(): void | Promise<void>;
}

export interface StopList {
  add(part: Stoppable): void;
  stopping(): void;
  /** Ends with the last of them. */
  stop(): Promise<void>;
}

/** A list that begins empty. */
export function createStopList(): StopList {
  const parts: Stoppable[] = [];
  return {
    add: (part) => void parts.push(part),
    stopping() {
      for (const part of parts) part.stopping?.();
    },
    async stop() {
      for (const part of parts) await part.stop();
    },
  };
}

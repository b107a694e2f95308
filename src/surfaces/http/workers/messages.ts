import type { MetricsSnapshot } from '../../../core/ports/metrics.js';
import type { ShareStreams } from '../event-streams.js';

/** What /metrics answers with. */
export interface Rendered {
  readonly contentType: string;
  readonly text: string;
}

/** What a worker tells the primary. */
export type FromWorker =
  /** Its application is open: what is it to serve? */
  | { readonly hub: 'ready' }
  | { readonly hub: 'listening'; readonly url: string }
  /** A stream of which the newest wins; `token` is this one's own. */
  | { readonly hub: 'stream_opened'; readonly key: string; readonly token: string }
  | { readonly hub: 'stream_closed'; readonly key: string; readonly token: string }
  /** Somebody asks for the figures of all. */
  | { readonly hub: 'figures_wanted'; readonly ask: number }
  /** Its own, as it was asked; null where they could not be read. */
  | { readonly hub: 'figures'; readonly ask: number; readonly snapshot: MetricsSnapshot | null };

/** What the primary tells a worker. */
export type ToWorker =
  | { readonly hub: 'serve'; readonly webDir: string | null }
  /** Ends its work in good order. */
  | { readonly hub: 'stop' }
  /** A newer stream with this key is open elsewhere. */
  | { readonly hub: 'replace'; readonly key: string; readonly token: string }
  | { readonly hub: 'give_figures'; readonly ask: number }
  | ({ readonly hub: 'all_figures'; readonly ask: number } & Rendered)
  /** Another worker has died; what it left behind may be taken over. */
  | { readonly hub: 'worker_died' };

/** Other libraries talk over the same channel. */
export function isOurs<M extends FromWorker | ToWorker>(message: unknown): message is M {
  return typeof message === 'object' && message !== null && 'hub' in message;
}

/** What a worker shares with the other processes of the same server. */
export interface Siblings {
  readonly streams: ShareStreams;
  /** The figures of all workers together. @throws where the primary does not answer */
  figures(): Promise<Rendered>;
}

import { AggregatorRegistry } from 'prom-client';
import type { MetricsSnapshot } from '../../../core/ports/metrics.js';
import type { ShareStreams } from '../event-streams.js';

/** One metric as prom-client's registries give it; its own types say numbers where names are. */
interface Figure {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly aggregator?: string;
  readonly values: readonly {
    readonly value: number;
    readonly labels: Readonly<Record<string, string | number>>;
  }[];
}

/**
 * Adds up the figures of several processes. What a dead worker had counted stays in the sums: a counter that fell
 * would be taken for one that began anew, and all the rest be counted twice.
 */
export class SharedFigures {
  readonly #last = new Map<number, readonly Figure[]>();
  #departed: readonly Figure[] = [];
  #restarts = 0;

  /** What a worker says of itself. */
  put(worker: number, snapshot: MetricsSnapshot): void {
    this.#last.set(worker, snapshot as readonly Figure[]);
  }

  /** The worker has died. */
  depart(worker: number): void {
    this.#restarts += 1;
    const counted = (this.#last.get(worker) ?? []).filter(({ type }) => type !== 'gauge');
    this.#last.delete(worker);
    const sums = AggregatorRegistry.aggregate([this.#departed, counted]);
    this.#departed = sums.getMetricsAsArray() as unknown as readonly Figure[];
  }

  /** The sums; what cannot be added up is told for each worker. */
  async render(): Promise<Rendered> {
    const own = [...this.#last].map(([worker, figures]) => figures.map((figure) => labelled(figure, worker)));
    const sums = AggregatorRegistry.aggregate([...own, this.#departed, [this.#restartsFigure()]]);
    return { contentType: sums.contentType, text: await sums.metrics() };
  }

  #restartsFigure(): Figure {
    return {
      name: 'hub_worker_restarts_total',
      help: 'Workers that died and were replaced.',
      type: 'counter',
      aggregator: 'sum',
      values: [{ value: this.#restarts, labels: {} }],
    };
  }
}

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

function labelled(figure: Figure, worker: number): Figure {
  if (figure.aggregator !== 'omit') return figure;
  const values = figure.values.map((value) => ({ ...value, labels: { ...value.labels, worker } }));
  return { ...figure, aggregator: 'sum', values };
}

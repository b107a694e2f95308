import { AggregatorRegistry } from 'prom-client';
import type { MetricsSnapshot } from '../../../core/ports/metrics.js';
import type { Rendered } from './messages.js';

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

function labelled(figure: Figure, worker: number): Figure {
  if (figure.aggregator !== 'omit') return figure;
  const values = figure.values.map((value) => ({ ...value, labels: { ...value.labels, worker } }));
  return { ...figure, aggregator: 'sum', values };
}

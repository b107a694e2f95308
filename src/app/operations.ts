import type { Stores } from '../../data/index.js';
import type { ModelCallReport } from '../adapters/models/call.js';
import { createSpendCeiling } from '../adapters/models/spend-ceiling.js';
import type { Config } from '../config/config.js';
import type { Clock, Customers, Log, Metrics, Retriever, Spend, Tracing } from '../core/ports/index.js';
import { createNoMetrics } from '../core/ports/metrics.js';

/** What watches over the hub: figures, traces, money. */
export interface OperationParts {
  readonly metrics: Metrics;
  readonly spend: Spend;
  /** Null where nobody collects traces. */
  readonly tracing: Tracing | null;
  /** The retriever, whose searches appear in traces. */
  traced(retriever: Retriever): Retriever;
  /** To be told of every call meant for the model provider. */
  readonly onCall: (report: ModelCallReport) => void;
  close(): Promise<void>;
}

/** What a trace may name a customer by. */
interface NamedCustomers {
  readonly customers: Pick<Customers, 'get'>;
}

/** Who watches. */
interface Watch {
  /** True where somebody may ask for the figures; a command that ends counts nothing. */
  readonly measured: boolean;
  /** Instead of the collector that the configuration names. */
  readonly tracing: Tracing | undefined;
}

/** Opens them. */
export async function openOperations(
  config: Config,
  stores: Pick<Stores, 'spend' | 'operations'> & NamedCustomers,
  { clock, log, timeZone }: { readonly clock: Clock; readonly log: Log; readonly timeZone: string },
  { measured, tracing: given }: Watch,
): Promise<OperationParts> {
  const prometheus = measured ? await prometheusMetrics(stores) : null;
  const metrics: Metrics = prometheus ?? createNoMetrics();
  const spend = createSpendCeiling({ ...config.spend, ledger: stores.spend, timeZone, clock, log, metrics });
  const tracing = given ?? (await openTracing(config, stores, log));
  return {
    metrics,
    spend,
    tracing,
    traced: (retriever) => (tracing ? tracedRetriever(retriever, tracing) : retriever),
    onCall: (report) => {
      count(metrics, report);
      // Skills run outside of the graph's callbacks, which see all other calls.
      if (report.role.startsWith('skill_')) tracing?.modelCall(report);
    },
    close: async () => {
      prometheus?.close();
      await tracing?.close();
    },
  };
}

async function prometheusMetrics(stores: Pick<Stores, 'operations'>) {
  // Loaded where it is used only.
  const { createPrometheusMetrics } = await import('../adapters/telemetry/prometheus-metrics.js');
  return createPrometheusMetrics(stores.operations);
}

async function openTracing(
  { tracing }: Config,
  { customers }: NamedCustomers,
  log: Log,
): Promise<Tracing | null> {
  const { endpoint, serviceName, content } = tracing;
  if (endpoint === undefined) return null;
  const { createTracing } = await import('../adapters/telemetry/tracing.js');
  const nameOf = async (id: string) => (await customers.get(id))?.name ?? null;
  return createTracing({ endpoint, serviceName, content, nameOf, log });
}

function tracedRetriever(retriever: Retriever, tracing: Tracing): Retriever {
  return {
    search: (query, options) =>
      tracing.part(
        { kind: 'retrieval', name: 'retrieval', facts: { 'hub.top_k': options.topK }, input: query },
        () => retriever.search(query, options),
      ),
    getArticle: (articleId) => retriever.getArticle(articleId),
    asksOn: (articleId, question) => retriever.asksOn(articleId, question),
  };
}

function count(metrics: Metrics, report: ModelCallReport): void {
  const { role, model, outcome, reason, ms, promptTokens, completionTokens, costUsd } = report;
  metrics.modelCall({ role, model, outcome, ms, usage: { promptTokens, completionTokens, costUsd } });
  if (reason !== null) metrics.error('model', reason);
}

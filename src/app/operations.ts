import type { Stores } from '../../data/index.js';
import type { OpenCheckpointer } from '../adapters/checkpoints/checkpointers.js';
import type { ModelCallReport } from '../adapters/models/call.js';
import { createSpendCeiling } from '../adapters/models/spend-ceiling.js';
import type { Config } from '../config/config.js';
import type { Health, HealthPart } from '../core/app.js';
import { type ErrorCode, toHubError } from '../core/errors.js';
import type { BackgroundWork } from '../core/ports/background.js';
import type {
  ArticleIndex,
  Clock,
  Customers,
  Log,
  Metrics,
  Retriever,
  Spend,
  Tracing,
} from '../core/ports/index.js';
import { createNoMetrics } from '../core/ports/metrics.js';
import type { Knowledge } from '../rag/index.js';

/** Observability of the hub: metrics, traces and spend. */
export interface OperationParts {
  readonly metrics: Metrics;
  readonly spend: Spend;
  /** Null where no collector is configured. */
  readonly tracing: Tracing | null;
  /** The retriever, whose searches appear in traces. */
  traced(retriever: Retriever): Retriever;
  /** Called for every request to the model provider. */
  readonly onCall: (report: ModelCallReport) => void;
  close(): Promise<void>;
}

/** What a trace may name a customer by. */
interface NamedCustomers {
  readonly customers: Pick<Customers, 'get'>;
}

/** Measures how much work is waiting. */
interface Measured {
  readonly background: Pick<BackgroundWork, 'depth'>;
}

/** How the hub is observed. */
interface Watch {
  /** True where metrics can be read (the server); a command that ends counts nothing. */
  readonly measured: boolean;
  /** Instead of the collector that the configuration names. */
  readonly tracing: Tracing | undefined;
}

/** Opens metrics, tracing and the spend ceiling. */
export async function openOperations(
  config: Config,
  stores: Pick<Stores, 'spend' | 'operations'> & NamedCustomers & Measured,
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

async function prometheusMetrics({ operations, background }: Pick<Stores, 'operations'> & Measured) {
  // Loaded where it is used only.
  const { createPrometheusMetrics } = await import('../adapters/telemetry/prometheus-metrics.js');
  return createPrometheusMetrics(operations, () => background.depth());
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

/** One health probe. It fails by throwing. */
interface HealthProbe {
  readonly name: HealthPart['name'];
  /** What a failure means: `failed` stops the hub, `degraded` makes it worse. */
  readonly without: 'failed' | 'degraded';
  /** What to say of a failure, in one sentence. */
  readonly detail: string;
  ask(): Promise<void>;
  /** How long a result is reused: a probe costs something, and the endpoint is public. */
  readonly ttlMs: number;
}

/** A failure with a sentence of its own instead of the probe's. */
class HealthTrouble extends Error {}

const LATE = 'It did not answer within two seconds: it hangs, or the machine is overloaded.';

const LIMIT_MS = 2_000;
/** A more exact sentence than that a part has failed. */
const REASONS: Partial<Record<ErrorCode, string>> = {
  disk_full: 'The disk is full: nothing can be stored.',
  database_busy: 'Another process holds the database: nothing can be stored at the moment.',
};

/** Runs all probes at once, each for two seconds at most; a probe that is still running is not started twice. Never throws. */
export function createHealth(
  probes: readonly HealthProbe[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): () => Promise<Health> {
  const asked = probes.map((probe) => remembered(probe, clock, log));
  return async () => {
    const parts = await Promise.all(asked.map((ask) => ask()));
    return { ready: parts.every(({ status }) => status !== 'failed'), parts };
  };
}

function remembered(probe: HealthProbe, clock: Clock, log: Log): () => Promise<HealthPart> {
  let running: Promise<HealthPart> | null = null;
  let last: { readonly part: HealthPart; readonly at: number } | null = null;
  const ask = async (): Promise<HealthPart> => {
    const part = await answerOf(probe, log);
    last = { part, at: clock.now().getTime() };
    running = null;
    return part;
  };
  return () => {
    if (last !== null && clock.now().getTime() - last.at < probe.ttlMs) return Promise.resolve(last.part);
    running ??= ask();
    return running;
  };
}

async function answerOf(probe: HealthProbe, log: Log): Promise<HealthPart> {
  const began = performance.now();
  const { name } = probe;
  const ms = (): number => Math.round(performance.now() - began);
  try {
    await within(LIMIT_MS, probe.ask());
    return { name, status: 'ok', detail: null, ms: ms() };
  } catch (error) {
    log.warn({ agent: 'health', action: 'part_failed', details: { part: name, error } });
    const own = error instanceof HealthTrouble ? error.message : null;
    const detail = own ?? REASONS[toHubError(error).code] ?? probe.detail;
    return { name, status: probe.without, detail, ms: ms() };
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HealthTrouble(LATE)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

interface ProbeDeps {
  readonly stores: Pick<Stores, 'tickets' | 'writing'>;
  readonly customers: Pick<Customers, 'get'>;
  /** Name of the company's database. */
  readonly database: string;
  readonly checkpoints: Pick<OpenCheckpointer, 'saver' | 'proveWriting'>;
  /** Signs a token and checks that the secret is still stored where the next start finds it. */
  readonly proveSigning: () => Promise<void>;
  readonly index: Pick<ArticleIndex, 'ping'>;
  readonly knowledge: Pick<Knowledge, 'repairing'>;
  readonly models: Config['models'];
}

const PROBE_ID = 'health-check';
const REBUILDING =
  'The vector index was damaged and is being built anew; articles are found by their words alone meanwhile.';
/** A health check reads and writes each database: never more often than this. */
const DATABASE_KEEP_MS = 1_500;
const PROVIDER_KEEP_MS = 30_000;

/** The probes of all parts that the hub needs, the most important first. */
export function healthProbes(deps: ProbeDeps): readonly HealthProbe[] {
  const { stores, customers, checkpoints, index, knowledge, models } = deps;
  const database = { without: 'failed', ttlMs: DATABASE_KEEP_MS } as const;
  return [
    {
      ...database,
      name: `${deps.database}_db`,
      detail: "The company's database cannot be read or written.",
      ask: async () => {
        await customers.get(PROBE_ID);
        await stores.writing.company();
      },
    },
    {
      ...database,
      name: 'udahub_db',
      detail: "The hub's own database cannot be read or written.",
      ask: async () => {
        await stores.tickets.get(PROBE_ID);
        await stores.writing.udahub();
      },
    },
    {
      ...database,
      name: 'checkpoints',
      detail: 'The state of conversations cannot be read or written.',
      ask: async () => {
        await checkpoints.saver.getTuple({ configurable: { thread_id: PROBE_ID } });
        await checkpoints.proveWriting();
      },
    },
    {
      ...database,
      name: 'signing',
      detail: 'The secret that signs sessions (auth-secret) is missing, empty or too short.',
      ask: deps.proveSigning,
    },
    {
      name: 'chroma',
      without: 'degraded',
      ttlMs: 1_000,
      detail: 'The vector index does not answer; articles are found by their words alone.',
      ask: async () => {
        if (knowledge.repairing()) throw new HealthTrouble(REBUILDING);
        if (!(await index.ping())) throw new Error('no answer');
      },
    },
    {
      name: 'model_provider',
      without: 'degraded',
      ttlMs: PROVIDER_KEEP_MS,
      detail: 'The model provider does not answer; the offline rules do.',
      ask: () => askProvider(models),
    },
  ];
}

/** Lists the models: the cheapest thing that needs the address and the key to be right. Offline there is none to ask. */
async function askProvider({ provider, baseUrl, apiKey, timeoutMs }: Config['models']): Promise<void> {
  if (provider === 'offline') return;
  const response = await fetch(`${baseUrl ?? 'https://api.openai.com/v1'}/models`, {
    headers: { authorization: `Bearer ${apiKey ?? ''}` },
    signal: AbortSignal.timeout(Math.min(timeoutMs, 2_000)),
  });
  await response.body?.cancel();
  // A server that lacks this path is up nevertheless.
  if (!response.ok && response.status !== 404 && response.status !== 405)
    throw new Error(`status ${response.status}`);
}

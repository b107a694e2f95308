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

/** Asked how much there is to do. */
interface Measured {
  readonly background: Pick<BackgroundWork, 'depth'>;
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

/** One thing to ask. It fails by throwing. */
interface HealthProbe {
  readonly name: HealthPart['name'];
  /** What a failure means: `failed` stops the hub, `degraded` makes it worse. */
  readonly without: 'failed' | 'degraded';
  /** What to say of a failure, in one sentence. */
  readonly detail: string;
  ask(): Promise<void>;
  /** How long an answer is good for: asking costs something, and anybody may ask. */
  readonly keepMs: number;
}

/** A failure with its own sentence, instead of the probe's. */
class HealthTrouble extends Error {}

const LATE = 'It did not answer within two seconds: it hangs, or the machine is overloaded.';

const LIMIT_MS = 2_000;
/** What can be said more exactly than that a part has failed. */
const REASONS: Partial<Record<ErrorCode, string>> = {
  disk_full: 'The disk is full: nothing can be stored.',
  database_busy: 'Another process holds the database: nothing can be stored at the moment.',
};

/** Asks every part at once, each for two seconds at most; one that is being asked is not asked twice. Never throws. */
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
    if (last !== null && clock.now().getTime() - last.at < probe.keepMs) return Promise.resolve(last.part);
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
  /** Signs something and looks whether the secret is still where the next start finds it. */
  readonly proveSigning: () => Promise<void>;
  readonly index: Pick<ArticleIndex, 'ping'>;
  readonly knowledge: Pick<Knowledge, 'repairing'>;
  readonly models: Config['models'];
}

const NOBODY = 'health-check';
const REBUILDING =
  'The vector index was damaged and is being built anew; articles are found by their words alone meanwhile.';
/** Each database is read and written for an answer: not more often than this, no matter who asks. */
const DATABASE_KEEP_MS = 1_500;
const PROVIDER_KEEP_MS = 30_000;

/** What the hub needs, in the order people look. */
export function healthProbes(deps: ProbeDeps): readonly HealthProbe[] {
  const { stores, customers, checkpoints, index, knowledge, models } = deps;
  const database = { without: 'failed', keepMs: DATABASE_KEEP_MS } as const;
  return [
    {
      ...database,
      name: `${deps.database}_db`,
      detail: "The company's database cannot be read or written.",
      ask: async () => {
        await customers.get(NOBODY);
        await stores.writing.company();
      },
    },
    {
      ...database,
      name: 'udahub_db',
      detail: "The hub's own database cannot be read or written.",
      ask: async () => {
        await stores.tickets.get(NOBODY);
        await stores.writing.udahub();
      },
    },
    {
      ...database,
      name: 'checkpoints',
      detail: 'The state of conversations cannot be read or written.',
      ask: async () => {
        await checkpoints.saver.getTuple({ configurable: { thread_id: NOBODY } });
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
      keepMs: 1_000,
      detail: 'The vector index does not answer; articles are found by their words alone.',
      ask: async () => {
        if (knowledge.repairing()) throw new HealthTrouble(REBUILDING);
        if (!(await index.ping())) throw new Error('no answer');
      },
    },
    {
      name: 'model_provider',
      without: 'degraded',
      keepMs: PROVIDER_KEEP_MS,
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
  // A server without this path is there all the same.
  if (!response.ok && response.status !== 404 && response.status !== 405)
    throw new Error(`status ${response.status}`);
}

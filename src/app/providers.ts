import { triageAgent } from '../../agents/triage/agent.js';
import { createTimers } from '../adapters/background/timers.js';
import type { OpenCheckpointer } from '../adapters/checkpoints/checkpointers.js';
import type { CircuitBreaker } from '../adapters/models/circuit.js';
import { createOfflineChatModels } from '../adapters/models/offline-chat-model.js';
import { createModelClassifier } from '../adapters/models/ticket-classifier.js';
import { createPrices } from '../adapters/models/usage.js';
import { createClassifierPool } from '../adapters/processes/classifier-pool.js';
import { cacheQueries } from '../adapters/retrieval/cached-article-index.js';
import { createChromaArticleIndex } from '../adapters/retrieval/chroma-article-index.js';
import { createChromaServer } from '../adapters/retrieval/chroma-server.js';
import type { Company } from '../company/company.js';
import type { Config } from '../config/config.js';
import { type CompanyProfile, issueTypeIds } from '../core/domain/company.js';
import type { ProviderName } from '../core/domain/taxonomy.js';
import type { Texts } from '../core/i18n/index.js';
import type { BackgroundWork } from '../core/ports/background.js';
import type { OfflinePolicy } from '../core/ports/chat-models.js';
import type {
  ArticleIndex,
  ChatModels,
  ClassifierPool,
  Clock,
  Embedder,
  Log,
  ModelRole,
  TicketClassifier,
} from '../core/ports/index.js';
import { createNluClassifier, type Nlu } from '../nlu/index.js';
import type { AgentRoster } from '../runtime/agent-definition.js';
import { readPrompt } from '../runtime/build-agent.js';
import type { ClassifierSetup } from './classifier-process.js';
import type { OperationParts } from './operations.js';

/** What all models that ask the provider share. */
interface Asked extends Pick<OperationParts, 'spend' | 'onCall'> {
  readonly log: Log;
  readonly circuit: CircuitBreaker;
}

/** The chat models of the configured provider, or the rules where there is none. */
export async function chatModels(
  config: Config,
  offline: Record<ModelRole, OfflinePolicy>,
  asked: Asked & { readonly texts: Texts },
): Promise<ChatModels> {
  if (config.models.provider === 'offline') return createOfflineChatModels(offline);
  // Loaded where it is used only: the provider's client takes a fifth of a second.
  const { createChatModels } = await import('../adapters/models/openai-chat-models.js');
  return createChatModels({ config: config.models, offlinePolicies: offline, ...asked });
}

/** The state of conversations, where the hub's own tables are on a server. */
export async function checkpointsOnServer({
  databaseUrl,
  databaseDirectUrl: directUrl,
}: Config): Promise<OpenCheckpointer | null> {
  if (databaseUrl === undefined) return null;
  const { openPostgresCheckpointer } = await import('../adapters/checkpoints/postgres-checkpointer.js');
  return openPostgresCheckpointer(databaseUrl, { directUrl });
}

/** What need not answer at once: by timers, or with all servers of one database. */
export async function openBackground(
  {
    databaseUrl,
    databaseDirectUrl,
    background,
  }: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'background'>,
  log: Log,
): Promise<BackgroundWork> {
  if (databaseUrl === undefined) return createTimers(log);
  const { createQueuedWork } = await import('../adapters/background/queued-work.js');
  return createQueuedWork({ url: databaseDirectUrl ?? databaseUrl, works: background, log });
}

/** The vector index of articles. */
export function chroma(config: Config, log: Log, clock: Clock, queryTimeoutMs?: number): ArticleIndex {
  const server = createChromaServer({ dataDir: config.dataDir, url: config.chromaUrl, log, clock });
  return cacheQueries(
    createChromaArticleIndex({ server, log, ...(queryTimeoutMs === undefined ? {} : { queryTimeoutMs }) }),
  );
}

/** What makes vectors of texts. */
export async function embedder(config: Config, local: () => Embedder): Promise<Embedder> {
  const { provider, apiKey, model, baseUrl, timeoutMs, retries } = config.embeddings;
  if (provider === 'local' || apiKey === undefined) return local();
  const { createOpenAIEmbedder } = await import('../adapters/retrieval/openai-embedder.js');
  return createOpenAIEmbedder({
    apiKey,
    model,
    timeoutMs,
    retries,
    ...(baseUrl === undefined ? {} : { baseUrl }),
  });
}

interface ClassifierParts {
  readonly company: CompanyProfile;
  readonly agents: AgentRoster;
  readonly models: ChatModels;
  readonly nlu: Nlu;
  readonly log: Log;
}

/** What classifies tickets: the model of triage, or the trained classifier without one. */
export function classifier(config: Config, { company, agents, models, nlu, log }: ClassifierParts) {
  const offline = createNluClassifier(nlu);
  if (models.provider === 'offline') return offline;
  return createModelClassifier({
    model: models.forRole('triage'),
    prompt: readPrompt(triageAgent.prompt, company, agents.all),
    issueTypes: issueTypeIds(company),
    routes: agents.routes,
    ownWords: nlu.ownWords,
    languageOf: (text) => nlu.detectLanguage(text).language,
    fallback: offline,
    prices: createPrices({ ...config.models, log }),
    log,
  });
}

export interface BatchParts {
  /** Classifies in this process. */
  readonly classifier: TicketClassifier;
  readonly provider: ProviderName;
  readonly company: Pick<Company, 'nlu' | 'profile'>;
  readonly log: Log;
}

/** How a whole batch is classified. */
export interface BatchClassifierOptions {
  /** Processes at most. */
  readonly workers: number;
  /** True where this process itself has something better to do. */
  readonly apart?: boolean;
  /** Called where a process has ended by itself. */
  readonly onLost: (why: string) => void;
}

/** What a process needs to know to classify without a model. */
export function classifierSetup({ nlu, profile }: Pick<Company, 'nlu' | 'profile'>): ClassifierSetup {
  const { name, currency, timeZone, languages, issueTypes } = profile;
  return {
    intents: nlu.intents.names.map((intent) => nlu.intents.of(intent)),
    entities: nlu.entities,
    company: { name, currency, timeZone, languages, issueTypes },
    modelFile: nlu.modelFile,
  };
}

/**
 * What classifies a batch. Without a model it is the language layer in several processes; a model is waited for by this one
 * alone, so that one circuit, one spend ceiling and one concurrency hold for the whole batch.
 */
export function batchClassifier(
  { classifier, provider, company, log }: BatchParts,
  { onLost, apart = false, ...options }: BatchClassifierOptions,
): ClassifierPool {
  if ((options.workers === 1 && !apart) || provider !== 'offline')
    return { ...classifier, workers: 1, ready: async () => [], close() {} };
  return createClassifierPool({
    ...options,
    program: new URL('./classifier-process.ts', import.meta.url),
    setup: classifierSetup(company),
    local: classifier,
    onLost(why) {
      log.warn({ agent: 'triage', action: 'process_ended', details: { why } });
      onLost(why);
    },
  });
}

import { readFileSync } from 'node:fs';
import { offlinePolicies, triageAgent } from '../agents/index.js';
import { openStores, type Stores } from '../data/index.js';
import { openCheckpointer } from './adapters/checkpointers.js';
import { createChromaArticleIndex } from './adapters/chroma-article-index.js';
import { createChromaServer } from './adapters/chroma-server.js';
import { createLocalEmbedder } from './adapters/local-embedder.js';
import type { CircuitBreaker } from './adapters/model-circuit.js';
import { createModelCircuit } from './adapters/model-log.js';
import { createPrices } from './adapters/model-prices.js';
import { createModelClassifier } from './adapters/model-ticket-classifier.js';
import { createUsageCollector } from './adapters/model-usage.js';
import { createOfflineChatModels } from './adapters/offline-chat-models.js';
import { createOpenAIEmbedder } from './adapters/openai-embedder.js';
import { createLog } from './adapters/pino-log.js';
import { readPolicy } from './adapters/policy-file.js';
import { createRandomIds } from './adapters/random-ids.js';
import { createSystemClock } from './adapters/system-clock.js';
import { type OpenedSkills, openSkills } from './app-skills.js';
import type { Config } from './config.js';
import type { App as CoreApp } from './core/app.js';
import type { Identity } from './core/domain/customer.js';
import { HubError } from './core/errors.js';
import { TimeFormat } from './core/i18n/index.js';
import type {
  ArticleIndex,
  ChatModels,
  Clock,
  Embedder,
  Ids,
  Log,
  ModelRole,
  Skills,
} from './core/ports/index.js';
import type { OfflinePolicy } from './core/ports/offline-policy.js';
import type { SkillWorkbench } from './core/workbench.js';
import { createDesk, type DeskDeps, recover } from './graph/desk-service.js';
import type { GraphDeps } from './graph/graph-deps.js';
import { GraphRunner } from './graph/graph-run.js';
import { buildHubGraph } from './graph/hub-graph.js';
import { TurnService } from './graph/turn-service.js';
import { createLanguageLayer, createNlu, createNluClassifier, type Nlu } from './nlu/index.js';
import { type Analyzer, createAnalyzer, createKnowledge } from './rag/index.js';
import { createKbService, type KbService } from './rag/kb-service.js';

/** Parts that a test or another program replaces. */
export interface AppOverrides {
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly models?: ChatModels;
  readonly embedder?: Embedder;
  readonly index?: ArticleIndex;
  readonly log?: Log;
  /** Wraps what is stored: how tests make a disk full or a process die at an exact moment. */
  readonly wrapStores?: (stores: Stores) => Stores;
  /** Used where the configuration names none. */
  readonly checkpointer?: 'memory' | 'sqlite';
  /** Told in words about what takes a moment on first use. */
  readonly onProgress?: (message: string) => void;
}

/** The application with everything that commands may ask of it. */
export interface App extends CoreApp {
  readonly kb: KbService;
  readonly skills: Skills;
  readonly workbench: SkillWorkbench;
}

const THREAD_WAIT_MS = 30_000;

/**
 * Builds the application from its configuration: the only place that sees every part.
 * @throws HubError `config_invalid`, `data_dir_unusable`, `database_newer`, `database_failed`, `disk_full`
 */
export async function createApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  const parts = await openParts(config, overrides);
  const { stores, log } = parts;
  const { locks } = stores;
  const kind = config.checkpointer ?? overrides.checkpointer ?? 'memory';
  const checkpoints = openCheckpointer(kind, config.dataDir);
  const graph = buildHubGraph(parts.graph, checkpoints.saver);
  const runner = new GraphRunner(graph, kind === 'memory' ? 'exit' : 'sync');
  const prices = createPrices({ ...config.models, log });
  const turns = new TurnService({
    graph: parts.graph,
    runner,
    threads: stores.threads,
    pending: stores.pending,
    locks,
    newMeter: () => createUsageCollector(prices, parts.graph.models.provider),
    limits: {
      turnMs: config.turn.timeoutMs,
      messageChars: config.turn.maxMessageChars,
      waitMs: THREAD_WAIT_MS,
    },
    locale: config.locale,
  });
  const desk: DeskDeps = {
    graph: parts.graph,
    pending: stores.pending,
    audit: stores.audit,
    locks,
    turns,
    waitMs: THREAD_WAIT_MS,
  };
  await recover(desk);
  return {
    provider: parts.graph.models.provider,
    log,
    classifier: parts.graph.tools.classifier,
    desk: createDesk(desk),
    kb: parts.kb,
    skills: parts.skills.skills,
    workbench: parts.skills.workbench,
    signIn: (email) => signIn(stores, email),
    handle: (input) => turns.handle(input),
    close: async () => {
      await parts.index.close();
      await parts.skills.close();
      checkpoints.close();
      await stores.close();
      parts.closeLog();
    },
  };
}

/**
 * What Studio serves: the graph alone, without a checkpointer of its own, with the developer's word on who is speaking.
 * Everything is opened once; the functions given back make a graph for each request: the hub, and the decision trees.
 */
export async function openStudio(config: Config) {
  const parts = await openParts(config, {});
  return {
    hub: () => buildHubGraph({ ...parts.graph, trustUserEmail: true }),
    skills: () => parts.skills.studioGraph(),
  };
}

interface Parts {
  readonly stores: Stores;
  readonly log: Log;
  readonly index: ArticleIndex;
  readonly graph: GraphDeps;
  readonly kb: KbService;
  readonly skills: OpenedSkills;
  readonly closeLog: () => void;
}

async function openParts(config: Config, overrides: AppOverrides): Promise<Parts> {
  const clock = overrides.clock ?? createSystemClock();
  const ids = overrides.ids ?? createRandomIds();
  const policy = readPolicy(config.policyFile);
  const fileLog = overrides.log ? null : createLog({ ...config.log, clock });
  const log = overrides.log ?? (fileLog as Log);
  const progress = overrides.onProgress ? { onProgress: overrides.onProgress } : {};
  const opened = await openStores({ dataDir: config.dataDir, clock, ids, log, ...progress });
  const stores = overrides.wrapStores?.(opened) ?? opened;
  const nlu = await createNlu();
  const time = new TimeFormat(config.timeZone);
  const offline = offlinePolicies({ nlu, time });
  const circuit = createModelCircuit(log);
  const models = overrides.models ?? (await chatModels(config, offline, log, circuit));
  const index = overrides.index ?? chroma(config, log);
  const analyzer = createAnalyzer();
  const knowledge = createKnowledge({
    store: stores.knowledge,
    embedder: overrides.embedder ?? embedder(config, analyzer),
    analyzer,
    index,
    log,
    detectLanguage: (text) => nlu.detectLanguage(text).language,
  });
  await knowledge.ensureIndexed();
  const language = createLanguageLayer(nlu);
  const skills = openSkills({ config, stores, clock, ids, log, circuit });
  const tools = {
    customers: stores.customers,
    customerWrites: stores.customerWrites,
    memory: stores.memory,
    retriever: knowledge.retriever,
    classifier: classifier(config, models, nlu, log),
    language,
    skills: skills.skills,
    pending: stores.pending,
    audit: stores.audit,
    clock,
    policy,
    time,
    log,
  };
  const graph: GraphDeps = {
    models,
    tools,
    tickets: stores.tickets,
    language,
    ids,
    maxHops: config.turn.maxHops,
    trustUserEmail: false,
  };
  const kb = createKbService({
    knowledge,
    store: stores.knowledge,
    clock,
    detectLanguage: (text) => nlu.detectLanguage(text).language,
  });
  return { stores, log, index, graph, kb, skills, closeLog: () => fileLog?.close() };
}

async function chatModels(
  config: Config,
  offline: Record<ModelRole, OfflinePolicy>,
  log: Log,
  circuit: CircuitBreaker,
): Promise<ChatModels> {
  if (config.models.provider === 'offline') return createOfflineChatModels(offline);
  // Loaded where it is used only: the provider's client takes a fifth of a second.
  const { createChatModels } = await import('./adapters/openai-chat-models.js');
  return createChatModels({ config: config.models, offlinePolicies: offline, log, circuit });
}

function chroma(config: Config, log: Log): ArticleIndex {
  const server = createChromaServer({ dataDir: config.dataDir, url: config.chromaUrl, log });
  return createChromaArticleIndex({ server, log });
}

function embedder(config: Config, analyzer: Analyzer): Embedder {
  const { provider, apiKey, model, baseUrl, timeoutMs, retries } = config.embeddings;
  if (provider === 'local' || apiKey === undefined) return createLocalEmbedder({ analyzer });
  return createOpenAIEmbedder({
    apiKey,
    model,
    timeoutMs,
    retries,
    ...(baseUrl === undefined ? {} : { baseUrl }),
  });
}

function classifier(config: Config, models: ChatModels, nlu: Nlu, log: Log) {
  const offline = createNluClassifier(nlu);
  if (models.provider === 'offline') return offline;
  return createModelClassifier({
    model: models.forRole('triage'),
    prompt: readFileSync(triageAgent.prompt, 'utf8'),
    fallback: offline,
    prices: createPrices({ ...config.models, log }),
    log,
  });
}

async function signIn(stores: Stores, email: string): Promise<Identity> {
  const user = await stores.customers.findUserByEmail(email.trim());
  if (!user) throw new HubError('customer_unknown', `There is no customer with the address ${email}.`);
  return { kind: 'customer', customerId: user.userId, email: user.email };
}

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createAgents } from '../../agents/index.js';
import { offlinePolicies } from '../../agents/offline.js';
import type { HubAgent } from '../../agents/offline-support.js';
import { triageAgent } from '../../agents/triage/agent.js';
import { openStores, type Stores, type StoresOptions } from '../../data/index.js';
import { engineTools } from '../../tools/index.js';
import type { OpenCheckpointer } from '../adapters/checkpoints/checkpointers.js';
import { useLightRunContext } from '../adapters/checkpoints/light-run-context.js';
import type { CircuitOptions } from '../adapters/models/circuit.js';
import { createModelCircuit } from '../adapters/models/circuit.js';
import { createOfflineChatModels } from '../adapters/models/offline-chat-model.js';
import { createRandomIds, createSystemClock } from '../adapters/system.js';
import { createLog } from '../adapters/telemetry/pino-log.js';
import type { CompanyBackend } from '../company/company-code.js';
import { escalatingClassifier } from '../company/escalating-classifier.js';
import type { Config } from '../config/config.js';
import type { ArticleDesk } from '../core/desk-work.js';
import { serviceHours } from '../core/policy/policy.js';
import type { BackgroundWork } from '../core/ports/background.js';
import type {
  ArticleIndex,
  ChatModels,
  Clock,
  DataSources,
  Ids,
  Log,
  OnIndexing,
  RemoteAgents,
  TicketClassifier,
  Tracing,
} from '../core/ports/index.js';
import { rememberedQuestions, rememberedRecords } from '../core/turn-reads.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { TurnOwnership } from '../graph/ownership.js';
import { createBare, createLanguageLayer, createNluClassifier, createOfAnyone } from '../nlu/index.js';
import { createArticleDesk } from '../rag/article-desk.js';
import { createKnowledge, type Knowledge } from '../rag/index.js';
import { createKbService, type KbService } from '../rag/kb-service.js';
import { createAgentRoster } from '../runtime/agent-definition.js';
import { createRoster, withTools } from '../runtime/roster.js';
import { EventBus } from '../turns/event-bus.js';
import { publishing } from '../turns/publishing-stores.js';
import { OpenTurns } from '../turns/thread-streams.js';
import {
  companySources,
  demandRoster,
  type LoadedCompany,
  openCompany,
  settled,
  storageOf,
  withClock,
  withRoster,
} from './company.js';
import { type OperationParts, openOperations } from './operations.js';
import {
  chatModels,
  checkpointsOnServer,
  chroma,
  classifier,
  embedder,
  openBackground,
} from './providers.js';
import { openRemote } from './remote.js';
import { type Resources, readResources } from './resources.js';
import { type OpenedSkills, openSkills } from './skills.js';

/** Parts that a test or another program replaces. */
export interface AppOverrides {
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly models?: ChatModels;
  /** Already read for another App with the same company. */
  readonly resources?: Resources;
  readonly index?: ArticleIndex;
  readonly log?: Log;
  /** Traces the turns instead of the collector of `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly tracing?: Tracing;
  /** Returns the roster to use, given the agents that ship. */
  readonly agents?: (shipped: readonly HubAgent[]) => readonly HubAgent[];
  /** Agents elsewhere, instead of those of `HUB_REMOTE_AGENTS`; closed with the App. */
  readonly remoteAgents?: RemoteAgents;
  /** Wraps what is stored: how tests make a disk full or a process die at an exact moment. */
  readonly wrapStores?: (stores: Stores) => Stores;
  /** The same for what the company's code reads and does. */
  readonly wrapCompany?: (backend: CompanyBackend) => CompanyBackend;
  /** The same for the systems that the company's data are in. */
  readonly wrapSources?: (sources: DataSources) => DataSources;
  /** See StoresOptions. */
  readonly onOpened?: NonNullable<StoresOptions['onOpened']>;
  /** Used where the configuration names none. */
  readonly checkpointer?: 'memory' | 'sqlite';
  /** True where metrics can be read (the server); a command counts nothing. */
  readonly measure?: boolean;
  /** See StoresOptions. */
  readonly history?: boolean;
  /** See StoresOptions; for the checkpoints as well. */
  readonly busyWaitMs?: number;
  /**
   * Longest wait for one question to the vector index, in milliseconds; two seconds where absent, which is as long as a
   * customer may wait. Background work is given more.
   */
  readonly indexWaitMs?: number;
  /** True where the vector index is asked as soon as the App is open: questions are about to come. */
  readonly asksIndex?: boolean;
  /** How long a provider that is down is left alone, and by which clock; see CircuitBreaker. */
  readonly modelCircuit?: Pick<CircuitOptions, 'pauseMs' | 'now'>;
  /** How often undecided approvals are checked for expiry, in milliseconds; a minute where absent. */
  readonly expireEveryMs?: number;
  /** Called with the progress of indexing articles. */
  readonly onIndexing?: OnIndexing;
  /** Called with a sentence about each step that takes a moment on first use. */
  readonly onProgress?: (message: string) => void;
}

/** Everything below the graph, opened. */
export interface Parts {
  /** They publish their changes on the event bus. */
  readonly stores: Stores;
  readonly bus: EventBus;
  readonly openTurns: OpenTurns;
  readonly company: LoadedCompany;
  readonly customers: CompanyBackend['customers'];
  readonly log: Log;
  readonly index: ArticleIndex;
  readonly graph: GraphDeps;
  readonly ownership: TurnOwnership;
  /** The trained classifier, whatever the provider. */
  readonly localTriage: TicketClassifier;
  readonly knowledge: Knowledge;
  readonly kb: KbService;
  readonly articles: ArticleDesk;
  readonly skills: OpenedSkills;
  /** On the server of the hub's tables; null where those are in the data directory. */
  readonly checkpoints: OpenCheckpointer | null;
  readonly operations: OperationParts;
  readonly background: BackgroundWork;
  /** The systems that the company's own data are in. */
  readonly sources: DataSources;
  readonly closeLog: () => void;
}

/** Opens everything below the graph. @throws HubError as `createApp` does */
export async function openParts(config: Config, overrides: AppOverrides): Promise<Parts> {
  useLightRunContext();
  const clock = overrides.clock ?? createSystemClock();
  const ids = overrides.ids ?? createRandomIds();
  const resources = overrides.resources ?? (await readResources(config, overrides.onProgress));
  const { statements, messages } = resources;
  const read = withClock(resources.company, clock);
  const { policy, time } = read;
  const { timeZone } = read.profile;
  const fileLog = overrides.log ? null : createLog({ ...config.log, clock });
  const log = overrides.log ?? (fileLog as Log);
  const progress = {
    ...(overrides.onProgress ? { onProgress: overrides.onProgress } : {}),
    ...(overrides.onOpened ? { onOpened: overrides.onOpened } : {}),
    ...(overrides.busyWaitMs === undefined ? {} : { busyWaitMs: overrides.busyWaitMs }),
  };
  const { demo } = config.server;
  const opened = await openStores({
    ...{ dataDir: config.dataDir, demo, clock, ids, log, ...progress },
    ...{ databaseUrl: config.databaseUrl, databaseDirectUrl: config.databaseDirectUrl },
    history: overrides.history ?? false,
    company: storageOf(read),
  });
  const index = overrides.index ?? chroma(config, log, clock, overrides.indexWaitMs);
  // Its server starts beside everything else that is opened.
  if (overrides.asksIndex) void index.ping();
  const wrapped = overrides.wrapStores?.(opened) ?? opened;
  const bus = new EventBus(wrapped.events, log, wrapped.peers);
  const openTurns = new OpenTurns();
  const published = publishing(wrapped, bus, openTurns);
  const stores = { ...published, pending: rememberedQuestions(published.pending) };
  const systems = companySources(config, log);
  const sources = overrides.wrapSources?.(systems) ?? systems;
  const own = openCompany(read, { stores, clock, ids, log, sources });
  const backend = overrides.wrapCompany?.(own) ?? own;
  const { customers, records, answers = {}, tools: companyTools, operatorActions = [] } = backend;
  const entities = read.nlu.entities.map(({ id }) => id);
  const shipped = createAgents(withTools(engineTools({ entities }), companyTools), read.profile);
  const hubAgents = overrides.agents?.(shipped) ?? shipped;
  const agents = createAgentRoster(hubAgents);
  const company = withRoster(read, { agents: hubAgents, operatorActions, own: companyTools });
  const { texts } = company;
  const { intents } = company.nlu;
  const nlu = intents === read.nlu.intents ? resources.nlu : resources.nlu.knowing(intents);
  demandRoster(company, { agents: shipped, operatorActions, routes: agents.routes });
  const roster = createRoster(
    [triageAgent, ...hubAgents].flatMap(({ tools }) => tools),
    operatorActions,
  );
  const offline = offlinePolicies({ nlu, time, texts, roster, agents, answers }, hubAgents);
  const circuit = createModelCircuit(log, overrides.modelCircuit);
  const background = await openBackground(config, log);
  const operations = await openOperations(
    config,
    { ...stores, customers, background },
    { clock, log, timeZone },
    { measured: overrides.measure ?? false, tracing: overrides.tracing },
  );
  const { spend, onCall } = operations;
  const asked = { log, circuit, spend, onCall };
  const models = overrides.models ?? (await chatModels(config, offline, { ...asked, texts }));
  const detectLanguage = (text: string) => nlu.detectLanguage(text).language;
  const reader = resources.articleReader();
  const knowledge = createKnowledge({
    store: stores.knowledge,
    embedder: await embedder(config, () => reader.local),
    bare: createBare(company.profile.name),
    ofAnyone: createOfAnyone(),
    ...{ reader, calibration: pathToFileURL(join(company.folder, 'articles', 'calibration.json')) },
    onIndexing: overrides.onIndexing,
    index,
    log,
    detectLanguage,
    languages: company.profile.languages,
  });
  await knowledge.ensureIndexed();
  const language = createLanguageLayer(nlu);
  const remote = await openRemote(config, {
    clock,
    ids,
    log,
    models,
    company: company.profile,
    agents,
    given: overrides.remoteAgents,
  });
  const checkpoints = await checkpointsOnServer(config);
  const skills = openSkills({
    ...{ config, company, packs: resources.packs, stores, clock, ids, ...asked },
    ...{ checkpoints, wrapSources: overrides.wrapSources },
  });
  const tools = {
    ...{ customers, records: rememberedRecords(records), entities },
    effects: settled(stores.effects, backend),
    memory: stores.memory,
    retriever: operations.traced(knowledge.retriever),
    classifier: escalatingClassifier(
      classifier(config, { company: company.profile, agents, models, nlu, log }),
      company.profile,
    ),
    language,
    skills: skills.skills,
    pending: stores.pending,
    audit: stores.audit,
    clock,
    policy,
    time,
    texts,
    log,
    roster,
    company: company.profile,
    ...(operations.tracing ? { spans: operations.tracing } : {}),
    ...(remote.access ? { remote: remote.access } : {}),
  };
  const ownership = new TurnOwnership(stores.threads);
  const graph: GraphDeps = {
    models,
    rules: createOfflineChatModels(offline),
    tools: { ...tools, guard: ownership },
    agents,
    tickets: stores.tickets,
    language,
    dialogue: resources.dialogueOver(nlu),
    messages,
    statements,
    ids,
    hours: serviceHours(policy.support, timeZone),
    ownership,
    remote: remote.agents,
    maxHops: config.turn.maxHops,
    trustUserEmail: false,
  };
  const { languages } = company.profile;
  const known = { knowledge, store: stores.knowledge, clock, detectLanguage, languages };
  const kb = createKbService(known);
  const articles = createArticleDesk({ ...known, drafts: stores.drafts, audit: stores.audit, ids });
  const watched = { bus, openTurns, ownership };
  return {
    ...watched,
    localTriage: createNluClassifier(nlu),
    ...{ company, customers, stores, log, index, graph, knowledge, kb, articles, skills, operations },
    ...{ sources, checkpoints, background },
    closeLog: () => fileLog?.close(),
  };
}

import { triageAgent } from '../../agents/triage/agent.js';
import { createWebhooks } from '../adapters/a2a/webhooks.js';
import { openCheckpointer } from '../adapters/checkpoints/checkpointers.js';
import { createPrices, createUsageCollector } from '../adapters/models/usage.js';
import { createWebPush } from '../adapters/push/web-push.js';
import { createStudioThreads } from '../adapters/studio/studio-threads.js';
import { createCapabilities } from '../capabilities/capabilities.js';
import { entityNames } from '../company/entities.js';
import { type Config, isThisMachineAlone } from '../config/config.js';
import type { App as CoreApp } from '../core/app.js';
import { AttachmentStore, fileLimits } from '../core/attachments.js';
import type { Capabilities } from '../core/capabilities.js';
import type { CompanyDesk } from '../core/company-changes.js';
import type { ArticleDesk } from '../core/desk-work.js';
import type { Identity } from '../core/domain/customer.js';
import type { Translated } from '../core/domain/taxonomy.js';
import { HubError } from '../core/errors.js';
import type { A2aSupport } from '../core/ports/a2a-tasks.js';
import type { Customers, Skills } from '../core/ports/index.js';
import type { PushSupport } from '../core/ports/push.js';
import { createRunningWork, type RunningWork } from '../core/signals.js';
import type { SkillWorkbench } from '../core/workbench.js';
import { choose } from '../desk/choose-option.js';
import { endShifts, lapseClaims } from '../desk/claims.js';
import { createDesk, type DeskDeps } from '../desk/desk.js';
import { createDeskReads } from '../desk/reads.js';
import type { GraphDeps } from '../graph/graph-deps.js';
import { buildHubGraph } from '../graph/hub-graph.js';
import { nextStep } from '../graph/next-step.js';
import { UNOWNED } from '../graph/ownership.js';
import { describedForStudio } from '../graph/studio.js';
import type { KbService } from '../rag/kb-service.js';
import type { ToolDeps } from '../runtime/define-tool.js';
import { GraphRunner } from '../turns/graph-run.js';
import { expireApprovals } from '../turns/retention.js';
import { TurnService } from '../turns/turn-service.js';
import { authSecrets, openAccess } from './access.js';
import { type BatchTriage, openBatchTriage } from './batch-triage.js';
import { openCompanyDesk } from './company-files.js';
import { openConversations, openMail } from './conversations.js';
import { type AppOverrides, openParts, type Parts } from './parts.js';

export type { AppOverrides } from './parts.js';

/** The application with everything that commands may ask of it. */
export interface App extends CoreApp, BatchTriage {
  readonly kb: KbService;
  /** What operators do with articles. */
  readonly articles: ArticleDesk;
  readonly companyDesk: CompanyDesk;
  readonly skills: Skills;
  readonly workbench: SkillWorkbench;
}

const THREAD_WAIT_MS = 30_000;
const MINUTE_MS = 60_000;

/**
 * Builds the application from its configuration: the only place that sees every part.
 * @throws HubError `config_invalid`, `data_dir_unusable`, `database_newer`, `database_failed`, `disk_full`
 */
export async function createApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  const parts = await openParts(config, overrides);
  const { stores, log } = parts;
  const { locks } = stores;
  const kind = config.checkpointer ?? overrides.checkpointer ?? 'memory';
  const { busyWaitMs } = overrides;
  const onServer = kind === 'memory' ? null : parts.checkpoints;
  const checkpoints =
    onServer ?? openCheckpointer(kind, config.dataDir, busyWaitMs === undefined ? {} : { busyWaitMs });
  const graph = buildHubGraph(parts.graph, checkpoints.saver);
  const runner = new GraphRunner(graph, kind !== 'memory', checkpoints.canWrite);
  const prices = createPrices({ ...config.models, log });
  const { metrics, tracing } = parts.operations;
  const turns = new TurnService({
    graph: parts.graph,
    runner,
    threads: stores.threads,
    ownership: parts.ownership,
    pending: stores.pending,
    locks,
    triage: parts.localTriage,
    newMeter: () => createUsageCollector(prices, parts.graph.models.provider),
    metrics,
    tracing,
    limits: {
      turnMs: config.turn.timeoutMs,
      messageChars: config.turn.maxMessageChars,
      waitMs: THREAD_WAIT_MS,
    },
    locale: config.locale,
  });
  const files = fileLimits(parts.graph.tools.policy);
  const desk: DeskDeps = {
    graph: parts.graph,
    threads: stores.threads,
    ownership: parts.ownership,
    messageChars: config.turn.maxMessageChars,
    presence: stores.presence,
    ticketDesk: stores.ticketDesk,
    macros: stores.macros,
    views: stores.views,
    articles: parts.articles,
    desk: stores.desk,
    pending: stores.pending,
    ratings: stores.ratings,
    audit: stores.audit,
    locks,
    turns,
    metrics,
    waitMs: THREAD_WAIT_MS,
    reads: createDeskReads({
      graph: parts.graph,
      desk: stores.desk,
      pending: stores.pending,
      threads: stores.threads,
    }),
    attaching: new AttachmentStore({ files: stores.files, ids: parts.graph.ids, limits: files }),
    files: stores.files,
  };
  const opened = await openConversations(config, parts, desk, runner);
  const companyDesk = openCompanyDesk(config, parts);
  const { background } = parts;
  const { close: closeBatches, ...batches } = openBatchTriage(config, parts, background);
  const work = createRunningWork();
  const sweep = async (): Promise<void> => {
    await expireApprovals(desk);
    await lapseClaims(desk);
    await endShifts(desk);
  };
  background.every({ name: 'expiry', everyMs: overrides.expireEveryMs ?? MINUTE_MS, work: sweep });
  return {
    provider: parts.graph.models.provider,
    company: parts.company.profile,
    // Pages alone ask for them.
    get toolNames() {
      return toolNames(parts.graph.tools);
    },
    get argumentNames() {
      return argumentNames(parts.graph.tools);
    },
    get entityNames() {
      return entityNames(parts.company.nlu.entities, parts.company.profile.languages);
    },
    texts: parts.graph.tools.texts,
    log,
    files,
    classifier: parts.graph.tools.classifier,
    metrics,
    ...openAccess(config, parts, checkpoints),
    desk: createDesk(desk),
    conversations: opened.conversations,
    deskEvents: opened.deskEvents,
    capabilities: openCapabilities(config, parts, desk),
    a2a: openA2a(config, parts, work),
    mail: openMail(config, parts, work),
    push: openPush(config, parts, work),
    studio: config.server.studioUrl === undefined ? null : createStudioThreads(config.server.studioUrl),
    idempotency: stores.idempotency,
    rateCounters: stores.rateCounters,
    kb: parts.kb,
    articles: parts.articles,
    companyDesk,
    skills: parts.skills.skills,
    workbench: parts.skills.workbench,
    ...batches,
    signIn: (email) => signIn(parts.customers, email),
    handle: (input) => turns.handle(input),
    close: async () => {
      work.stop();
      await background.close();
      closeBatches();
      await opened.close();
      await companyDesk.close();
      await work.settled();
      await parts.graph.remote.close();
      await parts.index.close();
      await parts.skills.close();
      await parts.sources.close();
      await parts.operations.close();
      await parts.checkpoints?.close();
      if (checkpoints !== parts.checkpoints) await checkpoints.close();
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
    hub: () => describedForStudio(buildHubGraph(unowned(parts.graph))),
    skills: () => parts.skills.studioGraph(),
  };
}

/** In Studio the graph runs by itself: no operator claims a conversation. */
function unowned(graph: GraphDeps): GraphDeps {
  const { guard: _guard, ...tools } = graph.tools;
  return { ...graph, tools, ownership: UNOWNED, trustUserEmail: true };
}

/** What the tools are called, and what they do, in every language of the company. */
function toolNames({ roster, texts, company }: ToolDeps): App['toolNames'] {
  const inAll = (given: Translated | undefined, family: 'tool' | 'activity', name: string): Translated =>
    Object.fromEntries(
      company.languages.map((language) => [
        language,
        given?.[language] ?? (texts.for(language).sayOf(family, name) || name),
      ]),
    );
  return Object.fromEntries(
    [...roster.all.values()].map(({ name, label, activity }) => [
      name,
      { label: inAll(label, 'tool', name), activity: inAll(activity, 'activity', name) },
    ]),
  );
}

/** The names of all arguments that have one in the text files, in every language of the company. */
function argumentNames({ roster, texts, company }: ToolDeps): App['argumentNames'] {
  const names = [...roster.all.values()].flatMap(({ input }) => Object.keys(input.shape));
  return Object.fromEntries(
    [...new Set(names)]
      .map((name) => [
        name,
        Object.fromEntries(company.languages.map((one) => [one, texts.for(one).sayOf('argument', name)])),
      ])
      .filter(([, named]) => Object.values(named ?? {}).every((text) => text !== '')),
  );
}

async function signIn(customers: Customers, email: string): Promise<Identity> {
  const user = await customers.findByEmail(email.trim());
  const named = email.includes('@') ? `with the address ${email}` : `"${email}"`;
  if (!user) throw new HubError('customer_unknown', `There is no customer ${named}.`);
  return { kind: 'customer', customerId: user.customerId, email: user.email };
}

/** Web push: notifies browsers of answers after their page was closed. */
function openPush(
  { server }: Config,
  { stores, graph, background, log }: Pick<Parts, 'stores' | 'graph' | 'background' | 'log'>,
  { track }: RunningWork,
): PushSupport {
  const allowLoopback = isThisMachineAlone(server);
  return createWebPush({
    ...{ store: stores.pushes, clock: graph.tools.clock, background, log, track, allowLoopback },
    webhooks: createWebhooks({ allowLoopback }),
    contact: server.mail ? `mailto:${server.mail.address}` : (server.publicUrl ?? 'https://localhost'),
  });
}

/** What the agents need to work for other software. */
function openA2a(
  config: Config,
  { stores, graph, customers, background }: Pick<Parts, 'stores' | 'graph' | 'customers' | 'background'>,
  { closing, track }: RunningWork,
): A2aSupport {
  return {
    background,
    tasks: stores.a2aTasks,
    outbox: stores.webhookOutbox,
    webhooks: createWebhooks({ allowLoopback: isThisMachineAlone(config.server) }),
    clock: graph.tools.clock,
    ids: graph.ids,
    async customer(customerId) {
      const user = await customers.get(customerId);
      return user && { kind: 'customer', customerId, email: user.email };
    },
    closing,
    track,
  };
}

/** What other software may call, over the same stores, tools and gates as the conversations. */
function openCapabilities(
  config: Config,
  { stores, graph, operations }: Pick<Parts, 'stores' | 'graph' | 'operations'>,
  desk: DeskDeps,
): Capabilities {
  const { guard: _turns, ...tools } = graph.tools;
  const { locale } = config;
  const secrets = authSecrets(config, tools.clock);
  const { tickets, threads, locks, idempotency, isErased } = stores;
  return createCapabilities({
    ...{ tools, tickets, threads, locks, idempotency, isErased, locale, waitMs: desk.waitMs },
    ...{ agents: graph.agents, triage: triageAgent, ids: graph.ids },
    metrics: operations.metrics,
    tracing: operations.tracing,
    secrets: () => secrets().map(({ secret }) => secret),
    chooseAtDesk: (ticketId, choice, operator) => choose(desk, ticketId, choice, operator),
    nextStep: (language) => nextStep(graph, language, undefined),
  });
}

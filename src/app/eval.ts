import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { openTables, type Tables } from '../../data/tables.js';
import { searchKnowledge } from '../../tools/knowledge/search-knowledge.js';
import { MemoryArticleIndex } from '../adapters/retrieval/memory-article-index.js';
import type { Config } from '../config/config.js';
import type { Clock, DataSources } from '../core/ports/index.js';
import type { CustomerModel, EvalFacts, EvalWorld, ToolFacts } from '../eval/scenario.js';
import { createTraceRecorder, type TraceRecorder } from '../eval/trace.js';
import { createApp } from './app.js';
import { overCopies, type RunningSystems, readSystems } from './eval-systems.js';
import { type AppOverrides, openParts } from './parts.js';
import { readResources } from './resources.js';

/** Where the clock is in every conversation, and when the data was seeded: a Wednesday at noon in São Paulo. */
const NOW = '2026-03-11T15:00:00.000Z';
const CUSTOMER_TOKENS = 300;
const MOST_CUSTOMERS = 100_000;

/**
 * Where scenarios are played: the company's demo data is seeded and its articles are indexed once, in a folder of its
 * own, and every conversation gets a hub on a copy of it. Nothing of the configured data directory is touched, and nothing of
 * the systems that the company's data are in is changed.
 * @param now where the clock stands, and when the data is seeded
 * @param inEarnest true where systems that nothing stands in for may be changed
 * @throws HubError as `createApp` and `readSystems` do
 */
export async function openEvaluation(given: Config, now = NOW, inEarnest = false): Promise<EvalWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-eval-'));
  const clock: Clock = { now: () => new Date(now) };
  // Shared: no conversation changes an article.
  const index = new MemoryArticleIndex();
  const configOf = (dataDir: string): Config => ({
    ...given,
    dataDir,
    databaseUrl: undefined,
    checkpointer: 'memory',
    server: { ...given.server, demo: true },
  });
  /** The same, asking the systems that stand in for those of the company. */
  const over = (config: Config, { urls }: RunningSystems): Config => ({
    ...config,
    skills: { ...config.skills, secret: (name) => urls.get(name) ?? config.skills.secret(name) },
  });
  const seeded = join(folder, 'seeded');
  let copies = 0;
  const copy = (): string => {
    copies += 1;
    const dataDir = join(folder, `copy-${copies}`);
    cpSync(seeded, dataDir, { recursive: true });
    return dataDir;
  };
  try {
    const systems = await readSystems(given, folder, inEarnest);
    const resources = await readResources(configOf(seeded));
    const first = await systems.start(folder, clock.now);
    const about = await seed(
      over(configOf(seeded), first),
      {
        ...{ clock, index, resources, log: createTraceRecorder().log },
        wrapSources: (sources) => overCopies(sources, first),
      },
      first.tables.columns,
    ).finally(first.close);
    const { facts, database, scope } = about;
    return {
      facts,
      customerModel: await customerModel(given),
      async open({ log, tracing }: TraceRecorder) {
        const dataDir = copy();
        const own = await systems.start(dataDir, clock.now);
        const wrapSources = (sources: DataSources) => overCopies(sources, own);
        const config = over(configOf(dataDir), own);
        const app = await createApp(config, { clock, index, resources, log, tracing, wrapSources });
        const tables = openTables(database, dataDir, scope);
        const theirs = own.tables;
        return {
          app,
          tables: {
            rows: (table, customerId) =>
              Object.hasOwn(theirs.columns, table) ? theirs.rows(table) : tables.rows(table, customerId),
          },
          async close() {
            tables.close();
            await app.close();
            await own.close();
            rmSync(dataDir, { recursive: true, force: true });
          },
        };
      },
      close: async () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Makes the data that every conversation starts from, and says what is there. */
async function seed(
  config: Config,
  overrides: Required<Pick<AppOverrides, 'clock' | 'index' | 'resources' | 'log' | 'wrapSources'>>,
  systems: Tables['columns'],
) {
  const parts = await openParts(config, overrides);
  const { graph, stores, company, customers } = parts;
  const { code } = company;
  const tables = openTables(code.database, config.dataDir, code.scope);
  try {
    const people = await customers.search('', MOST_CUSTOMERS);
    const tools: Readonly<Record<string, ToolFacts>> = Object.fromEntries(
      [...graph.tools.roster.all].map(([name, { effect }]) => {
        const having = graph.agents.all.filter((agent) => agent.tools.some((tool) => tool.name === name));
        const agents = having.map((agent) => agent.name);
        return [
          name,
          { agents, routes: having.map(({ route }) => route), changes: effect === 'irreversible' },
        ];
      }),
    );
    const facts: EvalFacts = {
      company: company.id,
      provider: graph.models.provider,
      languages: company.profile.languages,
      columns: { ...tables.columns, ...systems },
      tools,
      search: [tools[searchKnowledge.name] ?? []].flat(),
      articles: new Set((await stores.knowledge.list()).map(({ articleId }) => articleId)),
      customers: new Set(people.map(({ email }) => email.toLowerCase())),
    };
    return { facts, database: code.database, scope: code.scope };
  } finally {
    tables.close();
    await parts.graph.remote.close();
    await parts.skills.close();
    await parts.operations.close();
    await stores.close();
  }
}

/** Plays customers by the model that the hub is given; null offline. */
async function customerModel({ models }: Config): Promise<CustomerModel | null> {
  if (models.provider === 'offline') return null;
  const { chatOpenAi } = await import('../adapters/models/openai-client.js');
  const model = chatOpenAi(models.chatModel.supervisor, models, {
    temperature: 0.7,
    maxTokens: CUSTOMER_TOKENS,
  });
  return async (instruction, lines) => {
    const said = lines.map(({ by, text }) => (by === 'hub' ? new HumanMessage(text) : new AIMessage(text)));
    const opening = new HumanMessage('The chat is open. Write your first message.');
    const answer = await model
      .withRetry({ stopAfterAttempt: models.retries + 1 })
      .invoke([new SystemMessage(instruction), opening, ...said]);
    return answer.text;
  };
}

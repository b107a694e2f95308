import { fileURLToPath } from 'node:url';
import { createCustomerRecords } from '../../../companies/cultpass/data/customer-records.js';
import { createCustomers } from '../../../companies/cultpass/data/database.js';
import { loadCompany } from '../../../src/company/company.js';
import type { Identity } from '../../../src/core/domain/customer.js';
import type { Session } from '../../../src/core/domain/session.js';
import { TimeFormat } from '../../../src/core/i18n/index.js';
import type { Retriever, TicketClassifier } from '../../../src/core/ports/index.js';
import { createLanguageLayer, createNlu } from '../../../src/nlu/index.js';
import type { ToolDeps } from '../../../src/runtime/define-tool.js';
import type { ToolEnvelope } from '../../../src/runtime/envelope.js';
import { runTool } from '../../../src/runtime/gate.js';
import { sentencesOf } from '../../../src/runtime/roster.js';
import { openSqliteWorld, type StoresWorld } from '../../contract/stores/world.js';
import { CULTPASS_NLU } from '../../support/company.js';
import { NO_SKILLS } from '../../support/no-skills.js';
import { rosterOf, toolsOver } from '../../support/roster.js';
import { TEXTS } from '../../support/texts.js';
import { policy } from '../policy/fixtures.js';

/** Tools over real databases, called as an agent calls them, without a graph around them. */
export interface ToolBench {
  readonly world: StoresWorld;
  readonly deps: ToolDeps;
  /** Calls a tool as a customer (by id) or, with null, anonymously. */
  call(customerId: string | null, tool: string, input?: unknown): Promise<ToolEnvelope>;
}

const NOTHING_FOUND: Retriever = {
  search: () => Promise.resolve({ mode: 'hybrid', hits: [] }),
  getArticle: () => Promise.resolve(null),
  asksOn: () => Promise.resolve(false),
};

const CLASSIFIER: TicketClassifier = {
  classify: () => Promise.reject(new Error('not needed here')),
};

/** Seeds the databases and puts the tools on them. */
export async function openToolBench(): Promise<ToolBench> {
  const world = await openSqliteWorld();
  const { stores, clock, log } = world;
  const roster = rosterOf(toolsOver(stores));
  const deps: ToolDeps = {
    customers: createCustomers(stores.company.reader, stores.customers),
    records: createCustomerRecords(stores.customers, clock, 'BRL', policy.company),
    entities: ['reservation'],
    effects: stores.effects,
    memory: stores.memory,
    pending: stores.pending,
    audit: stores.audit,
    retriever: NOTHING_FOUND,
    classifier: CLASSIFIER,
    language: createLanguageLayer(await createNlu(CULTPASS_NLU)),
    skills: NO_SKILLS,
    clock,
    policy,
    time: new TimeFormat('America/Sao_Paulo'),
    texts: TEXTS.with(sentencesOf(roster.all.values())),
    log,
    roster,
    company: loadCompany(fileURLToPath(new URL('../../../companies/cultpass', import.meta.url))).profile,
  };
  const ticket = await stores.tickets.create({ customerId: null, threadId: 'thr_1', channel: 'chat' });
  let calls = 0;
  return {
    world,
    deps,
    async call(customerId, name, input = {}) {
      const tool = roster.all.get(name);
      if (!tool) throw new Error(`There is no tool ${name}.`);
      calls += 1;
      const identity: Identity =
        customerId === null
          ? { kind: 'anonymous' }
          : { kind: 'customer', customerId, email: 'me@example.com' };
      const session: Session = {
        turnId: 'trn_1',
        ticketId: ticket.ticketId,
        threadId: 'thr_1',
        graphThreadId: 'thr_1',
        channel: 'chat',
        identity,
        customerName: null,
        language: 'en',
        unsupportedLanguage: null,
        memory: null,
        lastReply: null,
        previousMessage: null,
      };
      const context = { session, agent: 'test', callId: `call_${calls}` };
      return (await runTool(tool, deps, input, context)).envelope;
    },
  };
}

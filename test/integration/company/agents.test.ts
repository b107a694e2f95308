import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { HubAgent } from '../../../agents/offline-support.js';
import { triageAgent } from '../../../agents/triage/agent.js';
import { type AnyTool, defineAction, defineTool, type ToolDeps } from '../../../src/runtime/define-tool.js';
import { say } from '../../../src/runtime/offline-step.js';
import { toolsOf } from '../../../src/runtime/roster.js';
import { companyLike } from '../../support/company.js';
import { type Hub, openHub } from '../../support/hub.js';
import { scriptedModels } from '../../support/scripted-model.js';

/** What a newcomer writes in agents/perks/: nothing else of the hub knows of it. */
const perksAgent: HubAgent = {
  name: 'perks',
  description: 'Answers questions about points and how they are redeemed.',
  role: 'knowledge',
  route: 'points',
  takes: 'points, levels and what they buy',
  access: 'anyone',
  prompt: triageAgent.prompt,
  tools: [],
  prefetch: () => [],
  offline: () => () => say('Points are worth a cent each.'),
};

const withPerks = (shipped: readonly HubAgent[]): readonly HubAgent[] => [...shipped, perksAgent];

const triaged = {
  issue_type: 'general',
  priority: 'low',
  sentiment: 'neutral',
  human_reason: null,
  summary: 'Asks about points.',
  language: 'en',
  requests: [{ text: 'What are my points worth?', route: 'points' }],
  confidence: 0.95,
} as const;

let folder: string | null = null;
let hub: Hub | null = null;
afterEach(async () => {
  await hub?.close();
  hub = null;
  if (folder) rmSync(folder, { recursive: true, force: true });
  folder = null;
});

const words = { en: 'the Premium plan', 'pt-BR': 'o plano Premium' };

/** What a newcomer writes in tools/ of a company: no sentence and no intent of it stands anywhere else. */
const upgradePlan = defineAction({
  name: 'try_premium',
  label: { en: 'Move to the premium plan', 'pt-BR': 'Mudar para o plano premium' },
  description: 'Moves the subscription to the premium plan.',
  effect: 'irreversible',
  access: 'customer',
  issueType: 'subscription',
  does: ['change_plan'],
  says: {
    confirm: { en: 'Shall I move you to {plan}?', 'pt-BR': 'Posso mudar você para {plan}?' },
    name: words,
    unchanged: { en: 'Your plan stays as it is.', 'pt-BR': 'O seu plano fica como está.' },
    done: { en: 'You are on {plan} now.', 'pt-BR': 'Agora você está com {plan}.' },
  },
  input: z.object({}),
  output: z.object({ plan: z.string() }),
  claims: () => ['plan', 'change'],
  plan: async ({ texts }: Pick<ToolDeps, 'texts'>, _input, _customerId, { language }) => ({
    kind: 'ready',
    terms: {},
    question: texts.for(language).sayOwn('try_premium.confirm', { plan: words[language as 'en'] }),
    approval: null,
  }),
  matter: async ({ texts }: Pick<ToolDeps, 'texts'>, _input, _customerId, { language }) => ({
    kind: 'change',
    name: texts.for(language).sayOwn('try_premium.name'),
    unchanged: texts.for(language).sayOwn('try_premium.unchanged'),
    ifAgreed: null,
    about: null,
  }),
  request: (_input, texts) => texts.sayOwn('try_premium.name'),
  consequences: async () => [],
  perform: async (_deps, _input, _terms, _write) => ({ plan: 'premium' }),
  describe: (_output, texts) => texts.sayOwn('try_premium.done', { plan: texts.sayOwn('try_premium.name') }),
});

/** A tool that reads, of an agent whose answers the company has code for. */
const countPayments = defineTool({
  name: 'count_payments',
  description: 'How often the customer has paid.',
  effect: 'read',
  access: 'customer',
  does: ['show_payments'],
  says: { told: { en: 'You have paid {count} times.', 'pt-BR': 'Você pagou {count} vezes.' } },
  input: z.object({}),
  output: z.object({ count: z.number() }),
  run: async (_deps: Pick<ToolDeps, 'clock'>) => ({ count: 7 }),
  describe: (found, texts) => texts.sayOwn('count_payments.told', found),
});

/** The intent is done by one tool. */
const others = (tools: readonly AnyTool[] = []) => tools.filter(({ does }) => !does?.includes('change_plan'));

describe('a tool', () => {
  it('[HOU-01] is asked for, confirmed and told without a model, and no other file knows of it', async () => {
    hub = await openHub({
      overrides: {
        wrapCompany: (backend) => ({
          ...backend,
          tools: { ...backend.tools, action: [...others(toolsOf(backend.tools.action)), upgradePlan] },
        }),
      },
    });
    const asked = await hub.say('ana.souza@example.com', 'I want to change to the premium plan');
    expect(asked.reply).toContain('Shall I move you to the Premium plan?');
    const told = await hub.say('ana.souza@example.com', 'yes', asked.threadId);
    expect(told.reply).toContain('You are on the Premium plan now.');
  });

  it('[HOU-01] that reads says what it found, though the company answers for its agent in code', async () => {
    hub = await openHub({
      overrides: {
        wrapCompany: (backend) => ({
          ...backend,
          tools: { ...backend.tools, account: [...toolsOf(backend.tools.account), countPayments] },
        }),
      },
    });
    const told = await hub.say('ana.souza@example.com', 'Show me my payments');
    expect(told.reply).toContain('You have paid 7 times.');
    const other = await hub.say('ana.souza@example.com', 'How many visits do I have left?');
    expect(other.reply).not.toContain('You have paid');
  });
});

describe('an agent with a route of its own', () => {
  it('[COMP-01] is triaged to, answers by its own rules, and its route is kept with the ticket', async () => {
    const models = scriptedModels({
      triage: [{ object: triaged }],
      knowledge: [{ text: 'Points are worth a cent each, says the model.' }],
    });
    hub = await openHub({ models, overrides: { agents: withPerks } });
    const reply = await hub.say(null, 'What are my points worth?');
    expect(reply.reply).toBe('Points are worth a cent each, says the model.');
    expect(reply.route).toMatchObject([{ to: 'perks', by: 'rule:R17' }]);
    expect(reply.agents).toContain('perks');
    const [row] = hub.query(
      'udahub',
      'SELECT route FROM ticket_metadata WHERE ticket_id = ?',
      reply.ticketId,
    );
    expect(row).toEqual({ route: 'points' });
    const [prompt] = models.models.triage.calls.map(({ messages }) => messages[0]?.text ?? '');
    expect(prompt).toContain('points (points, levels and what they buy)');
    models.assertExhausted();
  });

  it('[COMP-01] is listed for other programs', async () => {
    hub = await openHub({ overrides: { agents: withPerks } });
    const listed = hub.app.capabilities.agents().find(({ name }) => name === 'perks');
    expect(listed).toMatchObject({ route: 'points', converses: true });
  });

  it('[COMP-01 COMP-03] is reached without a model by an intent of the company that names its route', async () => {
    folder = companyLike({
      'intents/intents.yaml': (text) =>
        text.replace(/(name: ask_payment_methods\n(?: {4}.*\n)*? {4}route: )knowledge/, '$1points'),
    });
    hub = await openHub({ env: { HUB_COMPANY: folder }, overrides: { agents: withPerks } });
    const reply = await hub.say(null, 'Which payment methods do you accept?');
    expect(reply.route).toMatchObject([{ to: 'perks', by: 'rule:R17' }]);
    expect(reply.reply).toContain('Points are worth a cent each.');
    const [row] = hub.query(
      'udahub',
      'SELECT route FROM ticket_metadata WHERE ticket_id = ?',
      reply.ticketId,
    );
    expect(row).toEqual({ route: 'points' });
    await expect(openHub({ env: { HUB_COMPANY: folder } })).rejects.toThrow(
      /ask_payment_methods has the route "points", which no agent declares/,
    );
  });

  it('[COMP-01] is refused by the triage of a hub that lacks it', async () => {
    const models = scriptedModels({ triage: [{ object: triaged }] });
    hub = await openHub({ models });
    const reply = await hub.say(null, 'What are my points worth?');
    expect(reply.route.map(({ to }) => to)).not.toContain('perks');
    const [row] = hub.query(
      'udahub',
      'SELECT route FROM ticket_metadata WHERE ticket_id = ?',
      reply.ticketId,
    );
    expect(row).not.toEqual({ route: 'points' });
  });
});

import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { HubAgent } from '../../../agents/offline-support.js';
import { triageAgent } from '../../../agents/triage/agent.js';
import { say } from '../../../src/runtime/offline-step.js';
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

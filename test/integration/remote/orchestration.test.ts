import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import {
  remoteCard,
  remoteSkill,
  type ScriptedAgent,
  type ScriptedRemote,
} from '../../support/scripted-remote.js';
import { ANA, DOWN, PARKING, World } from './world.js';

const dogs = remoteSkill({
  id: 'pets',
  name: 'Dogs at museums',
  examples: ['Can I bring my dog to a museum?'],
});

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterEach(() => world.tidy());
afterAll(() => world.hub.close());

describe('a request that belongs to an agent elsewhere', () => {
  let hub: Hub;
  let remote: ScriptedRemote;
  let logged: ReturnType<World['cast']>['logged'];
  beforeEach(() => {
    ({ hub, remote, logged } = world.cast([PARKING]));
  });

  it('[ORC-01 ORC-03] goes there by its words, and comes back with whose words they are', async () => {
    const reply = await hub.say(ANA, 'Where can I park near MASP?');
    expect(reply.reply).toBe('parking_partner says: Garage A is 200 m away.');
    expect(reply.route).toEqual([{ to: 'parking_partner', by: 'rule:R15' }]);
    expect(reply.agents).toEqual(['triage', 'parking_partner']);
    expect(reply.escalated).toBe(false);
    expect(reply.provider).toBe('offline');
    expect(reply.usage.llmCalls).toBe(0);
  });

  it('[ORC-01] em português, e sem ninguém conectado', async () => {
    const reply = await hub.say(null, 'Onde posso estacionar perto do MASP?');
    expect(reply.reply).toBe('parking_partner diz: Garage A is 200 m away.');
    expect(reply.language).toBe('pt-BR');
  });

  it('[ORC-14] shows every try and decision in the turn, at the desk and in the log', async () => {
    const reply = await hub.say(ANA, 'Is there parking near the museum?');
    expect(reply.toolCalls.map(({ tool, ok }) => [tool, ok])).toEqual([
      ['classify_ticket', true],
      ['remote:parking_partner.card', true],
      ['remote:parking_partner.decision', true],
      ['remote:parking_partner.specific(find_spot)', true],
      ['ask_remote_agent', true],
    ]);
    const { turns } = await hub.app.desk.show(reply.ticketId);
    expect(turns[0]?.toolCalls).toEqual(reply.toolCalls);
    expect(logged().map(({ action, ticketId }) => [action, ticketId])).toEqual([
      ['remote_try', reply.ticketId],
      ['remote_decision', reply.ticketId],
      ['remote_try', reply.ticketId],
    ]);
    expect(logged()[1]?.details).toMatchObject({ decision: 'specific', by: 'rule', skill: 'find_spot' });
  });

  it('[ORC-06] is told without anything else of the customer or the conversation', async () => {
    const first = await hub.say(
      ANA,
      'I am Ana Souza, ana.souza@example.com, CPF 123.456.789-09. How many visits do I have left?',
    );
    await hub.say(
      ANA,
      'I am Ana, write to ana.souza@example.com: is there parking for res_001?',
      first.threadId,
    );
    const [call] = remote.asked();
    const sent = JSON.stringify({ ...call, options: { ...call?.options, signal: null, onTry: null } });
    for (const own of [
      'Ana',
      'souza',
      'example.com',
      '123.456',
      'usr_',
      'res_001',
      first.ticketId,
      first.threadId,
      'visits',
    ])
      expect(sent.toLowerCase()).not.toContain(own.toLowerCase());
    expect(call?.input).toMatchObject({ query: expect.stringContaining('is there parking') });
    expect(call?.options.language).toBeUndefined();
  });

  it.each([
    [ANA, 'How many visits do I have left? I am in the parking lot', 'account'],
    [ANA, 'Cancel my reservation for the Samba Night, no parking there', 'action'],
    [ANA, 'I want to talk to a person about parking', 'escalation'],
    [ANA, 'my parking refund is missing', 'investigation'],
    [null, 'Show my bookings with parking', 'account'],
    [ANA, 'How many visits does the basic plan include?', 'knowledge'],
    [ANA, 'hello', 'knowledge'],
  ] as const)('[ORC-02] stays here where it is ours: %s, %s', async (who, text, to) => {
    const reply = await hub.say(who, text);
    expect(reply.route[0]?.to).toBe(to);
    expect(remote.asked()).toEqual([]);
  });

  it('[ORC-02] goes there for its part of a message alone', async () => {
    const reply = await hub.say(ANA, 'Is there parking near the museum? And how many visits do I have left?');
    expect(reply.route.map(({ to }) => to)).toEqual(['parking_partner', 'account']);
    expect(reply.reply).toContain('parking_partner says: Garage A');
    expect(reply.reply).toMatch(/\d visits? left/);
    expect(JSON.stringify(remote.asked()[0]?.input)).not.toContain('visits');
  });

  it('[ORC-01] is on the roster, but not of what the hub offers as its own', async () => {
    const agents = hub.app.capabilities.agents().map(({ name }) => name);
    expect(agents).toContain('knowledge');
    expect(agents).not.toContain('parking_partner');
    expect(hub.app.capabilities.list().map(({ name }) => name)).not.toContain('ask_remote_agent');
  });
});

describe('what the help centre does not know', () => {
  const PETS: ScriptedAgent = {
    name: 'pets',
    card: remoteCard([dogs]),
    specific: { pets: [{ text: 'Small dogs may come in.' }] },
  };

  it('[ORC-04] goes to an agent elsewhere with a skill for it, instead of a person', async () => {
    const { hub, remote } = world.cast([PARKING, PETS]);
    const reply = await hub.say(ANA, 'Can I bring my dog to a museum?');
    expect(reply.reply).toBe('pets says: Small dogs may come in.');
    expect(reply.route).toEqual([
      { to: 'knowledge', by: 'rule:R11' },
      { to: 'pets', by: 'rule:R16' },
    ]);
    expect(reply.escalated).toBe(false);
    expect(remote.asked()).toHaveLength(1);
    const pt = await hub.say(ANA, 'Posso levar meu cachorro ao museu?');
    expect(pt.escalation?.reason).toBe('low_confidence');
  });

  it('[ORC-04] goes to a person where no card fits or can be read', async () => {
    const { hub, remote, logged } = world.cast([PARKING, { ...PETS, card: DOWN }]);
    const reply = await hub.say(ANA, 'Can I bring my dog to a museum?');
    expect(reply.escalation?.reason).toBe('low_confidence');
    expect(remote.asked()).toEqual([]);
    const left = logged()
      .filter(({ action }) => action === 'remote_decision')
      .map(({ details }) => details)
      .sort((a, b) => String(a?.agent).localeCompare(String(b?.agent)));
    expect(left).toMatchObject([
      { agent: 'parking_partner', decision: 'leave_out', reason: 'no_skill_fits' },
      { agent: 'pets', decision: 'leave_out', reason: 'remote_unreachable' },
    ]);
  });

  it.each(['focus', 'messages', 'reply', 'constructor'])(
    '[RMA-01] cannot be called like a part of the graph: %s',
    async (name) => {
      const dir = mkdtempSync(join(tmpdir(), 'hub-names-'));
      const file = join(dir, 'agents.yaml');
      writeFileSync(file, JSON.stringify({ agents: [{ name, card: 'https://parking.example.com' }] }));
      const failed = openHub({ env: { HUB_REMOTE_AGENTS: file } });
      await expect(failed).rejects.toThrow(`is wrong at ${name}.name`);
      rmSync(dir, { recursive: true });
    },
  );

  it('[ORC-15] changes nothing where no agents elsewhere are configured', async () => {
    const { hub, remote } = await world.another([]);
    const reply = await hub.say(ANA, 'Can I bring my dog to a museum?');
    expect(reply.route).toEqual([{ to: 'knowledge', by: 'rule:R11' }]);
    expect(reply.escalation?.reason).toBe('low_confidence');
    expect(remote.calls).toEqual([]);
    await hub.app.close();
    expect(remote.closed).toBe(true);
  });
});

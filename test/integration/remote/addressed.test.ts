import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANONYMOUS, type Identity, type ThreadLimits } from '../../../src/core/domain/customer.js';
import type { TurnReply } from '../../../src/core/domain/turn.js';
import { type Hub, openHub } from '../../support/hub.js';
import { remoteCard, remoteSkill, scriptedRemote } from '../../support/scripted-remote.js';

const ANA = 'ana.souza@example.com';
const GABRIELA = 'gabriela.nunes@example.com';

const remote = scriptedRemote([
  {
    name: 'partner',
    keywords: ['parking', 'dog'],
    card: remoteCard([remoteSkill({ id: 'dogs', examples: ['Can I bring my dog to a museum?'] })]),
    specific: { dogs: [{ text: 'Yes.' }] },
    generic: [{ text: 'Yes.' }],
  },
]);

let hub: Hub;
beforeAll(async () => {
  hub = await openHub({ overrides: { remoteAgents: remote } });
});
afterAll(() => hub.close());

/** A conversation that is held to these limits, message by message. */
async function talk(email: string | null, limits: Partial<ThreadLimits>, texts: readonly string[]) {
  const identity: Identity = email === null ? ANONYMOUS : await hub.app.signIn(email);
  const { threadId } = await hub.app.conversations.create(identity, { scopes: null, agent: null, ...limits });
  const replies: TurnReply[] = [];
  for (const text of texts)
    replies.push(await hub.app.conversations.send({ identity, threadId, text, channel: 'a2a', hops: 0 }));
  return replies;
}

async function ask(email: string | null, agent: string, text: string): Promise<TurnReply> {
  const [reply] = await talk(email, { agent }, [text]);
  if (!reply) throw new Error('no reply');
  return reply;
}

describe('a conversation with one agent', () => {
  it.each([
    [null, 'knowledge', 'How many visits does the basic plan include?', /visits?/i],
    [ANA, 'knowledge', 'Como funciona o reembolso?', /reembols/i],
    [ANA, 'account', 'How many visits do I have left?', /\d visits? left/],
    [ANA, 'account', 'Quais são as minhas reservas?', /reservas/],
    [GABRIELA, 'investigation', 'I cancelled a booking but never got my money back', /Manguebeat/],
  ])('[ORC-16] answers what is its own: %s %s %s', async (who, agent, text, said) => {
    const reply = await ask(who, agent, text);
    expect(reply.reply).toMatch(said);
    expect(reply.agents.slice(0, 2)).toEqual(['triage', agent]);
    expect(reply.route[0]).toEqual({ to: agent, by: 'rule:R13' });
  });

  it('[ORC-16] asks before it changes something, and does it once', async () => {
    const [asked, done] = await talk(ANA, { agent: 'action' }, ['cancel my samba booking', 'yes']);
    expect(asked?.pending?.tool).toBe('cancel_reservation');
    expect(asked?.route[0]).toEqual({ to: 'action', by: 'rule:R13' });
    expect(done?.reply).toContain('Done');
  });

  it.each([
    [ANA, 'cancel my booking for Elis'],
    [ANA, 'I want to pause my plan'],
    [ANA, 'quero cancelar a minha reserva'],
  ])('[ORC-17] knowledge says how it is done, and changes nothing: %s %s', async (who, text) => {
    const before = hub.dump('cultpass');
    const reply = await ask(who, 'knowledge', text);
    expect(reply.agents).toEqual(['triage', 'knowledge']);
    expect(reply.pending).toBeNull();
    expect(reply.escalated).toBe(false);
    // An article that says how, or the agent that can do it.
    expect(reply.citations.length > 0 || reply.reply.includes('agent "action"')).toBe(true);
    expect(hub.dump('cultpass')).toEqual(before);
  });

  it.each([
    [ANA, 'account', 'cancel my samba booking', 'agent "action"'],
    [ANA, 'account', 'How many visits does the basic plan include?', 'agent "knowledge"'],
    [ANA, 'action', 'How many visits do I have left?', 'agent "account"'],
    [ANA, 'account', 'cancela a minha reserva do samba', 'agente "action"'],
    [null, 'action', 'How many visits does the basic plan include?', 'agent "knowledge"'],
    [ANA, 'account', 'hello', 'CultPass hub'],
  ])('[ORC-17] says what it is for, and who does it: %s %s %s', async (who, agent, text, named) => {
    const reply = await ask(who, agent, text);
    expect(reply.reply).toContain(named);
    expect(reply.agents.every((name) => name === 'triage' || name === agent)).toBe(true);
    expect(reply.escalated).toBe(false);
    expect(reply.pending).toBeNull();
    expect(reply.route).toEqual([{ to: 'customer', by: 'rule:R13' }]);
  });

  it('[ORC-17] answers its part of a message, and says who does the rest', async () => {
    const reply = await ask(
      ANA,
      'account',
      'cancel my samba booking and tell me how many visits I have left',
    );
    expect(reply.reply).toMatch(/\d visits? left/);
    expect(reply.reply).toContain('agent "action"');
    expect(reply.pending).toBeNull();
  });

  it('[ORC-17] offers nothing that another agent would have to do', async () => {
    const [reply, yes] = await talk(GABRIELA, { agent: 'account' }, ['where is my refund?', 'yes']);
    expect(reply?.reply).toContain('no refund has been made for it');
    expect(reply?.reply).not.toContain('Would you like me');
    expect(yes?.pending).toBeNull();
    expect(yes?.agents).not.toContain('action');
  });

  it.each([
    ['knowledge', 'I want to talk to a person', 'customer_request'],
    ['account', 'Quero falar com um atendente', 'customer_request'],
    ['action', 'I will sue you, my lawyer will hear of this', 'legal'],
  ])('[ORC-16] passes on to a person all the same: %s %s', async (agent, text, reason) => {
    const reply = await ask(ANA, agent, text);
    expect(reply.escalation?.reason).toBe(reason);
  });

  it.each(['account', 'action', 'investigation'])('[ORC-16] needs a customer: %s', async (agent) => {
    const texts: Record<string, string> = {
      account: 'what are my bookings?',
      action: 'cancel my booking for Elis',
      investigation: 'they charged me twice',
    };
    const reply = await ask(null, agent, texts[agent] ?? '');
    expect(reply.reply).toMatch(/sign in/i);
  });

  it('[ORC-16] does not leave for an agent elsewhere', async () => {
    const known = await ask(ANA, 'knowledge', 'Is there parking near the museum?');
    const unknown = await ask(ANA, 'knowledge', 'Can I bring my dog to a museum?');
    expect(unknown.escalation?.reason).toBe('low_confidence');
    expect([...known.agents, ...unknown.agents]).not.toContain('partner');
    expect(remote.calls).toEqual([]);
  });
});

describe('a conversation of a program with few rights', () => {
  it.each([
    [[], 'How many visits do I have left?', 'not given the right'],
    [['account:read'], 'cancel my samba booking', 'not given the right'],
    [[], 'quais são as minhas reservas?', 'não recebeu o direito'],
    [['account:read'], 'I cancelled a booking but never got my money back', 'not given the right'],
  ] as const)('[ORC-18] hears so, and nothing of a fault: %j %s', async (scopes, text, said) => {
    const before = hub.dump('cultpass');
    const [reply] = await talk(GABRIELA, { scopes }, [text]);
    expect(reply?.reply).toContain(said);
    expect(reply?.escalated).toBe(false);
    expect(reply?.toolCalls.some(({ code }) => code === 'scope_missing') || scopes.length > 0).toBe(true);
    expect(hub.dump('cultpass')).toEqual(before);
  });
});

describe('requests that came through other hubs', () => {
  const send = async (hops: number | undefined, identity: Identity = ANONYMOUS) => {
    const before = remote.asked().length;
    const { threadId } = await hub.app.conversations.create(identity);
    const text = 'Is there parking near the museum?';
    const sent = { identity, threadId, text, channel: 'a2a' } as const;
    await hub.app.conversations.send({ ...sent, ...(hops === undefined ? {} : { hops }) });
    return remote.asked().slice(before);
  };

  it('[ORC-19] are passed on with their count, and no more when they came through too many', async () => {
    expect((await send(0))[0]?.options.hops).toBe(0);
    expect((await send(2))[0]?.options.hops).toBe(2);
    expect(await send(3)).toEqual([]);
    expect(await send(undefined)).toEqual([]);
    expect(await send(undefined, await hub.app.signIn(ANA))).toHaveLength(1);
  });
});

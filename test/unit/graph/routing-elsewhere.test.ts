import { describe, expect, it } from 'vitest';
import type { Focus, Task } from '../../../src/core/domain/session.js';
import type { Route } from '../../../src/core/domain/taxonomy.js';
import type { Classification } from '../../../src/core/domain/ticket.js';
import { addressedIn } from '../../../src/graph/addressed-agent.js';
import type { RoutingFacts } from '../../../src/graph/routing-facts.js';
import { decideRoute } from '../../../src/graph/routing-rules.js';
import { createAgentRoster } from '../../../src/runtime/agent-definition.js';
import { AGENTS } from '../../support/roster.js';

const AGENT_ROSTER = createAgentRoster(AGENTS);
const TEXT = 'Is there parking near the museum?';

const classification = (over: Partial<Classification> = {}): Classification => ({
  issueType: 'general',
  priority: 'medium',
  sentiment: 'neutral',
  requiresHuman: false,
  summary: 'Something.',
  confidence: 0.9,
  language: 'en',
  route: 'knowledge',
  humanReason: null,
  requests: [{ text: TEXT, route: 'knowledge' }],
  ...over,
});

const task = (over: Partial<Task> = {}): Task => ({
  text: TEXT,
  route: 'knowledge',
  agent: 'knowledge',
  status: 'todo',
  ...over,
});

const facts = (over: Partial<RoutingFacts> = {}): RoutingFacts => ({
  text: TEXT,
  classification: classification(),
  tasks: [task()],
  focus: null,
  isReply: false,
  hops: 0,
  maxHops: 8,
  canAskModel: false,
  ...over,
});

const elsewhere = [
  { name: 'partner', keywords: ['parking'] },
  { name: 'museums', keywords: ['the museum', 'zoo'] },
];
const asked: Focus = {
  agent: 'partner',
  intent: 'remote_question',
  choices: [],
  attempts: 1,
  remote: { taskId: 'T', contextId: null, goal: TEXT, asked: 1 },
};

describe('rules about agents elsewhere', () => {
  it('[ORC-03] R15 follows the longest keyword of a general question', () => {
    expect(decideRoute(facts({ elsewhere }))).toEqual({
      kind: 'agent',
      task: 0,
      agent: 'museums',
      verbatim: false,
      rule: 'R15',
    });
    expect(decideRoute(facts({ elsewhere: elsewhere.slice(0, 1) }))).toMatchObject({ agent: 'partner' });
    expect(decideRoute(facts())).toMatchObject({ agent: 'knowledge', rule: 'R11' });
  });

  it.each([
    ['action', 'R8'],
    ['account', 'R9'],
    ['investigation', 'R10'],
    ['escalation', 'R3'],
  ] as const)('[ORC-02] leaves %s here, whatever words it uses', (route, rule) => {
    const decision = decideRoute(facts({ elsewhere, tasks: [task({ route, agent: route })] }));
    expect(decision.rule).toBe(rule);
  });

  it('[ORC-02] leaves people, limits and greetings here', () => {
    const human = classification({ requiresHuman: true, humanReason: 'legal' });
    expect(decideRoute(facts({ elsewhere, classification: human })).rule).toBe('R2');
    expect(decideRoute(facts({ elsewhere, hops: 8 })).rule).toBe('R1');
    const smalltalk = classification({ requests: [] });
    expect(decideRoute(facts({ elsewhere, classification: smalltalk })).rule).toBe('R11');
  });

  it('[ORC-03] is certain of a keyword also where triage is not', () => {
    const unsure = classification({ confidence: 0.2 });
    const short = facts({
      text: 'parking',
      tasks: [task({ text: 'parking' })],
      classification: unsure,
      elsewhere,
    });
    expect(decideRoute(short)).toMatchObject({ agent: 'partner', rule: 'R15' });
    expect(decideRoute({ ...short, canAskModel: true })).toMatchObject({ rule: 'R15' });
  });

  it('[ORC-04] R16 carries out the second hop, also where a model could be asked', () => {
    const tasks = [task({ text: 'dogs?', agent: 'partner' })];
    const unsure = classification({ confidence: 0.2 });
    expect(decideRoute(facts({ tasks, elsewhere, classification: unsure, canAskModel: true }))).toMatchObject(
      {
        agent: 'partner',
        rule: 'R16',
      },
    );
  });

  it('[ORC-11] R14 takes a reply in whatever words back to whoever asked', () => {
    const reply = { text: 'around three hours', tasks: [task({ text: 'around three hours' })], focus: asked };
    expect(decideRoute(facts(reply))).toMatchObject({ agent: 'partner', verbatim: true, rule: 'R14' });
    expect(decideRoute(facts({ ...reply, isReply: true }))).toMatchObject({ agent: 'partner', rule: 'R5' });
  });

  it.each([
    ['How many visits does the plan include?', 'knowledge', 0.3],
    ['my bookings', 'account', 0.9],
    ['cancel the samba night', 'action', 0.9],
  ] as const)('[ORC-11] but not %s', (text, route, confidence) => {
    const decision = decideRoute(
      facts({
        text,
        tasks: [task({ text, route, agent: route })],
        classification: classification({ confidence }),
        focus: asked,
      }),
    );
    expect(decision).toMatchObject({ agent: route });
  });
});

describe('rules about the one agent that was addressed', () => {
  const held = (agent: string, over: Partial<RoutingFacts> = {}) =>
    decideRoute(facts({ addressed: addressedIn({ agent }, AGENT_ROSTER), elsewhere, ...over }));
  const about = (route: Route): Partial<RoutingFacts> => ({ tasks: [task({ route, agent: route })] });

  it.each([
    ['knowledge', 'knowledge'],
    ['knowledge', 'action'],
    ['knowledge', 'account'],
    ['knowledge', 'investigation'],
    ['account', 'account'],
    ['account', 'investigation'],
    ['action', 'action'],
    ['investigation', 'investigation'],
  ] as const)('[ORC-16] %s takes %s', (agent, route) => {
    expect(held(agent, about(route))).toEqual({
      kind: 'agent',
      task: 0,
      agent,
      verbatim: false,
      rule: 'R13',
    });
  });

  it.each([
    ['account', 'knowledge'],
    ['account', 'action'],
    ['action', 'account'],
    ['action', 'knowledge'],
    ['investigation', 'action'],
  ] as const)('[ORC-17] %s names who does %s', (agent, route) => {
    expect(held(agent, about(route))).toEqual({ kind: 'outside', task: 0, agent, other: route, rule: 'R13' });
  });

  it('[ORC-16] gives way to people and limits only', () => {
    const human = classification({ requiresHuman: true, humanReason: 'legal' });
    expect(held('knowledge', { classification: human }).rule).toBe('R2');
    expect(held('knowledge', about('escalation')).rule).toBe('R3');
    const angry = classification({ sentiment: 'frustrated', priority: 'urgent' });
    expect(held('account', { classification: angry }).rule).toBe('R4');
    const unsure = classification({ confidence: 0.2 });
    expect(held('knowledge', { classification: unsure, canAskModel: true }).rule).toBe('R13');
  });

  it('[ORC-17] does not follow a question of another agent', () => {
    const focus: Focus = { agent: 'action', intent: 'process_refund', choices: [], attempts: 1 };
    expect(held('account', { focus, isReply: true })).toMatchObject({ kind: 'outside', other: 'action' });
    expect(held('action', { focus, isReply: true })).toMatchObject({ agent: 'action', rule: 'R5' });
    expect(held('account', { focus: asked })).toMatchObject({ kind: 'outside' });
  });

  it('lets what an investigation advises pass the gates', () => {
    const proposal = { tool: 'process_refund', args: {}, needsOperator: false };
    const tasks = [
      task({ status: 'done', route: 'investigation' }),
      task({ route: 'action', agent: 'action', proposal }),
    ];
    expect(held('investigation', { tasks })).toMatchObject({ agent: 'action', rule: 'R8' });
  });

  it('is nobody where the name is none of the roster', () => {
    expect(addressedIn({ agent: 'partner' }, AGENT_ROSTER)).toBeNull();
    expect(addressedIn({}, AGENT_ROSTER)).toBeNull();
  });
});

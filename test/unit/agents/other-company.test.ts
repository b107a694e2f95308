import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAgents } from '../../../agents/index.js';
import type { HubAgent, OfflineDeps } from '../../../agents/offline-support.js';
import { loadTexts } from '../../../src/company/texts.js';
import { createIntentTable, type IntentInfo } from '../../../src/core/domain/intent.js';
import type { Focus, ToolTrace } from '../../../src/core/domain/session.js';
import type { Language } from '../../../src/core/domain/taxonomy.js';
import { TimeFormat } from '../../../src/core/i18n/index.js';
import type { OfflineStep } from '../../../src/core/ports/chat-models.js';
import { readRoleReader } from '../../../src/nlu/mention-roles.js';
import { type AgentContext, createAgentRoster } from '../../../src/runtime/agent-definition.js';
import { readPrompt } from '../../../src/runtime/build-agent.js';
import { defineAction, defineTool, type ListedRecord } from '../../../src/runtime/define-tool.js';
import { createRoster, type OwnAgent, sentencesOf, withDoers } from '../../../src/runtime/roster.js';
import { CULTPASS } from '../../support/company.js';
import { CLINIC } from '../../support/other-trades.js';

const APPOINTMENTS: readonly ListedRecord[] = [
  appointment('apt_0007', 'Dental cleaning with Dr. Silva', '2026-06-11T09:00:00Z', true),
  appointment('apt_0012', 'Eye test with Dr. Moore', '2026-06-12T14:00:00Z', true),
  appointment('apt_0003', 'Skin check with Dr. Silva', '2026-05-02T08:00:00Z', false),
];

function appointment(id: string, title: string, startsAt: string, upcoming: boolean): ListedRecord {
  const attributes = { fee: upcoming ? 0 : 4000 };
  return { id, title, startsAt, place: 'Room 2', status: 'booked', upcoming, attributes };
}

const label = { en: 'Appointments', 'pt-BR': 'Consultas' };
const about = { label, activity: label, description: 'An appointment.', access: 'customer' } as const;

const listAppointments = defineTool({
  ...about,
  name: 'list_appointments',
  effect: 'read',
  input: z.object({}),
  output: z.object({ appointments: z.array(z.custom<ListedRecord>()) }),
  lists: { entity: 'appointment', records: ({ appointments }) => appointments },
  run: async () => ({ appointments: [...APPOINTMENTS] }),
});

/** What an action has beside what these tests look at. None of it may be asked for by the policies. */
const unasked = {
  ...about,
  effect: 'irreversible',
  issueType: 'general',
  claims: () => [],
  output: z.object({ done: z.string() }),
  plan: () => Promise.reject(new Error('A policy does not plan')),
  matter: () => Promise.reject(new Error('A policy asks for no matter')),
  consequences: () => Promise.reject(new Error('A policy asks for no consequences')),
  perform: () => Promise.reject(new Error('A policy does not perform')),
  request: () => 'change an appointment',
  describe: ({ done }: { done: string }) => `Done: ${done}.`,
} as const;

const target = { entity: 'appointment', input: 'appointment' } as const;
const cancelAppointment = defineAction({
  ...unasked,
  name: 'cancel_appointment',
  input: z.object({ appointment: z.string() }),
  target: { ...target, eligible: (records) => records.filter(({ upcoming }) => upcoming) },
});
const waiveFee = defineAction({
  ...unasked,
  name: 'waive_fee',
  input: z.object({ appointment: z.string() }),
  target: {
    ...target,
    eligible: (records, said) => (said.has('missed') ? records.filter(({ upcoming }) => !upcoming) : records),
    instead: ({ upcoming }) => (upcoming ? 'cancel_appointment' : null),
  },
});
const changeCover = defineAction({
  ...unasked,
  name: 'change_cover',
  input: z.object({ action: z.string(), days: z.number().optional() }),
  refused: (code) => (code === 'not_found' ? 'You have no cover.' : null),
});

const checkCover = defineTool({
  ...about,
  name: 'check_cover',
  effect: 'read',
  does: ['ask_cover'],
  says: { told: { en: 'You are covered until {until}.', 'pt-BR': 'Sua cobertura vai até {until}.' } },
  input: z.object({}),
  output: z.object({ until: z.string() }),
  run: async () => ({ until: '2027-01-31' }),
  describe: ({ until }, texts, time) =>
    texts.sayOwn('check_cover.told', { until: time.date(until, texts.language) }),
});

const DECLARED = createIntentTable([
  intent('cancel_appointment', { tool: 'cancel_appointment', entity: 'appointment' }),
  intent('waive_fee', { tool: 'waive_fee', entity: 'appointment' }),
  intent('pause_cover', { tool: 'change_cover', args: { action: 'pause' }, slots: { days: 'days' } }),
  intent('cancel_cover', {
    tool: 'change_cover',
    args: { action: 'cancel' },
    instead: 'cancel_appointment',
  }),
  intent('show_appointments', { group: 'account', entity: 'appointment' }),
  intent('ask_cover', { group: 'account', route: 'knowledge', needsSignIn: false, selfService: true }),
]);

function intent(name: string, other: Partial<IntentInfo>): IntentInfo {
  return {
    name,
    group: 'action',
    issueType: 'general',
    route: 'action',
    needsSignIn: true,
    tool: null,
    args: {},
    slots: {},
    instead: null,
    entity: null,
    selfService: false,
    asked: [],
    covers: [],
    priority: null,
    pressing: false,
    today: 'never',
    ...other,
  };
}

const folder = mkdtempSync(join(tmpdir(), 'hub-clinic-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const texts = loadTexts(folder, { ...CULTPASS, name: 'Riverside' });

/** An agent of the company's own: it has neither rules nor a prompt. */
const cover: OwnAgent = {
  description: 'Says what is covered.',
  role: 'account',
  route: 'cover',
  access: 'customer',
  tools: [checkCover],
};

const hubAgents = [
  ...createAgents({
    account: [listAppointments],
    action: [listAppointments, cancelAppointment, waiveFee, changeCover],
  }),
  ...createAgents({ cover }, undefined, {}),
];
const INTENTS = withDoers(DECLARED, hubAgents);
const ROSTER = createRoster(hubAgents.flatMap(({ tools }) => tools));

interface Said {
  readonly text: string;
  readonly intent: string;
  readonly language?: Language;
  readonly focus?: Focus;
  readonly trace?: readonly ToolTrace[];
}

/** What an agent does next of a clinic's, where the classifier takes the text for this intent. */
async function next(agent: string, said: Said): Promise<OfflineStep> {
  const { text, intent: name, language = 'en', focus = null, trace = [LISTED] } = said;
  const own = hubAgents.find((one): one is HubAgent => one.name === agent);
  if (!own) throw new Error(`There is no agent ${agent}`);
  const guess = { intent: name, confidence: 0.9, ranked: [] };
  const deps = {
    nlu: { intents: INTENTS, slots: CLINIC, roles: readRoleReader(), classifyIntent: () => guess },
    time: new TimeFormat('Europe/Lisbon'),
    texts: texts.with(sentencesOf(ROSTER.all.values())),
    roster: ROSTER,
    agents: createAgentRoster(hubAgents),
    answers: {},
  } as unknown as OfflineDeps;
  const context = {
    agent,
    session: { language },
    task: { text },
    focus,
    trace,
    now: '2026-06-10T18:00:00Z',
  } as unknown as AgentContext;
  return own.offline(deps)({ messages: [], context, toolNames: own.tools.map((tool) => tool.name) });
}

function trace(tool: string, result: unknown, other: Partial<ToolTrace> = {}): ToolTrace {
  return {
    callId: tool,
    agent: 'action',
    task: 0,
    tool,
    args: {},
    ok: true,
    paused: false,
    result,
    ...other,
  };
}
const LISTED = trace('list_appointments', { appointments: APPOINTMENTS });

describe('the agents without a model, for a company of another trade', () => {
  it('[COMP-05] look the records up before they choose', async () => {
    const asked = { text: 'cancel my eye test', intent: 'cancel_appointment', trace: [] };
    expect(await next('action', asked)).toEqual({ kind: 'call', tool: 'list_appointments', args: {} });
    const action = hubAgents.find(({ name }) => name === 'action');
    const context = { trace: [] } as unknown as AgentContext;
    expect(action?.prefetch(context)).toEqual([{ tool: 'list_appointments', args: {} }]);
  });

  it.each<[string, string, Language, string, Record<string, unknown>]>([
    ['cancel my eye test', 'cancel_appointment', 'en', 'cancel_appointment', { appointment: 'apt_0012' }],
    ['desmarca a limpeza', 'cancel_appointment', 'pt-BR', 'cancel_appointment', { appointment: 'apt_0007' }],
    ['the fee for the skin check', 'waive_fee', 'en', 'waive_fee', { appointment: 'apt_0003' }],
    ['I overslept it', 'waive_fee', 'en', 'waive_fee', { appointment: 'apt_0003' }],
    ['esqueci de ir', 'waive_fee', 'pt-BR', 'waive_fee', { appointment: 'apt_0003' }],
    ['the fee for the eye test', 'waive_fee', 'en', 'cancel_appointment', { appointment: 'apt_0012' }],
    ['pause my cover for 2 weeks', 'pause_cover', 'en', 'change_cover', { action: 'pause', days: 14 }],
    ['cancela meu convênio', 'cancel_cover', 'pt-BR', 'change_cover', { action: 'cancel' }],
    ['cancel the eye test', 'cancel_cover', 'en', 'cancel_appointment', { appointment: 'apt_0012' }],
    ['cancel apt_0099', 'cancel_appointment', 'en', 'cancel_appointment', { appointment: 'apt_0099' }],
  ])('[COMP-05] "%s" as %s', async (text, name, language, tool, args) => {
    expect(await next('action', { text, intent: name, language })).toEqual({ kind: 'call', tool, args });
  });

  it('[COMP-05] ask which is meant, and understand the reply', async () => {
    const which = await next('action', { text: 'cancel an appointment', intent: 'cancel_appointment' });
    expect(which).toMatchObject({ kind: 'say', text: expect.stringContaining('2. Eye test with Dr. Moore') });
    const focus = (which as { metadata?: { hub?: { focus?: Focus } } }).metadata?.hub?.focus;
    expect(focus?.choices.map(({ id }) => id)).toEqual(['apt_0007', 'apt_0012']);
    if (!focus) throw new Error('No question was asked');
    const reply = { text: 'a segunda', intent: 'out_of_scope', language: 'pt-BR', focus } as const;
    expect(await next('action', reply)).toMatchObject({ args: { appointment: 'apt_0012' } });
  });

  it('[COMP-05] say in both languages what is not there, and what came of it', async () => {
    const unknown = { text: 'my appointment for the hearing aid', intent: 'cancel_appointment' };
    expect(await next('action', unknown)).toMatchObject({
      text: expect.stringMatching(/^I could not find "hearing aid"/),
    });
    expect(await next('action', { ...unknown, language: 'pt-BR' })).toMatchObject({
      text: expect.stringMatching(/^Não encontrei "hearing aid"/),
    });
    const refused = trace('change_cover', { code: 'not_found', message: 'none' }, { ok: false });
    expect(
      await next('action', { text: 'pause my cover', intent: 'pause_cover', trace: [LISTED, refused] }),
    ).toMatchObject({ text: 'You have no cover.' });
    const done = trace('cancel_appointment', { done: 'cancelled' }, { args: { appointment: 'apt_0007' } });
    expect(
      await next('action', {
        text: 'cancel the cleaning',
        intent: 'cancel_appointment',
        trace: [LISTED, done],
      }),
    ).toMatchObject({ text: 'Done: cancelled.' });
    expect(
      await next('action', { text: 'cancel them all', intent: 'cancel_appointment', trace: [LISTED, done] }),
    ).toEqual({ kind: 'call', tool: 'cancel_appointment', args: { appointment: 'apt_0012' } });
  });

  it('[HOU-01] are led to the tool that says which intents it does', () => {
    expect(INTENTS.of('ask_cover')).toMatchObject({
      ...{ tool: 'check_cover', route: 'cover', needsSignIn: true, selfService: false },
    });
    expect(INTENTS.of('pause_cover')).toBe(DECLARED.of('pause_cover'));
    expect(withDoers(DECLARED, hubAgents.slice(0, -1))).toBe(DECLARED);
  });

  it('[HOU-02] need no rules of their own to call a tool and to say what it found', async () => {
    const asked = {
      text: 'até quando estou coberto?',
      intent: 'ask_cover',
      language: 'pt-BR',
      trace: [],
    } as const;
    expect(await next('cover', asked)).toEqual({ kind: 'call', tool: 'check_cover', args: {} });
    const found = trace('check_cover', { until: '2027-01-31' });
    expect(await next('cover', { ...asked, trace: [found] })).toMatchObject({
      text: expect.stringMatching(/^Sua cobertura vai até .*31.*\.$/),
    });
    const down = trace(
      'check_cover',
      { code: 'source_unavailable' },
      { ok: false, code: 'source_unavailable' },
    );
    expect(await next('cover', { ...asked, trace: [down] })).toMatchObject({
      text: expect.stringMatching(/\S/),
    });
    expect(await next('cover', { ...asked, intent: 'pause_cover' })).toMatchObject({
      metadata: { hub: { unanswered: true } },
    });
  });

  it('[HOU-06] stand with the tools of the company that brings them, and have a prompt of what they say they are', () => {
    const names = createAgents({ account: [listAppointments], cover }).map(({ name }) => name);
    expect(names).toEqual(['knowledge', 'account', 'action', 'investigation', 'cover']);
    const own = hubAgents.find(({ name }) => name === 'cover');
    if (!own) throw new Error('The agent is not there');
    expect(readPrompt(own.prompt, CULTPASS, [], own)).toMatch(
      /^You are the cover agent of CultPass support\. Says what is covered\./,
    );
  });

  it('[COMP-05] answer from the records where the company says nothing of its own', async () => {
    const all = await next('account', { text: 'what do I have?', intent: 'show_appointments' });
    expect(all).toMatchObject({
      text: expect.stringMatching(/Dental cleaning.*\n.*Eye test.*\n.*Skin check/),
    });
    const one = await next('account', {
      text: 'quando é o exame do Dr. Moore?',
      intent: 'show_appointments',
      language: 'pt-BR',
    });
    expect(one).toMatchObject({ text: expect.stringContaining('Eye test with Dr. Moore') });
    expect(one).not.toMatchObject({ text: expect.stringContaining('Dental') });
  });
});

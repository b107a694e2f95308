import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../../src/core/domain/customer.js';
import type { TurnReply } from '../../../src/core/domain/turn.js';
import { scopeOf } from '../../../src/runtime/caller-facts.js';
import { type Hub, openHub } from '../../support/hub.js';
import { type OpenAiServer, startOpenAiServer } from '../../support/openai-server.js';
import { ROSTER } from '../../support/roster.js';
import { form, PROMPT } from '../online/support.js';
import { ANA, BRUNO, effects, expectBooksToAgree, GABRIELA } from './books.js';

const REFUSED = {
  en: /was not given the right to see or change that for you, and nothing was changed/,
  'pt-BR': /não recebeu o direito de ver ou mudar isso por você, e nada foi mudado/,
} as const;
/** What only the record says of Ana. */
const ANAS = /Ana Souza|ana\.souza|Samba Night|Elis|R\$ ?\d/;

let hub: Hub;
beforeAll(async () => {
  hub = await openHub();
});
afterAll(() => hub.close());
afterEach(() => expectBooksToAgree(hub));

/** A conversation that is held to these scopes, from its beginning. */
async function held(of: Hub, email: string, scopes: readonly Scope[]) {
  const identity = await of.app.signIn(email);
  const { threadId } = await of.app.conversations.create(identity, { scopes, agent: null });
  return (text: string): Promise<TurnReply> =>
    of.app.conversations.send({ identity, threadId, text, channel: 'a2a' });
}

/** Everything that a change could have left behind. */
const changes = (of: Hub) => ({
  cultpass: of.dump('cultpass'),
  approvals: of.query('udahub', 'SELECT * FROM approvals'),
  preferences: of.query('udahub', 'SELECT * FROM customer_preferences'),
});

describe('a conversation that may read and not change', () => {
  it.each([
    [
      ANA,
      'en',
      [
        'Cancel a booking',
        'Cancel my samba night booking',
        'I want a refund for res_002',
        'cancel all my bookings',
        'pause my subscription for 10 days',
        'set my contact method to whatsapp',
      ],
      ['How many visits do I have left?', /You have 1 visit left/],
    ],
    [
      BRUNO,
      'pt-BR',
      [
        'cancela minha próxima reserva',
        'quero reembolso',
        'cancela todas as minhas reservas',
        'quero pausar minha assinatura por 10 dias',
        'prefiro ser contatado por whatsapp',
      ],
      ['quantas visitas ainda tenho?', /Você (?:ainda tem \d+|não tem mais) visita/],
    ],
  ] as const)(
    '[SCP-10] tells %s (%s) what is so and refuses every change, truthfully',
    async (email, language, asked, [question, answer]) => {
      const say = await held(hub, email, ['account:read']);
      const before = changes(hub);
      expect((await say(question)).reply).toMatch(answer);
      for (const text of asked) {
        const reply = await say(text);
        expect(reply, text).toMatchObject({ language, pending: null, escalated: false });
        expect(reply.reply, text).toMatch(REFUSED[language]);
        expect(reply.reply.match(REFUSED[language])?.length, text).toBe(1);
      }
      expect(changes(hub)).toEqual(before);
      expect(effects(hub)).toEqual([]);
    },
  );

  it('[SCP-10] offers nothing that it may not do, and takes no yes for it', async () => {
    const say = await held(hub, GABRIELA, ['account:read']);
    const refund = await say('where is my refund?');
    expect(refund.reply).toMatch(
      /no refund has been made for it\. You can have it refunded in the CultPass chat/,
    );
    expect((await say('yes')).pending).toBeNull();
    const looking = await held(hub, GABRIELA, ['account:read', 'skill:run']);
    const symptom = await looking('I cancelled a booking but never got my money back');
    expect(symptom.reply).toMatch(/no refund is on record/);
    expect(symptom.reply).toMatch(REFUSED.en);
    expect(symptom).toMatchObject({ pending: null, escalated: false });
    const before = changes(hub);
    expect((await looking('yes please')).pending).toBeNull();
    expect(changes(hub)).toEqual(before);
  });
});

describe('a conversation that may do nothing', () => {
  it('[SCP-11] is told nothing of what was taken back in another one', async () => {
    const mariana = 'mariana.pires@example.com';
    const own = (text: string) => hub.say(mariana, text, 'taken_back');
    await own('cancel the bahia songbook');
    await own('yes');
    expect((await own('I changed my mind, take my request back')).reply).toMatch(/taken your request back/);
    expect((await own('is the request off now?')).reply).toContain('Bahia Songbook');
    const say = await held(hub, mariana, []);
    for (const text of ['is the request off now?', 'what happened with my request?'])
      expect((await say(text)).reply, text).not.toMatch(/Bahia Songbook|is taken back/);
  });

  it('[SCP-11] sees nothing of the record, and says why in both languages', async () => {
    // What was talked of before belongs to the record too.
    await hub.say(ANA, 'How many visits do I have left?');
    const say = await held(hub, ANA, []);
    for (const text of [
      'How many visits do I have left?',
      'what is my email address?',
      'Cancel my samba night booking',
      'they did not let me in yesterday',
      'quantas visitas ainda tenho?',
    ]) {
      const reply = await say(text);
      expect(reply.reply, text).toMatch(REFUSED[reply.language === 'pt-BR' ? 'pt-BR' : 'en']);
      expect(reply, text).toMatchObject({ pending: null, escalated: false });
      expect(JSON.stringify(reply), text).not.toMatch(/Samba Night at|ana\.souza|Ana Souza|of 5 used/);
    }
    const greeting = await (await held(hub, ANA, []))('hello');
    expect(greeting.reply).toMatch(/^Hello! How can I help/);
    const known = await (await held(hub, ANA, ['account:read']))('hello');
    expect(known.reply).toMatch(/^Hello again, Ana!/);
    const general = await say('How many visits does the basic plan include?');
    expect(general.reply).toMatch(/Basic costs R\$ 59\.90 a month and gives you 2 visits/);
  });

  it('[SCP-11] is not told either what the team has of another conversation', async () => {
    const own = await openHub();
    try {
      const first = await own.say(ANA, 'Cancel my reservation for Elis: The Musical');
      expect((await own.say(ANA, 'yes', first.threadId)).pending?.kind).toBe('approval');
      const asked = 'did the team answer about my cancellation?';
      expect((await own.say(ANA, asked)).reply).toContain('Elis');
      const reply = await (await held(own, ANA, ['action:write']))(asked);
      expect(reply.reply).not.toMatch(ANAS);
    } finally {
      await own.close();
    }
  });

  it('[SCP-11] that may change only, changes what is named, and does not say that there is nothing', async () => {
    const say = await held(hub, ANA, ['action:write']);
    const unnamed = await say('cancel my samba night booking');
    expect(unnamed.reply).toMatch(REFUSED.en);
    expect((await say('cancel res_002')).pending).toMatchObject({ kind: 'confirmation' });
    expect((await say('no')).reply).toMatch(/not changed anything/);
    expect(effects(hub)).toEqual([]);
  });
});

describe('whatever a model calls', () => {
  let server: OpenAiServer;
  let online: Hub;
  beforeAll(async () => {
    server = await startOpenAiServer();
    online = await openHub({
      env: {
        HUB_MODEL_PROVIDER: 'openai',
        OPENAI_BASE_URL: server.url,
        OPENAI_API_KEY: 'sk-test-key-0123456789',
        HUB_EMBEDDING_PROVIDER: 'local',
        HUB_MODEL_TIMEOUT_MS: '4000',
      },
    });
  });
  afterAll(async () => {
    await online.close();
    await server.close();
  });

  /** Sends a message to an agent whose model makes these calls, one after another, and then talks. */
  async function attack(
    scopes: readonly Scope[],
    route: 'account' | 'action' | 'investigation',
    calls: readonly { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[],
  ): Promise<TurnReply> {
    const text =
      route === 'investigation' ? 'They did not let me in yesterday.' : `Do everything (${route}).`;
    server.reply(form([[text, route]]), PROMPT.triage);
    for (const call of calls) server.reply({ toolCalls: [call] }, PROMPT[route]);
    server.reply({ text: 'This cannot be done from here.' }, PROMPT[route]);
    const reply = await (await held(online, ANA, scopes))(text);
    server.assertExhausted();
    return reply;
  }

  const args: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    cancel_reservation: { reservation_id: 'res_002' },
    process_refund: { reservation_id: 'res_005' },
    update_subscription: { action: 'cancel' },
    record_customer_preference: { key: 'contact_method', value: 'whatsapp' },
    record_resolution: { resolution_type: 'answered', summary: 'All done.' },
    investigate: { problem: 'They did not let me in.' },
  };
  const callsOf = (names: readonly string[]) => names.map((name) => ({ name, args: args[name] ?? {} }));

  it.each([
    [
      'account',
      ['get_subscription', 'get_reservations', 'get_customer_context', 'record_customer_preference'],
    ],
    ['action', ['get_reservations', 'cancel_reservation', 'process_refund', 'update_subscription']],
    ['investigation', ['investigate', 'get_customer_context']],
  ] as const)(
    '[SCP-12] no tool of the %s agent works without its scope, and the model learns nothing',
    async (route, names) => {
      const before = changes(online);
      const seen = server.requests.length;
      const reply = await attack([], route, callsOf(names));
      const asked = reply.toolCalls.filter(({ tool }) => tool !== 'classify_ticket');
      expect(asked.length).toBeGreaterThanOrEqual(names.length);
      for (const call of asked) expect(call, call.tool).toMatchObject({ ok: false, code: 'scope_missing' });
      expect(reply.pending).toBeNull();
      const read = JSON.stringify(server.requests.slice(seen).map(({ body }) => body.messages));
      expect(read).toMatch(/scope_missing/);
      expect(ANAS.exec(read)).toBeNull();
      expect(changes(online)).toEqual(before);
      expect(effects(online)).toEqual([]);
    },
  );

  it('[SCP-12] a right to read is no right to change', async () => {
    const before = changes(online);
    const writes = [...ROSTER.all.values()].filter((tool) => scopeOf(tool) === 'action:write');
    const names = writes.map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(5);
    const reply = await attack(['account:read', 'skill:run'], 'action', callsOf(names));
    for (const name of names)
      expect(
        reply.toolCalls.find(({ tool }) => tool === name),
        name,
      ).toMatchObject({
        ok: false,
        code: 'scope_missing',
      });
    expect(reply.pending).toBeNull();
    expect(changes(online)).toEqual(before);
  });
});

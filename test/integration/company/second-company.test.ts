import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPrivacy } from '../../../src/app/privacy.js';
import { parseConfig } from '../../../src/config/config.js';
import { SCOPES } from '../../../src/core/domain/customer.js';
import type { TurnReply } from '../../../src/core/domain/turn.js';
import { makeTempDir, openHub } from '../../support/hub.js';
import { connectMcp } from '../../support/mcp.js';
import { scriptedModels } from '../../support/scripted-model.js';
import { openServer, type TestServer } from '../../support/server.js';

const GEARHOUSE = new URL('../../companies/gearhouse', import.meta.url).pathname;
const PRIYA = 'priya@example.com';
const TOM = 'tom@example.com';
const OLGA = { operatorId: 'op_1', name: 'Olga' };

/** What only the company that ships has: nothing of it may be said here. */
const FOREIGN =
  /.{0,80}(?:cultpass|reserva|(?<!un)subscri|booking|programme|customer_context|monthly visit|experience|museum|concert|R\$|\bBRL\b|\breais\b|bras[ií]lia|s[aã]o paulo).{0,80}/gi;

let dataDir: string;
let at: TestServer;
/** Everything that customers, operators and programs were given to read. */
const said: string[] = [];

beforeAll(async () => {
  dataDir = makeTempDir();
  at = await openServer({ dataDir, env: { HUB_COMPANY: GEARHOUSE } });
});
afterAll(async () => {
  await at.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function say(email: string | null, text: string, threadId?: string): Promise<TurnReply> {
  const reply = await at.hub.say(email, text, threadId);
  said.push(reply.reply, reply.pending?.question ?? '', JSON.stringify(reply.escalation));
  return reply;
}

const row = (sql: string, ...values: readonly unknown[]) => at.hub.query('gearhouse', sql, ...values)[0];
const rental = (id: string) =>
  row('SELECT status, refunded_pence AS refunded FROM rentals WHERE rental_id = ?', id);
const effects = (id: string) =>
  row(
    `SELECT count(*) AS count FROM action_ledger WHERE outcome IS NOT NULL AND tool = 'cancel_rental'
       AND ticket_id = ?`,
    id,
  );

describe('a second company', () => {
  it.each([
    ['switch my tandem rental to a tourer', 'Cancel a rental'],
    ['pause my rental please', 'Cancel a rental'],
    ['cambia mi alquiler del tándem por otra bici', 'Cancelar un alquiler'],
  ])('[BYO-80] says that it makes no such change, and which it makes: %s', async (text, there) => {
    const { reply, pending } = await say(PRIYA, text);
    expect(pending).toBeNull();
    expect(reply).toMatch(new RegExp(`(?:cannot|no puedo) .*\n- ${there}\n`));
  });

  it('[DLG-361] says why a change is asked about, takes thanks for thanks, and tells what is still open', async () => {
    const { threadId } = await say(PRIYA, 'cancel my tandem rental');
    expect((await say(PRIYA, 'why do they have to agree?', threadId)).reply).toMatch(/^I change nothing/);
    expect((await say(PRIYA, "thanks, you're great", threadId)).reply).toMatch(/^You are welcome/);
    await say(PRIYA, 'no', threadId);
    for (const text of ["what's still open with you?", '¿qué sigue pendiente?'])
      expect((await say(PRIYA, text, threadId)).reply).toMatch(/Nothing was changed/);
  });

  it('[DLG-362] takes no words for a name where a customer has nothing', async () => {
    const added =
      "INSERT INTO customers VALUES ('c_09', 'Noa Bell', 'noa@example.com', 0, '2026-03-01T00:00:00Z')";
    at.hub.exec('gearhouse', added);
    const { reply } = await say('noa@example.com', 'cancel my last rental');
    expect(reply).toBe('I find nothing on your account that I could do this to.');
  });

  it('[COMP-06] answers a plain question from its own articles, in its own currency', async () => {
    const reply = await say(null, 'What does it cost to rent a tandem for a day?');
    expect(reply.reply).toContain('£45');
    expect(reply.citations.map(({ articleId }) => articleId)).toContain('gh-rental-prices-en');
    expect(reply.classification?.issueType).toBe('rental');
    const hours = await say(null, 'Are you open on Sunday?');
    expect(hours.reply).toContain('closed on Sunday');
    expect(hours.classification?.issueType).toBe('other');
  });

  it('[COMP-06] answers from its customer’s records, at the time of its own clocks', async () => {
    const rentals = await say(PRIYA, 'Show me my rentals');
    // Fifty hours after the first start at 15:00 in London.
    expect(rentals.reply).toMatch(/Tandem Duet, .*13 March.*17:00, Camden/);
    expect(rentals.reply).not.toContain('City Classic');
    const repairs = await say(PRIYA, 'Is my bike ready? What is the status of my repair?');
    expect(repairs.reply).toContain('Brake service');
    expect(repairs.classification?.issueType).toBe('repair');
    const visitor = await say(null, 'Show me my rentals');
    expect(visitor.reply).not.toContain('Tandem');
  });

  it('[DLG-01] answers what is asked about one of them by what its entity declares', async () => {
    const shown = await say(PRIYA, 'Show me my rentals');
    const where = await say(PRIYA, 'which shop is the second one at?', shown.threadId);
    expect(where.reply).toBe('"Tourer Alpine" is at Camden.');
    const paid = await say(PRIYA, 'and how much did I pay for it?', shown.threadId);
    expect(paid.reply).toBe('You paid £150.00 for "Tourer Alpine".');
  });

  it('[COMP-06] makes a change once its customer has agreed, and moves the money once', async () => {
    const asked = await say(PRIYA, 'Please cancel the tandem');
    expect(asked.pending).toMatchObject({
      kind: 'confirmation',
      tool: 'cancel_rental',
      args: { rental_id: 'rnt_001' },
    });
    expect(asked.pending?.question).toContain('£45.00');
    expect(rental('rnt_001')).toEqual({ status: 'booked', refunded: 0 });
    const done = await say(PRIYA, 'yes', asked.threadId);
    expect(done.reply).toContain('£45.00 is on its way back');
    expect(rental('rnt_001')).toEqual({ status: 'cancelled', refunded: 4500 });
    await say(PRIYA, 'yes', asked.threadId);
    await say(PRIYA, 'cancel rnt_001', asked.threadId);
    expect(effects(asked.ticketId)).toEqual({ count: 1 });
    expect(rental('rnt_001')).toEqual({ status: 'cancelled', refunded: 4500 });
  });

  it('[COMP-06] waits for an operator above its own limit, and shows them its own records', async () => {
    const asked = await say(PRIYA, 'I want to cancel my hire of the Tourer Alpine');
    const waiting = await say(PRIYA, 'yes', asked.threadId);
    expect(waiting.pending?.kind).toBe('approval');
    expect(rental('rnt_002')).toEqual({ status: 'booked', refunded: 0 });
    const operator = await at.operator();
    const ticket = await at.get(`/api/desk/tickets/${waiting.ticketId}`, operator);
    const customer = await at.get('/api/desk/customers/c_01', operator);
    said.push(ticket.text, customer.text);
    expect(ticket.text).toContain('above what the hub may pay back by itself');
    expect(customer.body).toMatchObject({
      sections: [
        { id: 'rentals', label: 'Rentals', rows: [{ title: 'Tandem Duet' }, { title: 'Tourer Alpine' }] },
        { id: 'repairs', label: 'Repairs', rows: [{ title: 'Brake service' }] },
      ],
    });
    const outcome = await at.hub.app.desk.approve(waiting.pending?.id ?? '', OLGA);
    said.push(outcome.reply ?? '');
    expect(rental('rnt_002')).toEqual({ status: 'cancelled', refunded: 15_000 });
    await expect(at.hub.app.desk.approve(waiting.pending?.id ?? '', OLGA)).rejects.toMatchObject({
      code: 'pending_decided',
    });
    expect(effects(asked.ticketId)).toEqual({ count: 1 });
  });

  it('[COMP-06] tells nobody of another customer’s record', async () => {
    const reply = await say(TOM, 'Cancel rnt_002');
    expect(reply.pending).toBeNull();
    expect(reply.reply).not.toContain('Tourer');
    const mcp = await connectMcp(at.hub, { as: TOM });
    const refused = await mcp.call('cancel_rental', { rental_id: 'rnt_002' });
    await mcp.close();
    expect(refused).toMatchObject({ isError: true });
    said.push(refused.text);
  });

  it('[COMP-07] takes a task of another agent over A2A, asks, and acts once it is told yes', async () => {
    const { token } = await at.hub.app.sessions.issueFor({ email: TOM }, { scopes: SCOPES });
    const send = async (path: string, body: object) => {
      const answer = await at.post(`/agents/action/tasks${path}`, token, body);
      said.push(answer.text);
      return answer;
    };
    const asked = await send('', { message: 'Cancel the City Classic, please' });
    expect(asked.body).toMatchObject({ status: { state: 'TASK_STATE_INPUT_REQUIRED' } });
    expect(rental('rnt_003')).toEqual({ status: 'booked', refunded: 0 });
    const done = await send(`/${asked.body.id}`, { message: 'yes' });
    expect(done.body, done.text).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
    expect(rental('rnt_003')).toEqual({ status: 'cancelled', refunded: 1800 });
  });

  it('[COMP-07] gives programs its own tools, by MCP and on A2A cards', async () => {
    const own = ['get_rentals', 'get_repairs', 'cancel_rental'];
    const mcp = await connectMcp(at.hub, { as: TOM });
    const { tools } = await mcp.client.listTools();
    const rentals = await mcp.call('get_rentals');
    said.push(
      JSON.stringify(tools),
      mcp.client.getInstructions() ?? '',
      JSON.stringify(mcp.client.getServerVersion()),
    );
    await mcp.close();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(own));
    expect(rentals.data).toMatchObject({
      records: [{ id: 'rnt_003', title: 'City Classic', paid_cents: 1800 }],
    });
    const card = await at.get('/.well-known/agent-card.json', undefined, { 'a2a-version': '1.0' });
    said.push(card.text);
    const { skills, provider } = card.body as {
      skills: { id: string }[];
      provider: { organization: string };
    };
    expect(provider.organization).toBe('Gearhouse');
    expect(skills.map(({ id }) => id)).toEqual(expect.arrayContaining(own));
    const account = await at.get('/agents/account/');
    said.push(account.text);
  });

  it('[COMP-07] tells a model of its own agents, tools and records', async () => {
    const triaged = (text: string, route: string) => ({
      object: {
        ...{ issue_type: 'rental', priority: 'medium', sentiment: 'neutral' },
        ...{ human_reason: null, summary: 'Asks about a rental.', language: 'en', confidence: 0.95 },
        requests: [{ text, route }],
      },
    });
    const price = 'What is the price of a tandem?';
    const mine = 'What have I rented?';
    const drop = 'Please drop the City Classic';
    const models = scriptedModels({
      triage: [triaged(price, 'knowledge'), triaged(mine, 'account'), triaged(drop, 'action')],
      knowledge: [{ text: 'A tandem costs £45 a day [gh-rental-prices-en].' }],
      account: [
        { calls: [{ id: 'a1', name: 'get_rentals', args: {} }] },
        { text: 'You paid £18.00 for the City Classic.' },
      ],
      action: [
        { calls: [{ id: 'b1', name: 'cancel_rental', args: { rental_id: 'rnt_002' } }] },
        { text: 'I could not find that rental.' },
      ],
    });
    const hub = await at.hub.another({ models });
    for (const text of [price, mine, drop]) said.push((await hub.say(TOM, text)).reply);
    models.assertExhausted();
    const calls = Object.values(models.models).flatMap((model) => model.calls);
    expect(calls.length).toBeGreaterThan(7);
    said.push(...calls.flatMap(({ messages, tools }) => [...messages.map(({ text }) => text), ...tools]));
    expect(said.join('\n')).toContain('get_rentals');
  });

  it('[COMP-08] answers in a language of its own, and says which it speaks, whatever it is written in', async () => {
    for (const text of [
      'Quanto custa alugar uma bicicleta tandem por dia?',
      'Quero ver os meus aluguéis, por favor',
    ]) {
      const reply = await say(PRIYA, text);
      expect(reply.language).toBe('en');
      expect(reply.reply).toContain('I can answer in English and Spanish only');
    }
  });

  it('[SPK-03] answers, asks, acts once and waits for an operator in Spanish, its other language', async () => {
    const own = makeTempDir();
    const server = await openServer({ dataDir: own, env: { HUB_COMPANY: GEARHOUSE } });
    const { hub } = server;
    const speak = async (email: string | null, text: string, threadId?: string) => {
      const reply = await hub.say(email, text, threadId);
      expect(reply.language, text).toBe('es');
      said.push(reply.reply, reply.pending?.question ?? '');
      return reply;
    };
    const price = await speak(null, '¿Cuánto cuesta alquilar un tándem por un día?');
    expect(price.reply).toContain('45 £');
    expect(price.citations.map(({ articleId }) => articleId)).toContain('gh-rental-prices-es');
    expect(price.classification?.issueType).toBe('rental');
    const rentals = await speak(PRIYA, 'Hola, enséñame mis alquileres, por favor');
    expect(rentals.reply).toMatch(/Esto es lo que encuentro en tu cuenta/);
    expect(rentals.reply).toMatch(/Tandem Duet, viernes,? 13 de marzo.*17:00, Camden/);

    const asked = await speak(PRIYA, 'Quiero cancelar el alquiler del Tandem Duet');
    expect(asked.pending).toMatchObject({ kind: 'confirmation', args: { rental_id: 'rnt_001' } });
    expect(asked.pending?.question).toMatch(/¿Cancelo «Tandem Duet» del viernes.*45,00 £.*Responde sí o no/);
    const status = (id: string) =>
      hub.query('gearhouse', 'SELECT status FROM rentals WHERE rental_id = ?', id);
    const doubtful = await speak(PRIYA, 'sí, pero solo si me devuelven todo el dinero', asked.threadId);
    expect(doubtful.pending?.kind).toBe('confirmation');
    expect(status('rnt_001')).toEqual([{ status: 'booked' }]);
    const done = await speak(PRIYA, 'Sí, por favor', asked.threadId);
    expect(done.reply).toMatch(/Hecho: «Tandem Duet» está cancelado y te hemos devuelto 45,00 £/);
    expect(status('rnt_001')).toEqual([{ status: 'cancelled' }]);

    const above = await speak(PRIYA, 'Quiero cancelar mi alquiler de la Tourer Alpine');
    const waiting = await speak(PRIYA, 'sí', above.threadId);
    expect(waiting.pending?.kind).toBe('approval');
    expect(waiting.reply).toContain('He preguntado a nuestro equipo');
    const operator = await server.operator();
    const desk = { 'accept-language': 'es-MX,es;q=0.9,en;q=0.5' };
    const ticket = await server.get(`/api/desk/tickets/${waiting.ticketId}`, operator, desk);
    expect(ticket.text).toContain('supera lo que el hub puede devolver por sí mismo');
    const customer = await server.get('/api/desk/customers/c_01?language=es', operator);
    expect(customer.body).toMatchObject({ sections: [{ label: 'Alquileres' }, { label: 'Reparaciones' }] });
    expect((await server.get('/api/desk/customers/c_01?language=pt-BR', operator)).status).toBe(422);
    const outcome = await hub.app.desk.approve(waiting.pending?.id ?? '', OLGA);
    expect(outcome.reply).toMatch(/Hecho: «Tourer Alpine» está cancelado/);
    expect(status('rnt_002')).toEqual([{ status: 'cancelled' }]);

    const person = await speak(TOM, 'Quiero hablar con una persona, por favor');
    expect(person.escalated).toBe(true);
    expect(person.reply).toMatch(/Te he pasado con nuestro equipo/);
    expect(hub.app.toolNames.search_knowledge).toEqual({
      label: { en: 'Search articles', es: 'Buscar artículos' },
      activity: { en: 'Searching the help articles', es: 'Buscando en los artículos de ayuda' },
    });
    expect(hub.app.toolNames.cancel_rental?.label).toEqual({
      en: 'Cancel a rental',
      es: 'Cancelar un alquiler',
    });
    await server.close();
    rmSync(own, { recursive: true, force: true });
  });

  it('[COMP-06] carries out again, at the next start, what was promised and is lost in its own database', async () => {
    const own = makeTempDir();
    const env = { HUB_COMPANY: GEARHOUSE };
    const hub = await openHub({ dataDir: own, env });
    const asked = await hub.say(TOM, 'cancel rnt_003');
    await hub.say(TOM, 'yes', asked.threadId);
    hub.exec('gearhouse', 'DELETE FROM action_ledger');
    hub.exec('gearhouse', `UPDATE rentals SET status = 'booked', refunded_pence = 0`);
    await hub.another();
    const [after] = hub.query('gearhouse', `SELECT status FROM rentals WHERE rental_id = 'rnt_003'`);
    expect(after).toEqual({ status: 'cancelled' });
    expect(hub.query('gearhouse', 'SELECT tool FROM action_ledger')).toEqual([{ tool: 'cancel_rental' }]);
    await hub.close();
    rmSync(own, { recursive: true, force: true });
  });

  it('[COMP-07] says no word of the company that ships', async () => {
    for (const path of [
      '/api/config',
      '/openapi.json',
      '/agents',
      '/agents/knowledge',
      '/agents/investigation',
    ])
      said.push((await at.get(path)).text);
    for (const text of ['hello', 'who are you?', 'thank you, goodbye', 'I want to talk to a human'])
      await say(TOM, text);
    expect(said.length).toBeGreaterThan(20);
    expect(said.flatMap((text) => text.match(FOREIGN) ?? [])).toEqual([]);
  });

  it('[COMP-08] erases a customer in its own books, which stay', async () => {
    const env = { HUB_DATA_DIR: dataDir, HUB_MODEL_PROVIDER: 'offline', HUB_COMPANY: GEARHOUSE };
    const privacy = await openPrivacy(parseConfig(env), { clock: at.hub.clock });
    const held = await privacy.export(PRIYA);
    expect(held.gearhouse).toMatchObject({
      rentals: [{ title: 'Tandem Duet' }, {}],
      repairs: [{}],
      action_ledger: [{}, {}],
    });
    const { proof, pseudonym } = await privacy.erase(PRIYA);
    await privacy.close();
    expect(proof.leftovers).toEqual([]);
    expect(row('SELECT count(*) AS count FROM rentals WHERE customer_id = ?', pseudonym)).toEqual({
      count: 2,
    });
    await expect(at.hub.app.signIn(PRIYA)).rejects.toMatchObject({ code: 'customer_unknown' });
  });
});

import { z } from '@hono/zod-openapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTING_RULES } from '../../../src/graph/routing-rules.js';
import { facetsSchema } from '../../../src/surfaces/http/desk/desk-wire.js';
import { customerRecordSchema, customerSchema } from '../../../src/surfaces/http/desk/record-schemas.js';
import {
  countsSchema,
  entrySchema,
  suggestionSchema,
  ticketViewSchema,
} from '../../../src/surfaces/http/desk/ticket-schemas.js';
import { GatedIndex } from '../../support/gated-index.js';
import { until } from '../../support/until.js';
import { ANA, type DeskWorld, fits, openDeskWorld } from './desk-world.js';

const listSchema = z.object({
  tickets: z.array(entrySchema),
  counts: countsSchema,
  order: z.union([z.array(z.string()), z.null()]),
  total: z.null(),
  facets: z.union([facetsSchema, z.null()]),
});

describe('tickets over HTTP', () => {
  let world: DeskWorld;
  let ana: { readonly ticketId: string; readonly threadId: string };
  let joao: { readonly ticketId: string; readonly threadId: string };
  const list = async (query: string) =>
    fits(listSchema, (await world.get(`/api/desk/tickets?${query}`)).body);
  const ids = async (query: string) => (await list(query)).tickets.map(({ ticket_id }) => ticket_id);

  beforeAll(async () => {
    world = await openDeskWorld();
    ana = await world.escalated('I want to talk to a human, my CONFIRMAÇÃO never arrived');
    joao = await world.awaitingApproval();
  });
  afterAll(() => world.server.close());

  it('[DKA-10] lists tickets by tab, each with its customer, clock, last message and open approvals', async () => {
    const { tickets, counts } = await list('view=unassigned');
    expect(counts).toMatchObject({ unassigned: 1, mine: 0, waiting: 1, resolved: 0 });
    expect(tickets).toMatchObject([
      {
        ticket_id: ana.ticketId,
        owner: 'operator',
        operator: null,
        customer_name: 'Ana Souza',
        classification: { requires_human: true },
        escalation: { reason: 'customer_request', status: 'open' },
        clock: { waited_minutes: 0, target_minutes: 240, running: true, breached: false },
        last_message: { role: 'hub' },
        approvals: 0,
      },
    ]);
    expect((await list('view=waiting')).tickets).toMatchObject([
      { ticket_id: joao.ticketId, owner: 'hub', customer_name: 'João Pedro Cardoso', approvals: 1 },
    ]);
    expect(await ids('view=mine')).toEqual([]);
    expect(await ids('view=all')).toEqual([joao.ticketId, ana.ticketId]);
    expect(await ids('')).toEqual([joao.ticketId, ana.ticketId]);
    expect(await ids('view=all&limit=1')).toEqual([joao.ticketId]);
  });

  it('[SHF-60] sends of a list whose rows are known only those that are asked for, with the order of all', async () => {
    const { tickets, order } = await list(`view=all&rows=${ana.ticketId},tkt_unknown`);
    expect(tickets.map(({ ticket_id }) => ticket_id)).toEqual([ana.ticketId]);
    expect(order).toEqual([joao.ticketId, ana.ticketId]);
    expect((await list('view=all')).order).toBeNull();
  });

  it('[DKA-11] finds tickets by words, customer and id, accents and case folded, whatever is typed', async () => {
    const q = (text: string) => ids(`q=${encodeURIComponent(text)}`);
    expect(await q('confirmacao ARRIVED')).toEqual([ana.ticketId]);
    expect(await q('joao pedro')).toEqual([joao.ticketId]);
    expect(await q('ana.souza@example.com')).toEqual([ana.ticketId]);
    expect(await q(ana.ticketId)).toEqual([ana.ticketId]);
    expect(await q(ana.ticketId.slice(0, -2))).toEqual([ana.ticketId]);
    expect(await q(joao.threadId)).toEqual([joao.ticketId]);
    expect(await q('usr_010')).toEqual([joao.ticketId]);
    expect(await q('   ')).toHaveLength(2);
    const odd = [
      '"',
      "'; DROP TABLE tickets; --",
      'NEAR("a" "b")',
      '*',
      '^',
      'a* OR',
      '%',
      '_',
      '\u0000',
      '🦜',
      '-x:y',
    ];
    for (const text of [...odd, 'x '.repeat(240)]) {
      const answer = await world.get(`/api/desk/tickets?q=${encodeURIComponent(text)}`);
      expect(answer.status, text).toBe(200);
      expect(fits(listSchema, answer.body).counts.unassigned).toBe(1);
    }
    expect(await q('xyzzy')).toEqual([]);
  });

  it('[DKA-12] filters by priority, issue type, status and owner, and refuses values that do not exist', async () => {
    expect(await ids('priority=medium&status=waiting_operator')).toHaveLength(2);
    expect(await ids('issue_type=reservation')).toEqual([joao.ticketId]);
    expect(await ids('owner=operator')).toEqual([ana.ticketId]);
    expect(await ids('owner=hub&q=joao&issue_type=reservation')).toEqual([joao.ticketId]);
    expect(await ids('priority=urgent')).toEqual([]);
    for (const query of ['priority=huge', 'view=theirs', 'limit=0', 'limit=501', 'limit=x', 'status=lost']) {
      expect(await world.get(`/api/desk/tickets?${query}`), query).toMatchObject({
        status: 422,
        body: { code: 'input_invalid', errors: [{ field: query.split('=')[0] }] },
      });
    }
  });

  it('[DKA-13] shows a ticket with the path and why, tools, approvals, audit and the whole conversation', async () => {
    const { status, body } = await world.get(`/api/desk/tickets/${joao.ticketId}?language=en`);
    expect(status).toBe(200);
    const view = fits(ticketViewSchema, body);
    expect(view).toMatchObject({
      ticket_id: joao.ticketId,
      customer_name: 'João Pedro Cardoso',
      approvals: 1,
    });
    expect(view.messages.map(({ role }) => role)).toEqual(['customer', 'hub', 'customer', 'hub']);
    const steps = view.turns.flatMap(({ route }) => route);
    expect(steps.find(({ by }) => by === 'rule:R8')?.why).toBe(
      'Because the customer asks to change something.',
    );
    expect(view.turns.flatMap(({ tool_calls }) => tool_calls)).toContainEqual(
      expect.objectContaining({ tool: 'classify_ticket', ok: true }),
    );
    expect(view.approvals_open).toMatchObject([
      {
        tool: 'cancel_reservation',
        args: { reservation_id: 'res_042' },
        customer_name: 'João Pedro Cardoso',
        consequences: [
          expect.stringMatching(/^Cancels "Museum of Tomorrow.*, which João Pedro Cardoso has booked\.$/),
          'R$ 20.00 goes back to the payment method that was used, once.',
          "The visit returns to the customer's plan.",
          'An operator decides because it starts in less than 24 hours.',
          expect.stringContaining('told at once'),
          expect.stringContaining('If you reject it, nothing changes'),
          expect.stringContaining('expires and nothing changes'),
        ],
      },
    ]);
    const pt = await world.get(`/api/desk/tickets/${joao.ticketId}`, {
      'accept-language': 'pt;q=1, en;q=0.5',
    });
    expect(pt.text).toContain('Porque o cliente pede para mudar algo.');
    expect(pt.text).toContain('R$ 20,00 volta para a forma de pagamento');
    expect(await world.get('/api/desk/tickets/tkt_none')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
  });

  it('[DKA-14] has a sentence for every rule of the router, in both languages', () => {
    const { desk } = world.server.hub.app;
    for (const { id } of ROUTING_RULES) {
      const [en, pt] = [desk.why(`rule:${id}`, 'en'), desk.why(`rule:${id}:legal`, 'pt-BR')];
      expect(en).toMatch(/^Because .{10,}\.$/);
      expect(pt).toMatch(/^Porque .{10,}\.$/);
    }
    expect(desk.why('model: two requests in one', 'en')).toBe('The model chose: two requests in one');
    expect(desk.why('rule:constructor', 'en')).toBe('rule:constructor');
  });

  it('[DKA-17] finds no word any more that was changed or deleted, and keeps none of it', async () => {
    const { hub } = world.server;
    const { ticketId } = await world.escalated('I want to talk to a human about zanzibarium');
    const q = () => ids('q=zanzibarium');
    expect(await q()).toEqual([ticketId]);
    hub.exec('udahub', `UPDATE ticket_metadata SET summary = 'gone' WHERE ticket_id = '${ticketId}'`);
    hub.exec(
      'udahub',
      `UPDATE ticket_messages SET content = 'gone' WHERE ticket_id = '${ticketId}' AND role = 'hub'`,
    );
    expect(await q()).toEqual([ticketId]);
    hub.exec('udahub', `DELETE FROM ticket_messages WHERE ticket_id = '${ticketId}'`);
    expect(await q()).toEqual([]);
    for (const table of ['ticket_messages_fts', 'ticket_summaries_fts'])
      expect(
        hub.query('udahub', `SELECT id FROM ${table}_data WHERE instr(CAST(block AS TEXT), 'nzibarium') > 0`),
      ).toEqual([]);
    hub.exec(
      'udahub',
      `DELETE FROM escalations WHERE ticket_id = '${ticketId}'; DELETE FROM ticket_metadata WHERE ticket_id = '${ticketId}'`,
    );
    hub.exec(
      'udahub',
      `DELETE FROM ticket_turns WHERE ticket_id = '${ticketId}'; DELETE FROM ticket_resolutions WHERE ticket_id = '${ticketId}'`,
    );
    hub.exec('udahub', `DELETE FROM tickets WHERE ticket_id = '${ticketId}'`);
  });

  it('[DKA-15] suggests a reply with its source and does nothing: no row changes', async () => {
    const before = world.server.hub.dump('udahub');
    const answer = await world.get(`/api/desk/tickets/${ana.ticketId}/suggestion`);
    const suggestion = fits(suggestionSchema, answer.body);
    expect(suggestion.text).toMatch(/^Hello Ana/);
    expect(suggestion.provider).toBe('offline');
    const waiting = await world.get(`/api/desk/tickets/${joao.ticketId}/suggestion`);
    expect(waiting.body.text).toMatch(/^Hello João/);
    expect(await world.get('/api/desk/tickets/tkt_none/suggestion')).toMatchObject({ status: 404 });
    expect(world.server.hub.dump('udahub')).toEqual(before);
  });

  it('[DKA-16] shows a customer with everything the hub knows, and finds customers', async () => {
    const found = await world.get('/api/desk/customers?q=SOUZA%20ana');
    const { customers } = fits(z.object({ customers: z.array(customerSchema) }), found.body);
    expect(customers).toMatchObject([{ customer_id: 'usr_001', name: 'Ana Souza', blocked: false }]);
    const record = fits(customerRecordSchema, (await world.get('/api/desk/customers/usr_001')).body);
    expect(record).toMatchObject({
      customer: { email: 'ana.souza@example.com' },
      sections: [{ id: 'subscription', kind: 'facts' }, { id: 'reservations' }, { id: 'payments' }],
      tickets: [{ ticket_id: ana.ticketId }],
      memory: { resolutions: [{ resolution_type: 'escalated' }] },
    });
    expect((await world.get('/api/desk/customers?q=%25')).body).toEqual({ customers: [] });
    expect(await world.get('/api/desk/customers/usr_999')).toMatchObject({ status: 404 });
  });

  it("[PAGE-01] shows a customer's records as the company names them, in the operator's language", async () => {
    const read = async (customer: string, language: string) => {
      const answer = await world.get(`/api/desk/customers/${customer}?language=${language}`);
      return fits(customerRecordSchema, answer.body).sections;
    };
    const [subscription, reservations, payments] = await read('usr_001', 'en');
    expect(subscription).toMatchObject({
      label: 'Subscription',
      rows: [
        {
          title: 'Premium',
          status: { value: 'active', label: 'Active', tone: 'good' },
          facts: [
            { label: 'Since', type: 'time' },
            { label: 'Visits this month', type: 'text', value: expect.stringMatching(/^\d of 5 used$/) },
            { label: 'Renews', type: 'time' },
          ],
        },
      ],
    });
    const row = reservations?.rows.find(({ id }) => id === 'res_001');
    expect(row?.facts.slice(0, 2)).toMatchObject([
      { label: null, type: 'time' },
      { label: null, type: 'text' },
    ]);
    expect(payments?.rows[0]?.facts).toContainEqual({
      label: null,
      type: 'money',
      value: 11_990,
      currency: 'BRL',
    });
    const inPortuguese = await read('usr_001', 'pt-BR');
    expect(inPortuguese.map(({ label }) => label)).toEqual(['Assinatura', 'Reservas', 'Pagamentos']);
    expect(inPortuguese[0]?.rows[0]?.status?.label).toBe('Ativa');
    const refunded = (
      await Promise.all(['usr_002', 'usr_003', 'usr_004', 'usr_005'].map((id) => read(id, 'en')))
    )
      .flat()
      .flatMap(({ rows }) => rows)
      .find(({ facts }) => facts.some(({ label }) => label === 'Refund'));
    expect(refunded?.facts).toContainEqual(expect.objectContaining({ type: 'money', currency: 'BRL' }));
  });
});

describe('what a ticket says of time', () => {
  it('[SHF-09 SHF-28] names the zone of the customer, when each step was decided, and how long each tool took', async () => {
    const index = new GatedIndex();
    const { server, get } = await openDeskWorld({ overrides: { index } });
    const token = await server.token(ANA);
    const begun = async (time_zone: string) =>
      String((await server.post('/api/threads', token, { time_zone })).body.thread_id);
    const [manaus, nowhere] = [await begun('America/Manaus'), await begun('Mars/Base')];
    const { clock } = server.hub;
    const started = clock.now().getTime();
    index.hold();
    const text = 'How long does a refund take?';
    const answered = server.post(`/api/threads/${manaus}/messages`, token, { text });
    await until(() => index.waiting > 0, 'a search');
    clock.advance({ ms: 3_000 });
    index.release();
    const ticketId = String((await answered).body.ticket_id);
    const ticket = fits(ticketViewSchema, (await get(`/api/desk/tickets/${ticketId}`)).body);
    expect(ticket.customer_time_zone).toBe('America/Manaus');
    const moment = (at: string | null | undefined): number => Date.parse(at ?? '') - started;
    const [turn] = ticket.turns;
    expect(turn?.route.map(({ at }) => moment(at))).toEqual([0]);
    const search = turn?.tool_calls.find(({ tool }) => tool === 'search_knowledge');
    expect([moment(search?.at), search?.ms]).toEqual([0, 3_000]);
    const other = await server.post(`/api/threads/${nowhere}/messages`, token, { text: 'Hello' });
    const { body } = await get(`/api/desk/tickets/${String(other.body.ticket_id)}`);
    expect(body.customer_time_zone).toBeNull();
    await server.close();
  });
});

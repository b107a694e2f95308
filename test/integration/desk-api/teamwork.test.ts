import { afterEach, describe, expect, it } from 'vitest';
import {
  filledMacroSchema,
  gapSchema,
  timelineSchema,
} from '../../../src/surfaces/http/desk/record-schemas.js';
import { ANA, type DeskWorld, fits, JOAO, openDeskWorld } from './desk-world.js';

let world: DeskWorld;
afterEach(() => world.server.close());

const REFUND = 'I want to talk to a human about my refund';

/** A ticket of a customer that waits for a person. */
async function waiting(email: string, text = REFUND) {
  const { server } = world;
  const token = await server.token(email);
  const threadId = await server.thread(token);
  const { body } = await server.post(`/api/threads/${threadId}/messages`, token, { text });
  expect(body.escalated).toBe(true);
  return { ticketId: String(body.ticket_id), threadId };
}

const shown = async (ticketId: string) => (await world.get(`/api/desk/tickets/${ticketId}`)).body;

const PIA = { operatorId: 'op_pia', name: 'Pia' } as const;

describe('how a team works on its tickets', () => {
  it('[SHF-21] keeps macros whose variables are filled for the ticket, and sends words, tags and status in one', async () => {
    world = await openDeskWorld();
    const { ticketId } = await waiting(ANA);
    const text = 'Hello {customer.first_name}, it is on its way. {operator.first_name}, {company.name}';
    const macro = { name: 'On its way', text, tags: ['Refund'], resolves: true };
    const odd = await world.post('/api/desk/macros', { ...macro, text: 'Hello {customer.password}' });
    expect(odd.status).toBe(422);
    const { body: saved, status } = await world.post('/api/desk/macros', macro);
    expect(status).toBe(201);
    expect((await world.post('/api/desk/macros', { ...macro, name: 'on ITS way' })).status).toBe(422);

    const list = (await world.get(`/api/desk/tickets/${ticketId}/macros`)).body.macros;
    const [filled] = Array.isArray(list) ? list : [];
    expect(fits(filledMacroSchema, filled)).toMatchObject({
      filled: 'Hello Ana, it is on its way. Olga, CultPass',
      tags: ['refund'],
    });
    const use = { macro_id: saved.macro_id, text: filled.filled };
    // Of somebody who does not hold the ticket nothing happens.
    expect((await world.post(`/api/desk/tickets/${ticketId}/macro`, use)).status).toBe(403);
    expect((await shown(ticketId)).tags).toEqual([]);
    await world.post(`/api/desk/tickets/${ticketId}/claim`);
    expect((await world.post(`/api/desk/tickets/${ticketId}/macro`, use)).status).toBe(204);
    const after = await shown(ticketId);
    expect(after).toMatchObject({ status: 'resolved', tags: ['refund'] });
    expect(JSON.stringify(after.messages)).toContain('Hello Ana, it is on its way.');
  });

  it('[SHF-32] tells each side how far the other has read, as it happens, and nobody of a conversation that is not theirs', async () => {
    world = await openDeskWorld();
    const { server } = world;
    const { ticketId, threadId } = await waiting(ANA);
    const ana = await server.token(ANA);
    const thread = async () => (await server.get(`/api/threads/${threadId}`, ana)).body;
    const events = await server.stream(`/api/threads/${threadId}/events`, { token: ana });
    expect(await thread()).toMatchObject({ read_by_operator: null });
    const before = (await shown(ticketId)) as { messages: { role: string; message_id: string }[] };
    const asked = before.messages.find(({ role }) => role === 'customer')?.message_id;
    expect((await world.post(`/api/desk/tickets/${ticketId}/read`, { message_id: asked })).status).toBe(204);
    const told = await events.until(({ event }) => event === 'read');
    expect(told.data).toEqual({ message_id: asked, at: expect.any(String) });
    expect(await thread()).toMatchObject({ read_by_operator: told.data });

    await world.post(`/api/desk/tickets/${ticketId}/claim`);
    const { body } = await world.post(`/api/desk/tickets/${ticketId}/reply`, { text: 'Hello Ana.' });
    const { message_id } = body.message as { message_id: string };
    const desk = await server.stream('/api/desk/events', { token: await server.operator('Paulo') });
    const read = async (token: string) =>
      (await server.post(`/api/threads/${threadId}/read`, token, { message_id })).status;
    expect(await read(await server.token(JOAO))).toBe(404);
    expect(await shown(ticketId)).toMatchObject({ read_by: { customer: null } });
    expect(await read(ana)).toBe(204);
    const heard = await desk.until(({ event }) => event === 'read');
    expect(heard.data).toEqual({
      thread_id: threadId,
      by: 'customer',
      message_id,
      at: expect.any(String),
    });
    expect(await shown(ticketId)).toMatchObject({
      read_by: { customer: { message_id }, operator: { message_id: asked } },
    });
    await Promise.all([events.close(), desk.close()]);
  });

  it('[SHF-22] does the same to many tickets, each by itself, and says what came of each', async () => {
    world = await openDeskWorld();
    const { server } = world;
    const [mine, theirs] = [await waiting(ANA), await waiting(JOAO)];
    await server.post(`/api/desk/tickets/${theirs.ticketId}/claim`, await server.operator('Paulo'), {});
    const ids = [mine.ticketId, theirs.ticketId, 'tkt_nobody'];
    const bulk = async (action: object) =>
      (await world.post('/api/desk/bulk', { ticket_ids: ids, action })).body.results;
    expect(await bulk({ kind: 'tag', tags: ['Storm'] })).toEqual([
      { ticket_id: ids[0], problem: null },
      { ticket_id: ids[1], problem: null },
      { ticket_id: ids[2], problem: { code: 'not_found', detail: expect.any(String) } },
    ]);
    const until = new Date(server.hub.clock.now().getTime() + 3_600_000).toISOString();
    expect(await bulk({ kind: 'snooze', until })).toMatchObject([
      { problem: null },
      { problem: { code: 'not_claimed' } },
      { problem: { code: 'not_found' } },
    ]);
    expect(await bulk({ kind: 'resolve', text: 'The storm is over.' })).toMatchObject([
      { problem: null },
      { problem: { code: 'not_claimed' } },
      { problem: { code: 'not_found' } },
    ]);
    expect(await shown(mine.ticketId)).toMatchObject({ status: 'resolved', tags: ['storm'] });
    const left = await shown(theirs.ticketId);
    expect(left).toMatchObject({ status: 'waiting_operator', tags: ['storm'], snoozed_until: null });
    expect(JSON.stringify(left.messages)).not.toContain('The storm is over.');
  });

  it('[SHF-23 SHF-139 SHF-167] merges two tickets of one customer, never of two, and shows a customer across tickets', async () => {
    world = await openDeskWorld();
    const [first, second, other] = [await waiting(ANA), await waiting(ANA), await waiting(JOAO)];
    await world.post(`/api/desk/tickets/${first.ticketId}/tags`, { tags: ['vip'] });
    const merge = (into: string) => world.post(`/api/desk/tickets/${first.ticketId}/merge`, { into });
    expect((await merge(other.ticketId)).status).toBe(422);
    expect((await merge(first.ticketId)).status).toBe(422);
    expect((await merge(second.ticketId)).status).toBe(204);
    expect(await shown(first.ticketId)).toMatchObject({ status: 'resolved', merged_into: second.ticketId });
    expect(await shown(second.ticketId)).toMatchObject({ tags: ['vip'], operator: { name: 'Olga' } });
    const read = await world.server.get(`/api/threads/${first.threadId}`, await world.server.token(ANA));
    const number = String((await shown(second.ticketId)).number);
    expect(read.text).toContain(`We go on with this in your other conversation, request ${number}: `);
    expect(read.text).not.toMatch(/ · .*You need not write it again/);

    const { customer_id: id } = await shown(second.ticketId);
    const { events } = (await world.get(`/api/desk/customers/${String(id)}/timeline`)).body;
    const told = (Array.isArray(events) ? events : []).map((event) => fits(timelineSchema, event));
    expect(told.map(({ kind, ticket_id }) => [kind, ticket_id])).toEqual(
      expect.arrayContaining([
        ['merged', first.ticketId],
        ['opened', first.ticketId],
        ['opened', second.ticketId],
        ['escalated', second.ticketId],
      ]),
    );
    // From the one to the other: a merged ticket leads to where it goes on.
    expect(told.find(({ kind }) => kind === 'merged')?.about).toBe(second.ticketId);
    expect(told.some(({ ticket_id }) => ticket_id === other.ticketId)).toBe(false);
  });

  it.each([false, true])(
    '[SHF-190] merges two tickets of one conversation that its operator has (the waiting one: %s)',
    async (waits) => {
      world = await openDeskWorld();
      const { server } = world;
      const { ticketId: request, threadId } = await waiting(ANA);
      const question = { text: 'How do I pause my plan?' };
      const token = await server.token(ANA);
      const { body } = await server.post(`/api/threads/${threadId}/messages`, token, question);
      const aside = String(body.ticket_id);
      expect(aside).not.toBe(request);
      await world.post(`/api/desk/tickets/${request}/claim`);
      const [from, into] = waits ? [request, aside] : [aside, request];
      expect((await world.post(`/api/desk/tickets/${from}/merge`, { into })).status).toBe(204);
      expect(await shown(from)).toMatchObject({ status: 'resolved', merged_into: into });
      expect(await shown(into)).toMatchObject({ operator: { name: 'Olga' }, escalation: { status: 'open' } });
      const { tickets } = (await world.get('/api/desk/tickets?view=mine')).body;
      expect((Array.isArray(tickets) ? tickets : []).map(({ ticket_id }) => ticket_id)).toEqual([into]);
      // Nobody is told that anything was closed.
      const read = await server.get(`/api/threads/${threadId}`, token);
      expect(read.text).not.toContain('closed this request');
    },
  );

  it('[SHF-143] keeps the views of an operator on the server, for nobody else', async () => {
    world = await openDeskWorld();
    const { server } = world;
    const view = { name: ' Urgent ', choice: { view: 'all', priority: 'urgent' } };
    expect((await world.post('/api/desk/views', view)).status).toBe(204);
    expect((await world.post('/api/desk/views', { ...view, name: ' ' })).status).toBe(422);
    expect((await world.post('/api/desk/views', { ...view, name: 'x'.repeat(41) })).status).toBe(422);
    expect((await world.get('/api/desk/views')).body).toEqual({ views: [{ ...view, name: 'Urgent' }] });
    expect((await server.get('/api/desk/views', await server.operator('Paulo'))).body).toEqual({ views: [] });
    expect((await server.get('/api/desk/views', await server.token(ANA))).status).toBe(403);
    const names = Array.from({ length: 50 }, (_, at) => `View ${at}`);
    const saved = await Promise.all(
      names.map((name) => server.hub.app.desk.saveView(PIA, { ...view, name })),
    );
    expect(saved).toHaveLength(50);
    await expect(server.hub.app.desk.saveView(PIA, view)).rejects.toMatchObject({ code: 'input_invalid' });
    await server.hub.app.desk.saveView(PIA, { name: 'View 7', choice: {} });
  });

  it('[SHF-24] puts a ticket into the list of the team that its subject belongs to, until it is given to another', async () => {
    world = await openDeskWorld();
    const { ticketId } = await waiting(ANA, 'I was charged twice this month, please fix it');
    const of = async (team: string) => {
      const { tickets } = (await world.get(`/api/desk/tickets?view=unassigned&team=${team}`)).body;
      return (Array.isArray(tickets) ? tickets : []).map(({ ticket_id }) => ticket_id);
    };
    expect(await shown(ticketId)).toMatchObject({ team: 'payments' });
    expect(await of('payments')).toEqual([ticketId]);
    expect(await of('technical')).toEqual([]);
    const give = (team: string | null) => world.post(`/api/desk/tickets/${ticketId}/team`, { team });
    expect((await give('technical')).status).toBe(204);
    expect([await of('payments'), await of('technical')]).toEqual([[], [ticketId]]);
    expect((await give('nobody')).status).toBe(422);
    expect((await world.get('/api/desk/tickets?team=nobody')).status).toBe(422);
    await give(null);
    expect(await of('payments')).toEqual([ticketId]);
  });

  it('[SHF-25] lists questions that no article answered, and begins an article with what an operator answered', async () => {
    world = await openDeskWorld();
    const { server } = world;
    const question = 'Do you sell gift vouchers for boat trips on the Amazon?';
    const token = await server.token(ANA);
    const threadId = await server.thread(token);
    let ticketId = '';
    for (const text of [question, 'yes, please ask your team']) {
      const { body } = await server.post(`/api/threads/${threadId}/messages`, token, { text });
      ticketId = String(body.ticket_id);
      if (body.escalated === true) break;
    }
    server.hub.exec(
      'udahub',
      `UPDATE escalations SET reason = 'low_confidence' WHERE ticket_id = '${ticketId}'`,
    );
    await world.post(`/api/desk/tickets/${ticketId}/claim`);
    await world.post(`/api/desk/tickets/${ticketId}/reply`, { text: 'We do not sell boat trips yet.' });
    const gaps = async () => {
      const { body } = await world.get('/api/desk/knowledge-gaps');
      return (Array.isArray(body.gaps) ? body.gaps : []).map((gap) => fits(gapSchema, gap));
    };
    expect(await gaps()).toMatchObject([
      { ticket_id: ticketId, times: 1, answer: 'We do not sell boat trips yet.' },
    ]);
    const draft = await world.post(`/api/desk/knowledge-gaps/${ticketId}/draft`);
    expect(draft).toMatchObject({ status: 201, body: { content: 'We do not sell boat trips yet.' } });
    expect(await gaps()).toEqual([]);
    expect((await world.post(`/api/desk/knowledge-gaps/${ticketId}/draft`)).status).toBe(404);
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import {
  choiceSchema,
  outcomeSchema,
  ticketViewSchema,
} from '../../../src/surfaces/http/desk/ticket-schemas.js';
import { ANA, type DeskWorld, fits, JOAO, openDeskWorld } from './desk-world.js';

const worlds: DeskWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.server.close();
});

async function open(): Promise<DeskWorld> {
  const world = await openDeskWorld();
  worlds.push(world);
  return world;
}

describe('what operators do over HTTP', () => {
  it('[DKA-20] claims, notes, replies, hands back and resolves, each visible where it belongs', async () => {
    const world = await open();
    const { ticketId, threadId } = await world.escalated();
    const at = `/api/desk/tickets/${ticketId}`;
    const claimed = await world.post(`${at}/claim`);
    expect(claimed).toMatchObject({
      status: 200,
      body: { ticket: { ticket_id: ticketId, operator: { name: 'Olga' } } },
    });
    expect((await world.get('/api/desk/tickets?view=mine')).body).toMatchObject({
      tickets: [{ ticket_id: ticketId }],
      counts: { unassigned: 0, mine: 1 },
    });
    const paulo = await world.server.operator('Paulo');
    expect(await world.server.post(`${at}/claim`, paulo, {})).toMatchObject({
      status: 409,
      body: { code: 'already_claimed', operator: 'Olga' },
    });

    expect((await world.server.post(`${at}/reply`, paulo, { text: 'Me too' })).status).toBe(403);
    const note = await world.post(`${at}/note`, { text: 'Calls herself Ana <b>S.</b>' });
    expect(note.body).toMatchObject({ message: { audience: 'desk', author: 'Olga' } });
    const said = await world.post(`${at}/reply`, { text: 'Hello Ana, I have it.' });
    expect(said.body).toMatchObject({ message: { audience: 'customer', role: 'operator', author: 'Olga' } });

    const mine = await world.server.get(`/api/threads/${threadId}`, await world.server.token(ANA));
    expect(mine.text).toContain('Hello Ana, I have it.');
    expect(mine.text).not.toContain('Calls herself');
    const view = fits(ticketViewSchema, (await world.get(at)).body);
    expect(view.messages.map(({ content }) => content)).toEqual(
      expect.arrayContaining(['Calls herself Ana <b>S.</b>', 'Hello Ana, I have it.']),
    );

    const back = await world.post(`${at}/return`, { note: 'Only likes mornings' });
    expect(back).toMatchObject({ status: 200, body: { ticket: { owner: 'hub', operator: null } } });
    expect((await world.post(`${at}/claim`)).status).toBe(200);
    const done = await world.post(`${at}/resolve`, { text: 'All done.', summary: 'Refund explained' });
    expect(done).toMatchObject({ status: 200, body: { ticket: { status: 'resolved' } } });
    expect((await world.get('/api/desk/tickets?view=resolved')).body).toMatchObject({
      tickets: [{ ticket_id: ticketId, clock: null }],
    });
  });

  it('[DKA-21] does a write with one Idempotency-Key once', async () => {
    const world = await open();
    const { ticketId } = await world.escalated();
    await world.post(`/api/desk/tickets/${ticketId}/claim`);
    const key = { 'idempotency-key': 'reply-1' };
    const first = await world.post(`/api/desk/tickets/${ticketId}/reply`, { text: 'Once.' }, key);
    const again = await world.post(`/api/desk/tickets/${ticketId}/reply`, { text: 'Once.' }, key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(await world.post(`/api/desk/tickets/${ticketId}/reply`, { text: 'Twice.' }, key)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' },
    });
    const messages = world.server.hub.query(
      'udahub',
      `SELECT content FROM ticket_messages WHERE role = 'operator'`,
    );
    expect(messages).toEqual([{ content: 'Once.' }]);
  });

  it('[DKA-22] decides an approval once, of five decisions at the same time', async () => {
    const world = await open();
    const { pendingId, threadId } = await world.awaitingApproval();
    const path = `/api/desk/approvals/${pendingId}`;
    const decisions = ['approve', 'reject', 'approve', 'approve', 'reject'].map((decision) =>
      world.post(path, { decision, ...(decision === 'reject' ? { reason: 'No' } : {}) }),
    );
    const answers = await Promise.all(decisions);
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const outcome = fits(outcomeSchema, won[0]?.body);
    expect(answers.filter(({ status }) => status === 409).map(({ body }) => body.code)).toEqual(
      Array(4).fill('pending_decided'),
    );
    // Who comes late reads by whom and how, where the colleague was at the desk.
    await world.post('/api/desk/presence', { ticket_id: null, typing: false });
    const late = await world.server.post(path, await world.server.operator('Paulo'), { decision: 'approve' });
    const decision =
      fits(outcomeSchema, won[0]?.body).approval.status === 'rejected' ? 'rejected' : 'approved';
    expect(late).toMatchObject({
      status: 409,
      body: { code: 'pending_decided', operator: 'Olga', decision },
    });
    const [reservation] = world.server.hub.query(
      'cultpass',
      `SELECT status FROM reservations WHERE reservation_id = 'res_042'`,
    );
    const approved = outcome.approval.status !== 'rejected';
    expect(reservation?.status === 'reserved').toBe(!approved);
    const refunds = world.server.hub.query(
      'cultpass',
      `SELECT * FROM refunds WHERE reservation_id = 'res_042'`,
    );
    expect(refunds).toHaveLength(approved ? 1 : 0);
    const thread = await world.server.get(`/api/threads/${threadId}`, await world.server.token(JOAO));
    expect(thread.text.split(JSON.stringify(outcome.approval.reply).slice(1, -1)).length - 1).toBe(1);
    expect((await world.get('/api/desk/approvals')).body).toEqual({ approvals: [], withdrawn: [] });
  });

  it('[DKA-23] refuses decisions that are none, and approvals that do not exist', async () => {
    const world = await open();
    const { pendingId } = await world.awaitingApproval();
    const before = world.server.hub.dump('cultpass');
    for (const body of [
      {},
      { decision: 'maybe' },
      { decision: 'edit' },
      { decision: 'edit', args: 'x' },
      [],
      'null',
      7,
    ]) {
      const answer = await world.post(`/api/desk/approvals/${pendingId}`, body);
      expect(answer.status, JSON.stringify(body)).toBe(422);
      expect(answer.body.code).toBe('input_invalid');
    }
    expect((await world.post(`/api/desk/approvals/${pendingId}`, '{')).status).toBe(400);
    expect(await world.post('/api/desk/approvals/pnd_none', { decision: 'approve' })).toMatchObject({
      status: 404,
      body: { code: 'pending_not_found' },
    });
    expect(world.server.hub.dump('cultpass')).toEqual(before);
    expect((await world.get('/api/desk/approvals')).body).toMatchObject({ approvals: [{ id: pendingId }] });
  });

  it('[DKA-24] answers the question of an investigation', async () => {
    const world = await open();
    // The payment of Ana's newest paid booking is there a second time: the skill asks a person.
    world.server.hub.exec(
      'cultpass',
      `INSERT INTO payments (payment_id, user_id, reservation_id, amount_cents, currency, status, created_at)
       SELECT 'pay_twice', user_id, reservation_id, amount_cents, currency, status, '2026-03-10T12:00:00.000Z' FROM payments
       WHERE user_id = 'usr_001' AND status = 'paid' AND reservation_id IS NOT NULL ORDER BY created_at DESC LIMIT 1`,
    );
    const { ticketId } = await world.escalated('I was charged twice for the same booking');
    const at = `/api/desk/tickets/${ticketId}`;
    const view = fits(ticketViewSchema, (await world.get(at)).body);
    expect(view.investigations).toMatchObject([{ skill_id: 'double_charge', status: 'waiting' }]);
    expect(await world.post(`${at}/choose`, { choice: 'Z' })).toMatchObject({
      status: 422,
      body: { code: 'choice_unknown' },
    });
    const done = await world.post(`${at}/choose`, { choice: 'a' });
    const outcome = fits(choiceSchema, done.body);
    expect(outcome).toMatchObject({ ticket: { ticket_id: ticketId }, investigation: { status: 'done' } });
    const suggestion = await world.get(`${at}/suggestion`);
    expect(suggestion.body.text).toMatch(/^Hello Ana/);
    expect(await world.post(`${at}/choose`, { choice: 'A' })).toMatchObject({
      status: 409,
      body: { code: 'run_not_waiting' },
    });
  });

  it('[SHF-119] says in another language what an investigation found where the ticket repeats it', async () => {
    const world = await open();
    const { ticketId } = await world.escalated('não consigo reservar nada');
    const read = async (language: string) =>
      fits(ticketViewSchema, (await world.get(`/api/desk/tickets/${ticketId}?language=${language}`)).body);
    const [english] = (await read('en')).escalations;
    expect(english?.found).toContainEqual('Look at the account: The account is not blocked.');
    const [theirs] = (await read('pt-BR')).escalations;
    expect(theirs?.found).toContainEqual('Ver a conta: A conta não está bloqueada.');
    expect(theirs?.found.join('\n')).not.toMatch(/\b(?:Look|the|was|booking)\b/);
    expect(JSON.stringify((await read('pt-BR')).investigations)).toContain('Investigar a falha da reserva');
  });

  it('[DKA-25] stops the clock with the first answer, starts it with the next message, and counts business hours', async () => {
    const world = await open();
    const { clock } = world.server.hub;
    const { ticketId, threadId } = await world.escalated();
    const at = `/api/desk/tickets/${ticketId}`;
    // Wednesday noon to Friday noon in São Paulo: two business days of nine hours.
    clock.advance({ days: 2 });
    expect((await world.get(at)).body.clock).toMatchObject({
      waited_minutes: 1_080,
      target_minutes: 240,
      due_at: '2026-03-11T19:00:00.000Z',
      running: true,
      breached: true,
    });
    clock.advance({ days: 1 });
    expect((await world.get(at)).body.clock).toMatchObject({
      waited_minutes: 1_440,
      running: false,
      resumes_at: '2026-03-16T12:00:00.000Z',
    });
    await world.post(`${at}/claim`);
    await world.post(`${at}/reply`, { text: 'Sorry for the wait.' });
    expect((await world.get(at)).body.clock).toBeNull();
    clock.set('2026-03-16T13:00:00.000Z');
    await world.server.post(`/api/threads/${threadId}/messages`, await world.server.token(ANA), {
      text: 'And now?',
    });
    clock.advance({ minutes: 45 });
    expect((await world.get(at)).body.clock).toMatchObject({ waited_minutes: 45, breached: false });
  });

  it('[SHF-202] takes who only thanks or says goodbye for nobody who waits, and who asks for something beside it for one', async () => {
    const world = await open();
    const { ticketId, threadId } = await world.escalated();
    const at = `/api/desk/tickets/${ticketId}`;
    const says = async (text: string) => {
      world.server.hub.clock.advance({ minutes: 1 });
      await world.server.post(`/api/threads/${threadId}/messages`, await world.server.token(ANA), { text });
      const { clock, status, unread } = (await world.get(at)).body;
      return { waits: clock !== null, status, unread };
    };
    const replies = async (text: string) => {
      world.server.hub.clock.advance({ minutes: 1 });
      await world.post(`${at}/reply`, { text });
    };
    await world.post(`${at}/claim`);
    // Nobody has answered yet: thanks beforehand stop no clock.
    expect((await says('Thanks!')).waits).toBe(true);
    await replies('It is on its way, and will be with you on Friday.');
    for (const text of [
      'Thanks!',
      'ok thank you, have a nice day',
      'Great, thanks a lot. Bye!',
      'Muito obrigada, tchau',
    ])
      expect(await says(text), text).toMatchObject({ waits: false, status: 'waiting_customer' });
    const until = new Date(world.server.hub.clock.now().getTime() + 3_600_000).toISOString();
    await world.post(`${at}/snooze`, { until });
    expect(await says('thank you so much')).toMatchObject({ waits: false });
    expect((await world.get(at)).body.snoozed_until).toBe(until);
    await world.post('/api/desk/presence', { ticket_id: ticketId, typing: false });
    expect((await world.get(at)).body.snoozed_until).toBe(until);
    for (const text of [
      'Thanks, but the money is not there',
      'Thanks. When will it be there?',
      'Obrigada, mas o dinheiro não chegou',
      'thank you for nothing, I want my money back',
    ]) {
      await replies('It is on its way.');
      expect(await says(text), text).toMatchObject({ waits: true, status: 'waiting_operator' });
    }
    expect((await world.get(at)).body.snoozed_until).toBeNull();
    // Where an operator has asked something, it may be the answer.
    await replies('Shall I send it to the old address?');
    expect(await says('ok thanks')).toMatchObject({ waits: true });
  });
});

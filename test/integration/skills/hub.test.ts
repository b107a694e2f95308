import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { ROSTER } from '../../support/roster.js';

const MISSING_REFUND = 'gabriela.nunes@example.com';
const PAUSED = 'carla.mendes@example.com';
const OPERATOR = { operatorId: 'op_1', name: 'Olga' };

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

const refundsOf = (reservation: string) =>
  hub.query('cultpass', 'SELECT * FROM refunds WHERE reservation_id = ?', reservation);

const chargesReturned = () =>
  hub.query(
    'cultpass',
    'SELECT payment_id, reservation_id, amount_cents FROM refunds WHERE payment_id IS NOT NULL',
  );

/** The payment of Ana's newest paid booking is there a second time. */
function chargeAnaTwice(): void {
  hub.exec(
    'cultpass',
    `INSERT INTO payments (payment_id, user_id, reservation_id, amount_cents, currency, status, created_at)
       SELECT 'pay_twice', user_id, reservation_id, amount_cents, currency, status, '2026-03-10T12:00:00.000Z' FROM payments
       WHERE user_id = 'usr_001' AND status = 'paid' AND reservation_id IS NOT NULL ORDER BY created_at DESC LIMIT 1`,
  );
}

describe('a symptom in the hub', () => {
  it('[SKH-01 SKH-02] is investigated on the record, answered, and kept as evidence', async () => {
    const reply = await hub.say(MISSING_REFUND, 'I cancelled a booking but never got my money back');
    expect(reply.agents).toEqual(['triage', 'investigation', 'action']);
    expect(reply.route.map((step) => step.by)).toEqual(['rule:R10', 'rule:R8']);
    expect(reply.reply).toContain('Manguebeat Tribute Night');
    const { investigations } = await hub.app.desk.show(reply.ticketId);
    expect(investigations).toHaveLength(1);
    const [run] = investigations;
    expect(run).toMatchObject({ skillId: 'missing_refund', status: 'done' });
    expect(run?.result?.kind).toBe('investigation');
    const value = run?.result?.kind === 'investigation' ? run.result.value : null;
    expect(value?.evidence.length).toBeGreaterThan(2);
    expect(value?.recommended_action?.action).toBe('process_refund');
  });

  it('[SKH-03] has its recommended change confirmed by the customer, and made once', async () => {
    const asked = await hub.say(MISSING_REFUND, 'I cancelled a booking but never got my money back');
    expect(asked.pending).toMatchObject({ kind: 'confirmation', tool: 'process_refund' });
    const reservation = String(asked.pending?.args.reservation_id);
    expect(refundsOf(reservation)).toHaveLength(0);
    const done = await hub.say(MISSING_REFUND, 'yes', asked.threadId);
    expect(done.toolCalls).toMatchObject([{ tool: 'process_refund', ok: true }]);
    expect(refundsOf(reservation)).toHaveLength(1);
    const again = await hub.say(MISSING_REFUND, 'I never got my money back', asked.threadId);
    expect(again.pending).toBeNull();
    expect(refundsOf(reservation)).toHaveLength(1);
  });

  it('[SKH-03] changes nothing when the customer says no', async () => {
    const asked = await hub.say(PAUSED, "I can't book anything, the app refuses");
    expect(asked.pending?.tool).toBe('update_subscription');
    const declined = await hub.say(PAUSED, 'no', asked.threadId);
    expect(declined.pending).toBeNull();
    expect(
      hub.query('cultpass', `SELECT status FROM subscriptions WHERE status = 'paused'`).length,
    ).toBeGreaterThan(0);
    expect(declined.toolCalls).toMatchObject([{ code: 'confirmation_rejected' }]);
  });

  it('[SKH-01] speaks Portuguese to who writes it', async () => {
    const reply = await hub.say(PAUSED, 'Não consigo reservar nada, o aplicativo não deixa');
    expect(reply.language).toBe('pt-BR');
    expect(reply.reply).toMatch(/assinatura está pausada|pausada/i);
  });

  it('[SKH-05] goes to the help centre where nobody is signed in', async () => {
    const reply = await hub.say(null, 'they charged me twice');
    expect(reply.agents).toEqual(['triage', 'knowledge']);
    expect(reply.toolCalls.map((call) => call.tool)).not.toContain('investigate');
  });

  it('[SKH-05] that no skill is for is answered as before', async () => {
    const bare = await hub.another({ env: { HUB_SKILLS_DIR: hub.dataDir } });
    const reply = await bare.say(MISSING_REFUND, 'I cancelled a booking but never got my money back');
    expect(reply.agents).not.toContain('investigation');
    expect(reply.reply).not.toBe('');
  });

  it('[SKB-01] is no matter to a hub whose skills folder is missing', async () => {
    const bare = await hub.another({ env: { HUB_SKILLS_DIR: `${hub.dataDir}/nowhere` } });
    expect(bare.app.skills.list()).toEqual([]);
    const reply = await bare.say(MISSING_REFUND, 'How many visits do I have left?');
    expect(reply.agents).toEqual(['triage', 'account']);
  });

  it('[SKH-01 SKS-05] never looks at anybody else, whatever is asked', async () => {
    const reply = await hub.say(
      PAUSED,
      'I cancelled a booking but never got my money back. My user id is usr_007, reservation res_029',
    );
    expect(JSON.stringify(reply)).not.toMatch(/Manguebeat|Gabriela/);
    const { investigations } = await hub.app.desk.show(reply.ticketId);
    expect(JSON.stringify(investigations)).not.toMatch(/Manguebeat|Gabriela/);
  });
});

describe('a symptom beside another request', () => {
  it('[SKH-03] has its change put after the one the customer asked for, and both are made', async () => {
    const said = 'I never got my money back for my cancelled booking. Pause my subscription for 30 days';
    const first = await hub.say(MISSING_REFUND, said);
    expect(first.agents).toEqual(expect.arrayContaining(['investigation', 'action']));
    expect(first.pending?.tool).toBe('update_subscription');
    const second = await hub.say(MISSING_REFUND, 'yes', first.threadId);
    expect(second.pending?.tool).toBe('process_refund');
    const reservation = String(second.pending?.args.reservation_id);
    const done = await hub.say(MISSING_REFUND, 'yes', first.threadId);
    expect(done.pending).toBeNull();
    expect(refundsOf(reservation)).toHaveLength(1);
  });

  it('[SKH-04] reaches the operators though the customer never answers the question beside it', async () => {
    chargeAnaTwice();
    const ana = 'ana.souza@example.com';
    const asked = await hub.say(ana, 'they charged me twice for a booking. cancel my Samba Night booking');
    expect(asked.pending?.tool).toBe('cancel_reservation');
    const queue = await hub.app.desk.queue({ owner: 'operator', limit: 10 });
    expect(queue.map(({ ticket }) => ticket.ticketId)).toContain(asked.ticketId);
    const done = await hub.say(ana, 'yes', asked.threadId);
    expect(done.escalation?.reason).toBe('requires_human');
    expect((await hub.app.desk.show(asked.ticketId)).escalations).toHaveLength(1);
  });
});

describe('a skill that asks the customer', () => {
  it('[SKH-02] puts its doubt as a question once, and goes on with the reply', async () => {
    hub.exec(
      'cultpass',
      `UPDATE reservations SET status = 'cancelled', updated_at = '2026-03-10T12:00:00.000Z'
       WHERE reservation_id IN (SELECT reservation_id FROM payments WHERE user_id = 'usr_001' AND status = 'paid'
         AND reservation_id IN (SELECT reservation_id FROM reservations WHERE status = 'reserved'))`,
    );
    const ana = 'ana.souza@example.com';
    const asked = await hub.say(ana, 'I cancelled my bookings and the refund never came');
    expect(asked.reply.trim()).toMatch(/\?$/);
    expect(asked.escalated).toBe(false);
    const told = await hub.say(ana, 'the one for Elis: The Musical', asked.threadId);
    expect(told.agents).toContain('investigation');
    expect(told.reply).toContain('Elis: The Musical');
    expect(told.pending).toMatchObject({ tool: 'process_refund', kind: 'confirmation' });
  });
});

describe('a skill that asks a person', () => {
  it('[SKH-04 SHF-47] hands the ticket to the operators with its options, and their choice goes on', async () => {
    chargeAnaTwice();
    const reply = await hub.say('ana.souza@example.com', 'I was charged twice for the same booking');
    expect(reply.escalated).toBe(true);
    expect(reply.escalation?.reason).toBe('requires_human');
    expect(reply.escalation?.options.some((option) => option.startsWith('A: '))).toBe(true);
    expect(reply.escalation?.found.length).toBeGreaterThan(0);
    const [waiting] = (await hub.app.desk.show(reply.ticketId)).investigations;
    expect(waiting).toMatchObject({ skillId: 'double_charge', status: 'waiting' });
    const labels = waiting?.handoff?.options.map(({ label }) => hub.app.desk.worded(label, 'pt-BR'));
    expect(labels).toContain('Uma pessoa assume');
    expect(labels?.[0]).toMatch(/^Aceitar a conclusão$/);
    expect(hub.app.desk.worded(reply.escalation?.options[0] ?? '', 'pt-BR')).toMatch(
      /^A: Aceitar a conclusão$/,
    );
    expect(reply.escalation?.options.map((option) => hub.app.desk.worded(option, 'pt-BR'))).toEqual(
      expect.arrayContaining([
        'Responder ao cliente',
        'Conferir pagamentos e reembolsos do cliente',
        'Resolver sem responder',
      ]),
    );

    await expect(hub.app.desk.choose(reply.ticketId, 'Z', OPERATOR)).rejects.toMatchObject({
      code: 'choice_unknown',
    });
    const outcome = await hub.app.desk.choose(reply.ticketId, 'a', OPERATOR);
    expect(outcome.run.status).toBe('done');
    expect(outcome.reply).not.toBeNull();
    await expect(hub.app.desk.choose(reply.ticketId, 'A', OPERATOR)).rejects.toMatchObject({
      code: 'run_not_waiting',
    });
    const told = await hub.say('ana.souza@example.com', 'any news?', reply.threadId);
    expect(told.reply).toContain(outcome.reply ?? 'nothing');
  });

  it('[SKH-06] opens the approval of what the operator chose; a yes gives the charge back once, and the customer is told', async () => {
    chargeAnaTwice();
    const ana = 'ana.souza@example.com';
    const reply = await hub.say(ana, 'I was charged twice for the same booking');
    const outcome = await hub.app.desk.choose(reply.ticketId, 'A', OPERATOR);
    expect(outcome.pending).toMatchObject({ kind: 'approval', tool: 'refund_duplicate_charge' });
    expect(outcome.reply).toContain('I have asked our team');
    expect(chargesReturned()).toEqual([]);
    const waiting = await hub.app.desk.show(reply.ticketId);
    expect(waiting.ticket.status).toBe('waiting_operator');
    const id = outcome.pending?.pendingId ?? '';
    const twice = await Promise.allSettled([
      hub.app.desk.approve(id, OPERATOR),
      hub.app.desk.approve(id, { operatorId: 'op_2', name: 'Otto' }),
    ]);
    expect(twice.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(chargesReturned()).toEqual([
      { payment_id: 'pay_twice', reservation_id: null, amount_cents: expect.any(Number) },
    ]);
    const { messages } = await hub.app.desk.show(reply.ticketId);
    expect(
      messages.filter(({ role, content }) => role === 'hub' && content.startsWith('Done: R$')),
    ).toHaveLength(1);
    // The same complaint again finds the money on its way, and nothing more goes back.
    const again = await hub.say(ana, 'I was charged twice for the same booking');
    expect(again.reply).toMatch(/refund of/);
    expect(again.pending).toBeNull();
    expect(chargesReturned()).toHaveLength(1);
  });

  it('[SKH-06] gives nothing back where the charge went back by another way meanwhile', async () => {
    chargeAnaTwice();
    const reply = await hub.say('ana.souza@example.com', 'I was charged twice for the same booking');
    const outcome = await hub.app.desk.choose(reply.ticketId, 'A', OPERATOR);
    hub.exec(
      'cultpass',
      `INSERT INTO refunds (refund_id, payment_id, amount_cents, status, idempotency_key, created_at)
       VALUES ('rfd_other', 'pay_twice', 100, 'completed', 'other', '2026-03-11T15:00:00.000Z')`,
    );
    const decided = await hub.app.desk.approve(outcome.pending?.pendingId ?? '', OPERATOR);
    expect(decided.reply).not.toContain('Done');
    expect(chargesReturned().map((row) => row.amount_cents)).toEqual([100]);
  });

  it('[SKH-06] is offered to no agent and no program', async () => {
    expect([...ROSTER.all.keys()]).not.toContain('refund_duplicate_charge');
    const offered = hub.app.capabilities.list();
    expect(JSON.stringify(offered)).not.toContain('refund_duplicate_charge');
  });

  it('[SKH-06] stays with the operators where only a person can do what was advised', async () => {
    hub.exec(
      'cultpass',
      `UPDATE refunds SET status = 'processing', created_at = '2026-02-20T12:00:00.000Z' WHERE refund_id = 'rfd_001'`,
    );
    const reply = await hub.say(
      'ana.souza@example.com',
      'My refund for Chamamé and Milonga Night never arrived',
    );
    expect(reply.escalated).toBe(true);
    const outcome = await hub.app.desk.choose(reply.ticketId, 'A', OPERATOR);
    expect(outcome.reply).toContain('Our team is taking care of this now');
    const { ticket, messages } = await hub.app.desk.show(reply.ticketId);
    expect(ticket.owner).toBe('operator');
    expect(messages.some(({ role, content }) => role === 'system' && content.includes('trace refund'))).toBe(
      true,
    );
  });

  it('[SKH-04] tells the customer after all where the process stopped right after the choice', async () => {
    chargeAnaTwice();
    const reply = await hub.say('ana.souza@example.com', 'I was charged twice for the same booking');
    const [waiting] = (await hub.app.desk.show(reply.ticketId)).investigations;
    await hub.app.skills.resume(String(waiting?.runId), { choice: 'A', by: 'operator:op_1' });
    await expect(hub.app.desk.choose(reply.ticketId, 'B', OPERATOR)).rejects.toMatchObject({
      code: 'run_not_waiting',
    });
    const outcome = await hub.app.desk.choose(reply.ticketId, 'A', OPERATOR);
    expect(outcome.reply).not.toBeNull();
    const { messages } = await hub.app.desk.show(reply.ticketId);
    expect(messages.filter(({ content }) => content === outcome.reply)).toHaveLength(1);
  });

  it('[SKH-04] stays with the operators when one takes over', async () => {
    chargeAnaTwice();
    const reply = await hub.say('ana.souza@example.com', 'I was charged twice for the same booking');
    const outcome = await hub.app.desk.choose(reply.ticketId, 'C', OPERATOR);
    expect(outcome.reply).toBeNull();
    const { ticket } = await hub.app.desk.show(reply.ticketId);
    expect(ticket.owner).toBe('operator');
  });
});

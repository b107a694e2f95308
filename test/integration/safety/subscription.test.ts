import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { ANA, auditRows, effects, expectBooksToAgree } from './books.js';

const CARLA = 'carla.mendes@example.com';
const DIEGO = 'diego.ferreira@example.com';
const ELISA = 'elisa.rocha@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(async () => {
  expectBooksToAgree(hub);
  await hub.close();
});

function subscriptionOf(customerId: string) {
  const [row] = hub.query(
    'cultpass',
    'SELECT status, ended_at FROM subscriptions WHERE user_id = ? ORDER BY started_at DESC LIMIT 1',
    customerId,
  );
  return row;
}

describe('the subscription', () => {
  it('is paused for the days that were named, with the consequences told before the yes', async () => {
    const asked = await hub.say(ANA, 'please pause my subscription for 10 days');
    expect(asked.pending?.args).toEqual({ action: 'pause', days: 10 });
    expect(asked.reply).toMatch(
      /10 days, until 21 March.*not charged.*cannot make new reservations.*4 upcoming reservations stay valid/,
    );
    expect(subscriptionOf('usr_001')).toMatchObject({ status: 'active' });
    const done = await hub.say(ANA, 'yes', asked.threadId);
    expect(done.reply).toContain('paused until 21 March');
    expect(subscriptionOf('usr_001')).toEqual({ status: 'paused', ended_at: '2026-03-21T15:00:00.000Z' });
    expect(auditRows(hub)).toMatchObject([
      { action: 'update_subscription', outcome: 'done', actor: 'customer:usr_001' },
    ]);
  });

  it('is paused for the default length where none is named, and never for longer than the rules allow', async () => {
    const asked = await hub.say(ANA, 'pause my subscription');
    expect(asked.reply).toContain('30 days');
    const tooLong = await hub.say(ANA, 'pause my subscription for 91 days');
    expect(tooLong.pending).toBeNull();
    expect(tooLong.reply).toContain('90 days at most');
    expect(effects(hub)).toEqual([]);
  });

  it('is resumed', async () => {
    const asked = await hub.say(CARLA, 'resume my subscription');
    expect(asked.reply).toMatch(/Charges start again/);
    await hub.say(CARLA, 'yes', asked.threadId);
    expect(subscriptionOf('usr_003')).toEqual({ status: 'active', ended_at: null });
    expect((await hub.say(CARLA, 'resume my subscription', asked.threadId)).pending).toBeNull();
    expect(effects(hub)).toHaveLength(1);
  });

  it('is cancelled as of now, with the consequences told before the yes', async () => {
    const asked = await hub.say(ANA, 'cancel my subscription');
    expect(asked.reply).toMatch(/not refunded.*upcoming reservations stay valid.*pause it instead/);
    hub.clock.advance({ minutes: 5 });
    await hub.say(ANA, 'yes', asked.threadId);
    expect(subscriptionOf('usr_001')).toEqual({ status: 'cancelled', ended_at: '2026-03-11T15:05:00.000Z' });
    const again = await hub.say(ANA, 'cancel my subscription', asked.threadId);
    expect(again.reply).toContain('ended already');
    expect(effects(hub)).toHaveLength(1);
    expect(auditRows(hub).map((row) => row.outcome)).toEqual(['done', 'refused']);
  });

  it('cannot be changed where it has ended, or by a blocked customer, who may still ask', async () => {
    expect((await hub.say(DIEGO, 'pause my subscription')).pending).toBeNull();
    const refused = await hub.say(ELISA, 'cancel my subscription');
    expect(refused.reply).toContain('blocked');
    const visits = await hub.say(ELISA, 'how many visits do I have left?', refused.threadId);
    expect(visits.reply).toContain('left this month');
    expect(effects(hub)).toEqual([]);
    expect(auditRows(hub).map((row) => row.outcome)).toEqual(['refused', 'refused']);
  });
});

const FERNANDA = 'fernanda.silveira@example.com';
const ISABELA = 'isabela.teixeira@example.com';

describe('[DLG-60] the right of withdrawal', () => {
  const refunds = () =>
    hub.query('cultpass', 'SELECT payment_id, amount_cents FROM refunds WHERE payment_id IS NOT NULL');

  it('ends the subscription and pays it back once, after its exact terms and a yes', async () => {
    const asked = await hub.say(FERNANDA, 'quero exercer o direito de arrependimento');
    expect(asked.pending?.tool).toBe('withdraw_subscription');
    expect(asked.reply).toMatch(/8 de março.*até 15 de março.*7 dias.*R\$\s119,90/);
    expect(subscriptionOf('usr_030')).toMatchObject({ status: 'active' });
    const done = await hub.say(FERNANDA, 'sim, por favor', asked.threadId);
    expect(done.reply).toMatch(/encerrada.*R\$\s119,90/);
    expect(subscriptionOf('usr_030')).toEqual({ status: 'cancelled', ended_at: '2026-03-11T15:00:00.000Z' });
    expect(refunds()).toEqual([{ payment_id: 'pay_229', amount_cents: 11_990 }]);
    const money = await hub.say(FERNANDA, 'meu reembolso já saiu?', done.threadId);
    expect(money.reply).toMatch(/R\$\s119,90 de "Mensalidade da assinatura" foi enviado/);
    const again = await hub.say(FERNANDA, 'quero desistir da assinatura', done.threadId);
    expect(again.pending).toBeNull();
    expect(again.reply).toContain('já foi feito');
    expect(refunds()).toHaveLength(1);
    expect(effects(hub)).toHaveLength(1);
  });

  it('is carried out by the next process where this one stopped after the yes', async () => {
    const asked = await hub.say(FERNANDA, 'I want to withdraw from my subscription, I bought it days ago');
    const id = asked.pending?.id ?? '';
    hub.exec(
      'udahub',
      `UPDATE approvals SET status = 'approved', decided_by = 'customer:usr_030', decided_at = '2026-03-11T15:00:01.000Z' WHERE pending_id = '${id}'`,
    );
    await hub.another();
    await expect.poll(() => subscriptionOf('usr_030')).toMatchObject({ status: 'cancelled' });
    expect(refunds()).toEqual([{ payment_id: 'pay_229', amount_cents: 11_990 }]);
    await expect
      .poll(() => auditRows(hub))
      .toMatchObject([{ action: 'withdraw_subscription', outcome: 'done' }]);
  });

  it('[DLG-61] is refused in plain words where it is too late, with what can be done instead', async () => {
    const late = await hub.say(ANA, 'I want to withdraw from my subscription and get my money back');
    expect(late.pending).toBeNull();
    expect(late.reply).toMatch(/9 February 2025.*16 February 2025.*cancel it.*pause it/);
    const nobody = await hub.say(ISABELA, 'i subscribed last week, i want to withdraw and get my money back');
    expect(nobody.reply).toMatch(/no subscription under isabela\.teixeira@example\.com/);
    expect(effects(hub)).toEqual([]);
  });

  it('[DLG-61] is told to who would cancel for nothing, and taken up in a word', async () => {
    const asked = await hub.say(FERNANDA, 'cancel my subscription');
    expect(asked.reply).toMatch(/15 March.*R\$\s119\.90 back/);
    const withdrawn = await hub.say(FERNANDA, 'withdraw then, i want my money back', asked.threadId);
    expect(withdrawn.pending?.tool).toBe('withdraw_subscription');
    await hub.say(FERNANDA, 'yes', asked.threadId);
    expect(refunds()).toEqual([{ payment_id: 'pay_229', amount_cents: 11_990 }]);
  });

  it('[DLG-62] is told from the withdrawal of a booking and from the rule for everybody; it takes the place of a pause', async () => {
    const meant = async (text: string) => (await hub.say(FERNANDA, text)).pending?.tool;
    expect(await meant('quero desistir da reserva do carimbó')).toBe('cancel_reservation');
    expect(await meant('I want to withdraw from the Carimbó class')).toBe('cancel_reservation');
    for (const text of [
      'Withdrawal from contract. Subscribed 4 days ago. Refund to card.',
      'assinei faz uns 4 dias mas acho q me precipitei. dá pra desistir?',
      'I want to end the contract, refund 119.90.',
    ])
      expect(await meant(text), text).toBe('withdraw_subscription');
    const rule = await hub.say(null, 'can i withdraw within 7 days of subscribing?');
    expect(rule.citations[0]?.articleId).toBe('kb-right-of-withdrawal-en');
    const asked = await hub.say(FERNANDA, 'pause my plan for 20 days please');
    const other =
      'actually hang on - I only subscribed on the 8th. Could I just withdraw and get everything back instead?';
    const withdrawn = await hub.say(FERNANDA, other, asked.threadId);
    expect(withdrawn.pending?.tool).toBe('withdraw_subscription');
  });
});

describe('long-term memory', () => {
  it('recognises a returning customer in a new thread and a new process: language, contact, last resolution', async () => {
    const first = await hub.say(ANA, 'cancel my samba night booking');
    await hub.say(ANA, 'yes', first.threadId);
    await hub.say(ANA, 'please contact me by whatsapp from now on', first.threadId);
    await hub.say(ANA, 'from now on please speak Portuguese with me', first.threadId);
    const stored = hub.query(
      'udahub',
      `SELECT key, value FROM customer_preferences WHERE customer_id = 'usr_001' ORDER BY key`,
    );
    expect(stored).toEqual([
      { key: 'contact_method', value: 'whatsapp' },
      { key: 'language', value: 'pt-BR' },
    ]);
    const resolutions = hub.query(
      'udahub',
      `SELECT resolution_type, agent FROM ticket_resolutions WHERE customer_id = 'usr_001' AND ticket_id = ? LIMIT 1`,
      first.ticketId,
    );
    expect(resolutions).toEqual([{ resolution_type: 'action_completed', agent: 'action' }]);
    const later = await hub.another();
    const hello = await later.say(ANA, 'hello');
    expect(hello.language).toBe('pt-BR');
    expect(hello.reply).toContain('Ana');
    const profile = await later.say(ANA, 'what do you know about my profile?');
    expect(profile.reply).toMatch(/whatsapp/i);
  });

  it('remembers nothing of an anonymous visitor', async () => {
    const { threadId } = await hub.say(null, 'from now on please speak Portuguese with me');
    await hub.say(null, 'contact me by whatsapp', threadId);
    const before = hub.query(
      'udahub',
      `SELECT * FROM customer_preferences WHERE customer_id NOT LIKE 'usr_%'`,
    );
    expect(before).toEqual([]);
  });
});

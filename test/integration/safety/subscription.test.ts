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
    expect(tooLong.reply).toContain('shorter');
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
    expect(again.reply).toContain('already been done');
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

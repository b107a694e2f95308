import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';
import { converse } from './converse.js';

const ANA = 'ana.souza@example.com';
const TATIANA = 'tatiana.ribeiro@example.com';

let hub: Hub;
beforeEach(async () => {
  hub = await openHub();
});
afterEach(() => hub.close());

/** When each booking that a text lists begins, in the order listed. */
function listedStarts(text: string): readonly string[] {
  const starts = new Map(
    hub
      .query('cultpass', 'SELECT title, starts_at FROM experiences')
      .map(({ title, starts_at }) => [String(title), String(starts_at)]),
  );
  return text.split('\n').flatMap((line) => {
    const title = [...starts.keys()].find((one) => line.includes(one));
    return title === undefined ? [] : [starts.get(title) ?? ''];
  });
}

describe('the list of bookings', () => {
  it('[TALK-02] holds all that is ahead, soonest first, and nothing that is over', async () => {
    for (const question of ['what do i have booked', 'quais são as minhas reservas?']) {
      const { reply } = await hub.say(TATIANA, question);
      const starts = listedStarts(reply);
      const [{ ahead } = {}] = hub.query(
        'cultpass',
        `SELECT count(*) AS ahead FROM reservations r JOIN experiences e USING (experience_id)
         JOIN users u USING (user_id) WHERE u.email = ? AND r.status = 'reserved' AND e.starts_at > ?`,
        TATIANA,
        hub.clock.now().toISOString(),
      );
      expect(starts.length, reply).toBe(ahead);
      expect(starts.length).toBeGreaterThan(2);
      expect([...starts].sort(), reply).toEqual(starts);
      expect(starts[0]?.localeCompare(hub.clock.now().toISOString()), reply).toBe(1);
    }
  });

  it('[TALK-02] shows what is over or cancelled where that was asked for', async () => {
    const { reply } = await hub.say(ANA, 'show me my past bookings too');
    const now = hub.clock.now().toISOString();
    expect(
      listedStarts(reply).some((start) => start < now),
      reply,
    ).toBe(true);
  });
});

describe('what a ticket is about', () => {
  const subjectOf = (ticketId: string) =>
    hub.query(
      'udahub',
      'SELECT issue_type, priority, summary FROM ticket_metadata WHERE ticket_id = ?',
      ticketId,
    )[0];

  it('[TALK-03] stays the request, whatever is said after it', async () => {
    const [first, ...rest] = await converse(hub, ANA, [
      ['How many visits do I have left this month?', { says: [/\d visits? left/] }],
      ['Thank you!', {}],
      ['bye', {}],
    ]);
    const subject = subjectOf(first?.ticketId ?? '');
    expect(rest.map(({ ticketId }) => ticketId)).toEqual([first?.ticketId, first?.ticketId]);
    expect(subject).toMatchObject({ issue_type: 'subscription', priority: 'medium' });
    expect(subject?.summary).toMatch(/visits/);
  });

  it('[TALK-03] is all that was asked, led by what presses most', async () => {
    const [first] = await converse(hub, 'gabriela.nunes@example.com', [
      ['oi, tudo bem?', {}],
      ['meu reembolso não chegou e já faz duas semanas', {}],
      ['vocês aceitam pix?', {}],
    ]);
    const subject = subjectOf(first?.ticketId ?? '');
    expect(subject).toMatchObject({ issue_type: 'refund', priority: 'high' });
    expect(subject?.summary).toMatch(/reembolso.*pix/);
    expect(subject?.summary).not.toMatch(/oi|tudo bem/);
  });
});

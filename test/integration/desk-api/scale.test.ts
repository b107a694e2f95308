import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../support/hub.js';

const TICKETS = 20_000;

const numbers = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${TICKETS - 1})`;
const at = `strftime('%Y-%m-%dT%H:%M:%fZ', '2026-03-11T15:00:00Z', '-' || (n.i * 2) || ' minutes')`;

/** Tickets of four weeks, of which every tenth waits for an operator and one speaks of a zebra. */
const SEED = `
${numbers} INSERT INTO tickets (ticket_id, customer_id, thread_id, channel, status, owner, created_at, updated_at, resolved_at)
  SELECT 'tkt_' || i, 'usr_001', 'thr_' || i, 'http', iif(i % 10 = 0, 'waiting_operator', 'resolved'),
    iif(i % 10 = 0, 'operator', 'hub'), ${at}, ${at}, iif(i % 10 = 0, NULL, ${at}) FROM n;
${numbers} INSERT INTO ticket_metadata (ticket_id, issue_type, priority, sentiment, requires_human, summary, language, confidence, route, requests, updated_at)
  SELECT 'tkt_' || i, 'refund', iif(i % 100 = 0, 'urgent', 'low'), 'negative', 0, 'About a refund', 'en', 0.9, 'action', '[]', ${at} FROM n;
${numbers} INSERT INTO ticket_messages (message_id, ticket_id, role, content, created_at)
  SELECT 'msg_' || i, 'tkt_' || i, 'customer', iif(i = 777, 'My zébra was refunded twice', 'Where is my refund number ' || i), ${at} FROM n;
${numbers} INSERT INTO ticket_turns (turn_id, ticket_id, provider, route, tool_calls, llm_calls, prompt_tokens, completion_tokens, cost_usd, total_ms, created_at)
  SELECT 'trn_' || i, 'tkt_' || i, 'openai', '[]', '[]', 1, 10, 10, 0.001, 100 + i % 100, ${at} FROM n;
${numbers} INSERT INTO escalations (escalation_id, ticket_id, reason, summary, found, tried, options, status, created_at)
  SELECT 'esc_' || i, 'tkt_' || i, 'low_confidence', '', '[]', '[]', '[]', 'open', ${at} FROM n WHERE i % 10 = 0;`;

describe('the desk with many tickets', () => {
  let hub: Hub;
  beforeAll(async () => {
    hub = await openHub();
    // Loaded in the background soon after the start; not what is measured here.
    hub.app.skills.list();
    hub.exec('udahub', `BEGIN; ${SEED} COMMIT;`);
  });
  afterAll(() => hub.close());

  it('[DKA-54] lists, counts, searches and reports them rightly', async () => {
    const { desk } = hub.app;
    const queue = await desk.entries({ view: 'unassigned', limit: 200 });
    expect(queue).toHaveLength(200);
    // All urgent ones, the longest waiting first.
    expect(queue.every(({ classification }) => classification?.priority === 'urgent')).toBe(true);
    expect(queue[0]?.ticket.ticketId).toBe('tkt_19900');
    expect(queue[0]?.clock).toMatchObject({ targetMinutes: 30, breached: true });
    expect(await desk.counts('op_1')).toMatchObject({
      unassigned: TICKETS / 10,
      mine: 0,
      waiting: 0,
      resolved: TICKETS - TICKETS / 10,
    });
    const zebra = await desk.entries({ view: 'all', text: 'zebra', limit: 50 });
    expect(zebra.map(({ ticket }) => ticket.ticketId)).toEqual(['tkt_777']);
    expect(await desk.entries({ view: 'resolved', text: 'refund', limit: 50 })).toHaveLength(50);
    expect((await desk.customer('usr_001', 'en')).tickets).toHaveLength(100);
    const { rows, responseTimes } = await desk.report(30);
    expect(rows.reduce((sum, { tickets }) => sum + tickets, 0)).toBe(TICKETS);
    expect(rows.reduce((sum, { withoutHuman }) => sum + withoutHuman, 0)).toBe(TICKETS - TICKETS / 10);
    expect(rows.reduce((sum, { costUsd }) => sum + costUsd, 0)).toBeCloseTo(TICKETS * 0.001);
    const whole = responseTimes.filter(({ day }) => day > '2026-02-12' && day < '2026-03-11');
    for (const { hubMedianMs, hubP95Ms } of whole) {
      expect(Math.abs((hubMedianMs ?? 0) - 149.5)).toBeLessThan(5);
      expect(Math.abs((hubP95Ms ?? 0) - 194.5)).toBeLessThan(5);
    }
  });
});

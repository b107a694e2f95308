import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, makeTempDir, openHub } from '../../support/hub.js';
import { openServer } from '../../support/server.js';

/** Who the guides tell people to sign in as: what they are answered must not hang on a past that nobody sees. */
const TOURED = ['usr_001', 'usr_002', 'usr_003', 'usr_004', 'usr_005', 'usr_007', 'usr_010'];

let opened: readonly Hub[] = [];
let hub: Hub;

/** A hub on a directory that nobody has used. */
async function begin(): Promise<Hub> {
  const begun = await openHub({ dataDir: makeTempDir(), overrides: { history: true } });
  opened = [...opened, begun];
  return begun;
}

beforeAll(async () => {
  hub = await begin();
});
afterAll(async () => {
  for (const one of opened) {
    await one.close();
    rmSync(one.dataDir, { recursive: true, force: true });
  }
});

describe("the first look at a demo's desk", () => {
  it('[SHF-15] has figures for every one of the last thirty days: tickets, costs, times, ratings and operators', async () => {
    const report = await hub.app.desk.report(31);
    const [today, ...before] = [...new Set(report.rows.map(({ day }) => day))].sort().reverse();
    const sum = (wanted: string | undefined, of: 'tickets' | 'costUsd'): number =>
      report.rows.filter(({ day }) => day === wanted).reduce((total, row) => total + row[of], 0);
    expect(sum(today, 'tickets')).toBe(0);
    expect(before).toHaveLength(30);
    for (const day of before) {
      expect(sum(day, 'tickets'), day).toBeGreaterThan(1);
      expect(sum(day, 'costUsd'), day).toBeGreaterThan(0);
    }
    expect(new Set(report.rows.filter(({ tickets }) => tickets > 0).map((row) => row.issueType)).size).toBe(
      6,
    );
    expect(report.escalationReasons.length).toBeGreaterThan(3);
    const helpful = report.ratings.reduce((total, day) => total + day.helpful, 0);
    const unhelpful = report.ratings.reduce((total, day) => total + day.unhelpful, 0);
    expect(helpful).toBeGreaterThan(unhelpful);
    expect(unhelpful).toBeGreaterThan(0);
    expect(
      report.responseTimes.filter(({ operatorMedianMinutes }) => operatorMedianMinutes !== null).length,
    ).toBeGreaterThan(15);
    // Who answers at the weekend, when nobody is expected at the desk, would have waited for no time.
    const answers = `SELECT strftime('%w', created_at) FROM ticket_messages WHERE role = 'operator'`;
    const days = hub.query('udahub', answers).map((row) => Object.values(row as object)[0]);
    expect([...new Set(days)].sort()).toEqual(['1', '2', '3', '4', '5']);
  });

  it('[SHF-15] has work in the queue, whole tickets behind it, and no past of those whom the guides sign in', async () => {
    const { desk } = hub.app;
    const waiting = await desk.entries({ view: 'unassigned', limit: 10 });
    expect(waiting.map(({ clock }) => clock !== null)).toEqual([true, true, true]);
    const [resolved] = await desk.entries({ view: 'resolved', text: 'turned me away', limit: 1 });
    const ticketId = resolved?.ticket.ticketId ?? '';
    const [shown, view] = await Promise.all([desk.ticket(ticketId, 'en'), desk.show(ticketId)]);
    expect(shown.messages.map(({ role }) => role)).toEqual(['customer', 'hub', 'operator']);
    expect(view.turns[0]?.messageId).toBe(shown.messages[1]?.messageId);
    const [article] = await desk.entries({ view: 'resolved', text: 'refund shows on my card', limit: 1 });
    const cited = (await desk.ticket(article?.ticket.ticketId ?? '', 'en')).messages[1]?.citations[0];
    expect((await hub.app.kb.show(cited?.articleId ?? '')).title).toBe(cited?.title);
    const toured = TOURED.map((id) => `'${id}'`).join(', ');
    expect(hub.query('udahub', `SELECT 1 FROM tickets WHERE customer_id IN (${toured})`)).toEqual([]);
    // An operator answers one of them as any other.
    const operator = { operatorId: 'olga', name: 'Olga' };
    const first = waiting[0]?.ticket.ticketId ?? '';
    await desk.claim(first, operator);
    await desk.reply(first, operator, 'I am on it.');
    expect((await desk.ticket(first, 'en')).messages.at(-1)?.content).toBe('I am on it.');
  });

  it('[SHF-15] opens every one of its tickets over HTTP', async () => {
    const at = await openServer({ dataDir: makeTempDir(), overrides: { history: true } });
    const token = await at.operator();
    const { body } = await at.get('/api/desk/tickets?view=all&limit=500', token);
    const ids = (body['tickets'] as { ticket_id: string }[]).map(({ ticket_id }) => ticket_id);
    expect(ids.length).toBeGreaterThan(100);
    const opened = await Promise.all(ids.map((id) => at.get(`/api/desk/tickets/${id}`, token)));
    expect(opened.filter(({ status }) => status !== 200)).toEqual([]);
    // Its customers have read what was answered weeks ago.
    const customer = await at.token('paulo.santos@example.com');
    const { body: own } = await at.get('/api/threads', customer);
    const threads = own['threads'] as { unread: number }[];
    expect(threads.length).toBeGreaterThan(2);
    expect(threads.filter(({ unread }) => unread > 0)).toEqual([]);
    await at.close();
    rmSync(at.hub.dataDir, { recursive: true, force: true });
  });

  it('[SHF-15] is made the same each time, and once', async () => {
    const all = 'SELECT ticket_id, customer_id, created_at, resolved_at FROM tickets ORDER BY seq';
    const before = hub.query('udahub', all);
    await hub.another();
    expect(hub.query('udahub', all)).toEqual(before);
    const elsewhere = await begin();
    expect(elsewhere.query('udahub', all)).toEqual(before);
  });
});

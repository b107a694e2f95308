import { z } from '@hono/zod-openapi';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localDays } from '../../../src/core/wall-clock.js';
import { reportSchema, skillSchema } from '../../../src/surfaces/http/desk/record-schemas.js';
import { CULTPASS } from '../../support/company.js';
import { ANA, type DeskWorld, fits, openDeskWorld } from './desk-world.js';

let world: DeskWorld;
beforeEach(async () => {
  world = await openDeskWorld();
});
afterEach(() => world.server.close());

const report = async (days: number) =>
  fits(reportSchema, (await world.get(`/api/desk/reports?days=${days}`)).body);

describe('the overview of the desk', () => {
  it('[DKA-50] reports every local day and issue type, with zeros where there was nothing', async () => {
    const { clock } = world.server.hub;
    // 23:30 on the 10th in São Paulo is the 11th in UTC.
    clock.set('2026-03-11T02:30:00.000Z');
    const { ticketId } = await world.escalated();
    clock.set('2026-03-11T15:00:00.000Z');
    const ana = await world.server.token(ANA);
    const threadId = await world.server.thread(ana);
    await world.server.post(`/api/threads/${threadId}/messages`, ana, {
      text: 'How do I cancel a reservation?',
    });
    await world.server.post(`/api/threads/${threadId}/rating`, ana, { helpful: true });
    await world.post(`/api/desk/tickets/${ticketId}/claim`);
    await world.post(`/api/desk/tickets/${ticketId}/reply`, { text: 'Hello' });

    const { rows, escalation_reasons, escalations, sentiments, response_times, ratings } = await report(3);
    const days = ['2026-03-09', '2026-03-10', '2026-03-11'];
    expect([...new Set(rows.map(({ day }) => day))]).toEqual(days);
    expect(rows).toHaveLength(3 * CULTPASS.issueTypes.length);
    const sum = (day: string, key: 'tickets' | 'without_human' | 'turns') =>
      rows.filter((row) => row.day === day).reduce((total, row) => total + row[key], 0);
    expect(days.map((day) => sum(day, 'tickets'))).toEqual([0, 1, 1]);
    expect(days.map((day) => sum(day, 'without_human'))).toEqual([0, 0, 1]);
    expect(days.map((day) => sum(day, 'turns'))).toEqual([0, 1, 1]);
    expect(escalation_reasons).toEqual([{ reason: 'customer_request', count: 1 }]);
    expect(escalations).toEqual([{ day: '2026-03-10', reason: 'customer_request', count: 1 }]);
    expect(sentiments).toHaveLength(12);
    expect(sentiments).toContainEqual({ day: '2026-03-10', sentiment: 'neutral', count: 1 });
    expect(response_times).toMatchObject([
      { day: '2026-03-09', hub_median_ms: null, hub_p95_ms: null, operator_median_minutes: null },
      // From 23:30 to noon, of which people work from 9:00.
      { day: '2026-03-10', hub_median_ms: expect.any(Number), operator_median_minutes: null },
      { day: '2026-03-11', hub_median_ms: expect.any(Number), operator_median_minutes: 180 },
    ]);
    expect(ratings.map(({ helpful, unhelpful }) => [helpful, unhelpful])).toEqual([
      [0, 0],
      [0, 0],
      [1, 0],
    ]);
    for (const days of ['0', '367', '-1', 'x', '1e9'])
      expect((await world.get(`/api/desk/reports?days=${days}`)).status, days).toBe(422);
  });

  it('[DKA-51] knows where local days begin, also where the clocks change', () => {
    const days = localDays(new Date('2026-11-02T12:00:00Z'), 3, 'America/New_York');
    expect(days).toEqual([
      { day: '2026-10-31', from: '2026-10-31T04:00:00.000Z', to: '2026-11-01T04:00:00.000Z' },
      { day: '2026-11-01', from: '2026-11-01T04:00:00.000Z', to: '2026-11-02T05:00:00.000Z' },
      { day: '2026-11-02', from: '2026-11-02T05:00:00.000Z', to: '2026-11-03T05:00:00.000Z' },
    ]);
    const [day] = localDays(new Date('2026-03-11T15:00:00Z'), 1, 'Pacific/Auckland');
    expect(day).toEqual({
      day: '2026-03-12',
      from: '2026-03-11T11:00:00.000Z',
      to: '2026-03-12T11:00:00.000Z',
    });
  });

  it('[DKA-52] lists the skills with what experts wrote down', async () => {
    const { body } = await world.get('/api/desk/skills');
    const { skills } = fits(z.object({ skills: z.array(skillSchema) }), body);
    const [refund] = skills.filter(({ id }) => id === 'missing_refund');
    expect(refund?.knowledge).toMatchObject([
      { id: 'missing_refund', title: 'A refund did not arrive: what an expert knows' },
    ]);
    expect(refund?.knowledge[0]?.content).toContain('One refund for a reservation, ever.');
  });

  it('[SKD-30 SKD-31] shows how each skill did over its runs, beside its target', async () => {
    const { hub } = world.server;
    const { ticketId, threadId } = await world.escalated();
    const caller = { kind: 'operator', operatorId: 'op_1' } as const;
    const input = { message: 'They did not let me in.', language: 'en' };
    for (const runId of ['run_one', 'run_two'])
      await hub.app.skills.run({ skillId: 'summarise_ticket', input, caller, ticketId, runId });
    await world.server.post(`/api/threads/${threadId}/rating`, await world.server.token(ANA), {
      helpful: true,
    });
    hub.exec('udahub', "UPDATE skill_runs SET duration_ms = 60000, correct = run_id = 'run_one'");
    const { skills } = fits(
      z.object({ skills: z.array(skillSchema) }),
      (await world.get('/api/desk/skills')).body,
    );
    expect(skills.find(({ id }) => id === 'summarise_ticket')?.figures).toMatchObject({
      uses: 2,
      accuracy: 0.5,
      false_positives: 1,
      repeat_use: 1,
      satisfaction: 1,
      target_ms: 3_000,
      below: ['time'],
    });
    expect(skills.find(({ id }) => id === 'double_charge')?.figures).toBeNull();
  });

  it('[DKA-53] tells operators live what changes, and continues after a break without loss', async () => {
    const stream = async (after?: string) =>
      world.server.stream('/api/desk/events', {
        token: await world.server.operator('Olga'),
        ...(after === undefined ? {} : { headers: { 'last-event-id': after } }),
      });
    const first = await stream();
    expect(first.response.status).toBe(200);
    const { ticketId, threadId } = await world.escalated();
    const news = await first.until(({ event }) => event === 'ticket');
    expect(news.data).toMatchObject({ ticket_id: ticketId, thread_id: threadId });
    const { id } = await first.until(
      ({ event, data }) => event === 'message' && JSON.stringify(data).includes('talk to a human'),
    );
    await first.close();

    await world.post(`/api/desk/tickets/${ticketId}/note`, { text: 'Between the streams' });
    const { pendingId } = await world.awaitingApproval();
    const second = await stream(id);
    await second.until(({ data }) => JSON.stringify(data).includes('Between the streams'));
    const asked = await second.until(({ event }) => event === 'approval');
    expect(asked.data).toMatchObject({ id: pendingId, thread_id: expect.any(String) });
    const numbers = second.events.map((event) => Number(event.id));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(Math.min(...numbers)).toBeGreaterThan(Number(id));
    await second.close();
  });
});

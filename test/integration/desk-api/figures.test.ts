import { rmSync } from 'node:fs';
import { z } from '@hono/zod-openapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportSchema } from '../../../src/surfaces/http/desk/record-schemas.js';
import { makeTempDir } from '../../support/hub.js';
import { ANA, type DeskWorld, fits, openDeskWorld } from './desk-world.js';

const dataDir = makeTempDir();
let world: DeskWorld;
beforeAll(async () => {
  world = await openDeskWorld({ dataDir, overrides: { history: true } });
});
afterAll(async () => {
  await world.server.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const report = async (days: number) =>
  fits(reportSchema, (await world.get(`/api/desk/reports?days=${days}`)).body);
const listed = z.object({
  total: z.number(),
  tickets: z.array(z.object({ ticket_id: z.string(), created_at: z.string() })),
});
const behind = async (query: Readonly<Record<string, string>>) => {
  const asked = new URLSearchParams({ ...query, count: 'true', limit: '500' });
  const { tickets, total } = listed.parse((await world.get(`/api/desk/tickets?${asked}`)).body);
  expect(new Set(tickets.map(({ ticket_id: id }) => id)).size).toBe(total);
  return total;
};

describe('the figures of the desk', () => {
  it('[LED-01 LED-02] agree with the list behind each of them, of the whole time, a day and an operator', async () => {
    const { from, to, totals, operators, rows, escalation_reasons, escalations, sentiments, ratings } =
      await report(30);
    const whole = { from, to };
    expect(await behind(whole)).toBe(totals.opened);
    expect(await behind({ ...whole, status: 'resolved' })).toBe(totals.opened_resolved);
    for (const happened of ['deflected', 'resolved', 'reopened'] as const)
      expect(await behind({ ...whole, happened }), happened).toBe(totals[happened]);
    expect(totals.deflected).toBeGreaterThan(0);
    expect(totals.first_answer_minutes).toBeGreaterThan(0);
    expect(totals.resolution_minutes).toBeGreaterThan(totals.first_answer_minutes ?? 0);

    expect(operators.map(({ operator }) => operator).sort()).toEqual([
      'Helena Prado',
      'Marina Duarte',
      'Rui Costa',
    ]);
    for (const { operator, ...figures } of operators) {
      for (const happened of ['answered', 'first_answered', 'resolved', 'reopened'] as const)
        expect(await behind({ ...whole, operator, happened }), happened).toBe(figures[happened]);
      for (const rating of ['helpful', 'unhelpful'] as const)
        expect(await behind({ ...whole, operator, happened: 'rated', rating })).toBe(figures[rating]);
      expect(figures.answered).toBeGreaterThan(0);
      expect(figures.first_answer_minutes).toBeGreaterThan(0);
    }

    const day = rows.find(({ tickets }) => tickets > 1)?.day ?? '';
    const one = { from: day, to: day };
    const ofDay = rows.filter((row) => row.day === day);
    const sum = (key: 'tickets' | 'without_human') => ofDay.reduce((total, row) => total + row[key], 0);
    expect(await behind(one)).toBe(sum('tickets'));
    expect(await behind({ ...one, human: 'without' })).toBe(sum('without_human'));
    for (const { issue_type: type, tickets } of ofDay)
      expect(await behind({ ...one, issue_types: type }), type).toBe(tickets);
    for (const { reason, count } of escalation_reasons)
      expect(await behind({ ...whole, happened: 'escalated', reason }), reason).toBe(count);
    for (const { day: at, reason, count } of escalations.slice(0, 5))
      expect(await behind({ from: at, to: at, happened: 'escalated', reason }), at).toBe(count);
    for (const { sentiment, count } of sentiments.filter((row) => row.day === day))
      expect(await behind({ ...one, sentiment }), sentiment).toBe(count);
    const rated = ratings.find(({ helpful }) => helpful > 0);
    expect(
      await behind({ from: rated?.day ?? '', to: rated?.day ?? '', rating: 'helpful', happened: 'rated' }),
    ).toBe(rated?.helpful);
  });

  it('[LED-01] counts a ticket as reopened when its customer writes again within a week', async () => {
    const { server } = world;
    const before = (await report(1)).totals;
    const { ticketId, threadId } = await world.escalated();
    server.hub.clock.advance({ hours: 1 });
    await world.post(`/api/desk/tickets/${ticketId}/claim`);
    await world.post(`/api/desk/tickets/${ticketId}/reply`, { text: 'It is on its way.' });
    await world.post(`/api/desk/tickets/${ticketId}/resolve`, {});
    const { totals, operators } = await report(1);
    expect(totals).toMatchObject({ resolved: before.resolved + 1, reopened: before.reopened });
    const olga = operators.find(({ operator }) => operator === 'Olga');
    expect(olga).toMatchObject({ answered: 1, first_answered: 1, resolved: 1, reopened: 0, helpful: 0 });
    expect(olga?.first_answer_minutes).toBe(60);
    server.hub.clock.advance({ minutes: 1 });
    await server.post(`/api/threads/${threadId}/messages`, await server.token(ANA), {
      text: 'It has not come.',
    });
    const { from, to, totals: after } = await report(1);
    expect(after.reopened).toBe(before.reopened + 1);
    expect(await behind({ from, to, happened: 'reopened', operator: 'Olga' })).toBe(1);
  });

  it('[LED-02] refuses a day, an event and a reason that there is not', async () => {
    for (const query of [
      'from=2026-02-30',
      'to=yesterday',
      'happened=slept',
      'reason=boredom',
      'human=maybe',
    ])
      expect((await world.get(`/api/desk/tickets?${query}`)).status, query).toBe(422);
  });
});

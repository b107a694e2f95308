import { z } from '@hono/zod-openapi';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { activitySchema } from '../../../src/surfaces/http/desk/record-schemas.js';
import { type DeskWorld, fits, openDeskWorld } from './desk-world.js';

let world: DeskWorld;
beforeEach(async () => {
  world = await openDeskWorld();
});
afterEach(() => world.server.close());

const deeds = async (query: string) =>
  fits(z.object({ deeds: z.array(activitySchema) }), (await world.get(`/api/desk/history?${query}`)).body)
    .deeds;

it('[LED-05] has who did what across tickets: the hub, customers and operators by name, by day and person', async () => {
  world.server.hub.clock.set('2026-03-11T15:00:00.000Z');
  const { ticketId } = await world.escalated();
  const approval = await world.awaitingApproval();
  const ticket = `/api/desk/tickets/${ticketId}`;
  await world.post('/api/desk/presence', { ticket_id: ticketId, typing: false });
  await world.post(`${ticket}/claim`);
  await world.post(`${ticket}/note`, { text: 'Knows us well.' });
  await world.post(`${ticket}/reply`, { text: 'Hello' });
  await world.post(`${ticket}/release`);
  await world.post(`/api/desk/approvals/${approval.pendingId}`, { decision: 'reject', reason: 'Too late' });
  const all = await deeds('from=2026-03-11&to=2026-03-11');
  const told = all.map(({ kind, by, person, customer_name: customer }) => [kind, by, person, customer]);
  for (const kind of ['took_over', 'noted', 'answered', 'put_back'])
    expect(told).toContainEqual([kind, 'operator', 'Olga', 'Ana Souza']);
  expect(told).toContainEqual(['escalated', 'hub', null, 'Ana Souza']);
  expect(all).toContainEqual(
    expect.objectContaining({
      kind: 'refused',
      by: 'operator',
      person: 'Olga',
      about: 'cancel_reservation',
      args: { reservation_id: 'res_042' },
      customer_name: 'João Pedro Cardoso',
    }),
  );
  expect(
    [...all]
      .map(({ at }) => at)
      .sort()
      .reverse(),
  ).toEqual(all.map(({ at }) => at));
  const own = await deeds('from=2026-03-11&to=2026-03-11&operator=olg');
  expect(new Set(own.map(({ person }) => person))).toEqual(new Set(['Olga']));
  expect(await deeds('from=2026-03-11&to=2026-03-11&limit=2')).toEqual(all.slice(0, 2));
  expect(await deeds('from=2026-03-10&to=2026-03-10')).toEqual([]);
  expect((await world.get('/api/desk/history?from=2026-03-10')).status).toBe(422);
});

it('[SHF-206] tells giving from taking, and who merged, put aside and took up again', async () => {
  const { server, post } = world;
  server.hub.clock.set('2026-03-11T15:00:00.000Z');
  const { ticketId } = await world.escalated();
  const other = await world.escalated();
  const ticket = `/api/desk/tickets/${ticketId}`;
  const rui = await server.operator('Rui');
  await server.post('/api/desk/presence', rui, { ticket_id: null, typing: false });
  const { body } = await post('/api/desk/presence', { ticket_id: ticketId, typing: false });
  const operators = body.operators as { id: string; name: string }[];
  await post(`${ticket}/claim`);
  await post(`${ticket}/reassign`, {
    operator_id: operators.find(({ name }) => name === 'Rui')?.id,
    note: 'Yours',
  });
  await post(`${ticket}/claim`, { take_over: 'I know her → well: really' });
  const until = '2026-03-12T12:00:00.000Z';
  await post(`${ticket}/snooze`, { until });
  await post(`${ticket}/snooze`, { until: null });
  expect((await post(`/api/desk/tickets/${other.ticketId}/merge`, { into: ticketId })).status).toBeLessThan(
    300,
  );
  const told = (await deeds('from=2026-03-11&to=2026-03-11')).map(({ kind, person, about }) => [
    kind,
    person,
    about,
  ]);
  for (const deed of [
    ['took_over', 'Olga', null],
    ['given', 'Olga', 'Rui'],
    ['taken', 'Olga', 'Rui'],
    ['snoozed', 'Olga', until],
    ['woken', 'Olga', null],
    ['merged', 'Olga', null],
  ])
    expect(told).toContainEqual(deed);
  expect((await deeds('from=2026-03-11&to=2026-03-11&operator=rui')).map(({ kind }) => kind)).toEqual([]);
  const notes = (await world.get(ticket)).body.messages as { note: { kind: string; text: string } | null }[];
  expect(notes.map(({ note }) => note)).toContainEqual(
    expect.objectContaining({ kind: 'snoozed', text: until }),
  );
});

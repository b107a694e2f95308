import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  approvalFields,
  entrySchema,
  ticketViewSchema,
} from '../../../src/surfaces/http/desk/ticket-schemas.js';
import { type DeskWorld, fits, JOAO, openDeskWorld } from '../desk-api/desk-world.js';

let world: DeskWorld;
beforeAll(async () => {
  world = await openDeskWorld();
});
afterAll(() => world.server.close());

it('[ATK-01] a request that waits for the team is withdrawn by its own endpoint, once, by its customer', async () => {
  const { server } = world;
  const { threadId, ticketId, pendingId } = await world.awaitingApproval();
  const token = await server.token(JOAO);
  const path = `/api/threads/${threadId}/pending/${pendingId}/withdraw`;
  const money = server.hub.dump('cultpass');
  expect((await server.post(path, await server.token('ana.souza@example.com'), {})).status).toBe(404);
  expect((await server.post(`/api/threads/${threadId}/pending/pnd_none/withdraw`, token, {})).status).toBe(
    404,
  );
  const key = { 'idempotency-key': 'withdraw-1' };
  const taken = await server.post(path, token, { reason: 'I can go after all.' }, key);
  expect(taken.status, taken.text).toBe(200);
  expect(taken.body).toMatchObject({ ticket_id: ticketId, pending: null });
  expect(taken.body.reply).toMatch(/cancel/i);
  // The same request again is the same answer; another one comes too late.
  expect((await server.post(path, token, { reason: 'I can go after all.' }, key)).body).toEqual(taken.body);
  expect(await server.post(path, token, {})).toMatchObject({
    status: 409,
    body: { code: 'pending_withdrawn' },
  });
  const approve = await world.post(`/api/desk/approvals/${pendingId}`, { decision: 'approve' });
  expect(approve).toMatchObject({ status: 409, body: { code: 'pending_withdrawn' } });
  expect(approve.body.detail).toMatch(
    /^The customer withdrew this request on .* UTC: "I can go after all\."/,
  );
  expect(server.hub.dump('cultpass')).toEqual(money);

  const { approvals, withdrawn } = (await world.get('/api/desk/approvals')).body as {
    readonly approvals: readonly unknown[];
    readonly withdrawn: readonly unknown[];
  };
  expect(approvals).toEqual([]);
  expect(withdrawn.map((one) => fits(approvalFields, one))).toMatchObject([
    { id: pendingId, status: 'withdrawn', reason: 'I can go after all.' },
  ]);
  const view = fits(ticketViewSchema, (await world.get(`/api/desk/tickets/${ticketId}`)).body);
  expect(view.status).toBe('waiting_customer');
  expect(view.approval_history).toMatchObject([{ id: pendingId, status: 'withdrawn' }]);
  const { tickets } = (await world.get('/api/desk/tickets?view=waiting')).body as {
    readonly tickets: readonly unknown[];
  };
  expect(tickets.map((one) => fits(entrySchema, one))).toMatchObject([
    { ticket_id: ticketId, approvals: 0, withdrawn_at: expect.any(String) },
  ]);
});

it('[ATK-01] the endpoint says that it is too late where the team was first', async () => {
  const { server } = world;
  const { threadId, pendingId } = await world.awaitingApproval();
  await world.post(`/api/desk/approvals/${pendingId}`, { decision: 'approve' });
  const path = `/api/threads/${threadId}/pending/${pendingId}/withdraw`;
  const late = await server.post(path, await server.token(JOAO), {});
  expect(late).toMatchObject({ status: 409, body: { code: 'pending_decided' } });
  expect(late.body.detail).toMatch(/An operator agreed to this on .* it has been decided already/);
});

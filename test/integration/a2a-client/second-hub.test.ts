import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer, type TestServer } from '../../support/server.js';
import { type Caller, openCaller } from './partner.js';

const ANA = 'ana.souza@example.com';
const RESERVATION = 'res_002';

let other: TestServer;
let visitor: Caller;
let ana: Caller;
beforeAll(async () => {
  other = await openServer();
  const wish = { scopes: ['account:read', 'action:write'] as const };
  const { token } = await other.hub.app.sessions.issueFor({ email: ANA }, wish);
  const waits = { timeout_ms: 10_000 };
  visitor = openCaller(other.url, waits);
  ana = openCaller(other.url, { ...waits, token_env: 'PARKING_TOKEN' }, { secret: token });
});
afterAll(async () => {
  await Promise.all([visitor.agents.close(), ana.agents.close()]);
  await other.close();
});

const statusOf = () =>
  other.hub.query('cultpass', 'SELECT status FROM reservations WHERE reservation_id = ?', RESERVATION)[0]
    ?.status;

describe('a second hub as the other agent', () => {
  it('[RMA-10] answers a message and a skill, and says who may call what', async () => {
    const card = await visitor.agents.card('parking');
    expect(card).toMatchObject({ name: 'UDA-Hub', generic: true });
    expect(card.skills.find(({ id }) => id === 'search_knowledge')?.specific).toMatchObject({
      readOnly: true,
    });
    const said = await visitor.agents.send('parking', { text: 'How do I reset my password?' });
    expect(said).toMatchObject({ state: 'completed', text: expect.stringMatching(/password/i) });
    const found = await visitor.agents.callSkill('parking', 'search_knowledge', { query: 'reset password' });
    expect(found.data).toMatchObject({ articles: expect.arrayContaining([expect.anything()]) });
    await expect(visitor.agents.callSkill('parking', 'get_reservations', {})).rejects.toMatchObject({
      code: 'remote_refused',
      fields: { status: 401 },
    });
    await expect(visitor.agents.callSkill('parking', 'search_knowledge', {})).rejects.toMatchObject({
      code: 'input_invalid',
      fields: { field: 'query' },
    });
  });

  it('[RMA-10] asks before it acts, by its skill, and nobody here agrees', async () => {
    const asked = await ana.agents.callSkill('parking', 'cancel_reservation', {
      reservation_id: RESERVATION,
    });
    expect(asked).toMatchObject({ state: 'input_required', text: expect.stringContaining('?') });
    expect(asked.data).not.toHaveProperty('confirmation_token');
    expect(statusOf()).toBe('reserved');
  });

  it('[RMA-10] asks before it acts, in words, and does it once the question is answered', async () => {
    const asked = await ana.agents.send('parking', { text: `Please cancel my reservation ${RESERVATION}.` });
    expect(asked).toMatchObject({ state: 'input_required', text: expect.stringContaining('?') });
    expect(statusOf()).toBe('reserved');
    const { taskId, contextId } = asked;
    const done = await ana.agents.send('parking', {
      text: 'Yes, cancel it.',
      ...(taskId === null ? {} : { taskId }),
      ...(contextId === null ? {} : { contextId }),
    });
    expect(done.state).toBe('completed');
    expect(statusOf()).not.toBe('reserved');
  });
});

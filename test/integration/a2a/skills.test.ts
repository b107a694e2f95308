import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GatedIndex } from '../../support/gated-index.js';
import { type Answer, openServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import {
  ANA,
  ANAS_BOOKING,
  BRUNO,
  faultsOf,
  programToken,
  type SpecificSkill,
  specificSkillsOf,
} from './support.js';

const DEAR_BOOKING = 'res_004';
const CANCEL = '/agents/action/skills/cancel_reservation';

const index = new GatedIndex();
let at: TestServer;
let ana: string;
let bruno: string;
let listed: readonly SpecificSkill[];
beforeAll(async () => {
  at = await openServer({
    overrides: { index, measure: true },
    env: { HUB_TURNS_PER_MINUTE: '0', HUB_TURNS_PER_MINUTE_PER_ADDRESS: '0' },
  });
  ana = await programToken(at, ANA);
  bruno = await programToken(at, BRUNO);
  listed = specificSkillsOf((await at.get('/.well-known/agent-card.json')).body);
});
afterAll(() => at.close());

function skill(name: string): SpecificSkill {
  const found = listed.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no skill ${name}`);
  return found;
}

const call = (name: string, token: string | undefined, body: unknown, headers = {}): Promise<Answer> =>
  at.post(new URL(skill(name).endpoint).pathname, token, body, headers);
const statusOf = (booking: string) =>
  at.hub.query('cultpass', 'SELECT status FROM reservations WHERE reservation_id = ?', booking)[0]?.status;
const refundsOf = (booking: string) =>
  at.hub.query('cultpass', 'SELECT amount_cents FROM refunds WHERE reservation_id = ?', booking);
const fieldsOf = ({ body }: Answer): readonly string[] =>
  (body.errors as readonly { field: string }[]).map(({ field }) => field);

/** Something of every type that a schema asks for. */
function sample(schema: object): Record<string, unknown> {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, { type?: unknown; enum?: readonly unknown[]; default?: unknown }>;
    required?: readonly string[];
  };
  const one = (name: string): unknown => {
    const field = properties[name] ?? {};
    if (field.default !== undefined) return field.default;
    if (field.enum !== undefined) return field.enum[0];
    const values: Readonly<Record<string, unknown>> = {
      number: 1,
      integer: 1,
      boolean: true,
      array: [],
      object: {},
    };
    return values[String(field.type)] ?? 'I was charged twice this month.';
  };
  return Object.fromEntries(required.map((name) => [name, one(name)]));
}

describe('a skill called directly', () => {
  it('[SKD-83] may be a request in plain words that needs several skills', async () => {
    const text = 'Eles não me deixaram entrar, e fui cobrado duas vezes.';
    const { body } = await call('handle_request', ana, { text }, { 'accept-language': 'pt-BR' });
    expect(body).toMatchObject({
      status: 'done',
      result: {
        detailed_results: [{ step: 'entry_denied' }, { step: 'double_charge' }],
        conflicts: [],
        trace: [{ level: 0, by: 'rule' }, {}, {}, {}, {}, {}, {}],
      },
    });
  });

  it('[A2S-20] answers as its output_schema says: every tool that reads, and every skill', async () => {
    const given: Readonly<Record<string, object>> = {
      get_article_by_id: { article_id: 'kb-cancel-reservation-en' },
      find_experiences: { text: 'samba' },
      email_workflow: { from: 'tom@example.org', subject: 'Hours', body: 'Until when are you open?' },
    };
    const reads = listed.filter(({ effect }) => effect === 'read');
    expect(reads.length).toBeGreaterThan(12);
    for (const { name, input_schema, output_schema } of reads) {
      const input = given[name] ?? sample(input_schema);
      expect(faultsOf(input_schema, input), name).toEqual([]);
      const answer = await call(name, ana, input);
      const said = `${name} ${answer.status} ${answer.text.slice(0, 300)}`;
      expect([200, 202], said).toContain(answer.status);
      expect(faultsOf(output_schema, answer.body), said).toEqual([]);
    }
    const found = await call('search_knowledge', undefined, { query: 'How do I cancel a reservation?' });
    expect(found.body).toMatchObject({ articles: [{ article_id: 'kb-cancel-reservation-en' }, {}, {}] });
    expect(found.headers.get('cache-control')).toBe('no-store');
  });

  it('[A2S-21] belongs to an agent that has it, and to the hub', async () => {
    for (const agent of ['account', 'action', 'hub'])
      expect((await at.post(`/agents/${agent}/skills/get_reservations`, ana, {})).status, agent).toBe(200);
    const other = await at.post('/agents/knowledge/skills/get_reservations', ana, {});
    expect(other.status).toBe(404);
    expect(other.body.detail).toContain('search_knowledge');
    for (const name of ['nothing', '__proto__', 'investigate', 'x'.repeat(300), '..%2F..%2Fetc'])
      expect((await at.post(`/agents/hub/skills/${name}`, ana, {})).status, name).toBe(404);
  });

  it('[A2S-22] names the fields of an input that does not fit', async () => {
    const answer = await call('search_knowledge', undefined, { question: 'x', top_k: 'many' });
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.body.code).toBe('input_invalid');
    expect(fieldsOf(answer)).toEqual(expect.arrayContaining(['question', 'query', 'top_k']));
    expect(fieldsOf(await call('cancel_reservation', ana, {}))).toEqual(['reservation_id']);
    const who = await call('get_reservations', ana, { customer_id: 'usr_002' });
    expect([who.status, fieldsOf(who)]).toEqual([422, ['customer_id']]);
    const token = await call('cancel_reservation', ana, { reservation_id: 'res_1', confirmation_token: 7 });
    expect([token.status, fieldsOf(token)]).toEqual([422, ['confirmation_token']]);
    const alone = await call('cancel_reservation', ana, { reservation_id: 'res_1', approved: true });
    expect([alone.status, fieldsOf(alone)]).toEqual([422, ['approved']]);
    const key = await call(
      'cancel_reservation',
      ana,
      { reservation_id: ANAS_BOOKING },
      {
        'idempotency-key': 'x'.repeat(201),
      },
    );
    expect([key.status, fieldsOf(key)]).toEqual([422, ['Idempotency-Key']]);
  });

  it('[A2S-23] is refused where the request itself is wrong', async () => {
    const path = '/agents/knowledge/skills/search_knowledge';
    const deep = `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`;
    const cases: readonly (readonly [number, string, unknown, object?])[] = [
      [413, 'input_too_large', { query: 'x'.repeat(1_100_000) }],
      [415, 'unsupported_media_type', 'query=x', { 'content-type': 'application/x-www-form-urlencoded' }],
      [400, 'input_invalid', '{"query": '],
      [400, 'input_invalid', '[{"query":"x"}]'],
      [400, 'input_invalid', 'null'],
      [400, 'input_invalid', deep],
      [400, 'input_invalid', new Uint8Array([123, 34, 255, 34, 125])],
    ];
    for (const [status, code, body, headers = {}] of cases) {
      const answer = await at.call('POST', path, { body, headers: { ...headers } });
      expect([answer.status, answer.body.code], String(body).slice(0, 40)).toEqual([status, code]);
    }
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await at.call(method, path);
      expect([answer.status, answer.headers.get('allow')], method).toEqual([405, 'POST']);
    }
    const empty = await at.call('POST', '/agents/account/skills/get_subscription', { token: ana });
    expect(empty.status).toBe(200);
  });

  it('[A2S-24] needs a token that is good, and that allows it', async () => {
    const reader = await programToken(at, ANA, ['account:read']);
    const person = await at.token(ANA);
    const open = await call('get_reservations', undefined, {});
    expect([open.status, open.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="uda-hub"']);
    for (const bad of ['x.y.z', `${ana}x`]) {
      const answer = await call('search_knowledge', bad, { query: 'prices' });
      expect([answer.status, answer.body.code]).toEqual([401, 'token_invalid']);
      expect(answer.headers.get('www-authenticate')).toContain('invalid_token');
    }
    const basic = await at.post(
      '/agents/account/skills/get_reservations',
      undefined,
      {},
      {
        authorization: 'Basic YTpi',
      },
    );
    expect(basic.status).toBe(401);
    const cases: readonly (readonly [string, string, string])[] = [
      ['cancel_reservation', reader, 'action:write'],
      ['double_charge', reader, 'skill:run'],
      ['get_reservations', person, 'account:read'],
    ];
    for (const [name, token, scope] of cases) {
      const answer = await call(name, token, {});
      expect([answer.status, answer.body.code], name).toEqual([403, 'scope_missing']);
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer realm="uda-hub", error="insufficient_scope", scope="${scope}"`,
      );
    }
    expect((await call('get_reservations', reader, {})).status).toBe(200);
    at.hub.clock.advance({ days: 1 });
    const late = await call('get_reservations', reader, {});
    at.hub.clock.advance({ days: -1 });
    expect([late.status, late.body.code]).toEqual([401, 'token_expired']);
  });

  it('[A2S-25] takes nothing from pages of other sites', async () => {
    const path = '/agents/knowledge/skills/search_knowledge';
    for (const origin of ['https://evil.example', 'null', `${at.url}.evil.example`]) {
      for (const where of [path, '/a2a', '/', '/agents/knowledge', '/agents/hub/tasks']) {
        const answer = await at.post(where, undefined, { query: 'x' }, { origin });
        expect([answer.status, answer.body.code], `${where} ${origin}`).toEqual([403, 'forbidden']);
      }
    }
    expect((await at.post(path, undefined, { query: 'prices' }, { origin: at.url })).status).toBe(200);
    expect((await at.get('/agents/knowledge', undefined, { origin: 'https://evil.example' })).status).toBe(
      200,
    );
  });

  it('[A2S-26] ends with its client, where it has had no effect yet', async () => {
    const cancelled = async (): Promise<number> => {
      const text = (await at.get('/metrics')).text;
      return text.split('\n').filter((line) => line.includes('"cancelled"') && !line.startsWith('#')).length;
    };
    expect(await cancelled()).toBe(0);
    index.hold();
    const gone = new AbortController();
    const asked = fetch(skill('search_knowledge').endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'something nobody has asked before' }),
      signal: gone.signal,
    });
    await until(() => index.waiting > 0);
    gone.abort();
    await expect(asked).rejects.toThrow();
    await until(async () => (await cancelled()) > 0);
    index.release();
  });
});

describe('a change called directly', () => {
  let before: unknown;
  beforeEach(() => {
    before = at.hub.dump('cultpass');
  });

  it("[A2S-30] of another customer's data is one of nothing, and changes nothing", async () => {
    const theirs = await call('cancel_reservation', bruno, { reservation_id: ANAS_BOOKING });
    const nobodys = await call('cancel_reservation', bruno, { reservation_id: 'res_none' });
    expect(theirs.status).toBe(nobodys.status);
    expect({ ...theirs.body }).toEqual({ ...nobodys.body });
    expect(theirs.status).toBeGreaterThanOrEqual(400);
    const refund = await call('process_refund', bruno, { reservation_id: 'res_007' });
    expect(refund.status).toBeGreaterThanOrEqual(400);
    expect(at.hub.dump('cultpass')).toEqual(before);
  });

  it('[A2S-31] says what it would do, and does it once when its token comes back', async () => {
    const input = { reservation_id: ANAS_BOOKING };
    const plan = await call('cancel_reservation', ana, input);
    expect(plan.status).toBe(202);
    expect(faultsOf(skill('cancel_reservation').output_schema, plan.body)).toEqual([]);
    expect(plan.body).toMatchObject({ status: 'confirmation_required', tool: 'cancel_reservation', input });
    expect(plan.body.question).toContain('Samba');
    expect(at.hub.dump('cultpass')).toEqual(before);

    const { confirmation_token: token, status_url } = plan.body as {
      confirmation_token: string;
      status_url: string;
    };
    const waiting = await at.get(new URL(status_url).pathname, ana);
    expect(waiting.body.status).toBe('confirmation_required');
    expect((await at.get(new URL(status_url).pathname, bruno)).status).toBe(404);
    expect((await at.get(new URL(status_url).pathname)).status).toBe(401);

    const reader = await programToken(at, ANA, ['account:read']);
    const forged = `${token.slice(0, -4)}${token.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
    const refusals: readonly (readonly [string, object, number, string])[] = [
      [ana, { ...input, confirmation_token: forged }, 403, 'confirmation_invalid'],
      [ana, { ...input, confirmation_token: 'yes' }, 403, 'confirmation_invalid'],
      [bruno, { ...input, confirmation_token: token }, 403, 'confirmation_invalid'],
      [ana, { reservation_id: 'res_003', confirmation_token: token }, 403, 'confirmation_invalid'],
      [reader, { ...input, confirmation_token: token }, 403, 'scope_missing'],
    ];
    for (const [who, body, status, code] of refusals) {
      const answer = await call('cancel_reservation', who, body);
      expect([answer.status, answer.body.code], JSON.stringify(body)).toEqual([status, code]);
    }
    const other = await call('process_refund', ana, { ...input, confirmation_token: token });
    expect([other.status, other.body.code]).toEqual([403, 'confirmation_invalid']);
    expect(at.hub.dump('cultpass')).toEqual(before);

    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        call('cancel_reservation', ana, { ...input, confirmation_token: token }),
      ),
    );
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    expect(done[0]?.body).toMatchObject({ status: 'done', result: { reservation_id: ANAS_BOOKING } });
    expect(faultsOf(skill('cancel_reservation').output_schema, done[0]?.body)).toEqual([]);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200))
      expect([status, body.code]).toEqual([409, 'pending_decided']);
    expect(refundsOf(ANAS_BOOKING)).toEqual([{ amount_cents: 6_000 }]);
    expect((await at.get(new URL(status_url).pathname, ana)).body).toMatchObject({ status: 'done' });
    const again = await call('cancel_reservation', ana, { confirmation_token: token });
    expect([again.status, again.body.code]).toEqual([409, 'pending_decided']);
    expect(refundsOf(ANAS_BOOKING)).toHaveLength(1);
  });

  it('[A2S-32] is declined in so many words, and asked in the language of the caller', async () => {
    const input = { reservation_id: 'res_001' };
    const plan = await call('cancel_reservation', ana, input, {
      'accept-language': 'fr, pt;q=0.9, en;q=0.5',
    });
    expect(plan.body.question).toMatch(/reserva|cancelar/i);
    const declined = await at.post(
      CANCEL,
      ana,
      { approved: false },
      {
        'confirmation-token': String(plan.body.confirmation_token),
      },
    );
    expect([declined.status, declined.body.code]).toEqual([422, 'confirmation_rejected']);
    const late = await call('cancel_reservation', ana, {
      ...input,
      confirmation_token: plan.body.confirmation_token,
    });
    expect([late.status, late.body.code]).toEqual([409, 'pending_decided']);
    const status = await at.get(new URL(String(plan.body.status_url)).pathname, ana);
    expect(status.body).toMatchObject({ status: 'refused', error: { code: 'confirmation_rejected' } });
    expect(at.hub.dump('cultpass')).toEqual(before);
  });

  it('[A2S-33] is one with the same Idempotency-Key, however often it is sent', async () => {
    const input = { reservation_id: 'res_003' };
    const key = { 'idempotency-key': 'one-cancellation' };
    const plans = await Promise.all(
      Array.from({ length: 4 }, () => call('cancel_reservation', ana, input, key)),
    );
    const again = await call('cancel_reservation', ana, input, key);
    const questions = [...plans, again].map(({ body }) => body.pending_id);
    expect(new Set(questions).size).toBe(1);
    const other = await call('cancel_reservation', ana, { reservation_id: 'res_001' }, key);
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
    // The key is Ana's own.
    const theirs = await call('update_subscription', bruno, { action: 'pause', days: 10 }, key);
    expect(theirs.status).toBe(202);
    expect(theirs.body.pending_id).not.toBe(again.body.pending_id);
    const { confirmation_token } = again.body;
    await call('cancel_reservation', ana, { ...input, confirmation_token }, key);
    expect(statusOf('res_003')).toBe('cancelled');
    const after = await call('cancel_reservation', ana, input, key);
    expect([after.status, after.body.status]).toEqual([200, 'done']);
  });

  it('[ATK-01] that waits for an operator is taken back by its caller, and nothing is done', async () => {
    const input = { reservation_id: DEAR_BOOKING };
    const plan = await call('cancel_reservation', ana, input);
    const { confirmation_token } = plan.body;
    const confirmed = await call('cancel_reservation', ana, { ...input, confirmation_token });
    expect(confirmed.body.status).toBe('awaiting_operator');
    const stands = at.hub.dump('cultpass');
    const path = new URL(String(confirmed.body.status_url)).pathname;
    expect((await at.call('DELETE', path, { token: bruno })).status).toBe(404);
    const [approval] = await at.hub.app.desk.approvals();
    const taken = await at.call('DELETE', path, { token: ana });
    expect(taken).toMatchObject({ status: 200, body: { error: { code: 'pending_withdrawn' } } });
    expect((await at.call('DELETE', path, { token: ana })).status).toBe(409);
    const late = at.hub.app.desk.approve(approval?.pendingId ?? '', { operatorId: 'op_1', name: 'Olga' });
    await expect(late).rejects.toMatchObject({ code: 'pending_withdrawn' });
    expect(at.hub.dump('cultpass')).toEqual(stands);
  });

  it('[A2S-34] that an operator has to agree to waits for one, and tells what became of it', async () => {
    const input = { reservation_id: DEAR_BOOKING };
    const plan = await call('cancel_reservation', ana, input);
    const confirmed = await call('cancel_reservation', ana, {
      ...input,
      confirmation_token: plan.body.confirmation_token,
    });
    expect([confirmed.status, confirmed.body.status]).toEqual([202, 'awaiting_operator']);
    expect(faultsOf(skill('cancel_reservation').output_schema, confirmed.body)).toEqual([]);
    expect(at.hub.dump('cultpass')).toEqual(before);
    const path = new URL(String(confirmed.body.status_url)).pathname;
    expect((await at.get(path, ana)).body.status).toBe('awaiting_operator');
    const [approval] = await at.hub.app.desk.approvals();
    await at.hub.app.desk.approve(approval?.pendingId ?? '', { operatorId: 'op_1', name: 'Olga' });
    await until(async () => (await at.get(path, ana)).body.status === 'done');
    expect(refundsOf(DEAR_BOOKING)).toHaveLength(1);
    expect((await at.get(path, bruno)).status).toBe(404);
  });

  it('[A2S-36] of a skill that waits for a person is told to its caller, and decided by staff alone', async () => {
    const path = '/agents/investigation/skills/double_charge';
    const felipe = await programToken(at, 'felipe.araujo@example.com');
    const waits = await at.post(path, felipe, { message: 'I was charged twice' });
    expect([waits.status, waits.body.status], waits.text).toEqual([202, 'awaiting_choice']);
    expect(faultsOf(skill('double_charge').output_schema, waits.body)).toEqual([]);
    const where = new URL(String(waits.body.status_url)).pathname;
    expect((await at.get(where, felipe)).body.status).toBe('awaiting_choice');
    expect((await at.get(where, bruno)).status).toBe(404);
    expect((await at.post(where, felipe, { choice: 'C' })).status).toBe(403);
    const staff = (
      await at.hub.app.sessions.issueFor(
        { operator: { operatorId: 'op_1', name: 'Olga' } },
        { scopes: ['skill:run'] },
      )
    ).token;
    expect(fieldsOf(await at.post(where, staff, { option: 'C' }))).toEqual(['option']);
    expect(fieldsOf(await at.post(where, staff, { choice: 3 }))).toEqual(['choice']);
    const done = await at.post(where, staff, { choice: 'C' });
    expect([done.status, done.body.status], done.text).toEqual([200, 'done']);
    const seen = await at.get(where, felipe);
    expect(seen.body).toMatchObject({ status: 'done', skill_id: 'double_charge' });
    expect(faultsOf(skill('double_charge').output_schema, seen.body)).toEqual([]);
    const twice = await at.post(where, staff, { choice: 'C' });
    expect([twice.status, twice.body.code]).toEqual([409, 'run_not_waiting']);
  });

  it('[A2S-35] that the rules refuse is a problem with its code', async () => {
    const done = await call('cancel_reservation', ana, { reservation_id: ANAS_BOOKING });
    expect(done.headers.get('content-type')).toBe('application/problem+json');
    expect([done.status, done.body.code]).toEqual([422, 'already_done']);
    expect(done.body.detail).toMatch(/\w+ \w+/);
    expect(at.hub.dump('cultpass')).toEqual(before);
  });
});

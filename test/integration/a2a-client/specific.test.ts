import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_REMOTE_HOPS } from '../../../src/core/ports/remote-agents.js';
import { until } from '../../support/until.js';
import {
  type Answering,
  CARD,
  type Caller,
  cardOf,
  inTurn,
  json,
  openCaller,
  openPartner,
  type Partner,
  SHORT,
  silence,
} from './partner.js';

const BOOK = '/skills/book';
const INPUT = { venue: 'MASP', hours: 2 };

let partner: Partner;
let caller: Caller;
beforeEach(async () => {
  partner = await openPartner();
  partner.on(CARD, json(cardOf(partner.url)));
  caller = openCaller(partner.url);
});
afterEach(async () => {
  await caller.agents.close();
  await partner.close();
});

const book = (input: Record<string, unknown> = INPUT, options = {}) =>
  caller.agents.callSkill('parking', 'book_parking', input as never, { ...caller.noting, ...options });
const codes = () =>
  caller.tries.filter(({ way }) => way === 'specific').map(({ attempt, code }) => [attempt, code]);

describe('a skill of another agent', () => {
  it('[RMA-05] is called at its endpoint with what its schema asks for', async () => {
    partner.on(BOOK, json({ code: 'P-1', note: 'ground floor' }));
    const reply = await book(INPUT, { language: 'pt-BR', key: 'turn-7.call-1' });
    expect(reply).toEqual({
      state: 'completed',
      text: '',
      data: { code: 'P-1', note: 'ground floor' },
      taskId: null,
      contextId: null,
    });
    const [heard] = partner.at(BOOK);
    expect(JSON.parse(heard?.text ?? '')).toEqual(INPUT);
    expect(heard).toMatchObject({ method: 'POST' });
    expect(heard?.headers).toMatchObject({
      'idempotency-key': 'turn-7.call-1',
      'accept-language': 'pt-BR',
      'x-uda-hub-hops': '1',
    });
    expect(heard?.headers.authorization).toBeUndefined();
    expect(heard?.headers.cookie).toBeUndefined();
  });

  it.each([
    ['a field that is missing', { venue: 'MASP' }, 'hours'],
    ['a field of another type', { venue: 'MASP', hours: '2' }, 'hours'],
    ['a field out of bounds', { venue: '', hours: 2 }, 'venue'],
    ['a field it does not know', { ...INPUT, customer_id: 'u1' }, 'customer_id'],
  ])('[RMA-05] is not called with %s', async (_what, input, field) => {
    await expect(book(input)).rejects.toMatchObject({ code: 'input_invalid', fields: { field } });
    expect(partner.at(BOOK)).toEqual([]);
  });

  it.each<[string, Answering]>([
    ['breaks its own schema', json({ place: 7 })],
    ['is no JSON', json('<html>')],
    ['is empty', json('')],
    ['is deep without end', json(`{"code":"P","x":${'['.repeat(9_000)}${']'.repeat(9_000)}}`)],
    ['is larger than a megabyte', json({ code: 'x'.repeat(1_100_000) })],
    ['carries more than 64 kB of data', json({ code: 'x'.repeat(70_000) })],
  ])('[RMA-05] whose answer %s is not believed', async (_what, answering) => {
    partner.on(BOOK, answering);
    await expect(book()).rejects.toMatchObject({ code: 'remote_bad_answer' });
    expect(partner.at(BOOK)).toHaveLength(1);
  });

  it('[RMA-05] that is fetched takes its input in the address', async () => {
    const skill = { name: 'price', endpoint: '/price', method: 'get', output_schema: { type: 'number' } };
    partner.on(
      CARD,
      json(cardOf(partner.url, { capabilities: { extensions: [{ params: { skills: [skill] } }] } })),
    );
    partner.on('/price', json('12.5'));
    const reply = await caller.agents.callSkill('parking', 'price', { venue: 'a&b', hours: 2, x: [1] });
    expect(reply.data).toEqual({ result: 12.5 });
    expect(partner.heard.at(-1)).toMatchObject({
      method: 'GET',
      path: '/price?venue=a%26b&hours=2&x=%5B1%5D',
    });
    const card = await caller.agents.card('parking');
    expect(card.skills.find(({ id }) => id === 'price')?.specific).toMatchObject({ readOnly: true });
  });

  it('[RMA-05] whose schema would keep the hub busy for ever is taken on trust', async () => {
    const branch = { anyOf: Array.from({ length: 600 }, () => ({ items: { enum: [1, 2, 3] } })) };
    const skill = { name: 'price', endpoint: '/price', output_schema: { properties: { a: branch } } };
    const pattern = { properties: { b: { pattern: '^(a+)+$' } } };
    const lines = { name: 'lines', endpoint: '/price', input_schema: pattern };
    const params = { skills: [skill, lines] };
    partner.on(CARD, json(cardOf(partner.url, { capabilities: { extensions: [{ params }] } })));
    partner.on('/price', json({ a: [...Array.from({ length: 30_000 }, () => 1), 9] }));
    // Were they tested, both would be refused, after very long: neither fits.
    await caller.agents.callSkill('parking', 'price', {});
    await caller.agents.callSkill('parking', 'lines', { b: `${'a'.repeat(60)}!` });
    expect(partner.at('/price')).toHaveLength(2);
  });

  it('[RMA-05] that the card does not offer is not called, however it is named', async () => {
    for (const skill of ['advise', 'nothing', '__proto__', 'constructor'])
      await expect(caller.agents.callSkill('parking', skill, {})).rejects.toMatchObject({
        code: 'not_found',
      });
  });

  it('[RMA-05] of a hub that asks before it acts is a question, and nobody here agrees to it', async () => {
    const state = (status: string) => ({ properties: { status: { const: status } }, required: ['status'] });
    const entry = {
      name: 'cancel',
      endpoint: '/cancel',
      output_schema: { type: 'object', oneOf: [state('done'), state('confirmation_required')] },
    };
    const extension = { uri: 'urn:uda-hub:a2a:specific-skills:v1', params: { skills: [entry] } };
    partner.on(CARD, json(cardOf(partner.url, { capabilities: { extensions: [extension] } })));
    const plan = { status: 'confirmation_required', question: 'Cancel it?', terms: { cents: 1 } };
    partner.on(
      '/cancel',
      inTurn(
        json({ ...plan, confirmation_token: 'yes-token' }, 202),
        json({ status: 'done', result: { ok: true } }),
        json({ status: 'refused' }),
      ),
    );
    const cancel = () => caller.agents.callSkill('parking', 'cancel', {});
    const asked = await cancel();
    expect(asked).toMatchObject({
      state: 'input_required',
      text: 'Cancel it?',
      data: { terms: { cents: 1 } },
    });
    expect(JSON.stringify(asked)).not.toContain('yes-token');
    expect(partner.at('/cancel')).toHaveLength(1);
    expect(await cancel()).toMatchObject({ state: 'completed', data: { ok: true } });
    await expect(cancel()).rejects.toMatchObject({ code: 'remote_bad_answer' });
  });

  it('[RMA-06] is tried again after a fault, under the same key, and every try is told', async () => {
    const cut: Answering = (response) => void response.socket?.destroy();
    partner.on(BOOK, inTurn(json({ error: 'busy' }, 503), cut, json({ code: 'P-2' })));
    expect((await book()).data).toEqual({ code: 'P-2' });
    const keys = partner.at(BOOK).map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(['rcl_a_1', 'rcl_a_1', 'rcl_a_1']);
    expect(codes()).toEqual([
      [1, 'remote_unreachable'],
      [2, 'remote_unreachable'],
      [3, null],
    ]);
    const logged = caller.log.entries.filter(({ action }) => action === 'remote_call');
    expect(logged).toHaveLength(4);
    expect(logged[1]).toMatchObject({
      agent: 'remote',
      details: { remote: 'parking', way: 'specific', skill: 'book_parking', attempt: 1, ok: false },
    });
    expect(JSON.stringify(logged)).not.toMatch(/MASP|P-2|busy/);
  });

  it('[RMA-06] is not tried again after a 4xx, which says what is wrong', async () => {
    partner.on(BOOK, json({ title: 'Bad', detail: `no\u0000 place${'!'.repeat(500)}` }, 422));
    const error = await book().catch((thrown: unknown) => thrown as { fields: { detail: string } });
    expect(error).toMatchObject({ code: 'remote_refused', fields: { status: 422 } });
    expect(error).toMatchObject({ message: 'The agent parking refused the request with status 422.' });
    expect((error as { fields: { detail: string } }).fields.detail).toMatch(/^no place!{100,192}$/);
    expect(partner.at(BOOK)).toHaveLength(1);
  });

  it('[RMA-06] that is not where the card says has the card read again', async () => {
    await book().catch(() => undefined);
    await caller.agents.card('parking');
    await expect.poll(() => partner.at(CARD).length).toBe(2);
  });

  it('[RMA-06] that answers nothing in time may have been done all the same, and says so', async () => {
    partner.on(BOOK, silence);
    const quick = openCaller(
      partner.url,
      { timeout_ms: 100, retries: 2 },
      { timings: { ...SHORT, now: () => 0 } },
    );
    await expect(quick.agents.callSkill('parking', 'book_parking', INPUT)).rejects.toMatchObject({
      code: 'remote_unreachable',
      fields: { certain: false },
    });
    expect(partner.at(BOOK)).toHaveLength(3);
  });

  it('[RMA-06] of an agent that is not there has certainly not been done', async () => {
    // No connection is kept open, which would be noticed to be closed in the middle of a call.
    partner.on(CARD, json(cardOf(partner.url), 200, { connection: 'close' }));
    await caller.agents.card('parking');
    await partner.close();
    await expect(book()).rejects.toMatchObject({
      code: 'remote_unreachable',
      fields: { certain: true, attempts: 3 },
    });
    partner = await openPartner();
  });

  it('[RMA-06] is left alone after several calls without an answer, and tried once when the pause is over', async () => {
    partner.on(BOOK, json('broken', 500));
    let now = 0;
    const once = openCaller(partner.url, { retries: 1 }, { timings: { ...SHORT, now: () => now } });
    const call = () => once.agents.callSkill('parking', 'book_parking', INPUT, once.noting);
    for (let at = 0; at < 3; at += 1)
      await expect(call()).rejects.toMatchObject({ code: 'remote_unreachable', fields: { status: 500 } });
    expect(partner.at(BOOK)).toHaveLength(6);
    await expect(call()).rejects.toMatchObject({ fields: { attempts: 0, certain: true } });
    expect(partner.at(BOOK)).toHaveLength(6);
    expect(once.tries.at(-1)).toMatchObject({ ok: false, code: 'remote_unreachable' });
    now += SHORT.circuitPauseMs;
    await expect(call()).rejects.toMatchObject({ fields: { status: 500 } });
    expect(partner.at(BOOK)).toHaveLength(7);
    partner.on(BOOK, json({ code: 'P-3' }));
    await expect(call()).rejects.toMatchObject({ fields: { attempts: 0 } });
    now += SHORT.circuitPauseMs;
    expect((await call()).data).toEqual({ code: 'P-3' });
    const marks = once.log.entries.map(({ action }) => action).filter((action) => /circuit/.test(action));
    expect(marks).toEqual(['remote_circuit_open', 'remote_circuit_closed']);
  });

  it('[RMA-06] that asks for patience gets it, or is given up where it asks for too much', async () => {
    partner.on(BOOK, inTurn(json('', 429, { 'retry-after': '0' }), json({ code: 'P-4' })));
    expect((await book()).data).toEqual({ code: 'P-4' });
    const later = new Date(caller.clock.now().getTime() + 3_600_000).toUTCString();
    for (const wait of ['3600', later]) {
      const before = partner.at(BOOK).length;
      partner.on(BOOK, json('', 429, { 'retry-after': wait }));
      await expect(book()).rejects.toMatchObject({ code: 'remote_refused', fields: { status: 429 } });
      expect(partner.at(BOOK)).toHaveLength(before + 1);
    }
  });

  it('[RMA-08] stops at once when its caller leaves, or the hub ends', async () => {
    partner.on(BOOK, silence);
    const stop = new AbortController();
    const called = book(INPUT, { signal: stop.signal });
    await expect.poll(() => partner.at(BOOK).length).toBe(1);
    stop.abort();
    await expect(called).rejects.toMatchObject({ code: 'cancelled' });
    await expect(book(INPUT, { signal: stop.signal })).rejects.toMatchObject({ code: 'cancelled' });
    const last = book();
    await expect.poll(() => partner.at(BOOK).length).toBe(2);
    await caller.agents.close();
    await expect(last).rejects.toMatchObject({ code: 'cancelled' });
    await expect(book()).rejects.toMatchObject({ code: 'cancelled' });
    expect(partner.at(BOOK)).toHaveLength(2);
  });

  it('[RMA-08] stops at once in the middle of an answer, and is over when its time is, however it drips', async () => {
    let dropped = 0;
    partner.on(BOOK, (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drops = setInterval(() => {
        response.write(' ');
        dropped += 1;
      }, 5);
      response.on('close', () => clearInterval(drops));
    });
    const stop = new AbortController();
    const called = book(INPUT, { signal: stop.signal });
    await until(() => dropped > 2);
    stop.abort();
    await expect(called).rejects.toMatchObject({ code: 'cancelled' });
    const once = openCaller(partner.url, { timeout_ms: 100, retries: 0 });
    await expect(once.agents.callSkill('parking', 'book_parking', INPUT)).rejects.toMatchObject({
      code: 'remote_unreachable',
      message: expect.stringContaining('no answer within 0.1 s'),
    });
  });

  it('[RMA-09] is not called for a request that has come through too many hubs', async () => {
    partner.on(BOOK, json({ code: 'P-5' }));
    await book(INPUT, { hops: MAX_REMOTE_HOPS - 1 });
    expect(partner.at(BOOK)[0]?.headers['x-uda-hub-hops']).toBe(String(MAX_REMOTE_HOPS));
    await expect(book(INPUT, { hops: MAX_REMOTE_HOPS })).rejects.toMatchObject({
      code: 'remote_refused',
      fields: { status: 508 },
    });
    expect(partner.at(BOOK)).toHaveLength(1);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { HubError } from '../../../src/core/errors.js';
import type { ActionTool, AnyTool } from '../../../src/runtime/define-tool.js';
import { failure, fromError, type ToolEnvelope } from '../../../src/runtime/envelope.js';
import { ROSTER } from '../../support/roster.js';
import { openToolBench, type ToolBench } from './bench.js';

const ANA = 'usr_001';
const BLOCKED = 'usr_005';

let bench: ToolBench;
beforeAll(async () => {
  bench = await openToolBench();
});
afterAll(() => bench.world.close());

const codeOf = (envelope: ToolEnvelope): string => (envelope.ok ? 'ok' : envelope.error.code);
const call = (...args: Parameters<ToolBench['call']>) => bench.call(...args);

const customerTools = [...ROSTER.all.values()].filter((tool) => tool.access === 'customer');
const reads = customerTools.filter(({ effect, input }) => effect === 'read' && input.safeParse({}).success);
const actions = customerTools.filter((tool): tool is ActionTool => tool.effect === 'irreversible');

/** The least that a tool can be called with, read from its own schema; a record is one of the blocked customer's. */
function inputOf(tool: AnyTool): Readonly<Record<string, unknown>> {
  const { properties = {}, required = [] } = z.toJSONSchema(tool.input, { io: 'input' });
  const given = required.map((name) => {
    const property = properties[name];
    const { enum: [first] = ['email'], type } = typeof property === 'object' ? property : {};
    return [name, type === 'string' ? first : 1] as const;
  });
  const target = tool.effect === 'irreversible' ? tool.target : undefined;
  return { ...Object.fromEntries(given), ...(target ? { [target.input]: 'res_018' } : {}) };
}

describe('the envelopes of the tools', () => {
  it('are looked at for every tool, with an input that fits it', () => {
    expect([customerTools.length >= 10, reads.length >= 4, actions.length >= 3]).toEqual([true, true, true]);
    for (const tool of ROSTER.all.values())
      expect(tool.input.safeParse(inputOf(tool)).success, tool.name).toBe(true);
  });

  it.each(customerTools.map((tool) => [tool.name, tool] as const))(
    '[TOOL-04] %s refuses an anonymous session and invites it to sign in',
    async (name, tool) => {
      const envelope = await call(null, name, inputOf(tool));
      expect(envelope).toMatchObject({ ok: false, error: { code: 'not_signed_in' } });
      expect(envelope.ok ? '' : envelope.error.message).toMatch(/sign in/i);
    },
  );

  it.each(['find_experiences', 'search_knowledge'])('%s answers everybody', async (name) => {
    expect(
      codeOf(await call(null, name, name === 'search_knowledge' ? { query: 'opening hours' } : {})),
    ).toBe('ok');
  });

  it.each(actions.map((tool) => [tool.name, tool] as const))(
    '[RULE-07] %s is closed to a blocked customer',
    async (name, tool) => {
      expect(codeOf(await call(BLOCKED, name, inputOf(tool)))).toBe('customer_blocked');
    },
  );

  it.each(reads.map(({ name }) => name))(
    '%s shows a blocked customer the own record, in its declared shape',
    async (name) => {
      const envelope = await call(BLOCKED, name);
      expect(codeOf(envelope)).toBe('ok');
      if (envelope.ok) expect(ROSTER.all.get(name)?.output.safeParse(envelope.data).success).toBe(true);
    },
  );

  it.each([
    ['res_009', 'not_found'], // somebody else's
    ['res_999', 'not_found'],
    ["res_002' OR '1'='1", 'not_found'],
    ['res_005', 'attended'],
    ['res_007', 'already_done'],
  ])('cancel_reservation of %s answers %s', async (id, code) => {
    expect(codeOf(await call(ANA, 'cancel_reservation', { reservation_id: id }))).toBe(code);
  });

  it.each([
    ['usr_001', 'res_002', 'wrong_status'],
    ['usr_001', 'res_003', 'nothing_paid'],
    ['usr_001', 'res_005', 'attended'],
    ['usr_001', 'res_007', 'already_refunded'],
    ['usr_003', 'res_013', 'already_refunded'],
    ['usr_003', 'res_002', 'not_found'],
  ])('process_refund by %s of %s answers %s', async (who, id, code) => {
    expect(codeOf(await call(who, 'process_refund', { reservation_id: id }))).toBe(code);
  });

  it.each([
    ['usr_001', { action: 'resume' }, 'already_done'],
    ['usr_003', { action: 'pause' }, 'already_done'],
    ['usr_004', { action: 'pause' }, 'wrong_status'],
    ['usr_004', { action: 'cancel' }, 'already_done'],
    ['usr_001', { action: 'pause', days: 91 }, 'policy_denied'],
    ['usr_001', { action: 'pause', days: 0 }, 'input_invalid'],
    ['usr_001', { action: 'pause', days: '10' }, 'input_invalid'],
    ['usr_001', { action: 'delete' }, 'input_invalid'],
  ])('update_subscription by %s of %j answers %s', async (who, input, code) => {
    expect(codeOf(await call(who, 'update_subscription', input))).toBe(code);
  });

  it('[TALK-08] record_customer_preference keeps keys of the customer’s own, and not without end', async () => {
    const record = (key: string) =>
      call('usr_002', 'record_customer_preference', { key, value: 'I use a wheelchair' });
    const keys = [...'abcdefghijklmnopqrst'].map((letter) => `key_${letter}`);
    for (const key of keys) expect(codeOf(await record(key)), key).toBe('ok');
    expect(codeOf(await record('one_more'))).toBe('input_invalid');
  });

  it.each([
    [{ key: 'language', value: 'fr' }],
    [{ key: 'contact_method', value: 'pigeon' }],
    [{ key: 'Is blocked?', value: 'false' }],
    [{ key: '__proto__', value: 'en' }],
    [{ key: 'language', value: '' }],
    [{ key: 'favourites', value: 'x'.repeat(121) }],
  ])('record_customer_preference refuses %j', async (input) => {
    expect(codeOf(await call(ANA, 'record_customer_preference', input))).toBe('input_invalid');
  });

  it.each([
    undefined,
    null,
    [],
    'text',
    5,
    { reservation_id: 7 },
    { reservation_id: '' },
    { reservation_id: 'x'.repeat(65) },
  ])('[TOOL-05] answers input that fits no schema with what to do: %j', async (input) => {
    const envelope = await call(ANA, 'cancel_reservation', input);
    expect(envelope).toMatchObject({ ok: false, error: { code: 'input_invalid' } });
    expect(envelope.ok ? '' : envelope.error.message).toMatch(/call it again/i);
  });

  it('get_article_by_id of an unknown article says to search', async () => {
    expect(await call(null, 'get_article_by_id', { article_id: 'kb-none' })).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
  });

  it('audits each refused action once, also when the call runs again, and nothing else', async () => {
    const world = await openToolBench();
    await world.call(ANA, 'cancel_reservation', { reservation_id: 'res_005' });
    await world.call(ANA, 'get_reservations');
    const rows = await world.deps.audit.list({ customerId: ANA, limit: 10 });
    expect(rows).toMatchObject([
      { action: 'cancel_reservation', outcome: 'refused', actor: 'hub', details: { code: 'attended' } },
    ]);
    await world.world.close();
  });

  it('keeps bugs visible and words for every code', () => {
    expect(() => fromError(new TypeError('bug'))).toThrow(TypeError);
    expect(codeOf(fromError(new HubError('attended', 'x')))).toBe('attended');
    expect(failure('internal')).toMatchObject({
      error: { message: expect.stringContaining('Nothing was changed') },
    });
  });
});

describe('the outputs of the tools on every customer of the seed', () => {
  const everyone = Array.from({ length: 30 }, (_, index) => `usr_${String(index + 1).padStart(3, '0')}`);

  it.each(reads.map(({ name }) => name))(
    '[TOOL-01] %s keeps its schema and names nobody else',
    async (name) => {
      const tool = ROSTER.all.get(name);
      for (const customerId of everyone) {
        const envelope = await call(customerId, name);
        expect(codeOf(envelope)).toBe('ok');
        if (!envelope.ok) continue;
        expect(tool?.output.parse(envelope.data)).toEqual(envelope.data);
        const emails: readonly string[] = JSON.stringify(envelope.data).match(/[\w.]+@example\.com/g) ?? [];
        const user = await bench.deps.customers.get(customerId);
        expect(new Set([...emails, user?.email])).toEqual(new Set([user?.email]));
      }
    },
  );
});
